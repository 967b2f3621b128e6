"""Logarithms of binomial and beta-binomial tails, also where the tails themselves are below 1e-308.

All functions take arrays that broadcast, and return natural logarithms.
"""

import numpy as np

from nlpfeat._typing import BoolArray, Float64Array

_SAFE = 1e-290  # below this a double loses digits, and then the number
_NEGLIGIBLE = 1e-17  # what is below this share of a sum does not change it
_NEARLY_ALL = -0.01  # 1 minus a probability whose logarithm is below this keeps its digits
_TERMS = 1 << 19  # terms of sums that are held at once
_FIRST_TERMS = 64  # so many of each sum, before it is known how many are needed
_MAX_STEPS = 10_000  # of the fraction, which takes a few dozen
_CONVERGED = 1e-15
_LARGE = 16.0  # from here on Stirling's series is exact to the last digit
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)


def log_upper_tail(k: Float64Array, n: Float64Array, p: Float64Array) -> Float64Array:
    """Return ln P(K >= k) of a binomial K with n trials of probability p.

    Parameters
    ----------
    k, n : ndarray of float64
        0 < k <= n; fractions are taken: P(K >= k) is the incomplete beta I_p(k, n - k + 1).
    p : ndarray of float64
        Above 0 and below 1. Tails that underflow need k > n p.

    Returns
    -------
    ndarray of float64
        At most 0, finite.

    Notes
    -----
    SciPy's incomplete beta, and its complement where the probability is above 1/2, so that the
    logarithm of a probability near 1 keeps its digits. Where it underflows, the density times
    a continued fraction, both in logarithms.

    Source: NIST Digital Library of Mathematical Functions, 8.17.5 (the identity) and 8.17.22 (the
    fraction).

    Examples
    --------
    好 is one token in two. All of 4 tokens are 好 once in 16 times, all of 2000 in 2^2000:

    >>> upper = log_upper_tail(np.array([4.0, 2000.0]), np.array([4.0, 2000.0]), np.array(0.5))
    >>> upper / np.log(2)
    array([   -4., -2000.])
    """
    from scipy.special import betainc, betaincc

    k, n, p = np.broadcast_arrays(k, n, p)
    tail = np.asarray(betainc(k, n - k + 1.0, p))
    rest = np.asarray(betaincc(k, n - k + 1.0, p))
    result = _log_of(tail, rest)
    far = tail < _SAFE
    if np.any(far):
        result[far] = _log_far_tail(k[far], n[far], p[far], 1.0 - p[far])
    return result


def log_lower_tail(k: Float64Array, n: Float64Array, p: Float64Array) -> Float64Array:
    """Return ln P(K <= k) of a binomial K with n trials of probability p.

    Parameters
    ----------
    k, n : ndarray of float64
        0 <= k < n; fractions are taken: P(K <= k) is the incomplete beta I_{1-p}(n - k, k + 1).
    p : ndarray of float64
        Above 0 and below 1. Tails that underflow need k < n p.

    Returns
    -------
    ndarray of float64
        At most 0, finite.

    Notes
    -----
    As `log_upper_tail`. P(K <= 0) is (1 - p)^n.

    Examples
    --------
    A word of one in a hundred is absent from 50 tokens with probability .605:

    >>> np.exp(log_lower_tail(np.array(0.0), np.array(50.0), np.array(0.01))).round(6)
    np.float64(0.605006)
    """
    from scipy.special import betainc, betaincc

    k, n, p = np.broadcast_arrays(k, n, p)
    result = np.asarray(n * np.log1p(-p), dtype=np.float64)
    some = k > 0.0
    k, n, p = k[some], n[some], p[some]
    tail = np.asarray(betaincc(k + 1.0, n - k, p))  # of p: 1 - p would be rounded
    rest = np.asarray(betainc(k + 1.0, n - k, p))
    logs = _log_of(tail, rest)
    far = tail < _SAFE
    if np.any(far):
        logs[far] = _log_far_tail((n - k)[far], n[far], 1.0 - p[far], p[far])
    result[some] = logs
    return result


