"""What a model costs: parameters, time and memory."""

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.compare.fitted_parts import fitted_parts
from nlpfeat.compare.multiply_accumulates import multiply_accumulates


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
    "n_parameters_non_embedding": Cost(
        "non-embedding parameters", "", "those that are no vectors of tokens or terms"
    ),
    "n_parameters_prior": Cost(
        "prior parameters", "", "those that priors brought, experts included"
    ),
    "multiply_accumulates": Cost(
        "multiply-accumulates", "", "in products of matrices, for a test document of mean length"
    ),
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
    "documents_per_second_alone_with_segmentation": Cost(
        "documents/s, one by one, with segmentation", "1/s",
        "the same single documents with the time that cutting takes", True,
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
_VECTORS = "term_vectors_"
#: Arrays that parts of a pipeline learn; those of one name are counted once a part.
_LEARNED = (
    "coef_", "intercept_", "components_", _VECTORS, "feature_log_prob_", "class_log_prior_",
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


def sizes(estimator: Any, documents: Sequence[Sequence[str]]) -> dict[str, float]:
    """Count what an estimator has learned, and what it computes for a document.

    Parameters are the numbers that its answers are computed with: weights, topics, vectors; not the
    words that were counted or their idf.

    Parameters
    ----------
    estimator : object
        Fitted.
    documents : sequence of sequences of str
        Test documents. Operations are those for the one whose number of tokens is nearest the mean,
        the first of equals: the same for all models.

    Returns
    -------
    dict of str to float
        Of ``COSTS``: the parameters, those that are no vectors, of networks those of priors, and
        the operations; what is not known is left out.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> from nlpfeat import BagOfWordsVectorizer
    >>> model = make_pipeline(BagOfWordsVectorizer(), LinearSVC(random_state=0))
    >>> sizes(model.fit([["好"], ["坏"], ["冷"]], ["正", "负", "负"]), [["好", "坏"], ["好"], []])
    {'n_parameters': 4.0, 'n_parameters_non_embedding': 4.0, 'multiply_accumulates': 1.0}
    """
    found = {name: float(count) for name, count in _parameters(estimator).items()}
    if documents:
        lengths = np.array([len(document) for document in documents])
        typical = documents[int(np.abs(lengths - lengths.mean()).argmin())]
        operations = multiply_accumulates(estimator, typical)
        if operations is not None:
            found["multiply_accumulates"] = float(operations)
    return found


def speeds(
    score: Callable[[list[list[str]]], Float64Array],
    documents: list[list[str]],
    segmentation_seconds: float,
) -> dict[str, float]:
    """Measure how fast documents are classified.

    The median of five rounds after a warm-up: 128 documents together, and twenty one by one. What
    cutting takes is the same for each document.

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
        Four of ``COSTS``; none without documents.
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
        "documents_per_second_alone_with_segmentation": 1 / (alone + segmentation_seconds),
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


def _parameters(estimator: Any) -> Counter[str]:
    """Return the counts of an estimator by their names in ``COSTS``; nothing where none is known.

    A count of 0 stands where it is known that there is none.
    """
    found: Counter[str] = Counter()
    for part in fitted_parts(estimator):
        found.update(_own_parameters(part))
    return found


def _own_parameters(part: Any) -> dict[str, int]:
    of_network = _attribute(part, "n_parameters_")
    if isinstance(of_network, dict) and "total" in of_network:
        experts = (getattr(prior, "expert", None) for prior in getattr(part, "priors_", ()))
        counts = [_parameters(expert) for expert in experts if expert is not None]
        if not all(counts):
            return {}
        total = sum(each["n_parameters"] for each in counts)
        non_embedding = sum(each["n_parameters_non_embedding"] for each in counts)
        return {
            "n_parameters": of_network["total"] + total,
            "n_parameters_non_embedding": of_network["non_embedding"] + non_embedding,
            "n_parameters_prior": of_network["priors"] + total,
        }
    sizes = {
        name: int(np.size(value.data if hasattr(value, "indptr") else value))
        for name in _LEARNED
        if (value := _attribute(part, name)) is not None
    }
    if not sizes:
        return {}
    total = sum(sizes.values())
    return {
        "n_parameters": total,
        "n_parameters_non_embedding": total - sizes.get(_VECTORS, 0),
    }


def _attribute(part: Any, name: str) -> Any:
    try:
        return getattr(part, name, None)
    except Exception:  # noqa: BLE001 - a property of a stranger; what it cannot tell is not counted
        return None
