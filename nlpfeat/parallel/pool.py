"""Work in other processes, in order, with errors that reach the caller."""

import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, TypeVar

from nlpfeat._validation import check_int
from nlpfeat.errors import InvalidParameterError, WorkerError

Item = TypeVar("Item")
Result = TypeVar("Result")

_worker: Any = None


def resolve_n_jobs(n_jobs: int | None) -> int:
    """Return how many processes to use: ``None`` is 1, -1 all processors, as in scikit-learn.

    Examples
    --------
    >>> resolve_n_jobs(None), resolve_n_jobs(2)
    (1, 2)
    """
    if n_jobs is None:
        return 1
    number = check_int(n_jobs, "n_jobs")
    if number == 0:
        raise InvalidParameterError("n_jobs must be positive, or -1 for all processors. Got 0.")
    return number if number > 0 else max(1, (os.cpu_count() or 1) + 1 + number)


def ordered_map(
    make_worker: Callable[[], Callable[[Item], Result]],
    items: Iterable[Item],
    n_jobs: int = 1,
    start_method: str | None = None,
) -> Iterator[Result]:
    """Yield ``worker(item)`` for each item, in their order.

    Each process makes its worker once. A result is always yielded before the next one of the same
    process, so a worker may build on what it sent before. At most a few items a process wait at a
    time, so a long stream is never held in memory.

    Parameters
    ----------
    make_worker : callable, picklable
        Called once a process; what it returns is called with each item.
    items : iterable
        Consumed as workers become free. A single item is done in this process.
    n_jobs : int, default 1
        Processes; with 1 everything happens in this one.
    start_method : {"fork", "spawn", "forkserver"}, default None
        None takes the platform's.

    Raises
    ------
    InvalidParameterError
        When ``make_worker`` cannot be sent to another process.
    WorkerError
        When a process ends before its work is done, for example for want of memory.
    """
    if n_jobs == 1:
        yield from map(make_worker(), items)
        return
    stream = iter(items)
    first = list(islice(stream, 2))
    stream = chain(first, stream)
    if len(first) < 2:
        yield from map(make_worker(), stream)
        return
    context = multiprocessing.get_context(start_method)
    if context.get_start_method() != "fork":
        _check_can_travel(make_worker)
    pool = ProcessPoolExecutor(
        n_jobs,
        mp_context=context,
        initializer=_start_worker,
        initargs=(make_worker,),
    )
    try:
        waiting: deque[Future[Result]] = deque()
        for item in stream:
            waiting.append(pool.submit(_work, item))
            if len(waiting) > 2 * n_jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise WorkerError(
            "A worker process ended before its work was done: it was stopped from outside, most "
            "often for want of memory (try fewer processes: --jobs, n_jobs); or a script on macOS "
            "or Windows runs without the guard if __name__ == '__main__'."
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _check_can_travel(make_worker: Callable[[], Any]) -> None:
    try:
        pickle.dumps(make_worker)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InvalidParameterError(
            f"What works in several processes must be picklable: {error}. Define the function at "
            "the top of a module instead of a lambda or an inner function, or use one process."
        ) from error


def _start_worker(make_worker: Callable[[], Any]) -> None:
    # Ctrl-C reaches every process of the terminal; the parent alone answers it, and ends the rest.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    global _worker
    _worker = make_worker()


def end_with_parent() -> None:
    """Leave no process behind when the parent is killed and cannot end this one.

    It is watched by a thread of its own.
    """
    Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _work(item: Any) -> Any:
    return _worker(item)
