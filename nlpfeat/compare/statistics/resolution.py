"""What a test part can tell: the half widths of intervals before anything is compared.

All are normal approximations. A difference below the half width of its interval may be chance.
"""

from math import ceil, sqrt

from nlpfeat._typing import BoolArray
from nlpfeat._validation import check_int, check_real
from nlpfeat.compare.statistics.interval import checked_level
from nlpfeat.errors import InvalidParameterError


def half_width(n: int, accuracy: float, level: float = 0.95) -> float:
    """Return the half width of the interval of an accuracy.

    Parameters
    ----------
    n : int
        Test documents, at least 1.
    accuracy : float
        From 0 to 1.
    level : float, default 0.95
        Of the interval, above 0 and below 1.

    Returns
    -------
    float
        z √(accuracy (1 - accuracy) / n), a share: 0.0056 is .56 points.

    Raises
    ------
    InvalidParameterError
        For a parameter that cannot be.

    Notes
    -----
    It is that of one accuracy beside a number without error, such as a published one whose test
    part is unknown. Of the difference of two accuracies on two test parts of n documents it is √2
    times this; on the same test part see :func:`paired_half_width`.

    Examples
    --------
    >>> round(100 * half_width(10_000, 0.91), 2)
    0.56
    """
    n = check_int(n, "n", minimum=1)
    accuracy = _share(accuracy, "accuracy")
    return _z(level) * sqrt(accuracy * (1 - accuracy) / n)


def paired_half_width(n: int, disagreement: float, level: float = 0.95) -> float:
    """Return the half width of the interval of a difference in accuracy on the same documents.

    Parameters
    ----------
    n : int
        Test documents, at least 1.
    disagreement : float
        Share of the documents that one of the two alone has right, from 0 to 1.
    level : float, default 0.95

    Returns
    -------
    float
        z √(disagreement / n), a share.

    Raises
    ------
    InvalidParameterError
        For a parameter that cannot be.

    Notes
    -----
    A document adds 1, 0 or -1 to the difference d, of variance disagreement - d². The d² is left
    out: it is the half width where there is no difference.

    Examples
    --------
    >>> round(100 * paired_half_width(10_000, 0.06), 2)
    0.48
    """
    n = check_int(n, "n", minimum=1)
    return _z(level) * sqrt(_share(disagreement, "disagreement") / n)


def documents_needed(difference: float, disagreement: float, level: float = 0.95) -> int | None:
    """Return how many test documents set the interval of a difference apart from 0.

    Parameters
    ----------
    difference : float
        d, in accuracy, from -1 to 1.
    disagreement : float
        Share of the documents that one of the two alone has right, from 0 to 1. For means of
        several runs: the mean square of the difference that a document makes.
    level : float, default 0.95

    Returns
    -------
    int or None
        The smallest n with z √((disagreement - d²) / n) <= |d|, at least 1; None where d is 0.

    Raises
    ------
    InvalidParameterError
        For a parameter that cannot be, and for a disagreement below d².

    Notes
    -----
    The runs are taken as they are: where seeds make more of a difference than documents, no number
    of documents is enough.

    Examples
    --------
    Half a point of difference where one document of sixteen is discordant:

    >>> documents_needed(0.005, 0.0625)
    9600
    >>> documents_needed(0.0, 0.06) is None
    True
    """
    difference = check_real(difference, "difference", at_most=1.0)
    disagreement = _share(disagreement, "disagreement")
    square, z = difference**2, _z(level)
    if square > disagreement * (1 + 1e-12):
        raise InvalidParameterError(
            "disagreement must be at least the square of difference: where it is smaller, they are "
            f"not of the same documents. Got {disagreement!r} and difference {difference!r}."
        )
    if difference == 0.0:
        return None
    return max(1, ceil(z**2 * max(disagreement - square, 0.0) / square))


def documents_needed_of_runs(ours: BoolArray, theirs: BoolArray) -> int | None:
    """Return how many test documents set the difference of the means of several runs apart from 0.

    Parameters
    ----------
    ours, theirs : ndarray of bool, shape (n_runs, n_documents)
        Whether each document is right; the numbers of runs may differ.

    Returns
    -------
    int or None
        As :func:`documents_needed` gives it; None where there is no difference.

    Notes
    -----
    What a document adds is the difference of its two shares of runs that have it right: less than
    in a single run, wherever runs differ by chance.

    Examples
    --------
    Two runs each, of which one alone has a document of ours right, and a document of theirs:

    >>> import numpy as np
    >>> ours = np.array([[True, True, False, True], [True, False, False, True]])
    >>> theirs = np.array([[True, False, False, False], [True, False, True, True]])
    >>> documents_needed_of_runs(ours, theirs)  # 0, 1/2, -1/2, 1/2: mean 1/8, mean square 3/16
    43
    """
    # Whole numbers, so that a difference of 0 is 0.
    each = ours.sum(axis=0) * len(theirs) - theirs.sum(axis=0) * len(ours)
    n_pairs = len(ours) * len(theirs)
    return documents_needed(
        float(each.mean()) / n_pairs, float((each.astype(float) ** 2).mean()) / n_pairs**2
    )


def _z(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(0.5 + checked_level(level) / 2))


def _share(value: float, name: str) -> float:
    share = check_real(value, name)
    if not 0.0 <= share <= 1.0:
        raise InvalidParameterError(f"{name} must be a share from 0 to 1. Got {value!r}.")
    return share