def _log_of(tail: Float64Array, rest: Float64Array) -> Float64Array:
    """Return the logarithm of ``tail`` from whichever of it and 1 - it is the smaller."""
    with np.errstate(divide="ignore"):  # a tail of 0 is replaced
        return np.asarray(np.where(tail < 0.5, np.log(tail), np.log1p(-rest)), dtype=np.float64)


def _log_far_tail(
    k: Float64Array, n: Float64Array, p: Float64Array, q: Float64Array
) -> Float64Array:
    """Return ln P(K >= k) for k far above n p, where q = 1 - p."""
    log_density = (
        _stirling_rest(n) - _stirling_rest(k) - _stirling_rest(n - k)
        - _information(k, n * p, k - n * p) - _information(n - k, n * q, n * p - k)
    )  # fmt: skip
    return np.asarray(log_density + np.log(q) + np.log(_fraction(k, n, p)), dtype=np.float64)


def _fraction(k: Float64Array, n: Float64Array, p: Float64Array) -> Float64Array:
    """Return 1 / (1 + d1 / (1 + d2 / ...)), the tail over its first term, by Lentz's method.

    For k far above n p all partial denominators are above 0, and a few dozen steps do.
    """
    rest = n - k + 1.0
    c, d = np.ones(k.shape), 1.0 / (1.0 - (n + 1.0) * p / (k + 1.0))
    value = d
    for m in range(1, _MAX_STEPS):
        even = m * (rest - m) * p / ((k + 2 * m - 1.0) * (k + 2 * m))
        odd = -(k + m) * (n + 1.0 + m) * p / ((k + 2 * m) * (k + 2 * m + 1.0))
        for step in (even, odd):
            c, d = 1.0 + step / c, 1.0 / (1.0 + step * d)
            value = value * (c * d)
        if np.all(np.abs(c * d - 1.0) < _CONVERGED):
            break
    return value


def log_upper_tail_beta(
    k: Float64Array, n: Float64Array, a: Float64Array, b: Float64Array
) -> Float64Array:
    """Return ln P(K >= k) of a beta-binomial K: n trials whose probability is Beta(a, b).

    Parameters
    ----------
    k, n : ndarray of float64
        Whole numbers, 0 < k <= n, and k at least the mean of K, n a / (a + b).
    a, b : ndarray of float64
        Above 0.

    Returns
    -------
    ndarray of float64
        At most 0, finite.

    Notes
    -----
    The sum of the probabilities from k to n, relative to the first, whose logarithm is known
    whatever its size. It ends early where the terms are sure to fall and the rest is negligible.
    Where the sum of the other side is shorter and leaves more than one percent, that is taken. At
    most about ``n`` terms a cell, and memory for half a million at once.

    P(K <= k) is ``log_upper_tail_beta(n - k, n, b, a)``.

    Source: Skellam (1948).

    Examples
    --------
    With a = b = 1 all of 0, 1, 2, 3 and 4 times 好 are equally probable:

    >>> k, four, one = np.array([2.0, 3.0, 4.0]), np.array(4.0), np.array(1.0)
    >>> np.exp(log_upper_tail_beta(k, four, one, one)).round(12).tolist()
    [0.6, 0.4, 0.2]
    """
    k, n, a, b = np.broadcast_arrays(k, n, a, b)
    shape = k.shape
    k, n, a, b = (array.ravel() for array in (k, n, a, b))
    other = np.zeros(k.shape)
    shorter = k <= n - k
    with np.errstate(over="ignore", invalid="ignore"):  # a sum that overflows is not taken
        other[shorter] = _log_sum(*(array[shorter] for array in (n - k + 1.0, n, b, a)))
    result = np.log(-np.expm1(other), out=np.zeros(k.shape), where=other < _NEARLY_ALL)
    here = ~(other < _NEARLY_ALL)
    result[here] = _log_sum(*(array[here] for array in (k, n, a, b)))
    return result.reshape(shape)


