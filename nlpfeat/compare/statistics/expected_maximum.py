"""What tuning may be expected to reach with fewer trials: the best of k."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_bool
from nlpfeat.compare.statistics.finite_arrays import finite_array
from nlpfeat.errors import InvalidInputError


def expected_maximum(scores: ArrayLike, *, with_replacement: bool = True) -> Float64Array:
    """Return the expected best of k of n tuning trials, for k = 1 to n.

    Parameters
    ----------
    scores : array-like, shape (n,)
        Of independent random trials, better when higher (give a loss its minus sign).
    with_replacement : bool, default True
        How the k are drawn from the n: with replacement, as the curves are published, which is too
        low for k > 1; or without, which is right on the average.

    Returns
    -------
    ndarray of float64, shape (n,)
        Never falling: the mean of the scores first. The last is the best score without replacement,
        and below it with.

    Raises
    ------
    InvalidInputError
        For no scores, NaN and infinity.

    Notes
    -----
    With the sorted scores v_1 ≤ … ≤ v_n, Σ_i v_i ((i/n)^k - ((i-1)/n)^k); without replacement
    Σ_i v_i C(i-1, k-1) / C(n, k).

    Sources: Dodge et al. (2019); Tang et al. (2020) for drawing without replacement.

    Examples
    --------
    Of two trials the best of two draws is the worse one in one case of four:

    >>> expected_maximum([0.8, 0.9])
    array([0.85 , 0.875])
    >>> expected_maximum([0.8, 0.9], with_replacement=False)
    array([0.85, 0.9 ])
    """
    values = np.sort(finite_array(scores, "scores", "trials"))
    if not len(values):
        raise InvalidInputError("scores must be of at least 1 trial. Got none.")
    n = len(values)
    if check_bool(with_replacement, "with_replacement"):
        shares = np.arange(n + 1) / n
        best = np.array([np.diff(shares**k) @ values for k in range(1, n + 1)])
    else:
        best = np.array([_at_most(n, k) @ values for k in range(1, n + 1)])
    return np.asarray(best, dtype=np.float64)


def _at_most(n: int, k: int) -> Float64Array:
    """Return the probabilities that the i-th of n is the highest of k that are drawn."""
    from scipy.special import gammaln

    ranks = np.arange(k, n + 1)
    logs = (
        gammaln(ranks) - gammaln(k) - gammaln(ranks - k + 1)
        - gammaln(n + 1) + gammaln(k + 1) + gammaln(n - k + 1)
    )  # fmt: skip
    return np.concatenate([np.zeros(k - 1), np.exp(logs)])
