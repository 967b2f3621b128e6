"""Log loss: how surprising the classes of documents are to a model."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.compare.metrics.predictions import checked_predictions


def log_loss(expected: ArrayLike, log_probabilities: ArrayLike) -> float:
    """Return the mean of -ln P(own class).

    Parameters
    ----------
    expected : array-like of int, shape (N,)
        Classes, from 0 to C - 1.
    log_probabilities : array-like, shape (N, C)
        Natural logarithms.

    Returns
    -------
    float
        In nats, at least 0; ln C is that of a model that knows nothing. A probability below 1e-30
        counts as that, 69.1 nats, so the mean stays finite, and shows it.

    Raises
    ------
    InvalidInputError
        For no documents, classes that do not fit, NaN, and rows that are no log-probabilities.

    Notes
    -----
    Source: Good (1952).

    Examples
    --------
    >>> log_loss([0, 1], np.log([[0.5, 0.5], [0.75, 0.25]])).__round__(4)  # ln 2 and ln 4
    1.0397
    """
    classes, logs = checked_predictions(expected, log_probabilities)
    return float(losses(classes, logs).mean())


def losses(expected: Int64Array, log_probabilities: Float64Array) -> Float64Array:
    """Return -ln P(own class) of each document.

    Parameters
    ----------
    expected : ndarray of int64, shape (N,)
    log_probabilities : ndarray of float64, shape (N, C)

    Returns
    -------
    ndarray of float64, shape (N,)

    Examples
    --------
    >>> losses(np.array([1]), np.log([[0.5, 0.5]])).round(4)
    array([0.6931])
    """
    own = np.take_along_axis(log_probabilities, expected[:, None], axis=1)[:, 0]
    return np.asarray(np.maximum(-own, 0.0))  # a probability above 1 by rounding


def terms(expected: Int64Array, log_probabilities: Float64Array) -> Float64Array:
    """Return the loss of each document, of shape (N, 1)."""
    return losses(expected, log_probabilities)[:, None]


def figure(sums: Float64Array, n_documents: int) -> Float64Array:
    """Return the log loss of sums of the shape (..., 1)."""
    return np.asarray(sums[..., 0] / n_documents)
