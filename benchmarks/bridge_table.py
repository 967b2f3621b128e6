"""The statistics of bench_bridge.py, and its tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from nlpfeat.compare.statistics.interval import percentile_interval
from nlpfeat.compare.statistics.resampling import mean_of_drawn_runs, resampled_sums
from nlpfeat.compare.statistics.resolution import documents_needed_of_runs

_MOST_DOCUMENTS = 1_000_000

Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]

NOTE = (
    "Differences are in points, with intervals of 95 % over drawn documents and drawn runs. Where "
    "an interval holds 0 it says how many documents would set it apart from 0 if seeds made no "
    "difference: it takes more of them, or more runs. Rows of one run have no spread of seeds."
)


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


def table(rows: Sequence[Row], base: str, best_classical: str) -> list[str]:
    """Return the lines of a markdown table.

    Parameters
    ----------
    rows : sequence of Row
        All on the same documents.
    base, best_classical : str
        Names of the rows that the others are compared with; one that is absent is left out.
    """
    correct = np.concatenate([row.correct for row in rows])
    accuracies = resampled_sums(correct.T) / correct.shape[1]
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
    difference = float(row.correct.mean() - other.correct.mean())
    random = np.random.default_rng(0)
    ours, theirs = (mean_of_drawn_runs(resampled[each.name], random) for each in (row, other))
    found = percentile_interval(difference, ours - theirs)
    shown = f"{100 * difference:+.2f} [{100 * found.low:+.2f}, {100 * found.high:+.2f}]"
    if found.low > 0 or found.high < 0:
        return shown
    needed = documents_needed_of_runs(row.correct, other.correct)
    return f"{shown}; {_many(needed)} documents"


def _many(number: int | None) -> str:
    """Return a number of documents; of those that nobody has, that they are too many."""
    if number is None:
        return "—"
    return f"{number:,}" if number <= _MOST_DOCUMENTS else f"over {_MOST_DOCUMENTS:,}"


def _spread(shares: Iterable[float]) -> str:
    numbers = 100 * np.array(list(shares))
    deviation = f" ± {numbers.std(ddof=1):.2f}" if len(numbers) > 1 else ""
    return f"{numbers.mean():.2f}{deviation}"
