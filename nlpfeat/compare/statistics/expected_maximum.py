"""What tuning may be expected to reach with fewer trials: the best of k."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array
from nlpfeat.compare.statistics.finite_arrays import finite_array
from nlpfeat.errors import InvalidInputError


def expected_maximum(scores: ArrayLike, *, first: float | None = None) -> Float64Array:
    """Return the expected best of k of n tuning trials, drawn without replacement, for k = 1 to n.

    Parameters
    ----------
    scores : array-like, shape (n,)
        Of independent random trials, better when higher (give a loss its minus sign).
    first : float, default None
        The score of a setting that was not drawn, such as the default one, and is always tried
        first. It makes one trial more.

    Returns
    -------
    ndarray of float64, shape (n,), or (n + 1,) with ``first``
        Never falling: the mean of the scores first, the best score last. With ``first`` that one
        stands first, and at k the best of it and k - 1 drawn trials.

    Raises
    ------
    InvalidInputError
        For no scores at all, NaN and infinity.

    Notes
    -----
    With the sorted scores v_1 ≤ … ≤ v_n, Σ_i v_i C(i-1, k-1) / C(n, k). Drawn with replacement, as
    such curves were published first, the best of k > 1 is too low; without, it is right on the
    average.

    Sources: Dodge et al. (2019) for the curve; Tang et al. (2020) for drawing without replacement.

    Examples
    --------
    Of three trials the best of two is .84 for one pair and .90 for the other two:

    >>> expected_maximum([0.80, 0.84, 0.90]).round(4).tolist()
    [0.8467, 0.88, 0.9]

    After a default of .84, one more trial leaves it with .84, .84 or .90:

    >>> expected_maximum([0.80, 0.84, 0.90], first=0.84).round(4).tolist()
    [0.84, 0.86, 0.88, 0.9]
    """
    values = np.sort(finite_array(scores, "scores", "trials"))
    if first is not None:
        (start,) = finite_array([first], "first", "trials")
        others = expected_maximum(np.maximum(values, start)) if len(values) else values
        return np.concatenate([[start], others])
    if not len(values):
        raise InvalidInputError("scores must be of at least 1 trial. Got none.")
    n = len(values)
    best = [_is_highest(n, k) @ values for k in range(1, n + 1)]
    return np.array(best, dtype=np.float64)


def _is_highest(n: int, k: int) -> Float64Array:
    """Return the probabilities that the i-th of n is the highest of k that are drawn."""
    from scipy.special import gammaln

    ranks = np.arange(k, n + 1)
    logs = (
        gammaln(ranks) - gammaln(k) - gammaln(ranks - k + 1)
        - gammaln(n + 1) + gammaln(k + 1) + gammaln(n - k + 1)
    )  # fmt: skip
    return np.concatenate([np.zeros(k - 1), np.exp(logs)])
