"""Intervals by resampling documents and runs together: the bootstrap."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_bool
from nlpfeat.compare.metrics import METRICS, Metric
from nlpfeat.compare.statistics.finite_arrays import runs_by_documents
from nlpfeat.compare.statistics.interval import (
    DifferenceInterval,
    Interval,
    checked_level,
    difference_of_resamples,
    percentile_interval,
)
from nlpfeat.compare.statistics.resampled_figures import (
    Statistic,
    checked_runs,
    observed_figures,
    resampled_figures,
)
from nlpfeat.compare.statistics.resampling import mean_of_drawn_runs, resampled_sums
from nlpfeat.errors import InvalidInputError


def paired_bootstrap(
    values_a: ArrayLike,
    values_b: ArrayLike,
    *,
    n_resamples: int = 10_000,
    level: float = 0.95,
    random_state: int = 0,
    paired: bool = False,
) -> DifferenceInterval:
    """Return the difference of two means over the same documents, a minus b, with its interval.

    Parameters
    ----------
    values_a, values_b : array-like, shape (R_a, N) and (R_b, N), or (N,) for one run
        A quantity of each document in each run: whether it is right (bool is quickest), log loss.
    n_resamples : int, default 10_000
    level : float, default 0.95
        Share of the resamples that the interval holds.
    random_state : int, default 0
        Seed, at least 0.
    paired : bool, default False
        Run i of a and run i of b belong together (the same training part and seed) and are drawn
        together; then R_a must be R_b.

    Returns
    -------
    DifferenceInterval
        With the p-value of the resamples. Of bool values it stays from -1 to 1.

    Raises
    ------
    InvalidInputError
        For less than 2 documents or 1 run, for different documents or unpaired numbers of runs,
        and for NaN and infinity.
    InvalidParameterError
        For a parameter that cannot be.

    Notes
    -----
    In each resample N of the N documents are drawn, the same for both, and R of the R runs of each
    side. So the interval tells how much of the difference may be due to the choice of documents and
    to the luck of seeds. The spread of R drawn runs is widened by √(R / (R - 1)), as
    :func:`~nlpfeat.compare.statistics.resampling.mean_of_drawn_runs` says why. With one run a side
    the interval knows nothing of seeds. With few it still holds the truth less often than it says,
    where runs differ more than documents: percentiles of three runs reach hardly beyond them.

    Source: Efron (1979); Koehn (2004) for the pairing of systems; Rao and Wu (1988).

    Examples
    --------
    Of 100 documents both have 80 right, a alone has 12, b alone 2:

    >>> a = np.repeat([True, True, False, False], [80, 12, 2, 6])
    >>> b = np.repeat([True, False, True, False], [80, 12, 2, 6])
    >>> found = paired_bootstrap(a, b)
    >>> [round(each, 3) for each in (found.value, found.low, found.high)]
    [0.1, 0.03, 0.17]
    """
    runs_a = runs_by_documents(values_a, "values_a")
    runs_b = runs_by_documents(values_b, "values_b")
    if runs_a.shape[1] != runs_b.shape[1]:
        raise InvalidInputError(
            "values_a and values_b must be of the same documents. Got "
            f"{runs_a.shape[1]} and {runs_b.shape[1]} documents."
        )
    _check_paired(len(runs_a), len(runs_b), paired)
    if runs_a.dtype != runs_b.dtype:
        runs_a, runs_b = runs_a.astype(np.float64), runs_b.astype(np.float64)
    level = checked_level(level)
    sums = resampled_sums(np.concatenate([runs_a, runs_b]).T, n_resamples, random_state)
    means_a, means_b = np.split(sums / runs_a.shape[1], [len(runs_a)], axis=1)
    resampled = _difference(means_a, means_b, random_state, paired)
    value = float(runs_a.mean() - runs_b.mean())
    found = difference_of_resamples(value, resampled, level)
    return found.within(-1.0, 1.0) if runs_a.dtype == np.bool_ else found


def bootstrap_mean(
    values: ArrayLike, *, n_resamples: int = 10_000, level: float = 0.95, random_state: int = 0
) -> Interval:
    """Return a mean over documents and runs, with its interval.

    Parameters
    ----------
    values : array-like, shape (R, N), or (N,) for one run
        A quantity of each document in each run.
    n_resamples, level, random_state
        As in :func:`paired_bootstrap`.

    Returns
    -------
    Interval
        Of bool values it stays from 0 to 1.

    Raises
    ------
    InvalidInputError, InvalidParameterError
        As in :func:`paired_bootstrap`.

    Examples
    --------
    90 of 100 documents are right:

    >>> bootstrap_mean(np.repeat([True, False], [90, 10]))
    Interval(value=0.9, low=0.84, high=0.95)
    """
    runs = runs_by_documents(values, "values")
    level = checked_level(level)
    sums = resampled_sums(runs.T, n_resamples, random_state)
    resampled = mean_of_drawn_runs(sums / runs.shape[1], _generator_of_runs(random_state))
    found = percentile_interval(float(runs.mean()), resampled, level)
    return found.within(0.0, 1.0) if runs.dtype == np.bool_ else found


def bootstrap_statistic(
    statistic: Statistic,
    expected: ArrayLike,
    predictions_a: ArrayLike,
    predictions_b: ArrayLike | None = None,
    *,
    n_resamples: int = 10_000,
    level: float = 0.95,
    random_state: int = 0,
    paired: bool = False,
) -> Interval:
    """Return a metric that is no plain mean over documents, or a difference, with its interval.

    Parameters
    ----------
    statistic : str, Metric or callable
        A name or a row of ``METRICS``, or a function of (expected, log-probabilities), arrays of
        the shapes (N,) and (N, C), that returns a number. A function is called for every run and
        resample.
    expected : array-like of int, shape (N,)
        Classes, from 0 to C - 1.
    predictions_a, predictions_b : array-like
        Log-probabilities of the shape (R, N, C), or (N, C) for one run; for "accuracy" and
        "macro_f1" also predicted classes, int of the shape (R, N) or (N,). Without
        ``predictions_b`` the figure of a alone, else a minus b.
    n_resamples, level, random_state, paired
        As in :func:`paired_bootstrap`.

    Returns
    -------
    Interval
        Within the bounds of the metric, if it is one. Of a difference a DifferenceInterval.

    Raises
    ------
    InvalidInputError, InvalidParameterError
        As in :func:`paired_bootstrap`, for classes that do not fit the predictions, and for rows
        that are no log-probabilities.

    Notes
    -----
    A metric of resampled documents can be off on one side: a document that was drawn twice is wrong
    twice, so calibration looks worse than it is. The mean of the resamples is therefore moved to
    the observed figure, and their percentiles with it. Of accuracy, log loss and Brier score, which
    are means, this changes nothing but the noise of drawing.

    Source: Efron and Tibshirani (1993), chapter 10, for the bias.

    Examples
    --------
    >>> expected = np.repeat([0, 1], 50)
    >>> predicted = np.where(np.arange(100) % 10 == 0, 1 - expected, expected)
    >>> bootstrap_statistic("macro_f1", expected, predicted).value.__round__(3)
    0.9
    """
    level = checked_level(level)
    given = {"predictions_a": predictions_a}
    if predictions_b is not None:
        given["predictions_b"] = predictions_b
    classes, sides = checked_runs(statistic, expected, given)
    runs_a = sides[0]
    _check_paired(len(runs_a), len(sides[-1]), paired)
    if sides[-1].shape[2] != runs_a.shape[2]:
        raise InvalidInputError(
            "predictions_a and predictions_b must be of the same classes. Got "
            f"{runs_a.shape[2]} and {sides[-1].shape[2]}."
        )
    runs = np.concatenate(sides)
    observed = observed_figures(statistic, classes, runs)
    figures = resampled_figures(
        statistic, classes, runs, n_resamples=n_resamples, random_state=random_state
    )
    n, (low, high) = len(runs_a), _bounds(statistic)
    if predictions_b is None:
        interval = figure_interval(observed, figures, level=level, random_state=random_state)
        return interval.within(low, high)
    return difference_interval(
        observed[:n],
        observed[n:],
        figures[:, :n],
        figures[:, n:],
        level=level,
        random_state=random_state,
        paired=paired,
    ).within(low - high, high - low)


def figure_interval(
    observed: Float64Array, figures: Float64Array, *, level: float = 0.95, random_state: int = 0
) -> Interval:
    """Return the mean figure of a model over its runs, with its interval.

    Parameters
    ----------
    observed : ndarray of float64, shape (R,)
        Of each run, on all documents.
    figures : ndarray of float64, shape (n_resamples, R)
        Of each run, on drawn documents: from ``resampled_figures``.
    level, random_state
        As in :func:`paired_bootstrap`.

    Returns
    -------
    Interval
        Moved as that of :func:`bootstrap_statistic`; bounds of a metric are not kept.

    Examples
    --------
    >>> figure_interval(np.array([0.5]), np.array([[0.4], [0.5], [0.6]]), level=0.5)
    Interval(value=0.5, low=0.45, high=0.55)
    """
    resampled = mean_of_drawn_runs(figures, _generator_of_runs(random_state))
    value = float(observed.mean())
    return percentile_interval(value, _centered(value, resampled), level)


def difference_interval(
    observed_a: Float64Array,
    observed_b: Float64Array,
    figures_a: Float64Array,
    figures_b: Float64Array,
    *,
    level: float = 0.95,
    random_state: int = 0,
    paired: bool = False,
) -> DifferenceInterval:
    """Return the difference of two models, a minus b, with its interval and p-value.

    Parameters
    ----------
    observed_a, observed_b : ndarray of float64, shape (R_a,) and (R_b,)
        Of each run, on all documents.
    figures_a, figures_b : ndarray of float64, shape (n_resamples, R_a) and (n_resamples, R_b)
        Of each run, on the same drawn documents: from ``resampled_figures``, with one seed.
    level, random_state, paired
        As in :func:`paired_bootstrap`.

    Returns
    -------
    DifferenceInterval
        Moved as that of :func:`bootstrap_statistic`; bounds of a metric are not kept.

    Raises
    ------
    InvalidInputError
        With ``paired`` for different numbers of runs.

    Examples
    --------
    >>> a, b = np.array([[0.75], [0.5], [0.625]]), np.array([[0.5], [0.5], [0.5]])
    >>> difference_interval(np.array([0.625]), np.array([0.5]), a, b, level=0.5)
    DifferenceInterval(value=0.125, low=0.0625, high=0.1875, p_value=1.0)
    """
    _check_paired(len(observed_a), len(observed_b), paired)
    resampled = _difference(figures_a, figures_b, random_state, paired)
    value = float(observed_a.mean() - observed_b.mean())
    return difference_of_resamples(value, _centered(value, resampled), level)


def _difference(
    figures_a: Float64Array, figures_b: Float64Array, random_state: int, paired: bool
) -> Float64Array:
    """Return the differences of the means of drawn runs."""
    random = _generator_of_runs(random_state)
    if paired:
        return mean_of_drawn_runs(figures_a - figures_b, random)
    return mean_of_drawn_runs(figures_a, random) - mean_of_drawn_runs(figures_b, random)


def _generator_of_runs(random_state: int) -> np.random.Generator:
    """Return what draws runs: independent of what draws the documents of the same seed."""
    return np.random.default_rng(random_state).spawn(1)[0]


def _check_paired(n_runs_a: int, n_runs_b: int, paired: bool) -> None:
    if check_bool(paired, "paired") and n_runs_a != n_runs_b:
        raise InvalidInputError(
            "With paired=True both sides must have the same runs. Got "
            f"{n_runs_a} and {n_runs_b} runs: use paired=False."
        )


def _centered(value: float, resampled: Float64Array) -> Float64Array:
    """Return resamples whose mean is what was observed."""
    return np.asarray(resampled + (value - resampled.mean()))


def _bounds(statistic: Statistic) -> tuple[float, float]:
    """Return the lowest and the highest value; of a function nothing is known."""
    metric = METRICS[statistic] if isinstance(statistic, str) else statistic
    return metric.bounds if isinstance(metric, Metric) else (-np.inf, np.inf)
