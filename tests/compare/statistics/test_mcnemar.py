from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nlpfeat.compare.statistics.mcnemar import FEW, discordant_documents, mcnemar
from nlpfeat.errors import InvalidInputError, InvalidParameterError

COUNTS = st.integers(0, 2_000)


@pytest.mark.parametrize("n", range(1, 11))
def test_mid_p_by_tossing_all_coins(n):
    tosses = [abs(2 * sum(coins) - n) for coins in product([0, 1], repeat=n)]
    for n_a in range(n + 1):
        observed = abs(2 * n_a - n)
        more = sum(toss > observed for toss in tosses)
        as_much = sum(toss == observed for toss in tosses)
        assert mcnemar(n_a, n - n_a).p_value == pytest.approx((more + as_much / 2) / 2**n)


@pytest.mark.parametrize(("n_a", "n_b"), [(0, 24), (3, 20), (9, 12), (11, 12)])
def test_mid_p_is_the_exact_p_less_one_probability(n_a, n_b):
    n = n_a + n_b
    expected = stats.binomtest(n_a, n).pvalue - stats.binom.pmf(n_a, n, 0.5)
    found = mcnemar(n_a, n_b)
    assert found.p_value == pytest.approx(expected, rel=1e-12)
    assert (found.statistic, found.name) == (None, "mcnemar exact mid-p")


def test_published_examples():
    # Airway responsiveness of 21 children: Bentur et al., in Fagerland et al. (2013).
    assert mcnemar(1, 7).p_value == pytest.approx(10 / 256)
    # Approval of the president by the same 1,600 people twice, 17.36 uncorrected: Agresti (1990).
    uncorrected = (150 - 86) ** 2 / (150 + 86)
    assert uncorrected == pytest.approx(17.36, abs=0.005)
    found = mcnemar(150, 86)
    assert found.statistic == pytest.approx((64 - 1) ** 2 / 236)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(63 / np.sqrt(236)))
    assert found.name == "mcnemar chi2"


def test_pairs_see_what_two_separate_accuracies_do_not():
    # 400 documents: .755 against .700 are not told apart by z, but only 62 documents matter.
    ours, theirs = 302 / 400, 280 / 400
    error = np.sqrt((ours * (1 - ours) + theirs * (1 - theirs)) / 400)
    assert 2 * stats.norm.sf((ours - theirs) / error) == pytest.approx(0.080, abs=5e-4)
    assert mcnemar(42, 20).p_value == pytest.approx(0.008, abs=5e-4)


def test_where_it_changes_to_chi_squared():
    assert mcnemar(4, FEW - 5).statistic is None
    found = mcnemar(5, FEW - 5)
    assert found.statistic == (15 - 1) ** 2 / 25
    assert found.p_value == pytest.approx(stats.chi2.sf(14**2 / 25, 1), rel=1e-12)
    assert found.p_value == pytest.approx(stats.binomtest(5, 25).pvalue, abs=0.002)


def test_nothing_to_tell():
    assert mcnemar(0, 0).p_value == 1.0
    assert mcnemar(500, 500).p_value == 1.0
    assert mcnemar(500, 499).p_value == 1.0
    assert mcnemar(1_000_000, 0).p_value == 0.0


@given(COUNTS, COUNTS)
def test_properties(n_a, n_b):
    found = mcnemar(n_a, n_b)
    assert found == mcnemar(n_b, n_a)
    assert 0 <= found.p_value <= 1
    if n_a > n_b:  # one document more for the worse one, and there is less to tell
        assert mcnemar(n_a, n_b + 1).p_value >= found.p_value or n_a + n_b + 1 == FEW
    assert isinstance(found.p_value, float)


@pytest.mark.parametrize(
    ("n_a", "n_b", "message"),
    [
        (-1, 3, "n_only_a must be an integer that is at least 0. Got -1"),
        (3, 2.5, "n_only_b must be an integer that is at least 0. Got 2.5"),
        (True, 3, "n_only_a must be an integer"),
    ],
)
def test_counts_that_cannot_be(n_a, n_b, message):
    with pytest.raises(InvalidParameterError, match=message):
        mcnemar(n_a, n_b)


def test_discordant_documents():
    random = np.random.default_rng(0)
    ours, theirs = random.random((2, 500)) < [[0.9], [0.8]]
    expected = [sum(a > b for a, b in zip(ours, theirs)), sum(a < b for a, b in zip(ours, theirs))]
    assert list(discordant_documents(ours, theirs)) == expected
    assert all(type(n) is int for n in discordant_documents(ours, theirs))


@pytest.mark.parametrize(
    ("ours", "theirs", "message"),
    [
        ([True], [True, False], "of the same documents. Got 1 and 2"),
        ([], [], "right_a must be one bool a document, at least 1"),
        ([1, 0], [1, 1], "right_a must be one bool a document.*array of int64"),
        ([True, False], [[True, False]], r"right_b must be .* of shape \(1, 2\)"),
    ],
)
def test_documents_that_cannot_be_counted(ours, theirs, message):
    with pytest.raises(InvalidInputError, match=message):
        discordant_documents(ours, theirs)
