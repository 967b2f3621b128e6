"""Predictions that a metric reads: log-probabilities of documents whose classes are known."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.errors import InvalidInputError

LEAST_LOG_PROBABILITY = float(np.log(1e-30))
"""-69.1: what the logarithm of a probability of 0 counts as, and of any below 1e-30.

Finite, so that one answer that was ruled out is seen in a mean, but does not outweigh all others.
"""
_TOLERANCE = 1e-3  # of the sum of probabilities: they may have been computed in float32


def class_numbers(expected: ArrayLike) -> Int64Array:
    """Return the classes of documents as int64.

    Parameters
    ----------
    expected : array-like of int, shape (N,)
        From 0.

    Returns
    -------
    ndarray of int64, shape (N,)

    Raises
    ------
    InvalidInputError
        For anything that is no integer or is below 0, and for no documents.

    Examples
    --------
    >>> class_numbers([0, 2, 1])
    array([0, 2, 1])
    """
    classes = np.asarray(expected)
    if classes.ndim != 1 or classes.size == 0:
        raise InvalidInputError(
            f"expected must hold the class of each document, at least 1. Got shape {classes.shape}."
        )
    if classes.dtype.kind not in "iu" or classes.min() < 0:
        got = classes.dtype if classes.dtype.kind not in "iu" else classes.min()
        raise InvalidInputError(
            "expected must hold classes as integers from 0, the columns of the log-probabilities. "
            f"Got {got}: number the labels first."
        )
    return classes.astype(np.int64)


def checked_predictions(
    expected: ArrayLike, log_probabilities: ArrayLike
) -> tuple[Int64Array, Float64Array]:
    """Return classes and log-probabilities that fit each other, as int64 and float64.

    Parameters
    ----------
    expected : array-like of int, shape (N,)
        From 0 to C - 1.
    log_probabilities : array-like, shape (N, C)
        Natural logarithms; what is below :data:`LEAST_LOG_PROBABILITY` becomes that.

    Returns
    -------
    tuple of ndarray
        Of int64, shape (N,), and float64, shape (N, C).

    Raises
    ------
    InvalidInputError
        For no documents, another shape, classes without a column, NaN, and rows whose
        probabilities do not add up to 1.

    Examples
    --------
    >>> checked_predictions([1], np.log([[0.25, 0.75]]))[1].round(3)
    array([[-1.386, -0.288]])
    """
    classes = class_numbers(expected)
    logs = checked_log_probabilities(log_probabilities, "log_probabilities")
    if len(logs) != len(classes):
        raise InvalidInputError(
            "expected and log_probabilities must be of the same documents. Got "
            f"{len(classes)} and {len(logs)}."
        )
    if classes.max() >= logs.shape[1]:
        raise InvalidInputError(
            f"log_probabilities must have a column for each class of expected. Got class "
            f"{classes.max()} and {logs.shape[1]} columns."
        )
    return classes, logs


def checked_log_probabilities(log_probabilities: ArrayLike, name: str) -> Float64Array:
    """Return rows of log-probabilities as float64, none below :data:`LEAST_LOG_PROBABILITY`.

    Parameters
    ----------
    log_probabilities : array-like, shape (N, C)
    name : str
        What a message calls them.

    Returns
    -------
    ndarray of float64, shape (N, C)

    Raises
    ------
    InvalidInputError
        For another shape, NaN, and rows whose probabilities do not add up to 1.

    Examples
    --------
    >>> checked_log_probabilities([[0.0, -np.inf]], "log_probabilities").round(2)
    array([[  0.  , -69.08]])
    """
    logs = np.asarray(log_probabilities)
    if logs.ndim != 2 or logs.shape[1] < 1 or logs.dtype.kind not in "iuf":
        raise InvalidInputError(
            f"{name} must be numbers of the shape (documents, classes). Got an array of "
            f"{logs.dtype} of shape {logs.shape}."
        )
    logs = logs.astype(np.float64)
    with np.errstate(over="ignore"):
        sums = np.exp(logs).sum(axis=1)
    wrong = ~(np.abs(sums - 1.0) <= _TOLERANCE)  # NaN is wrong too
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidInputError(
            f"{name} must be natural logarithms of probabilities that add up to 1 in each row. Got "
            f"{logs[row].tolist()} in row {row}, which adds up to {sums[row]:g}: give "
            "log-probabilities, neither probabilities nor decisions."
        )
    return np.asarray(np.maximum(logs, LEAST_LOG_PROBABILITY))


def log_probabilities_of_runs(
    predictions: ArrayLike, name: str, n_classes: int | None = None
) -> Float64Array:
    """Return what each of several runs predicts, as log-probabilities.

    Parameters
    ----------
    predictions : array-like
        Log-probabilities, float of the shape (R, N, C), or (N, C) for one run; or predicted
        classes, int of the shape (R, N), or (N,) for one run.
    name : str
        What a message calls them.
    n_classes : int, default None
        C, where predictions are classes; None is the highest of them and 1.

    Returns
    -------
    ndarray of float64, shape (R, N, C)
        A predicted class has the log-probability 0 and the others :data:`LEAST_LOG_PROBABILITY`.

    Raises
    ------
    InvalidInputError
        As in :func:`checked_log_probabilities`.

    Examples
    --------
    >>> log_probabilities_of_runs([1, 0], "predictions").round(1).tolist()
    [[[-69.1, 0.0], [0.0, -69.1]]]
    """
    array = np.asarray(predictions)
    if array.dtype.kind in "iu" and array.ndim in (1, 2) and array.size:
        if array.min() < 0:
            raise InvalidInputError(f"{name} must hold classes from 0. Got {array.min()}.")
        n_columns = max(int(array.max()) + 1, n_classes or 0)
        own = np.atleast_2d(array)[..., None] == np.arange(n_columns)
        return np.where(own, 0.0, LEAST_LOG_PROBABILITY)
    if array.ndim == 2:
        array = array[None]
    if array.ndim != 3 or not len(array):
        raise InvalidInputError(
            f"{name} must be log-probabilities of the shape (runs, documents, classes) or classes "
            f"of the shape (runs, documents), int. Got an array of {array.dtype} of shape "
            f"{array.shape}."
        )
    return np.stack([checked_log_probabilities(run, name) for run in array])
