"""Many runs, in processes; what is done is kept, and not done again."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from nlpfeat.claims.trainability.records import Records
from nlpfeat.claims.trainability.runs import Outcome, Run
from nlpfeat.errors import InvalidParameterError, WorkerError
from nlpfeat.parallel.pool import end_with_parent, resolve_n_jobs

_LAST_SEED = 2**32 - 1
OnDone = Callable[[int, int, Run, Outcome], None]
"""Called after each run with its number among those that were missing, how many these are, the run
and its outcome."""


def do_all(
    runs: Sequence[Run],
    records: Records,
    *,
    device: str = "cpu",
    n_jobs: int = 1,
    on_done: OnDone,
) -> None:
    """Do the runs that the records lack, each in a process with one thread, and keep each.

    Parameters
    ----------
    runs : sequence of Run
    records : Records
    device : str, default "cpu"
        A name that torch knows, or "auto".
    n_jobs : int, default 1
        Processes; -1 for all processors.
    on_done : callable

    Raises
    ------
    InvalidParameterError
        For a number of processes and a seed that cannot be, and for a device that is not there.
    WorkerError
        When a process ends before its run is done, for example for want of memory.
    """
    for each in runs:
        if not 0 <= each.seed <= _LAST_SEED:
            raise InvalidParameterError(
                f"seed must be a whole number from 0 to {_LAST_SEED}. Got {each.seed}."
            )
    n_jobs = resolve_n_jobs(n_jobs)
    missing = list({each.key: each for each in runs if each not in records}.values())
    if not missing:
        return
    # torch takes seconds to load: what needs none is told, and shown, without it.
    from nlpfeat.classifiers._devices import resolve_device

    device = str(resolve_device(device))
    context = get_context("spawn")
    with ProcessPoolExecutor(n_jobs, context, initializer=end_with_parent) as pool:
        started = {pool.submit(_done, each, device): each for each in missing}
        try:
            for number, future in enumerate(as_completed(started), start=1):
                each, outcome = started[future], future.result()
                records.add(each, outcome)
                on_done(number, len(missing), each, outcome)
        except BrokenProcessPool as error:
            raise WorkerError(
                "A process ended before its run was done: it was stopped from outside, most often "
                "for want of memory. What is done is kept; --jobs 1 takes the least memory."
            ) from error
        finally:
            pool.shutdown(cancel_futures=True)


def _done(each: Run, device: str) -> Outcome:
    import torch

    from nlpfeat.claims.trainability.experiment import run

    torch.set_num_threads(1)
    return run(
        each.setting, each.recipe, each.seed,
        device=device, n_steps=each.n_steps, n_test=each.n_test,
    )  # fmt: skip
