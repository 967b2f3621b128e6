"""Runs in processes of their own, each in one thread; what one of them does harms no other."""

import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TypeAlias, cast

from nlpfeat.compare.runs.run import Run, perform
from nlpfeat.compare.runs.store import RunStore
from nlpfeat.errors import WorkerError
from nlpfeat.parallel.pool import end_with_parent

_THREADS = (
    "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)  # fmt: skip
"""What libraries read once, when they are loaded: so a process must be born with it."""


@dataclass(frozen=True)
class Failure:
    """A run that was not finished.

    Parameters
    ----------
    kind : str
        The type of the error, or "Late" for a run that the time did not suffice for.
    message : str
    """

    kind: str
    message: str = ""

    @property
    def is_late(self) -> bool:
        """Whether the run was not begun, for want of time."""
        return self.kind == "Late"


LATE = Failure("Late")

OnRun: TypeAlias = Callable[[Run, Failure | None], None]


@dataclass(eq=False)
class _Worker:
    """A process with the runs that it is to do, and how many it has told of."""

    process: BaseProcess
    runs: list[Run]
    n_done: int = 0
    is_ready: bool = False


def do_runs(
    batches: Sequence[list[Run]],
    store: RunStore,
    *,
    n_jobs: int,
    deadline: float | None,
    on_run: OnRun,
) -> None:
    """Do runs, each batch in a process of its own; finished ones are in the store at once.

    Parameters
    ----------
    batches : sequence of list of Run
        In the order in which they begin.
    store : RunStore
    n_jobs : int
        Processes at a time.
    deadline : float or None
        No run begins after this time, in seconds as ``time.time`` gives them.
    on_run : callable
        Told of each run that ended, and how it failed.

    Raises
    ------
    WorkerError
        When processes cannot begin.
    """
    waiting = deque(batch for batch in batches if batch)
    working: dict[Connection, _Worker] = {}
    try:
        while waiting or working:
            while waiting and len(working) < n_jobs:
                batch = waiting.popleft()
                if _is_late(deadline):
                    for run in batch:
                        on_run(run, LATE)
                else:
                    connection, worker = _started(batch, store.folder, deadline)
                    working[connection] = worker
            # With none at work, since all that was left was late, there is nothing to wait for.
            for ready in wait(list(working)) if working else ():
                if rest := _heard(cast("Connection", ready), working, on_run):
                    waiting.appendleft(rest)
    finally:
        for worker in working.values():
            worker.process.terminate()
        for worker in working.values():
            worker.process.join()


def _is_late(deadline: float | None) -> bool:
    return deadline is not None and time.time() >= deadline


def _started(runs: list[Run], folder: Path, deadline: float | None) -> tuple[Connection, _Worker]:
    # Started anew: a copy of this process would hold its memory and the locks of its threads.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, runs, folder, deadline), daemon=False)
    with _one_thread():
        process.start()
    theirs.close()
    return ours, _Worker(process, runs)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let processes that start in the block have one thread; this one keeps its settings."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _heard(connection: Connection, working: dict[Connection, _Worker], on_run: OnRun) -> list[Run]:
    """Take what a process says; return the runs that it leaves when it has died."""
    worker = working[connection]
    try:
        message: Failure | str | None = connection.recv()
    except (EOFError, OSError):
        del working[connection]
        connection.close()
        worker.process.join()
        return _left(worker, on_run)
    if isinstance(message, str):
        worker.is_ready = True
    else:
        worker.n_done += 1
        on_run(worker.runs[worker.n_done - 1], message)
    return []


def _left(worker: _Worker, on_run: OnRun) -> list[Run]:
    """Return the runs behind the one in which a process died."""
    undone = worker.runs[worker.n_done :]
    if not undone:
        return []
    code = worker.process.exitcode
    if not worker.is_ready:
        raise WorkerError(
            f"A process ended with code {code} before it began: a script must start its "
            'comparison behind the guard if __name__ == "__main__", and models of a script must '
            "be defined at the top of it."
        )
    reason = f"its process ended with code {code}"
    if code is not None and code < 0:  # a signal; the kernel sends one to whoever takes too much
        reason += ", most often for want of memory"
    on_run(undone[0], Failure("WorkerError", reason))
    return undone[1:]


def _work(connection: Connection, runs: list[Run], folder: Path, deadline: float | None) -> None:
    """Do runs in a process that was started for them."""
    # Ctrl-C reaches every process of the terminal; the first one alone answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    if "torch" in sys.modules or any(run.model.needs_torch for run in runs):
        import torch

        # No variable tells it how many operations run side by side.
        torch.set_num_interop_threads(1)
    connection.send("ready")
    store = RunStore(folder)
    for run in runs:
        connection.send(LATE if _is_late(deadline) else _done(run, store))
    connection.close()


def _done(run: Run, store: RunStore) -> Failure | None:
    try:
        store.save(run.key, perform(run))
    except Exception as error:  # noqa: BLE001 - whatever a model does, the other runs go on
        message = " ".join(str(error).split())
        return Failure(type(error).__name__, message)
    return None
