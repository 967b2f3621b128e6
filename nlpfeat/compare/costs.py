"""What a model costs: parameters, time and memory."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from nlpfeat._typing import Float64Array


@dataclass(frozen=True)
class Cost:
    """One row of ``COSTS``.

    Parameters
    ----------
    title, unit, description : str
    is_higher_better : bool
    """

    title: str
    unit: str
    description: str
    is_higher_better: bool = False


COSTS: dict[str, Cost] = {
    "n_parameters": Cost("parameters", "", "numbers that were learned"),
    "training_seconds": Cost(
        "training", "s", "wall time of the fit of the chosen setting, in one thread"
    ),
    "cpu_seconds": Cost("CPU", "s", "processor time of that fit"),
    "tuning_seconds": Cost("tuning", "s", "wall time of the fits of all settings that were tried"),
    "documents_per_second": Cost(
        "documents/s", "1/s", "how fast 128 documents are classified together, cut already", True
    ),
    "documents_per_second_alone": Cost(
        "documents/s, one by one", "1/s", "how fast single documents are classified, cut already",
        True,
    ),
    "documents_per_second_with_segmentation": Cost(
        "documents/s with segmentation", "1/s", "the same 128 with the time that cutting takes",
        True,
    ),
    "peak_memory": Cost(
        "memory", "MB", "the most that the process of the run held, Python and packages included"
    ),
}  # fmt: skip
"""What is measured of each run besides ``METRICS``."""

_BATCH, _ALONE, _ROUNDS = 128, 20, 5
_MEGABYTE = 1e6
#: Arrays that parts of a pipeline learn; those of one name are counted once a part.
_LEARNED = (
    "coef_", "intercept_", "components_", "term_vectors_", "feature_log_prob_", "class_log_prior_",
    "mean_", "scale_",
)  # fmt: skip


@dataclass
class Times:
    """Seconds of a piece of work.

    Parameters
    ----------
    wall, cpu : float
    """

    wall: float = 0.0
    cpu: float = 0.0


@contextmanager
def timed() -> Iterator[Times]:
    """Measure the block; what it gives is filled at its end.

    Examples
    --------
    >>> with timed() as times:
    ...     total = sum(range(1_000_000))
    >>> times.wall > 0 and times.cpu > 0
    True
    """
    times = Times()
    wall, cpu = time.perf_counter(), time.process_time()
    yield times
    times.wall, times.cpu = time.perf_counter() - wall, time.process_time() - cpu


def n_parameters(estimator: Any) -> int | None:
    """Return how many numbers an estimator has learned.

    Those that its answers are computed with: weights, topics, vectors; not the words that were
    counted or their idf.

    Parameters
    ----------
    estimator : object
        Fitted.

    Returns
    -------
    int or None
        None where nothing is known of it.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> from nlpfeat import BagOfWordsVectorizer
    >>> model = make_pipeline(BagOfWordsVectorizer(), LinearSVC(random_state=0))
    >>> n_parameters(model.fit([["好"], ["坏"], ["冷"]], ["正", "负", "负"]))
    4
    """
    found = [count for part in _steps(estimator) if (count := _own_parameters(part)) is not None]
    return sum(found) if found else None


def speeds(
    score: Callable[[list[list[str]]], Float64Array],
    documents: list[list[str]],
    segmentation_seconds: float,
) -> dict[str, float]:
    """Measure how fast documents are classified.

    The median of five rounds after a warm-up: 128 documents together, and twenty one by one.

    Parameters
    ----------
    score : callable
        Of token lists.
    documents : list of list of str
        Test documents; with fewer than 128 they are taken again.
    segmentation_seconds : float
        What cutting a document takes on average.

    Returns
    -------
    dict of str to float
        Three of ``COSTS``; none without documents.
    """
    if not documents:
        return {}
    batch = [documents[place % len(documents)] for place in range(_BATCH)]
    together = _seconds(lambda: score(batch)) / _BATCH
    singles = batch[:_ALONE]
    alone = _seconds(lambda: [score([document]) for document in singles]) / _ALONE
    return {
        "documents_per_second": 1 / together,
        "documents_per_second_alone": 1 / alone,
        "documents_per_second_with_segmentation": 1 / (together + segmentation_seconds),
    }


def peak_memory() -> float | None:
    """Return the most that this process has held, in megabytes; None where nobody knows.

    Linux counts for the program that runs now, while ``getrusage`` would count that of the process
    it was started from, too.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text("ascii", "replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / _MEGABYTE
    if os.name != "posix":
        return None
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most * (1 if sys.platform == "darwin" else 1024) / _MEGABYTE


def _seconds(work: Callable[[], object]) -> float:
    """Return the median of some rounds after a warm-up."""
    work()
    rounds = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        work()
        rounds.append(time.perf_counter() - start)
    return max(median(rounds), 1e-9)


def _steps(estimator: Any) -> Iterator[Any]:
    """Yield the fitted parts of pipelines and unions."""
    if hasattr(estimator, "steps"):
        for _, step in estimator.steps:
            yield from _steps(step)
    elif hasattr(estimator, "transformer_list"):
        for _, part in estimator.transformer_list:
            yield from _steps(part)
    else:
        yield estimator


def _own_parameters(part: Any) -> int | None:
    of_network = _attribute(part, "n_parameters_")
    if isinstance(of_network, dict) and "total" in of_network:
        experts = (getattr(prior, "expert", None) for prior in getattr(part, "priors_", ()))
        counts = (n_parameters(expert) for expert in experts if expert is not None)
        return int(of_network["total"]) + sum(count or 0 for count in counts)
    sizes = [
        int(np.size(value.data if hasattr(value, "indptr") else value))
        for name in _LEARNED
        if (value := _attribute(part, name)) is not None
    ]
    return sum(sizes) if sizes else None


def _attribute(part: Any, name: str) -> Any:
    try:
        return getattr(part, name, None)
    except Exception:  # noqa: BLE001 - a property of a stranger; what it cannot tell is not counted
        return None
