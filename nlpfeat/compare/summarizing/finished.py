"""Finished runs as arrays: what each model said of each test document in each run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import BoolArray, Float64Array, Int64Array
from nlpfeat.compare.metrics.temperature import scaled
from nlpfeat.compare.runs.run import Run
from nlpfeat.compare.runs.store import RunResult
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
    runs : list of FinishedRun
        Those that the rows are made of, as they were given: every figure of the model is theirs.
    documents : ndarray of int64, shape (N,)
        The documents that every row was tested on.
    expected : ndarray of int64, shape (N,)
        The place of the class of each.
    logs, scaled_logs : ndarray of float64, shape (R, N, C)
        Log-probabilities before and after temperature scaling.
    """

    model: str
    rows: list[Row]
    runs: list[FinishedRun]
    documents: Int64Array
    expected: Int64Array
    logs: Float64Array
    scaled_logs: Float64Array

    @property
    def right(self) -> BoolArray:
        """Whether each document is right in each row, shape (R, N)."""
        return np.asarray(self.logs.argmax(axis=2) == self.expected)

    def places(self, rows: Sequence[Row]) -> list[int]:
        """Return where these rows stand in the arrays."""
        return [self.rows.index(row) for row in rows]


def shared_rows(one: Tested, other: Tested) -> list[Row]:
    """Return the repeats and seeds that both models have, in the order of the first."""
    return [row for row in one.rows if row in other.rows]


def models_at_full_size(
    runs: Sequence[FinishedRun], splits: Sequence[Split], expected: Int64Array
) -> dict[str, Tested]:
    """Return what each model said at the full size: all its figures are made of these runs.

    Parameters
    ----------
    runs : sequence of FinishedRun
        Of any models and sizes.
    splits : sequence of Split
    expected : ndarray of int64
        The place of the class of every document of the comparison.

    Returns
    -------
    dict of str to Tested
        By the name of the model, in the order in which models come first.
    """
    by_model: dict[str, list[FinishedRun]] = {}
    for each in runs:
        if each.run.is_full:
            by_model.setdefault(each.run.model.name, []).append(each)
    numbered = {split.number: split for split in splits}
    found = {name: gathered(name, mine, numbered, expected) for name, mine in by_model.items()}
    return {name: one for name, one in found.items() if one is not None}


def gathered(
    model: str, runs: Sequence[FinishedRun], splits: Mapping[int, Split], expected: Int64Array
) -> Tested | None:
    """Put the runs of a model together.

    A row is a repeat and a seed. Rows that miss folds, since runs failed or the time did not
    suffice, are left out with all their runs. Where all rows miss some, the rows of the most
    documents are taken that were tested on the same ones; of equally many the set of most rows.

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
        None without a run.
    """
    rows: dict[Row, list[FinishedRun]] = {}
    for each in runs:
        key = splits[each.run.split].repeat, each.run.seed
        rows.setdefault(key, []).append(each)
    if not rows:
        return None
    by_documents: dict[tuple[int, ...], list[Row]] = {}
    for row, found in rows.items():
        by_documents.setdefault(tuple(sorted(_tests(found).tolist())), []).append(row)
    tested, names = max(by_documents.items(), key=lambda item: (len(item[0]), len(item[1])))
    documents, names = np.array(tested, dtype=np.int64), sorted(names)
    taken = {id(each) for name in names for each in rows[name]}
    arrays = [
        np.stack([_row(rows[name], is_scaled=is_scaled) for name in names])
        for is_scaled in (False, True)
    ]
    return Tested(
        model, names, [each for each in runs if id(each) in taken], documents,
        expected[documents], arrays[0], arrays[1],
    )  # fmt: skip


def _tests(runs: Sequence[FinishedRun]) -> Int64Array:
    return np.concatenate([each.run.parts.test for each in runs])


def _row(runs: Sequence[FinishedRun], *, is_scaled: bool) -> Float64Array:
    """Return what runs said of their documents, in the order of the documents."""
    logs = np.concatenate([each.scaled_logs if is_scaled else each.logs for each in runs])
    return np.asarray(logs[np.argsort(_tests(runs), kind="stable")])
