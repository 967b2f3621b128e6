"""Finished runs as arrays: what each model said of each test document in each run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from nlpfeat._typing import BoolArray, Float64Array, Int64Array
from nlpfeat.compare.metrics.temperature import scaled
from nlpfeat.compare.run import Run
from nlpfeat.compare.run_store import RunResult
from nlpfeat.compare.splits import Split

Row = tuple[int, int]
"""A repeat and a seed: over all its folds every document is tested once."""


@dataclass(frozen=True, eq=False)
class FinishedRun:
    """A run with what it left.

    Parameters
    ----------
    run : Run
    result : RunResult
    """

    run: Run
    result: RunResult

    @property
    def logs(self) -> Float64Array:
        """Log-probabilities of the test documents, shape (N, C)."""
        return scaled(self.result.log_probabilities, 1.0)

    @property
    def scaled_logs(self) -> Float64Array:
        """The same after temperature scaling."""
        return scaled(self.result.log_probabilities, self.result.temperature)


@dataclass(frozen=True, eq=False)
class Tested:
    """What the runs of a model at one size said of the test documents.

    Parameters
    ----------
    model : str
    rows : list of (int, int)
        Repeat and seed of each row.
    documents : ndarray of int64, shape (N,)
        The documents that every row was tested on.
    expected : ndarray of int64, shape (N,)
        The place of the class of each.
    logs, scaled_logs : ndarray of float64, shape (R, N, C)
        Log-probabilities before and after temperature scaling.
    """

    model: str
    rows: list[Row]
    documents: Int64Array
    expected: Int64Array
    logs: Float64Array
    scaled_logs: Float64Array

    @property
    def right(self) -> BoolArray:
        """Whether each document is right in each row, shape (R, N)."""
        return np.asarray(self.logs.argmax(axis=2) == self.expected)

    def on(self, documents: Int64Array) -> "Tested":
        """Return the same of some of its documents."""
        places = np.searchsorted(self.documents, documents)
        return Tested(
            self.model, self.rows, documents, self.expected[places],
            self.logs[:, places], self.scaled_logs[:, places],
        )  # fmt: skip


def gathered(
    model: str, runs: Sequence[FinishedRun], splits: Mapping[int, Split], expected: Int64Array
) -> Tested | None:
    """Put the runs of a model together.

    A row is a repeat and a seed. Of rows that miss folds, since runs failed or the time did not
    suffice, those with the most documents are taken, and the documents that they share.

    Parameters
    ----------
    model : str
    runs : sequence of FinishedRun
        Of one model at one size.
    splits : mapping of int to Split
    expected : ndarray of int64
        The place of the class of every document of the comparison.

    Returns
    -------
    Tested or None
        None without a run, or where the rows share no document.
    """
    rows: dict[Row, list[FinishedRun]] = {}
    for each in runs:
        key = splits[each.run.split].repeat, each.run.seed
        rows.setdefault(key, []).append(each)
    if not rows:
        return None
    covered = {
        row: np.sort(np.concatenate([each.run.parts.test for each in found]))
        for row, found in rows.items()
    }
    most = max(map(len, covered.values()))
    rows = {row: found for row, found in rows.items() if len(covered[row]) == most}
    documents = reduce(np.intersect1d, [covered[row] for row in rows])
    if not len(documents):
        return None
    names = sorted(rows)
    arrays = [
        np.stack([_row(rows[name], documents, is_scaled=is_scaled) for name in names])
        for is_scaled in (False, True)
    ]
    return Tested(model, names, documents, expected[documents], arrays[0], arrays[1])


def _row(runs: Sequence[FinishedRun], documents: Int64Array, *, is_scaled: bool) -> Float64Array:
    tests = np.concatenate([each.run.parts.test for each in runs])
    logs = np.concatenate([each.scaled_logs if is_scaled else each.logs for each in runs])
    order = np.argsort(tests, kind="stable")
    return np.asarray(logs[order[np.searchsorted(tests[order], documents)]])
