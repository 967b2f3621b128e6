"""Accuracy: the share of documents whose most probable class is their own."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import BoolArray, Float64Array, Int64Array
from nlpfeat.compare.metrics.predictions import checked_predictions


def accuracy(expected: ArrayLike, log_probabilities: ArrayLike) -> float:
    """Return the share of documents that are right.

    Parameters
    ----------
    expected : array-like of int, shape (N,)
        Classes, from 0 to C - 1.
    log_probabilities : array-like, shape (N, C)
        Natural logarithms. Of equally probable classes the first counts.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    InvalidInputError
        For no documents, classes that do not fit, NaN, and rows that are no log-probabilities.

    Examples
    --------
    >>> accuracy([0, 1, 1], np.log([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]])).__round__(3)
    0.667
    """
    classes, logs = checked_predictions(expected, log_probabilities)
    return float(right(classes, logs).mean())


def right(expected: Int64Array, log_probabilities: Float64Array) -> BoolArray:
    """Say of each document whether its most probable class is its own.

    Parameters
    ----------
    expected : ndarray of int64, shape (N,)
    log_probabilities : ndarray of float64, shape (N, C)

    Returns
    -------
    ndarray of bool, shape (N,)

    Examples
    --------
    >>> right(np.array([0, 1]), np.log([[0.9, 0.1], [0.8, 0.2]]))
    array([ True, False])
    """
    return np.asarray(log_probabilities.argmax(axis=1) == expected)


def terms(expected: Int64Array, log_probabilities: Float64Array) -> BoolArray:
    """Return whether each document is right, of shape (N, 1)."""
    return right(expected, log_probabilities)[:, None]


def figure(sums: Float64Array, n_documents: int) -> Float64Array:
    """Return the accuracy of sums of the shape (..., 1)."""
    return np.asarray(sums[..., 0] / n_documents)
