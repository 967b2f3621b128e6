"""Expected calibration error: how far the confidence of a model is its accuracy.

The confidence of a document is the highest of its probabilities. Documents are put into bins by it;
in each bin the mean confidence is compared with the accuracy.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import BoolArray, Float64Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.compare.metrics.accuracy import right
from nlpfeat.compare.metrics.predictions import checked_predictions

if TYPE_CHECKING:
    from scipy.sparse import csr_array

N_BINS = 15
_ROUNDING = 1e-9  # a confidence that is an edge but for this lies in the bin below


class ConfidenceBin(NamedTuple):
    """Documents whose confidence is above ``low`` and at most ``high``."""

    low: float
    high: float
    n_documents: int
    confidence: float
    accuracy: float


def calibration_error(
    expected: ArrayLike, log_probabilities: ArrayLike, n_bins: int = N_BINS
) -> float:
    """Return the mean over documents of how far confidence and accuracy of their bin are apart.

    Parameters
    ----------
    expected : array-like of int, shape (N,)
        Classes, from 0 to C - 1.
    log_probabilities : array-like, shape (N, C)
        Natural logarithms.
    n_bins : int, default 15
        Of equal width: ((b - 1) / n_bins, b / n_bins].

    Returns
    -------
    float
        From 0 to 1: Σ_b n_b / N · |accuracy_b - confidence_b|.

    Raises
    ------
    InvalidInputError
        For no documents, classes that do not fit, NaN, and rows that are no log-probabilities.
    InvalidParameterError
        For less than 1 bin.

    Notes
    -----
    It is not below 0 and so too high by chance: a perfectly calibrated model has about
    Σ_b √(2 / π · p_b (1 - p_b) n_b) / N, for 10,000 documents about one percent. It sees the most
    probable class alone.

    Sources: Naeini, Cooper and Hauskrecht (2015); Guo et al. (2017) for the 15 bins.

    Examples
    --------
    Four documents of confidence .9, three of them right: |.75 - .9|.

    >>> calibration_error([0, 0, 0, 1], np.log(np.tile([0.9, 0.1], (4, 1)))).__round__(3)
    0.15
    """
    n_bins = check_int(n_bins, "n_bins", minimum=1)
    classes, logs = checked_predictions(expected, log_probabilities)
    correct, confidences = right(classes, logs), _confidences(logs)
    return _error(correct, confidences, _equal_width(confidences, n_bins), n_bins)


def adaptive_calibration_error(
    expected: ArrayLike, log_probabilities: ArrayLike, n_bins: int = N_BINS
) -> float:
    """Return the calibration error of bins that hold equally many documents.

    Parameters
    ----------
    expected, log_probabilities, n_bins
        As in :func:`calibration_error`.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    InvalidInputError, InvalidParameterError
        As in :func:`calibration_error`.

    Notes
    -----
    Where most documents have a confidence near 1, bins of equal width put nearly all of them into
    one. Here the document of rank i of N, counted from 0, lies in bin ⌊i · n_bins / N⌋. Documents
    of the same confidence share the mean of their ranks and so a bin, and the order of the
    documents does not matter.

    Source: Nguyen and O'Connor (2015).

    Examples
    --------
    Two bins of two documents: one right of two at a mean confidence of .65, and both at .85.

    >>> logs = np.log([[0.6, 0.4], [0.7, 0.3], [0.8, 0.2], [0.9, 0.1]])
    >>> adaptive_calibration_error([0, 1, 0, 0], logs, n_bins=2).__round__(3)
    0.15
    """
    n_bins = check_int(n_bins, "n_bins", minimum=1)
    classes, logs = checked_predictions(expected, log_probabilities)
    correct, confidences = right(classes, logs), _confidences(logs)
    return _error(correct, confidences, _equal_mass(confidences, n_bins), n_bins)


def calibration_bins(
    expected: ArrayLike, log_probabilities: ArrayLike, n_bins: int = N_BINS
) -> list[ConfidenceBin]:
    """Return the bins of :func:`calibration_error` that hold a document, for a diagram.

    Parameters
    ----------
    expected, log_probabilities, n_bins
        As in :func:`calibration_error`.

    Returns
    -------
    list of ConfidenceBin
        (low, high, n_documents, confidence, accuracy), the lowest first.

    Raises
    ------
    InvalidInputError, InvalidParameterError
        As in :func:`calibration_error`.

    Examples
    --------
    >>> logs = np.log([[0.5, 0.5], [0.75, 0.25], [0.25, 0.75]])
    >>> for each in calibration_bins([0, 0, 0], logs, n_bins=4):
    ...     print(*each)
    0.25 0.5 1 0.5 1.0
    0.5 0.75 2 0.75 0.5
    """
    n_bins = check_int(n_bins, "n_bins", minimum=1)
    classes, logs = checked_predictions(expected, log_probabilities)
    correct, confidences = right(classes, logs), _confidences(logs)
    bins = _equal_width(confidences, n_bins)
    found = []
    for number in np.unique(bins).tolist():
        here = bins == number
        confidence, share = float(confidences[here].mean()), float(correct[here].mean())
        edges = number / n_bins, (number + 1) / n_bins
        found.append(ConfidenceBin(*edges, int(here.sum()), confidence, share))
    return found


def terms(expected: Int64Array, log_probabilities: Float64Array) -> "csr_array":
    """Return of each document right or not less its confidence, in the column of its bin."""
    confidences = _confidences(log_probabilities)
    differences = right(expected, log_probabilities) - confidences
    return _in_bins(differences, _equal_width(confidences, N_BINS))


def adaptive_terms(expected: Int64Array, log_probabilities: Float64Array) -> "csr_array":
    """Return the same in bins of equally many documents, which drawn documents keep."""
    confidences = _confidences(log_probabilities)
    differences = right(expected, log_probabilities) - confidences
    return _in_bins(differences, _equal_mass(confidences, N_BINS))


def figure(sums: Float64Array, n_documents: int) -> Float64Array:
    """Return the calibration error of sums of the shape (..., bins)."""
    return np.asarray(np.abs(sums).sum(axis=-1) / n_documents)


def _in_bins(differences: Float64Array, bins: Int64Array) -> "csr_array":
    from scipy.sparse import csr_array

    places = np.arange(len(bins)), bins
    return csr_array((differences, places), shape=(len(bins), N_BINS))


def _confidences(log_probabilities: Float64Array) -> Float64Array:
    return np.asarray(np.minimum(np.exp(log_probabilities.max(axis=1)), 1.0))


def _equal_width(confidences: Float64Array, n_bins: int) -> Int64Array:
    bins = np.ceil(confidences * n_bins - _ROUNDING).astype(np.int64) - 1
    return np.asarray(np.clip(bins, 0, n_bins - 1))


def _equal_mass(confidences: Float64Array, n_bins: int) -> Int64Array:
    _, group, sizes = np.unique(confidences, return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    # Twice the mean of the ranks of each group, an integer.
    doubled = (2 * ends - sizes - 1)[group]
    return np.asarray(doubled * n_bins // (2 * len(confidences)), dtype=np.int64)


def _error(correct: BoolArray, confidences: Float64Array, bins: Int64Array, n_bins: int) -> float:
    sums = np.bincount(bins, weights=correct - confidences, minlength=n_bins)
    return float(figure(sums.astype(np.float64), len(correct)))
