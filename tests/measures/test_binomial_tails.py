import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom, binom

from nlpfeat.measures.binomial_tails import log_lower_tail, log_upper_tail, log_upper_tail_beta


def arrays(*numbers):
    return (np.array(float(number)) for number in numbers)


def exact_upper(k, n, p, q):
    """ln I_p(k, n - k + 1) with forty digits, by the series of positive terms (DLMF 8.17.8)."""
    with mpmath.workdps(40):
        a, b = mpmath.mpf(k), mpmath.mpf(n) - k + 1
        term = total = mpmath.mpf(1)
        i = 0
        while True:
            ratio = p * (a + b + i) / (a + 1 + i)
            term *= ratio
            total += term
            i += 1
            if ratio < 1 and term < total * mpmath.mpf(10) ** -20:
                break
        log_beta = mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)
        return a * mpmath.log(p) + b * mpmath.log(q) - mpmath.log(a) - log_beta + mpmath.log(total)


def exact_beta(k, n, a, b):
    """Return ln P(K >= k) of the beta-binomial with forty digits, term by term."""
    with mpmath.workdps(40):
        a, b = mpmath.mpf(a), mpmath.mpf(b)
        whole = mpmath.beta(a, b)
        terms = (
            mpmath.binomial(n, j) * mpmath.beta(j + a, n - j + b) / whole for j in range(k, n + 1)
        )
        return mpmath.log(mpmath.fsum(terms))


CASES = [
    # not far from the mean
    (1, 1, 0.3), (1, 50, 0.01), (3, 50, 0.05), (2, 50, 1e-8), (50, 50, 0.99), (0.25, 7, 0.01),
    (7.5, 20.25, 0.3), (130, 1000, 0.1), (100_600, 1_000_000, 0.1), (1, 1_000_000, 1e-9),
    (50_000.5, 100_000, 0.5),
    # underflow
    (50, 1000, 1e-8), (50.5, 1000, 1e-8), (2000, 2000, 0.5), (999.9, 3000, 0.1),
    (500_000, 1_000_000, 0.01), (1_000_000, 1_000_000, 1e-6), (1_000_000, 1_000_000, 0.5),
    (530_000, 1_000_000, 0.5), (1000.25, 1_000_000, 1e-4), (1000, 1_000_000, 1e-4),
    (499_999.5, 500_000, 0.9), (99_999.5, 100_000, 0.9),
]  # fmt: skip


@pytest.mark.parametrize(("k", "n", "p"), CASES)
def test_binomial_tails_with_forty_digits(k, n, p):
    with mpmath.workdps(40):
        exact = exact_upper(k, n, mpmath.mpf(p), 1 - mpmath.mpf(p))
        # The lower tail of n - k is the upper tail of k with p and q exchanged, rounding included.
        q = 1.0 - p
        mirrored = exact_upper(k, n, 1 - mpmath.mpf(q), mpmath.mpf(q))
        upper, lower = log_upper_tail(*arrays(k, n, p)), log_lower_tail(*arrays(n - k, n, q))
        assert abs(mpmath.mpf(float(upper)) / exact - 1) < 1e-12
        assert abs(mpmath.mpf(float(lower)) / mirrored - 1) < 1e-12


@pytest.mark.parametrize("n", [1, 4, 30, 400])
@pytest.mark.parametrize("p", [1e-5, 0.01, 0.3, 0.97])
def test_whole_counts_are_those_of_scipy(n, p):
    k = np.arange(math.ceil(n * p + 1e-9), n + 1.0)
    with np.errstate(divide="ignore"):
        theirs = binom.logsf(k - 1, n, p)
    usable = theirs > -600
    assert log_upper_tail(k, *arrays(n, p))[usable] == pytest.approx(theirs[usable], rel=1e-10)
    k = np.arange(0.0, math.floor(n * p))
    with np.errstate(divide="ignore"):
        theirs = binom.logcdf(k, n, p)
    usable = theirs > -600
    assert log_lower_tail(k, *arrays(n, p))[usable] == pytest.approx(theirs[usable], rel=1e-10)


def test_none_of_n_by_hand():
    assert log_lower_tail(*arrays(0, 50, 0.01)) == pytest.approx(50 * math.log(0.99), rel=1e-15)
    assert log_lower_tail(*arrays(0, 10**6, 0.999)) == pytest.approx(10**6 * math.log(0.001))
    assert log_upper_tail(*arrays(10, 10, 0.5)) == pytest.approx(10 * math.log(0.5), rel=1e-14)


