"""Signed surprisal: how unexpected a term's count in a document is, its absence included."""

import math

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import BoolArray, Float64Array, Int64Array
from nlpfeat._validation import check_real
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.measures.binomial_tails import log_lower_tail, log_upper_tail, log_upper_tail_beta

_LEAST_RATE = 1e-290  # the quotient of a count and a smaller rate overflows
# A rate is the quotient of two sums: n p is known up to this share of it.
_ROUNDING = 4 * float(np.finfo(np.float64).eps)


def signed_surprisal(
    counts: ArrayLike, lengths: ArrayLike, rates: ArrayLike, *, dispersion: float | None = None
) -> Float64Array:
    """Signed surprisal, -log2 P(K >= k) where k > n p, log2 P(K <= k) where k < n p, else 0.

    Parameters
    ----------
    counts : array-like of numbers
        k: how often the term occurs in the document, from 0 to n.
    lengths : array-like of numbers
        n: the tokens of the document, at least 0.
    rates : array-like of float
        p: the term's share of all tokens, from 0 to 1; below 1e-290 it is taken as 0. The three
        broadcast.
    dispersion : float, default None
        None: K is binomial, every token is drawn by itself. Otherwise above 0 and below 1, the
        correlation of two tokens of a document: K is beta-binomial with a = p (1 - d) / d and
        b = (1 - p) (1 - d) / d. The mean stays n p, the variance n p (1 - p) becomes
        1 + (n - 1) d times as large, and burstiness is no surprise any more.

    Returns
    -------
    ndarray of float64
        In bits: above 0 for a term more frequent than expected, below 0 for a rarer one, 0 where
        k = n p (up to the rounding of p). Finite also where the probability is below 1e-308; only
        what is impossible is infinite: inf for k > 0 with p = 0, -inf for k < n with p = 1.

    Raises
    ------
    InvalidInputError
        When an argument is out of its range or missing, and for fractional counts with
        ``dispersion``.
    InvalidParameterError
        When ``dispersion`` is not between 0 and 1.

    Notes
    -----
    Binomial tails are incomplete betas, which are continuous in k and n, so fractional counts
    (weights, means) are taken. Beta-binomial tails are sums over whole counts; between whole
    counts there is no one distribution to stand for them, so fractional counts are refused.

    The value of a count that is about what was expected is not near 0 but near 1 bit on either
    side, as each tail holds about half of all; and P(K >= k) and P(K <= k) both hold P(K = k).

    With ``dispersion`` each value is a sum of up to n terms: at rates near one half about 2 ms at
    n = 100,000 and 15 ms at n = 1,000,000, where a binomial tail takes microseconds.

    Source: Shannon (1948) for the unit; the beta-binomial: Skellam (1948), for words Church and
    Gale (1995).

    Examples
    --------
    的 is 5 % of all tokens. Absent from 100 it is .95^100 = .0059, which is 7.4 bits; twelve times
    in 100 is 8 bits on the other side. A word of 1 % that is absent from 50 is hardly news.

    >>> signed_surprisal([0, 5, 12], 100, 0.05).round(2)
    array([-7.4 ,  0.  ,  7.87])
    >>> signed_surprisal(0, 50, 0.01).round(4)
    np.float64(-0.725)
    """
    k, n, p = _checked(counts, lengths, rates)
    dispersion = check_dispersion(dispersion)
    if dispersion is not None:
        _check_whole(k, n)
    p = np.where(p < _LEAST_RATE, 0.0, p)
    expected = n * p
    differs = np.abs(k - expected) > _ROUNDING * np.maximum(k, expected)
    above, below = differs & (k > expected), differs & (k < expected)
    bits = np.zeros(k.shape)
    bits[above & (p == 0.0)] = np.inf
    bits[below & (p == 1.0)] = -np.inf
    above &= p > 0.0
    below &= p < 1.0
    bits[above] = _log_tail(k, n, p, above, dispersion, upper=True) / -math.log(2.0)
    bits[below] = _log_tail(k, n, p, below, dispersion, upper=False) / math.log(2.0)
    return bits[()]


def check_dispersion(dispersion: object) -> float | None:
    """Return ``dispersion`` when it is None or between 0 and 1.

    Raises
    ------
    InvalidParameterError
        For anything else.

    Examples
    --------
    >>> check_dispersion(0.01)
    0.01
    """
    if dispersion is None:
        return None
    number = check_real(dispersion, "dispersion", above=0.0, at_most=1.0)
    if number == 1.0:
        raise InvalidParameterError(
            "dispersion must be below 1, where a document would be one word only. Got 1: choose "
            "a smaller one, or None for the binomial distribution."
        )
    return number


