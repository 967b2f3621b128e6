"""Temperature scaling: one number that makes the confidence of a model honest."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_real
from nlpfeat.compare.metrics.predictions import LEAST_LOG_PROBABILITY, class_numbers
from nlpfeat.errors import InvalidInputError
from nlpfeat.priors.expert import learned_temperature


def fit_temperature(logits: ArrayLike, expected: ArrayLike) -> float:
    """Return the T that makes log softmax(logits / T) fit the classes best.

    Parameters
    ----------
    logits : array-like, shape (N, C)
        Decisions or log-probabilities of documents that the model has not learned from, such as
        the dev part; -inf counts as 69.1 below the highest of its row, a probability of 1e-30.
    expected : array-like of int, shape (N,)
        Their classes, from 0 to C - 1.

    Returns
    -------
    float
        Above 0. Above 1 the model was too sure, below 1 not sure enough.

    Raises
    ------
    InvalidInputError
        For no documents, less than two classes, classes that do not fit, and NaN.

    Notes
    -----
    It is :func:`nlpfeat.priors.expert.learned_temperature`, which minimizes the log loss, a little
    smoothed: T stays above 0 where every document is right. The most probable class of a document,
    and so accuracy, does not change.

    Source: Guo et al. (2017).

    Examples
    --------
    It says 9 to 1, and is right three times of four, so T is near ln 9 / ln 3 = 2:

    >>> logits = np.log(np.tile([0.9, 0.1], (400, 1)))
    >>> fit_temperature(logits, np.repeat([0, 1], [300, 100])).__round__(2)
    2.01
    """
    return learned_temperature(_finite(logits), class_numbers(expected))


def scaled(logits: ArrayLike, temperature: float) -> Float64Array:
    """Return log softmax(logits / T).

    Parameters
    ----------
    logits : array-like, shape (N, C)
        Decisions or log-probabilities; -inf counts as 69.1 below the highest of its row.
    temperature : float
        T, above 0.

    Returns
    -------
    ndarray of float64, shape (N, C)
        Log-probabilities.

    Raises
    ------
    InvalidInputError
        For another shape and for NaN.
    InvalidParameterError
        For a temperature that is not above 0.

    Examples
    --------
    >>> np.exp(scaled(np.log([[0.9, 0.1]]), 2.0)).round(3)  # √.9 to √.1
    array([[0.75, 0.25]])
    """
    from scipy.special import log_softmax

    temperature = check_real(temperature, "temperature", above=0.0)
    return np.asarray(log_softmax(_finite(logits) / temperature, axis=1), dtype=np.float64)


def _finite(logits: ArrayLike) -> Float64Array:
    array = np.asarray(logits)
    if array.ndim != 2 or not array.size or array.dtype.kind not in "iuf":
        raise InvalidInputError(
            "logits must be numbers of the shape (documents, classes), of at least 1 document. "
            f"Got an array of {array.dtype} of shape {array.shape}."
        )
    array = array.astype(np.float64)
    wrong = np.isnan(array) | np.isposinf(array)
    if wrong.any():
        row = int(np.argmax(wrong.any(axis=1)))
        raise InvalidInputError(
            f"logits must be finite or -inf. Got {array[row].tolist()} in row {row}."
        )
    highest = array.max(axis=1, keepdims=True)
    if np.isneginf(highest).any():
        row = int(np.argmax(np.isneginf(highest)))
        raise InvalidInputError(
            f"logits must leave a class possible in each row. Got -inf alone in row {row}."
        )
    return np.where(np.isneginf(array), highest + LEAST_LOG_PROBABILITY, array)
