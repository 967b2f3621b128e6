import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom, binom, nbinom

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.measures.surprisal import (
    check_dispersion,
    q_values,
    signed_surprisal,
    two_sided_p_values,
)


def loop(k, n, p, dispersion=None):
    """The definition, one count at a time, by SciPy's distributions."""
    if dispersion is None:
        law = binom(n, p)
    else:
        law = betabinom(
            n, p * (1 - dispersion) / dispersion, (1 - p) * (1 - dispersion) / dispersion
        )
    if math.isclose(k, n * p, rel_tol=1e-12):
        return 0.0
    tail = sum(law.pmf(j) for j in (range(k, n + 1) if k > n * p else range(k + 1)))
    return -math.log2(tail) if k > n * p else math.log2(tail)


def test_by_hand():
    # A coin thrown four times: none, two and four heads.
    assert signed_surprisal([0, 2, 4], 4, 0.5).tolist() == pytest.approx([-4, 0, 4], rel=1e-14)
    # At least three of four: 5 / 16; at most one: the same.
    assert signed_surprisal([3, 1], 4, 0.5).tolist() == pytest.approx(
        [math.log2(16 / 5), -math.log2(16 / 5)], rel=1e-14
    )


def test_by_hand_with_dispersion():
    # d = 1/3 makes a = b = 1: each number of heads is equally probable.
    values = signed_surprisal([0, 1, 2, 3, 4], 4, 0.5, dispersion=1 / 3)
    assert values.tolist() == pytest.approx(
        [-math.log2(5), -math.log2(5 / 2), 0, math.log2(5 / 2), math.log2(5)], rel=1e-12
    )


class TestAbsence:
    """What the absence of a word is worth, and how little."""

    def test_of_fifty_tokens(self):
        bits = -signed_surprisal(0, 50, [0.01, 0.001])
        assert np.exp2(-bits) == pytest.approx([0.605006, 0.951206], abs=5e-7)
        assert bits == pytest.approx([0.7250, 0.0722], abs=5e-5)
        assert bits * math.log(2) == pytest.approx([0.5025, 0.0500], abs=5e-5)

    def test_as_evidence_between_two_rates(self):
        absent = np.exp2(signed_surprisal(0, 50, [0.01, 0.001]))
        ratio = absent[0] / absent[1]
        assert ratio == pytest.approx(0.6360, abs=5e-5)
        assert math.log2(ratio) == pytest.approx(-0.653, abs=5e-4)
        present = np.exp2(-signed_surprisal(1, 50, [0.01, 0.001]))
        ratio = present[0] / present[1]
        assert ratio == pytest.approx(8.095, abs=5e-4)
        assert math.log2(ratio) == pytest.approx(3.017, abs=5e-4)

    @pytest.mark.parametrize(("rate", "enough"), [(0.01, 299), (0.001, 2995)])
    def test_passes_five_percent_only_in_long_texts(self, rate, enough):
        five_percent = -math.log2(20)
        assert signed_surprisal(0, enough - 1, rate) > five_percent
        assert signed_surprisal(0, enough, rate) <= five_percent

    def test_in_fifty_tokens_only_of_the_most_frequent_words(self):
        rate = 1 - 0.05 ** (1 / 50)
        assert rate == pytest.approx(0.0582, abs=5e-5)
        assert signed_surprisal(0, 50, rate) == pytest.approx(-math.log2(20), rel=1e-12)

    def test_is_nothing_in_bursts(self):
        # Mean 0.5: Poisson .607; with a = 0.1, the negative binomial has .836.
        n, rate = 10**6, 0.5e-6
        assert np.exp2(signed_surprisal(0, n, rate)) == pytest.approx(0.607, abs=5e-4)
        dispersion = 1 / (0.1 / rate + 1)
        bursty = np.exp2(signed_surprisal(0, n, rate, dispersion=dispersion))
        assert bursty == pytest.approx(0.836, abs=5e-4)
        assert bursty == pytest.approx(nbinom.pmf(0, 0.1, 0.1 / 0.6), abs=1e-5)


@given(n=st.integers(1, 60), k=st.integers(0, 60), p=st.floats(1e-4, 0.999))
def test_against_the_definition(n, k, p):
    k = min(k, n)
    assert signed_surprisal(k, n, p) == pytest.approx(loop(k, n, p), rel=1e-8, abs=1e-9)


@given(
    n=st.integers(1, 40), k=st.integers(0, 40), p=st.floats(0.001, 0.99),
    dispersion=st.floats(1e-4, 0.9),
)  # fmt: skip
def test_against_the_definition_with_dispersion(n, k, p, dispersion):
    k = min(k, n)
    value = signed_surprisal(k, n, p, dispersion=dispersion)
    assert value == pytest.approx(loop(k, n, p, dispersion), rel=1e-7, abs=1e-9)


