import numpy as np
import pytest
from scipy import special

from nlpfeat.topics._kernel import digamma, exp_digamma, expected_topics

NUMBERS = [1e-8, 1e-3, 0.01, 0.1, 0.5, 1.0, 1.4616321449683622, 2.0, 7.999, 8.0, 12.5, 1e3, 1e9]


@pytest.mark.parametrize("x", NUMBERS)
def test_digamma_is_scipys(x):
    assert digamma(x) == pytest.approx(special.digamma(x), rel=1e-14, abs=2e-14)


@pytest.mark.parametrize("x", NUMBERS)
def test_exp_digamma_is_scipys(x):
    assert exp_digamma(x) == pytest.approx(np.exp(special.digamma(x)), rel=1e-12)


def test_digamma_by_hand():
    # digamma(1) = -Euler's constant, digamma(2) = 1 - Euler's constant
    assert digamma(1.0) == pytest.approx(-0.5772156649015329, abs=1e-14)
    assert digamma(2.0) == pytest.approx(0.42278433509846713, abs=1e-14)


def test_topics_are_scaled_by_the_highest_of_a_term():
    weights = np.array([[3.0, 0.1, 2.0], [0.5, 0.1, 9.0]])
    totals = weights.sum(axis=1)
    terms = np.array([2, 0])
    expected = np.exp(special.digamma(weights) - special.digamma(totals)[:, None]).T
    expected /= expected.max(axis=1, keepdims=True)
    found = expected_topics(weights.T[terms], totals)
    np.testing.assert_allclose(found, expected[terms], rtol=1e-12)


def test_a_tiny_prior_leaves_a_topic_to_each_term():
    weights = np.array([[1e-5, 5.0], [1e-5, 1e-5]])
    topics = expected_topics(weights.T.copy(), weights.sum(axis=1))
    assert np.all(topics.max(axis=1) == 1.0)
    assert np.all(np.isfinite(topics))