def two_sided_p_values(surprisal: ArrayLike) -> Float64Array:
    """Return min(1, 2 * 2^-|s|): the probability of a surprise that large on either side.

    The side of the tail is that of the data, so the tail alone would be too small by half.

    Parameters
    ----------
    surprisal : array-like of float
        Signed surprisal in bits.

    Returns
    -------
    ndarray of float64
        In [0, 1]; 0 where it is below 1e-308.

    Examples
    --------
    >>> two_sided_p_values([0.0, -0.5, 5.0, -11.0]).tolist()
    [1.0, 1.0, 0.0625, 0.0009765625]
    """
    size = np.abs(np.asarray(surprisal, dtype=np.float64))
    return np.asarray(np.minimum(np.exp2(1.0 - size), 1.0), dtype=np.float64)


def q_values(p_values: Float64Array, times: Int64Array | None = None) -> Float64Array:
    """Return p values adjusted by Benjamini and Hochberg.

    Keeping what has a q value of at most a gives, on average, at most a share a of false finds.

    Parameters
    ----------
    p_values : ndarray of shape (n_tests,), float64
        Of all tests that were made, the insignificant ones included.
    times : ndarray of int, shape (n_tests,), default None
        How many tests had each p value, from 0 on; None is 1 each.

    Returns
    -------
    ndarray of shape (n_tests,), float64
        At least the p value, at most 1.

    Notes
    -----
    Source: Benjamini and Hochberg (1995).

    Examples
    --------
    >>> q_values(np.array([0.01, 0.04, 0.03, 0.5])).round(4)
    array([0.04  , 0.0533, 0.0533, 0.5   ])
    """
    if times is None:
        times = np.ones(len(p_values), dtype=np.int64)
    order = np.argsort(p_values)
    ranks = np.maximum(np.cumsum(times[order]), 1)
    adjusted = np.minimum(p_values[order] * (times.sum() / ranks), 1.0)
    # A p value that no test had must not lower those before it.
    adjusted[times[order] == 0] = 1.0
    q = np.empty(len(p_values))
    q[order] = np.minimum.accumulate(adjusted[::-1])[::-1]
    return q


def _checked(
    counts: ArrayLike, lengths: ArrayLike, rates: ArrayLike
) -> tuple[Float64Array, Float64Array, Float64Array]:
    k, n, p = (np.asarray(each, dtype=np.float64) for each in (counts, lengths, rates))
    _check_range(k, "counts", math.inf)
    _check_range(n, "lengths", math.inf)
    _check_range(p, "rates", 1.0)
    k, n, p = np.broadcast_arrays(k, n, p)
    if not np.all(k <= n * (1.0 + _ROUNDING)):
        place = np.argmax(k - n)
        raise InvalidInputError(
            "counts must be at most lengths: a term cannot occur more often than there are "
            f"tokens. Got {k.flat[place]:g} of {n.flat[place]:g}."
        )
    return np.minimum(k, n), n, p


def _check_range(values: Float64Array, name: str, most: float) -> None:
    if not np.all((values >= 0.0) & (values <= most) & np.isfinite(values)):
        wanted = "at least 0 and finite" if most == math.inf else f"from 0 to {most:g}"
        raise InvalidInputError(
            f"{name} must be {wanted}. Got {values.min():g} to {values.max():g}."
        )


def _check_whole(*arrays: Float64Array) -> None:
    for array in arrays:
        if np.any(array != np.floor(array)):
            example = array[array != np.floor(array)].flat[0]
            raise InvalidInputError(
                "counts must be whole numbers with dispersion, whose tails are sums over whole "
                f"counts. Got {example:g}: give unweighted counts, or dispersion=None."
            )


def _log_tail(
    k: Float64Array,
    n: Float64Array,
    p: Float64Array,
    where: BoolArray,
    dispersion: float | None,
    *,
    upper: bool,
) -> Float64Array:
    """Return the natural logarithm of the upper or lower tail in the chosen places."""
    k, n, p = k[where], n[where], p[where]
    if dispersion is None:
        return log_upper_tail(k, n, p) if upper else log_lower_tail(k, n, p)
    independence = (1.0 - dispersion) / dispersion
    a, b = p * independence, (1.0 - p) * independence
    return log_upper_tail_beta(k, n, a, b) if upper else log_upper_tail_beta(n - k, n, b, a)