@given(n=st.integers(1, 10**6), share=st.floats(0, 1), p=st.floats(0, 1))
def test_sign_size_and_symmetry(n, share, p):
    k = round(share * n)
    value = signed_surprisal(k, n, p)
    if 1e-290 < p < 1:
        assert np.isfinite(value)
    if value:
        assert np.sign(value) == np.sign(k - n * p)
    if 0.001 < p < 0.999:  # 1 - p is rounded
        assert signed_surprisal(n - k, n, 1 - p) == pytest.approx(-value, rel=1e-6, abs=1e-6)


@given(n=st.integers(2, 2000), p=st.floats(0.01, 0.99))
def test_more_is_more_surprising_and_fractions_lie_between(n, p):
    k = np.linspace(0, n, 4 * 50 + 1)
    values = signed_surprisal(k, n, p)
    assert np.all(np.diff(values) >= -1e-9)


@pytest.mark.parametrize(
    ("k", "n", "p"), [(10**6, 10**6, 1e-9), (10**6, 10**6, 0.5), (0, 10**6, 0.9), (1, 10**6, 0.5)]
)
def test_a_million_tokens(k, n, p):
    with mpmath.workdps(60):
        p_ = mpmath.mpf(p)
        if k == n:
            exact = -n * mpmath.log(p_, 2)
        else:
            terms = [mpmath.binomial(n, j) * p_**j * (1 - p_) ** (n - j) for j in range(k + 1)]
            exact = mpmath.log(mpmath.fsum(terms), 2)
    assert signed_surprisal(k, n, p) == pytest.approx(float(exact), rel=1e-12)


def test_as_expected_up_to_the_rounding_of_the_rate():
    counts = np.arange(1, 200)
    for total in (3, 7, 49, 1001, 999_983):
        # The whole text as one document: each count is what its own rate makes it.
        assert not np.any(signed_surprisal(counts, total * counts, 1 / np.float64(total)))
        sums = np.minimum(counts, total)
        assert not np.any(signed_surprisal(sums, total, sums / total))


def test_the_impossible_is_infinite_and_nothing_else():
    assert signed_surprisal([1, 0], 5, 0).tolist() == [math.inf, 0]
    assert signed_surprisal([4, 5], 5, 1).tolist() == [-math.inf, 0]
    assert signed_surprisal(0, 0, 0.3) == 0
    assert signed_surprisal(0, 0, 0.3, dispersion=0.1) == 0


def test_it_broadcasts():
    table = signed_surprisal([[0], [5]], [[20], [30]], [0.1, 0.2, 0.3])
    assert table.shape == (2, 3)
    assert table[1, 2] == signed_surprisal(5, 30, 0.3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 5, 0.1), "counts must be at least 0 and finite. Got -1 to -1"),
        ((1, math.inf, 0.1), "lengths must be at least 0 and finite"),
        ((1, 5, 1.5), "rates must be from 0 to 1. Got 1.5"),
        ((math.nan, 5, 0.5), "counts must be at least 0 and finite. Got nan"),
        ((6, 5, 0.5), "counts must be at most lengths: .* Got 6 of 5"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(InvalidInputError, match=message):
        signed_surprisal(*arguments)


def test_fractions_are_refused_with_dispersion():
    assert signed_surprisal(1.5, 20, 0.05) > 0
    for arguments in ((1.5, 20, 0.05), (1, 20.5, 0.05)):
        with pytest.raises(InvalidInputError, match="counts must be whole numbers with dispersion"):
            signed_surprisal(*arguments, dispersion=0.1)


@pytest.mark.parametrize("dispersion", [0, -0.1, 1, 2, math.nan, "no", True])
def test_dispersion_out_of_range(dispersion):
    with pytest.raises(InvalidParameterError, match="dispersion must be"):
        check_dispersion(dispersion)


def test_two_sided_p_values_by_hand():
    # Tails of 1/2, 1/4 and 2^-2000, which is no double.
    values = two_sided_p_values([1, -2, 2000, 0.2])
    assert values.tolist() == [1, 0.5, 0, 1]


def test_q_values_by_hand():
    # p_(i) m / i, and never more than what follows: .02 * 3 / 2 = .03 for the first two.
    assert q_values(np.array([0.5, 0.012, 0.02])).tolist() == pytest.approx([0.5, 0.03, 0.03])


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 3)), min_size=1, max_size=9))
def test_q_values_of_repeated_tests(tests):
    p, times = (np.array(part) for part in zip(*tests))
    whole = q_values(np.repeat(p, times))
    assert np.repeat(q_values(p, times), times) == pytest.approx(whole, rel=1e-12)


def test_q_values_leave_out_what_was_not_tested():
    q = q_values(np.array([0.04, 0.05, 0.5]), np.array([1, 0, 1]))
    assert q[[0, 2]].tolist() == [0.08, 0.5]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_q_values_by_a_loop(p):
    order = np.argsort(p, kind="stable")
    expected, least = np.empty(len(p)), 1.0
    for rank in range(len(p), 0, -1):
        least = min(least, p[order[rank - 1]] * len(p) / rank)
        expected[order[rank - 1]] = least
    assert q_values(np.array(p)) == pytest.approx(expected, rel=1e-12)
