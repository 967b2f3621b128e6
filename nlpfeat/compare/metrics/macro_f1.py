"""Macro-F1: the mean over classes of how well each is found."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.compare.metrics.predictions import checked_predictions

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def macro_f1(expected: ArrayLike, log_probabilities: ArrayLike) -> float:
    """Return the mean F1 of the classes.

    Parameters
    ----------
    expected : array-like of int, shape (N,)
        Classes, from 0 to C - 1.
    log_probabilities : array-like, shape (N, C)
        Natural logarithms. Of equally probable classes the first is predicted.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    InvalidInputError
        For no documents, classes that do not fit, NaN, and rows that are no log-probabilities.

    Notes
    -----
    F1 of a class is 2 · right / (predicted + expected), all counts of documents. A class that is
    neither expected nor predicted of any document has none and is left out of the mean, as in
    scikit-learn's ``f1_score``.

    Source: Lewis (1991) for the mean over classes.

    Examples
    --------
    好评 is found once of two times and once wrongly: F1 = 2 / (2 + 2); 差评 twice of three, and
    once wrongly: 4 / (3 + 3).

    >>> probable = np.array([[0.9, 0.1], [0.1, 0.9], [0.9, 0.1], [0.1, 0.9], [0.1, 0.9]])
    >>> macro_f1([0, 0, 1, 1, 1], np.log(probable)).__round__(4)
    0.5833
    """
    classes, logs = checked_predictions(expected, log_probabilities)
    sums = np.asarray(terms(classes, logs).sum(axis=0), dtype=np.float64)
    return float(figure(sums, len(classes)))


def terms(expected: Int64Array, log_probabilities: Float64Array) -> "csr_array":
    """Return of each document its right, its predicted and its expected class, (N, 3 C)."""
    from scipy.sparse import csr_array

    n_documents, n_classes = log_probabilities.shape
    predicted = log_probabilities.argmax(axis=1)
    documents = np.arange(n_documents)
    right = predicted == expected
    rows = np.concatenate([documents[right], documents, documents])
    columns = np.concatenate([expected[right], predicted + n_classes, expected + 2 * n_classes])
    ones = np.ones(len(rows), dtype=np.bool_)
    return csr_array((ones, (rows, columns)), shape=(n_documents, 3 * n_classes))


def figure(sums: Float64Array, n_documents: int) -> Float64Array:  # noqa: ARG001
    """Return the macro-F1 of sums of the shape (..., 3 C)."""
    right, predicted, expected = np.split(sums, 3, axis=-1)
    present = predicted + expected > 0
    scores = np.divide(2 * right, predicted + expected, out=np.zeros(right.shape), where=present)
    return np.asarray(scores.sum(axis=-1) / present.sum(axis=-1))
