"""McNemar's test: whether one of two models is right more often on the same documents."""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._validation import check_int
from nlpfeat.errors import InvalidInputError

FEW = 25
"""With fewer discordant documents the test is exact."""


@dataclass(frozen=True)
class McNemar:
    """What McNemar's test says.

    Parameters
    ----------
    statistic : float or None
        Chi-squared with one degree of freedom; None when the test is exact.
    p_value : float
        Two-sided.
    name : {"mcnemar exact mid-p", "mcnemar chi2"}
    """

    statistic: float | None
    p_value: float
    name: str


def mcnemar(n_only_a: int, n_only_b: int) -> McNemar:
    """Test whether two models are right equally often on the same documents.

    Parameters
    ----------
    n_only_a, n_only_b : int
        b and c, documents that a alone has right, and b alone: the discordant ones. What both have
        right or both wrong says nothing of their difference.

    Returns
    -------
    McNemar
        With b = c = 0 the p-value is 1.

    Raises
    ------
    InvalidParameterError
        For anything but integers from 0.

    Notes
    -----
    If both are equally good, each discordant document is a fair coin.

    - b + c < 25: the exact mid-p value, P(|B - C| > |b - c|) + P(|B - C| = |b - c|) / 2, where B is
      binomial with n = b + c and 1/2, and C = n - B.
    - else chi-squared with one degree of freedom of (max(|b - c| - 1, 0))² / (b + c), corrected for
      continuity.

    Both are about two fixed models on documents like these; they know nothing of other seeds or
    training texts.

    Sources: McNemar (1947); Edwards (1948) for the correction; Fagerland, Lydersen and Laake (2013)
    for the mid-p value.

    Examples
    --------
    >>> mcnemar(7, 1)
    McNemar(statistic=None, p_value=0.0390625, name='mcnemar exact mid-p')
    >>> found = mcnemar(60, 36)  # (24 - 1)² / 96
    >>> round(found.statistic, 4), round(found.p_value, 4), found.name
    (5.5104, 0.0189, 'mcnemar chi2')
    """
    from scipy.special import chdtrc

    n_a = check_int(n_only_a, "n_only_a", minimum=0)
    n_b = check_int(n_only_b, "n_only_b", minimum=0)
    n = n_a + n_b
    if n < FEW:
        return McNemar(None, _mid_p(min(n_a, n_b), n), "mcnemar exact mid-p")
    statistic = max(abs(n_a - n_b) - 1, 0) ** 2 / n
    return McNemar(statistic, float(chdtrc(1, statistic)), "mcnemar chi2")


def discordant_documents(right_a: ArrayLike, right_b: ArrayLike) -> tuple[int, int]:
    """Count the documents that one of two models alone has right.

    Parameters
    ----------
    right_a, right_b : array-like of bool, shape (N,)

    Returns
    -------
    tuple of int
        Those of a and those of b: what :func:`mcnemar` takes.

    Raises
    ------
    InvalidInputError
        For anything but bool, another shape, different lengths, and no documents.

    Examples
    --------
    >>> discordant_documents([True, True, True, False], [True, False, False, True])
    (2, 1)
    """
    arrays = np.asarray(right_a), np.asarray(right_b)
    for name, array in zip(("right_a", "right_b"), arrays):
        if array.ndim != 1 or array.dtype != np.bool_ or not array.size:
            raise InvalidInputError(
                f"{name} must be one bool a document, at least 1. Got an array of {array.dtype} of "
                f"shape {array.shape}."
            )
    a, b = arrays
    if len(a) != len(b):
        raise InvalidInputError(
            f"right_a and right_b must be of the same documents. Got {len(a)} and {len(b)}."
        )
    return int((a & ~b).sum()), int((b & ~a).sum())


def _mid_p(smaller: int, n: int) -> float:
    if n == 0:
        return 1.0
    ways = [comb(n, k) for k in range(smaller + 1)]
    if 2 * smaller == n:  # the tails meet: the observed difference, 0, is the least extreme
        return float(1.0 - ways[-1] / 2 ** (n + 1))
    return float((2 * sum(ways) - ways[-1]) / 2**n)
