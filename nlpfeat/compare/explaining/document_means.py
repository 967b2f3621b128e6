"""Means over the documents where a figure is defined, with the intervals of resampled documents."""

from collections.abc import Iterable, Mapping

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.compare.statistics.interval import Interval, percentile_interval
from nlpfeat.compare.statistics.resampling import resampled_sums


def over_runs(
    n_documents: Mapping[int, int], values: Iterable[tuple[int, Float64Array | None]]
) -> Float64Array:
    """Return the mean over the runs of each document of each split.

    Parameters
    ----------
    n_documents : mapping of int to int
        Of each split.
    values : iterable of (int, ndarray of float64 or None)
        The split of a run, and its figure for each document of the split; NaN where it is not
        defined, None where the run has none.

    Returns
    -------
    ndarray of float64, shape (N,)
        For the documents of all splits, one split after the other. NaN where no run defines it.

    Examples
    --------
    >>> nan = float("nan")
    >>> over_runs({0: 2, 1: 1}, [(0, np.array([0.5, nan])), (0, np.array([1.0, nan]))])
    array([0.75,  nan,  nan])
    """
    given = [(split, found) for split, found in values if found is not None]
    means = []
    for split, n in n_documents.items():
        mine = [found for of, found in given if of == split]
        means.append(means_of_told(np.stack([np.full(n, np.nan), *mine])))
    return np.concatenate(means) if means else np.zeros(0)


def mean_of_told(values: Float64Array) -> float | None:
    """Return the mean of what is not NaN, None when all is.

    Examples
    --------
    >>> mean_of_told(np.array([0.25, np.nan, 0.75])), mean_of_told(np.array([np.nan]))
    (0.5, None)
    """
    mean = float(means_of_told(values))
    return None if np.isnan(mean) else mean


def means_of_told(values: Float64Array) -> Float64Array:
    """Return the means over the first axis of what is not NaN, NaN where all is.

    Parameters
    ----------
    values : ndarray of float64, shape (n, ...)

    Returns
    -------
    ndarray of float64, shape (...)

    Examples
    --------
    >>> means_of_told(np.array([[0.25, np.nan], [0.75, np.nan]]))
    array([0.5, nan])
    """
    n_told = (~np.isnan(values)).sum(axis=0)
    mean = np.nansum(values, axis=0) / np.maximum(n_told, 1)
    return np.where(n_told > 0, mean, np.nan)


def mean_intervals(
    values: Float64Array, n_resamples: int = 10_000, random_state: int = 0
) -> list[Interval | None]:
    """Return the mean over documents of each of K figures, with its interval of 95 %.

    Parameters
    ----------
    values : ndarray of float64, shape (N, K)
        NaN takes no part.
    n_resamples : int, default 10,000
        Of the documents; the same ones for all figures.
    random_state : int, default 0

    Returns
    -------
    list of Interval or None
        None for a figure that is defined for no document.

    Examples
    --------
    >>> nan = float("nan")
    >>> mean_intervals(np.array([[0.0, nan], [1.0, nan], [0.0, nan], [1.0, nan]]), 500)
    [Interval(value=0.5, low=0.0, high=1.0), None]
    """
    is_told = ~np.isnan(values)
    return ratio_intervals(
        np.where(is_told, values, 0.0), is_told.astype(np.float64), n_resamples, random_state
    )


def ratio_intervals(
    numerators: Float64Array,
    denominators: Float64Array,
    n_resamples: int = 10_000,
    random_state: int = 0,
) -> list[Interval | None]:
    """Return K ratios of sums over documents, with their intervals of 95 %.

    Parameters
    ----------
    numerators, denominators : ndarray of float64, shape (N, K)
        What each document adds; of a denominator nothing below 0.
    n_resamples : int, default 10,000
        Of the documents; the same ones for all ratios.
    random_state : int, default 0

    Returns
    -------
    list of Interval or None
        None where the denominators are all 0. Resamples with a denominator of 0 take no part; both
        ends are NaN when there is no other.

    Examples
    --------
    Of four answers that were right, two are right without a token:

    >>> after = np.array([[1.0], [0.0], [1.0], [0.0]])
    >>> ratio_intervals(after, np.ones((4, 1)), 500)
    [Interval(value=0.5, low=0.0, high=1.0)]
    """
    n_documents, n_ratios = numerators.shape
    if not n_documents or not n_ratios:
        return [None] * n_ratios
    terms = np.concatenate([numerators, denominators], axis=1)
    sums, totals = np.split(resampled_sums(terms, n_resamples, random_state), 2, axis=1)
    found: list[Interval | None] = []
    for column, total in enumerate(denominators.sum(axis=0).tolist()):
        if not total:
            found.append(None)
            continue
        value = float(numerators[:, column].sum() / total)
        drawn = totals[:, column] > 0
        if drawn.any():
            resampled = sums[drawn, column] / totals[drawn, column]
            found.append(percentile_interval(value, resampled))
        else:
            found.append(Interval(value, float("nan"), float("nan")))
    return found
