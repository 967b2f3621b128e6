import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nlpfeat.compare.statistics.correlated_t import corrected_t_test, correlated_t
from nlpfeat.errors import InvalidInputError, InvalidParameterError

FOLDS = [0.02, 0.01, -0.01, 0.02, 0.0, 0.03, 0.01, 0.02, -0.01, 0.01]
DIFFERENCES = st.lists(st.integers(-50, 50).map(lambda n: n / 1000), min_size=2, max_size=20)
RHOS = st.floats(0, 0.9)


def integrated(differences, rho, rope):
    """The posterior of the model itself on a grid of means and of logarithms of the variance.

    Differences are normal around one mean, all with the same variance and all correlated by rho;
    the prior is flat on the grid.
    """
    d = np.asarray(differences)
    n = len(d)
    inverse = np.linalg.inv((1 - rho) * np.eye(n) + rho * np.ones((n, n)))
    spread = d.std(ddof=1)
    means = d.mean() + spread * np.linspace(-12, 12, 6_001)
    logs = np.log(spread**2) + np.linspace(-6, 16, 400)
    a, b, c = d @ inverse @ d, inverse.sum(axis=0) @ d, inverse.sum()
    quadratic = (a - 2 * b * means + c * means**2)[:, None] * np.exp(-logs)
    density = np.exp(-0.5 * (n * logs + quadratic - n * np.log(spread**2))).sum(axis=1)
    density /= density.sum()
    worse, better = density[means < -rope].sum(), density[means > rope].sum()
    return worse, 1 - worse - better, better


@pytest.mark.parametrize("rho", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("rope", [0.0, 0.005, 0.02])
def test_the_posterior_is_that_of_the_model(rho, rope):
    found = correlated_t(FOLDS, rho, rope)
    assert found == pytest.approx(integrated(FOLDS, rho, rope), abs=2e-3)
    assert sum(found) == pytest.approx(1)


def test_the_posterior_by_its_formula():
    d = np.array(FOLDS)
    scale = d.std(ddof=1) * np.sqrt(1 / 10 + 0.1 / 0.9)
    posterior = stats.t(9, d.mean(), scale)
    expected = posterior.cdf(-0.01), posterior.cdf(0.01) - posterior.cdf(-0.01), posterior.sf(0.01)
    assert correlated_t(FOLDS, 0.1, 0.01) == pytest.approx(expected, rel=1e-10)


def test_without_correlation_it_is_the_paired_t_test():
    expected = stats.ttest_1samp(FOLDS, 0.0).pvalue
    assert corrected_t_test(FOLDS, 0.0) == pytest.approx(expected, rel=1e-12)


def test_corrected_t_by_hand():
    # 900 documents to learn from and 100 to test on, in each of 10 folds.
    d = np.array(FOLDS)
    t = d.mean() / np.sqrt((1 / 10 + 100 / 900) * d.var(ddof=1))
    assert corrected_t_test(FOLDS, 0.1) == pytest.approx(2 * stats.t.sf(t, 9), rel=1e-12)


def test_of_correlated_differences_the_p_value_is_uniform():
    rho, n = 0.2, 5
    random = np.random.default_rng(0)
    shared, own = random.normal(size=(3_000, 1)), random.normal(size=(3_000, n))
    drawn = np.sqrt(rho) * shared + np.sqrt(1 - rho) * own
    p_values = [corrected_t_test(row, rho) for row in drawn]
    assert stats.kstest(p_values, "uniform").pvalue > 0.01
    # The plain paired t-test finds a difference that is not there far too often.
    assert np.mean([corrected_t_test(row, 0.0) < 0.05 for row in drawn]) > 0.1


@pytest.mark.parametrize(
    ("value", "rope", "expected"),
    [
        (0.0, 0.0, (0, 1, 0)),
        (0.0, 0.01, (0, 1, 0)),
        (0.005, 0.01, (0, 1, 0)),
        (0.01, 0.01, (0, 1, 0)),
        (0.02, 0.01, (0, 0, 1)),
        (-0.02, 0.01, (1, 0, 0)),
        (0.1 + 0.2 - 0.3, 0.0, (0, 1, 0)),  # 5.6e-17
    ],
)
def test_differences_that_do_not_vary(value, rope, expected):
    for n in (2, 10):
        assert correlated_t([value] * n, 0.1, rope) == expected
        assert corrected_t_test([value] * n, 0.1) == (1.0 if abs(value) < 1e-12 else 0.0)
    noise = [value + 1e-16, value, value - 1e-16]
    assert correlated_t(noise, 0.1, rope) == expected


@given(DIFFERENCES, RHOS, st.floats(0, 0.05))
def test_properties(differences, rho, rope):
    found = correlated_t(differences, rho, rope)
    assert all(0 <= each <= 1 for each in found)
    assert sum(found) == pytest.approx(1)
    opposite = correlated_t([-each for each in differences], rho, rope)
    assert opposite == pytest.approx(found[::-1], abs=1e-12)
    wider = correlated_t(differences, rho, rope + 0.01)
    assert wider.p_equivalent >= found.p_equivalent - 1e-12
    # With no region, the smaller tail is half the p-value of the t-test.
    plain, p_value = correlated_t(differences, rho, 0.0), corrected_t_test(differences, rho)
    if np.std(differences) > 1e-9:
        assert 2 * min(plain.p_worse, plain.p_better) == pytest.approx(p_value, abs=1e-9)
    assert 0 <= p_value <= 1


@given(DIFFERENCES, st.floats(0, 0.4))
def test_more_correlation_is_less_evidence(differences, rho):
    assert corrected_t_test(differences, rho + 0.5) >= corrected_t_test(differences, rho) - 1e-12


@pytest.mark.parametrize(
    ("differences", "message"),
    [
        ([], "differences must be of at least 2 splits.*Got 0"),
        ([0.1], "Got 1"),
        ([0.1, float("nan")], "differences must be finite. Got nan at index 1"),
        ([[0.1, 0.2]], r"differences must be an array \(splits\)"),
    ],
)
def test_differences_that_cannot_be(differences, message):
    with pytest.raises(InvalidInputError, match=message):
        correlated_t(differences, 0.1, 0.01)
    with pytest.raises(InvalidInputError, match=message):
        corrected_t_test(differences, 0.1)


@pytest.mark.parametrize("rho", [-0.1, 1.0, 2, float("nan"), "0.1"])
def test_correlations_that_cannot_be(rho):
    with pytest.raises(InvalidParameterError, match="rho must be"):
        correlated_t(FOLDS, rho, 0.01)
    with pytest.raises(InvalidParameterError, match="rho must be"):
        corrected_t_test(FOLDS, rho)


@pytest.mark.parametrize("rope", [-0.01, float("inf"), None])
def test_regions_that_cannot_be(rope):
    with pytest.raises(InvalidParameterError, match="rope must be"):
        correlated_t(FOLDS, 0.1, rope)