def _log_sum(k: Float64Array, n: Float64Array, a: Float64Array, b: Float64Array) -> Float64Array:
    """Return the logarithm of the sum of the probabilities from k to n."""
    total = n + a + b
    surplus = (k * b - (n - k) * a) / total  # k less its share by the pooled rate
    share, rest = (k + a) / total, (n - k + b) / total
    log_first = (
        _stirling_rest(n) - _stirling_rest(k) - _stirling_rest(n - k)
        + _gamma_rest(k + a) + _gamma_rest(n - k + b) - _gamma_rest(total)
        - _gamma_rest(a) - _gamma_rest(b) + _gamma_rest(a + b)
        - _information(k, n * share, surplus) - _information(n - k, n * rest, -surplus)
        - _information(a, (a + b) * share, -surplus) - _information(b, (a + b) * rest, surplus)
    )  # fmt: skip
    return np.asarray(np.minimum(log_first + np.log(_relative_sum(k, n, a, b)), 0.0))


def _relative_sum(
    k: Float64Array, n: Float64Array, a: Float64Array, b: Float64Array
) -> Float64Array:
    """Return the sum of the probabilities from k to n, over the first of them."""
    total, term, at = np.ones(k.shape), np.ones(k.shape), k.copy()
    width = _FIRST_TERMS
    active = np.flatnonzero(at < n)
    while active.size:
        unfinished = []
        for cells in np.array_split(active, -(-active.size * width // _TERMS)):
            j = at[cells, None] + np.arange(width)
            n_, a_, b_ = n[cells, None], a[cells, None], b[cells, None]
            left = np.maximum(n_ - j, 0.0)
            ratios = left * (j + a_) / ((j + 1.0) * (np.maximum(left - 1.0, 0.0) + b_))
            terms = term[cells, None] * np.cumprod(ratios, axis=1)
            total[cells] += terms.sum(axis=1)
            term[cells] = terms[:, -1]
            at[cells] += width
            unfinished.append(cells[_goes_on(n[cells] - at[cells], ratios[:, -1], b[cells],
                                             term[cells] / total[cells])])  # fmt: skip
        active = np.concatenate(unfinished)
        width = min(2 * width, _TERMS)
    return total


def _goes_on(
    left: Float64Array, ratio: Float64Array, b: Float64Array, share: Float64Array
) -> BoolArray:
    """Tell where the terms that are left may still change the sum.

    The ratio of a probability to the one before is above 1 where a linear function of k is, and
    with b >= 1 that function is at most 0 at the end: once the terms fall, they fall to the end.
    """
    negligible = (b >= 1.0) & (ratio < 1.0) & (share * left < _NEGLIGIBLE)
    return (left > 0.0) & ~negligible


def _information(x: Float64Array, y: Float64Array, difference: Float64Array) -> Float64Array:
    """Return x ln(x / y), where x - y is known better than by subtracting."""
    from scipy.special import xlogy

    relative = difference / y
    near = np.abs(relative) < 0.5
    by_difference = x * np.log1p(np.where(near, relative, 0.0))
    return np.asarray(np.where(near, by_difference, xlogy(x, x / y)), dtype=np.float64)


def _stirling_rest(x: Float64Array) -> Float64Array:
    """Return ln(x!) - x ln x + x for x >= 0, which is small: no digits are lost in sums of it."""
    from scipy.special import gammaln, xlogy

    large = x >= _LARGE
    big = np.where(large, x, _LARGE)
    series = np.zeros(x.shape)
    for coefficient in reversed(_STIRLING):
        series = series / big**2 + coefficient
    by_series = 0.5 * np.log(2.0 * np.pi * big) + series / big
    small = np.where(large, 0.0, x)
    by_definition = gammaln(small + 1.0) - xlogy(small, small) + small
    return np.asarray(np.where(large, by_series, by_definition), dtype=np.float64)


def _gamma_rest(x: Float64Array) -> Float64Array:
    """Return ln(gamma(x)) - x ln x + x for x > 0."""
    return np.asarray(_stirling_rest(x) - np.log(x), dtype=np.float64)
