"""Brier score: the squared distance of probabilities from what happened."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.compare.metrics.predictions import checked_predictions


def brier(expected: ArrayLike, log_probabilities: ArrayLike) -> float:
    """Return the mean over documents of the sum over classes of (P(class) - 1 or 0)².

    Parameters
    ----------
    expected : array-like of int, shape (N,)
        Classes, from 0 to C - 1.
    log_probabilities : array-like, shape (N, C)
        Natural logarithms.

    Returns
    -------
    float
        From 0 to 2; (C - 1) / C is that of a model that knows nothing. Half of it, for two classes,
        is what is also called the Brier score.

    Raises
    ------
    InvalidInputError
        For no documents, classes that do not fit, NaN, and rows that are no log-probabilities.

    Notes
    -----
    Source: Brier (1950).

    Examples
    --------
    >>> brier([0], np.log([[0.5, 0.3, 0.2]])).__round__(4)  # .5² + .3² + .2²
    0.38
    """
    classes, logs = checked_predictions(expected, log_probabilities)
    return float(distances(classes, logs).mean())


def distances(expected: Int64Array, log_probabilities: Float64Array) -> Float64Array:
    """Return the squared distance of each document.

    Parameters
    ----------
    expected : ndarray of int64, shape (N,)
    log_probabilities : ndarray of float64, shape (N, C)

    Returns
    -------
    ndarray of float64, shape (N,)

    Examples
    --------
    >>> distances(np.array([1]), np.log([[0.5, 0.5]])).round(4)
    array([0.5])
    """
    off = np.exp(log_probabilities)
    off[np.arange(len(off)), expected] -= 1.0
    return np.asarray((off**2).sum(axis=1))


def terms(expected: Int64Array, log_probabilities: Float64Array) -> Float64Array:
    """Return the squared distance of each document, of shape (N, 1)."""
    return distances(expected, log_probabilities)[:, None]


def figure(sums: Float64Array, n_documents: int) -> Float64Array:
    """Return the Brier score of sums of the shape (..., 1)."""
    return np.asarray(sums[..., 0] / n_documents)
