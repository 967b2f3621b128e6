import multiprocessing
import os
import time
from collections.abc import Callable, Iterator

import pytest

from nlpfeat.errors import EncodingError, InvalidParameterError, WorkerError
from nlpfeat.parallel.pool import ordered_map, resolve_n_jobs


class Counting:
    """Returns each item with how many this worker had before, and its process."""

    def __init__(self) -> None:
        self.seen = 0

    def __call__(self, item: int) -> tuple[int, int, int]:
        self.seen += 1
        if item % 3 == 0:
            time.sleep(0.002)
        return item, self.seen, os.getpid()


class Failing:
    """Makes a worker that fails in a given way at item 5."""

    def __init__(self, fail: Callable[[], None]) -> None:
        self.fail = fail

    def __call__(self) -> Callable[[int], int]:
        return self.work

    def work(self, item: int) -> int:
        if item == 5:
            self.fail()
        return item


def die() -> None:
    os._exit(3)


def no_text() -> None:
    raise EncodingError("not text")


def not_there() -> None:
    raise KeyError("word")


METHODS = multiprocessing.get_all_start_methods()


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_results_come_in_order(n_jobs: int) -> None:
    results = list(ordered_map(Counting, range(60), n_jobs))
    assert [item for item, _, _ in results] == list(range(60))
    by_process: dict[int, list[int]] = {}
    for _, seen, process in results:
        by_process.setdefault(process, []).append(seen)
    assert len(by_process) <= n_jobs
    # Each process made one worker, and what it sent comes in the order in which it was made.
    assert all(seen == list(range(1, len(seen) + 1)) for seen in by_process.values())
    assert (os.getpid() in by_process) == (n_jobs == 1)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_start_methods(method: str) -> None:
    results = list(ordered_map(Counting, iter(range(20)), 2, start_method=method))
    assert [item for item, _, _ in results] == list(range(20))


@pytest.mark.parametrize("items", [[], [7]])
def test_a_single_item_starts_no_process(items: list[int]) -> None:
    assert [(i, p) for i, _, p in ordered_map(Counting, items, 4)] == [
        (item, os.getpid()) for item in items
    ]


def stream(read: list[int], end: int = 10**9) -> Iterator[int]:
    for item in range(end):
        read.append(item)
        yield item


Children = Callable[[], None]


@pytest.fixture
def no_new_processes() -> Children:
    """Return what asserts that no process is left; those of earlier tests do not count."""
    before = {child.pid for child in multiprocessing.active_children()}

    def check() -> None:
        assert {child.pid for child in multiprocessing.active_children()} <= before

    return check


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_input_is_not_read_ahead(n_jobs: int, no_new_processes: Children) -> None:
    read: list[int] = []
    results = ordered_map(Counting, stream(read), n_jobs)
    assert read == []
    for number in range(1, 30):
        next(results)
        assert len(read) <= number + 2 * n_jobs + 1
    results.close()
    assert len(read) <= 29 + 2 * n_jobs + 1
    no_new_processes()


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(("fail", "error"), [(no_text, EncodingError), (not_there, KeyError)])
def test_an_error_keeps_its_type(
    n_jobs: int, fail, error: type[Exception], no_new_processes: Children
) -> None:
    results = ordered_map(Failing(fail), range(100), n_jobs)
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(error, match=r"not text|word"):
        next(results)
    no_new_processes()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_of_the_input_comes_through(n_jobs: int, no_new_processes: Children) -> None:
    def broken() -> Iterator[int]:
        yield from range(7)
        raise EncodingError("not text")

    with pytest.raises(EncodingError, match="not text"):
        list(ordered_map(Counting, broken(), n_jobs))
    no_new_processes()


def test_a_worker_that_dies_is_no_hang(no_new_processes: Children) -> None:
    start = time.monotonic()
    with pytest.raises(WorkerError, match=r"worker process ended .*fewer processes: --jobs"):
        list(ordered_map(Failing(die), range(100), 2))
    assert time.monotonic() - start < 30
    no_new_processes()


@pytest.mark.parametrize("method", [method for method in METHODS if method != "fork"])
def test_what_cannot_travel_is_named(method: str) -> None:
    with pytest.raises(InvalidParameterError, match=r"must be picklable: .*lambda.* one process"):
        list(ordered_map(lambda: str, range(10), 2, start_method=method))
    assert list(ordered_map(lambda: str, range(3), 1, start_method=method)) == ["0", "1", "2"]


def test_n_jobs() -> None:
    processors = os.cpu_count() or 1
    assert [resolve_n_jobs(n) for n in (None, 1, 7)] == [1, 1, 7]
    assert resolve_n_jobs(-1) == processors
    assert resolve_n_jobs(-processors) == resolve_n_jobs(-processors - 5) == 1


@pytest.mark.parametrize("n_jobs", [0, 1.5, "2", True])
def test_what_n_jobs_cannot_be(n_jobs: object) -> None:
    with pytest.raises(InvalidParameterError, match="n_jobs must be"):
        resolve_n_jobs(n_jobs)
