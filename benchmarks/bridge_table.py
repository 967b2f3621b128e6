"""The statistics of bench_bridge.py, and its tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]

N_RESAMPLES = 10_000
LEVEL = 95.0
Z = 1.959964  # of the normal distribution, for that level
NOTE = (
    "Differences are in points, with intervals of 95 % over drawn documents and drawn runs. Where "
    "an interval holds 0 it says how many documents would set it apart from 0 if seeds made no "
    "difference: it takes more of them, or more runs. Rows of one run have no spread of seeds."
)
_BLOCK = 200  # resamples at a time


@dataclass(frozen=True)
class Row:
    """The runs of a row of a table, one a seed.

    Attributes
    ----------
    name : str
    figures : dict of str to list of float
        accuracy, macro_f1, log_loss, epochs, seconds: one number a run.
    correct : ndarray of bool, shape (n_runs, n_documents)
        Which documents each run has right.
    """

    name: str
    figures: dict[str, list[float]]
    correct: Bools


def resampled_accuracies(correct: Bools, n_resamples: int = N_RESAMPLES, seed: int = 0) -> Floats:
    """Return the accuracy of each run on documents drawn with replacement.

    The same documents are drawn for all runs, so that differences between runs are paired.

    Parameters
    ----------
    correct : ndarray of bool, shape (n_runs, n_documents)
    n_resamples : int
    seed : int

    Returns
    -------
    ndarray of float64, shape (n_resamples, n_runs)
    """
    random = np.random.default_rng(seed)
    n_documents = correct.shape[1]
    right = correct.T.astype(np.float32)
    accuracies = np.empty((n_resamples, len(correct)))
    for start in range(0, n_resamples, _BLOCK):
        size = min(_BLOCK, n_resamples - start)
        drawn = random.integers(n_documents, size=(size, n_documents))
        drawn += n_documents * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * n_documents)
        times = times.reshape(size, n_documents).astype(np.float32)
        accuracies[start : start + size] = times @ right / n_documents
    return accuracies


def resampled_differences(ours: Floats, theirs: Floats, seed: int = 0) -> Floats:
    """Return the differences of mean accuracies, with the runs of either side drawn as well.

    Parameters
    ----------
    ours, theirs : ndarray of float64, shape (n_resamples, n_runs)
        Accuracies on the same drawn documents.
    seed : int

    Returns
    -------
    ndarray of float64, shape (n_resamples,)
    """
    random = np.random.default_rng(seed)
    means = []
    for accuracies in (ours, theirs):
        runs = random.integers(accuracies.shape[1], size=accuracies.shape)
        means.append(np.take_along_axis(accuracies, runs, axis=1).mean(axis=1))
    return np.asarray(means[0] - means[1])


def interval(differences: Floats) -> tuple[float, float]:
    """Return the percentiles between which the middle 95 % of the resamples are."""
    low, high = np.percentile(differences, [50 - LEVEL / 2, 50 + LEVEL / 2])
    return float(low), float(high)


def documents_needed(ours: Bools, theirs: Bools) -> int | None:
    """Return how many documents would set the interval of this difference apart from 0.

    Normal approximation. What one document adds to the difference is +1, 0 or -1 for a pair of
    runs, of variance (share of documents with one of the two right) - difference²; for several runs
    it is the difference of their means.

    The runs are taken as they are: how much seeds differ is not in this number, though the interval
    beside it draws runs as well. So it is too low wherever seeds matter, and where they matter
    more than the difference no number of documents is enough: then it takes more runs.

    Parameters
    ----------
    ours, theirs : ndarray of bool, shape (n_runs, n_documents)

    Returns
    -------
    int, or None
        None where there is no difference.
    """
    each = ours.mean(axis=0) - theirs.mean(axis=0)
    difference = float(each.mean())
    if not difference:
        return None
    return ceil(Z**2 * float(each.var()) / difference**2)


def table(rows: Sequence[Row], base: str, best_classical: str) -> list[str]:
    """Return the lines of a markdown table.

    Parameters
    ----------
    rows : sequence of Row
        All on the same documents.
    base, best_classical : str
        Names of the rows that the others are compared with; one that is absent is left out.
    """
    accuracies = resampled_accuracies(np.concatenate([row.correct for row in rows]))
    ends = np.cumsum([len(row.correct) for row in rows])
    resampled = dict(zip([row.name for row in rows], np.split(accuracies, ends[:-1], axis=1)))
    by_name = {row.name: row for row in rows}
    lines = [
        "| row | runs | accuracy | macro-F1 | log loss | epochs | seconds | minus attention alone "
        "| minus the best classical model |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        cells = [
            row.name, str(len(row.correct)),
            _spread(row.figures["accuracy"]),
            _spread(row.figures["macro_f1"]),
            f"{np.mean(row.figures['log_loss']):.3f}",
            f"{np.mean(row.figures['epochs']):.1f}" if row.figures["epochs"][0] else "",
            f"{np.mean(row.figures['seconds']):.0f}",
        ]  # fmt: skip
        for name in (base, best_classical):
            other = by_name.get(name)
            cells.append("" if other in (None, row) else _difference(row, other, resampled))
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _difference(row: Row, other: Row, resampled: dict[str, Floats]) -> str:
    """Return the difference in points, its interval, and the documents that it would take."""
    difference = row.correct.mean() - other.correct.mean()
    low, high = interval(resampled_differences(resampled[row.name], resampled[other.name]))
    shown = f"{100 * difference:+.2f} [{100 * low:+.2f}, {100 * high:+.2f}]"
    if low > 0 or high < 0:
        return shown
    needed = documents_needed(row.correct, other.correct)
    return f"{shown}; {'—' if needed is None else format(needed, ',')} documents"


def _spread(shares: Iterable[float]) -> str:
    numbers = 100 * np.array(list(shares))
    deviation = f" ± {numbers.std(ddof=1):.2f}" if len(numbers) > 1 else ""
    return f"{numbers.mean():.2f}{deviation}"