def test_the_change_to_the_far_tail_is_smooth():
    # Below 1e-290 the tails pass from SciPy's function to our own.
    k = np.linspace(1_080, 1_130, 2_000)
    tails = log_upper_tail(k, np.array(10_000.0), np.array(0.03))
    assert tails[0] > math.log(1e-290) > tails[-1]
    steps = np.diff(tails)
    assert np.all(steps < 0)
    assert np.abs(np.diff(steps)).max() < 1e-4 * np.abs(steps).max()


@given(
    n=st.integers(1, 500),
    p=st.floats(1e-6, 1 - 1e-6),
    fractions=st.lists(st.floats(0.001, 1), min_size=2, max_size=5),
)
def test_tails_fall_and_complete_one_another(n, p, fractions):
    k = np.sort(np.maximum(np.array(fractions) * n, 1e-3))
    k = k[k > n * p]
    upper = log_upper_tail(k, *arrays(n, p))
    assert np.all(np.isfinite(upper) & (upper <= 0))
    assert np.all(np.diff(upper) <= 1e-12 * np.abs(upper[1:]))
    near = k[(upper > -600) & (k >= 1)]
    lower = log_lower_tail(near - 1, *arrays(n, p))
    whole = np.exp(lower) + np.exp(log_upper_tail(near, *arrays(n, p)))
    assert whole == pytest.approx(np.ones(len(near)), abs=1e-9)


@pytest.mark.parametrize("n", [1, 2, 7, 60])
@pytest.mark.parametrize("a", [1e-5, 0.5, 1, 7.5, 1e6])
@pytest.mark.parametrize("b", [1e-3, 1, 9, 1e8])
def test_beta_binomial_tails_with_forty_digits(n, a, b):
    for k in sorted({1, n // 5, n // 2, n - 1, n}):
        if k > 0 and k >= n * a / (a + b):
            tail = log_upper_tail_beta(*arrays(k, n, a, b))
            assert tail == pytest.approx(float(exact_beta(k, n, a, b)), rel=1e-11, abs=1e-14)


def test_a_long_document_by_scipy():
    k, n, a, b = np.array([30.0, 400.0, 4_000.0, 20_000.0]), *arrays(20_000, 0.2, 9.8)
    with np.errstate(divide="ignore"):
        theirs = betabinom.logsf(k - 1, 20_000, 0.2, 9.8)
    # Theirs sums from 0 and subtracts, so that of a small tail only some digits are left.
    assert log_upper_tail_beta(k, n, a, b)[:3] == pytest.approx(theirs[:3], rel=1e-6)
    all_of_them = log_upper_tail_beta(k, n, a, b)[3]
    assert all_of_them == pytest.approx(betabinom.logpmf(20_000, 20_000, 0.2, 9.8), rel=1e-9)


def test_long_sums_are_made_in_parts(monkeypatch):
    k, n, a, b = np.arange(20.0, 300.0), *arrays(300, 2.0, 40.0)
    whole = log_upper_tail_beta(k, n, a, b)
    monkeypatch.setattr("nlpfeat.measures.binomial_tails._TERMS", 100)
    assert log_upper_tail_beta(k, n, a, b) == pytest.approx(whole, rel=1e-12)
    assert np.all(np.diff(whole) < 0)


def test_little_dispersion_is_none():
    k, n = arrays(9, 100)
    for factor, tolerance in ((1e6, 1e-3), (1e9, 1e-6), (1e13, 1e-9)):
        tail = log_upper_tail_beta(k, n, *arrays(0.03 * factor, 0.97 * factor))
        assert tail == pytest.approx(log_upper_tail(k, n, np.array(0.03)), rel=tolerance)


@given(n=st.integers(1, 80), a=st.floats(1e-3, 1e3), b=st.floats(1e-3, 1e3))
def test_beta_binomial_probabilities_add_up(n, a, b):
    mean = n * a / (a + b)
    k = math.floor(mean) + 1
    if k <= n:
        upper = math.exp(log_upper_tail_beta(*arrays(k, n, a, b)))
        lower = math.exp(log_upper_tail_beta(*arrays(n - k + 1, n, b, a)))
        assert upper + lower == pytest.approx(1, abs=1e-10)
