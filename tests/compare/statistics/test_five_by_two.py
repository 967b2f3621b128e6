import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from nlpfeat.compare.statistics.five_by_two import five_by_two_f, five_by_two_t
from nlpfeat.errors import InvalidInputError

BY_HAND = [[0.04, 0.02], [0.03, 0.03], [0.01, 0.03], [0.05, 0.02], [0.02, 0.04]]
TABLES = arrays(np.float64, (5, 2), elements=st.integers(-30, 30).map(lambda n: n / 1000))


def test_by_hand():
    # Variances .0002, 0, .0002, .00045, .0002, so .00105 in all; the squares sum up to .0097.
    t, f = five_by_two_t(BY_HAND), five_by_two_f(BY_HAND)
    assert t.statistic == pytest.approx(0.04 / np.sqrt(0.00105 / 5))
    assert t.p_value == pytest.approx(2 * stats.t.sf(t.statistic, 5), rel=1e-10)
    assert f.statistic == pytest.approx(0.0097 / (2 * 0.00105))
    assert f.p_value == pytest.approx(stats.f.sf(f.statistic, 10, 5), rel=1e-10)


@given(TABLES)
def test_by_the_published_formulas(table):
    variances = table.var(axis=1, ddof=1)
    t, f = five_by_two_t(table), five_by_two_f(table)
    if variances.sum() > 1e-12:
        assert t.statistic == pytest.approx(table[0, 0] / np.sqrt(variances.mean()))
        assert f.statistic == pytest.approx((table**2).sum() / (2 * variances.sum()))
        assert t.p_value == pytest.approx(2 * stats.t.sf(abs(t.statistic), 5))
        assert f.p_value == pytest.approx(stats.f.sf(f.statistic, 10, 5))
    opposite = five_by_two_t(-table)
    assert opposite == pytest.approx((-t.statistic, t.p_value))
    assert five_by_two_f(-table) == pytest.approx(f)


@pytest.mark.parametrize("function", [five_by_two_t, five_by_two_f])
def test_both_are_careful(function):
    # What is divided and what divides depend on each other: of independent differences without an
    # effect fewer than 5 % have p < .05.
    drawn = np.random.default_rng(0).normal(size=(4_000, 5, 2))
    assert 0.01 < np.mean([function(table).p_value < 0.05 for table in drawn]) < 0.05


def test_differences_that_do_not_vary():
    assert five_by_two_t(np.zeros((5, 2))) == (0.0, 1.0)
    assert five_by_two_f(np.zeros((5, 2))) == (0.0, 1.0)
    noise = np.full((5, 2), 0.1 + 0.2 - 0.3)
    assert five_by_two_t(noise) == five_by_two_f(noise) == (0.0, 1.0)
    assert five_by_two_t(np.full((5, 2), -0.01)) == (-np.inf, 0.0)
    assert five_by_two_f(np.full((5, 2), -0.01)) == (np.inf, 0.0)


@pytest.mark.parametrize(
    ("differences", "message"),
    [
        (np.zeros((2, 5)), r"differences must have the shape \(5, 2\).*Got \(2, 5\)"),
        (np.zeros(10), r"differences must be an array \(repeats, halves\)"),
        (np.empty((0, 2)), r"Got \(0, 2\)"),
        (np.full((5, 2), np.nan), "differences must be finite"),
    ],
)
def test_differences_that_cannot_be(differences, message):
    for function in (five_by_two_t, five_by_two_f):
        with pytest.raises(InvalidInputError, match=message):
            function(differences)
