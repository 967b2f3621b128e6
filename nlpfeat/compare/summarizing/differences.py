"""Models minus a reference, and whether the difference is more than chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nlpfeat._typing import BoolArray, Float64Array
from nlpfeat.compare.findings import Difference, Record, Resolution
from nlpfeat.compare.metrics import METRICS
from nlpfeat.compare.statistics.correlated_t import corrected_t_test, correlated_t
from nlpfeat.compare.statistics.five_by_two import five_by_two_f
from nlpfeat.compare.statistics.holm import holm
from nlpfeat.compare.statistics.mcnemar import discordant_documents, mcnemar
from nlpfeat.compare.statistics.resolution import (
    documents_needed_of_runs,
    half_width,
    paired_half_width,
)
from nlpfeat.compare.summarizing.finished import Row, Tested, shared_rows
from nlpfeat.compare.summarizing.records import SCALED
from nlpfeat.compare.summarizing.resamples import Resamples

METRICS_COMPARED = ("accuracy", "macro_f1", "calibration_error_scaled")
"""Metrics of which differences are shown; of accuracy with a test of its own.

Calibration after temperature scaling: the decisions of an SVM are no probabilities before it.
"""

PLACEBO = "-placebo"
"""The end of the name of a model with the placebo of a prior."""

_LEVEL = 0.05
_ROUNDING = 1e-9
"""Differences up to here are those of the order in which numbers were added."""
_SURE = 0.95


@dataclass(frozen=True, eq=False)
class Comparison:
    """What differences are made of.

    Parameters
    ----------
    models : dict of str to Tested
        On the same documents.
    records : list of Record
        Of the runs of ``models``.
    resamples : mapping of str to Resamples
    n_splits : int
    rho : float
        Share of the documents that a split tests on.
    equivalence : float
        Half width of the region of practical equivalence, in accuracy.
    is_five_by_two : bool, default False
        Whether the splits are five repeats of two folds.
    """

    models: dict[str, Tested]
    records: list[Record]
    resamples: Mapping[str, Resamples]
    n_splits: int
    rho: float
    equivalence: float
    is_five_by_two: bool = False


def differences_of(comparison: Comparison, references: Sequence[str]) -> list[Difference]:
    """Return each model minus each reference, and each prior minus its placebo.

    A row is of the runs of the same repeat and seed that both models have, in all its figures; a
    pair without such a run has no row. Better or worse is said only where the interval is apart
    from 0, the p-value is below 5 % after Holm's correction over all differences of the metric,
    and, for accuracy, the difference is above what the test documents resolve for two models that
    disagree as often as these.

    Parameters
    ----------
    comparison : Comparison
    references : sequence of str
        Names of models. A pair of two references is listed once.

    Returns
    -------
    list of Difference
    """
    models = comparison.models
    pairs = [pair for pair in _pairs(models, references) if _rows_of(models, pair)]
    found: list[Difference] = []
    for metric in METRICS_COMPARED:
        rows = [_difference(comparison, metric, *pair) for pair in pairs]
        if not rows:
            continue
        corrected = holm([row.p_value for row in rows])
        found += [
            _judged(
                replace(row, p_holm=float(p)), comparison.equivalence, _resolved(comparison, row)
            )
            for row, p in zip(rows, corrected)
        ]
    return found


def apart(models: Mapping[str, Tested], references: Sequence[str]) -> list[str]:
    """Return what is to be said of pairs that have no row, since they share no repeat and seed.

    Parameters
    ----------
    models : mapping of str to Tested
    references : sequence of str
        As for `differences_of`.

    Returns
    -------
    list of str
    """
    return [
        f"{model} and {reference} have no finished run of the same repeat and seed, and no "
        "difference."
        for model, reference in _pairs(models, references)
        if not _rows_of(models, (model, reference))
    ]


def resolution_of(models: Mapping[str, Tested], equivalence: float) -> Resolution:
    """Return what difference in accuracy the test documents can tell from chance.

    Parameters
    ----------
    models : mapping of str to Tested
        At least one, on the same documents.
    equivalence : float
        Half width of the region of practical equivalence, in accuracy.

    Returns
    -------
    Resolution
        The disagreement is that of runs of the same repeat and seed, of the median pair that has
        some; without such a pair it is that of two independent models of the best accuracy.
    """
    n_documents = len(next(iter(models.values())).documents)
    accuracy = max(float(each.right.mean()) for each in models.values())
    names = list(models)
    shares = [
        _disagreement(models[one], models[other])
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        if shared_rows(models[one], models[other])
    ]
    disagreement = float(np.median(shares)) if shares else 2 * accuracy * (1 - accuracy)
    return Resolution(
        n_documents, accuracy, disagreement, half_width(n_documents, accuracy),
        paired_half_width(n_documents, disagreement), equivalence,
    )  # fmt: skip


def _pairs(models: Mapping[str, Tested], references: Sequence[str]) -> list[tuple[str, str]]:
    """Return which model is held against which, a pair of two references once."""
    pairs = [
        (model, reference)
        for place, reference in enumerate(references)
        for model in models
        if model != reference and model not in references[:place]
    ]
    return pairs + [(name, f"{name}{PLACEBO}") for name in models if f"{name}{PLACEBO}" in models]


def _rows_of(models: Mapping[str, Tested], pair: tuple[str, str]) -> list[Row]:
    return shared_rows(models[pair[0]], models[pair[1]])


def _difference(comparison: Comparison, metric: str, model: str, reference: str) -> Difference:
    interval = comparison.resamples[metric].difference(model, reference)
    ours, theirs = comparison.models[model], comparison.models[reference]
    test, p_value = "bootstrap", interval.p_value
    probabilities: tuple[float | None, float | None, float | None] = (None, None, None)
    needed = None
    if metric == "accuracy":
        test, p_value, probabilities = _tested(comparison, ours, theirs, p_value)
        if interval.low <= 0 <= interval.high:
            needed = documents_needed_of_runs(*_right(ours, theirs))
    return Difference(
        model, reference, metric, interval.value, interval.low, interval.high, test, p_value,
        p_value, *probabilities, "undecided", needed, _says_the_same(ours, theirs, metric),
    )  # fmt: skip


def _tested(
    comparison: Comparison, ours: Tested, theirs: Tested, p_bootstrap: float
) -> tuple[str, float, tuple[float | None, float | None, float | None]]:
    """Return the name of the test of accuracy, its p-value, and what the Bayesian one says."""
    if comparison.n_splits > 1:
        differences = _by_split(comparison.records, ours.model, theirs.model)
        if len(differences) > 1:
            posterior = correlated_t(differences, comparison.rho, comparison.equivalence)
            name, p_value = "corrected t", corrected_t_test(differences, comparison.rho)
            if comparison.is_five_by_two and len(differences) == comparison.n_splits:
                # Splits are numbered repeat by repeat, and 0 is the first fold of each.
                name, p_value = "5x2cv F", five_by_two_f(differences.reshape(5, 2)).p_value
            return name, p_value, tuple(map(float, posterior))  # type: ignore[return-value]
        return "bootstrap", p_bootstrap, (None, None, None)
    name, p_value = mcnemar_of_runs(*_right(ours, theirs))
    return name, p_value, (None, None, None)


def mcnemar_of_runs(ours: BoolArray, theirs: BoolArray) -> tuple[str, float]:
    """Return McNemar's test of several pairs of runs on the same documents.

    Parameters
    ----------
    ours, theirs : ndarray of bool, shape (R, N)
        Whether each document is right; run i of one is compared with run i of the other.

    Returns
    -------
    name : str
        Of the test of a pair; of several how their p-values were put together.
    p_value : float
        Of one pair of runs its own; of several twice their median, at most 1: that is valid however
        the runs depend on one another (Meinshausen, Meier and Bühlmann 2009).

    Examples
    --------
    >>> ours, theirs = np.array([[True] * 8]), np.array([[False] * 8])
    >>> mcnemar_of_runs(ours, theirs)
    ('mcnemar exact mid-p', 0.00390625)
    >>> mcnemar_of_runs(np.repeat(ours, 3, axis=0), np.repeat(theirs, 3, axis=0))
    ('mcnemar, 2 × median of 3', 0.0078125)
    """
    tests = [mcnemar(*discordant_documents(one, other)) for one, other in zip(ours, theirs)]
    if len(tests) == 1:
        return tests[0].name, tests[0].p_value
    p_value = min(1.0, 2 * float(np.median([test.p_value for test in tests])))
    return f"mcnemar, 2 × median of {len(tests)}", p_value


def _resolved(comparison: Comparison, row: Difference) -> float:
    """Return what difference in accuracy these documents resolve between these two models.

    Models that agree on all n documents may differ on some 3 / n of others: the upper end of the
    exact interval of 95 %, by the rule of three (Hanley and Lippman-Hand 1983).
    """
    ours, theirs = comparison.models[row.model], comparison.models[row.reference]
    n_documents = len(ours.documents)
    disagreement = max(_disagreement(ours, theirs), min(1.0, 3 / n_documents))
    return paired_half_width(n_documents, disagreement)


def _judged(row: Difference, equivalence: float, resolved: float) -> Difference:
    is_apart = (row.low > 0 or row.high < 0) and abs(row.value) > _ROUNDING
    is_accuracy = row.metric == "accuracy"
    is_resolved = not is_accuracy or abs(row.value) > resolved
    outcome = "undecided"
    if is_apart and row.p_holm < _LEVEL and is_resolved:
        sign = 1 if METRICS[row.metric.removesuffix(SCALED)].is_higher_better else -1
        outcome = "better" if sign * row.value > 0 else "worse"
    elif is_accuracy and _is_equivalent(row, equivalence, resolved):
        outcome = "equivalent"
    return replace(row, outcome=outcome)


def _is_equivalent(row: Difference, equivalence: float, resolved: float) -> bool:
    """Tell whether a difference is surely none that matters.

    Few documents can agree by chance, and then interval and posterior have no width.
    """
    if row.p_equivalent is not None and not row.says_the_same:
        return row.p_equivalent > _SURE
    return resolved <= equivalence and -equivalence <= row.low and row.high <= equivalence


def _by_split(records: Sequence[Record], model: str, reference: str) -> Float64Array:
    """Return the difference in accuracy in each split, a mean over the seeds that both have."""
    values = {
        (record.model, record.split, record.seed): record.value
        for record in records
        if record.metric == "accuracy" and record.model in (model, reference)
    }
    by_split: dict[int, list[float]] = {}
    for (name, split, seed), value in values.items():
        if name == model and (reference, split, seed) in values:
            by_split.setdefault(split, []).append(value - values[reference, split, seed])
    return np.array([float(np.mean(by_split[split])) for split in sorted(by_split)])


def _right(ours: Tested, theirs: Tested) -> tuple[BoolArray, BoolArray]:
    """Return whether each document is right in the rows that both have."""
    both = shared_rows(ours, theirs)
    return ours.right[ours.places(both)], theirs.right[theirs.places(both)]


def _says_the_same(ours: Tested, theirs: Tested, metric: str) -> bool:
    """Tell whether each row of one says of each document what that of the other says."""
    both = shared_rows(ours, theirs)
    mine, others = ours.places(both), theirs.places(both)
    if metric.endswith(SCALED):
        return np.array_equal(ours.scaled_logs[mine], theirs.scaled_logs[others])
    return np.array_equal(ours.logs[mine].argmax(axis=2), theirs.logs[others].argmax(axis=2))


def _disagreement(one: Tested, other: Tested) -> float:
    ours, theirs = _right(one, other)
    return float((ours != theirs).mean())
