"""D9: what absence tells, beside scipy's distributions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, entropy, nbinom, norm, poisson

from nlpfeat.attention.diagnostics.absence import (
    absence,
    clustered_absence,
    divergence,
    documents_needed,
    evidence,
    rate_needed,
    tokens_needed,
)
from nlpfeat.errors import InvalidParameterError


class TestNumbersOfTheNotes:
    """A word of 1 % and one of .1 %, in a text of 50 words: how can they be told apart?"""

    def test_absence(self) -> None:
        frequent, rare = absence(0.01, 50), absence(0.001, 50)
        assert round(frequent.probability, 6) == 0.605006
        assert (round(frequent.bits, 4), round(frequent.nats, 4)) == (0.7250, 0.5025)
        assert round(rare.probability, 6) == 0.951206
        assert (round(rare.bits, 4), round(rare.nats, 4)) == (0.0722, 0.0500)

    def test_likelihood_ratios(self) -> None:
        found = evidence(0.01, 0.001, 50)
        assert (round(found.absent, 4), round(found.present, 3)) == (0.6360, 8.095)
        assert round(math.log2(found.absent), 3) == -0.653
        assert round(math.log2(found.present), 3) == 3.017

    def test_how_much_text(self) -> None:
        assert (tokens_needed(0.01), tokens_needed(0.001)) == (299, 2995)
        assert round(100 * rate_needed(50), 2) == 5.82
        assert documents_needed(0.01, 0.001, 50) == 22

    def test_divergences(self) -> None:
        found, back = divergence(0.01, 0.001, 50), divergence(0.001, 0.01, 50)
        assert (round(found.by_presence, 3), round(back.by_presence, 3)) == (0.797, 0.474)
        assert (round(found.by_counts, 3), round(back.by_counts, 3)) == (1.015, 0.486)

    def test_overdispersion(self) -> None:
        assert round(clustered_absence(0.5, 0.1), 3) == 0.836
        assert round(poisson.pmf(0, 0.5), 3) == 0.607
        assert clustered_absence(0.5, 1e12) == pytest.approx(poisson.pmf(0, 0.5), rel=1e-9)


rates = st.floats(1e-6, 0.5)
lengths = st.integers(1, 5000)


@given(rates, lengths)
def test_absence_is_binomial(rate, n_tokens) -> None:
    found = absence(rate, n_tokens)
    assert found.probability == pytest.approx(binom.pmf(0, n_tokens, rate), rel=1e-9)
    assert found.nats == pytest.approx(-binom.logpmf(0, n_tokens, rate), rel=1e-9)
    assert found.bits == pytest.approx(found.nats / math.log(2), rel=1e-12)


@given(rates, rates, st.integers(1, 300))
def test_evidence_is_a_ratio_of_tails(rate, other, n_tokens) -> None:
    found = evidence(rate, other, n_tokens)
    absent = binom.pmf(0, n_tokens, rate) / binom.pmf(0, n_tokens, other)
    present = binom.sf(0, n_tokens, rate) / binom.sf(0, n_tokens, other)
    assert found.absent == pytest.approx(absent, rel=1e-9)
    assert found.present == pytest.approx(present, rel=1e-6)


def test_divergences_by_sums() -> None:
    counts = np.arange(51)
    p, q = (binom.pmf(counts, 50, rate) for rate in (0.01, 0.001))
    found = divergence(0.01, 0.001, 50)
    assert found.by_counts == pytest.approx(entropy(p, q, base=2), rel=1e-9)
    by_presence = entropy([p[0], 1 - p[0]], [q[0], 1 - q[0]], base=2)
    assert found.by_presence == pytest.approx(by_presence, rel=1e-9)


@given(rates, st.floats(0.001, 0.5))
def test_enough_text_is_enough_and_less_is_not(rate, level) -> None:
    n = tokens_needed(rate, level)
    assert binom.pmf(0, n, rate) <= level * (1 + 1e-9)
    assert n == 1 or binom.pmf(0, n - 1, rate) > level * (1 - 1e-9)
    assert rate_needed(n, level) <= rate * (1 + 1e-6)


def test_clusters_are_negative_binomial() -> None:
    for mean, size in ((0.5, 0.1), (3.0, 2.5), (0.01, 40.0)):
        expected = nbinom.pmf(0, size, size / (size + mean))
        assert clustered_absence(mean, size) == pytest.approx(expected, rel=1e-9)


def test_power_of_that_many_documents() -> None:
    """The power of the normal test passes 80 % there, and not with one document less."""
    p, q = 1 - absence(0.01, 50).probability, 1 - absence(0.001, 50).probability

    def power(n: int) -> float:
        middle = (p + q) / 2
        null, spread = 2 * middle * (1 - middle) / n, (p * (1 - p) + q * (1 - q)) / n
        return norm.sf((norm.isf(0.025) * null**0.5 - (p - q)) / spread**0.5)

    assert power(22) >= 0.8 > power(21)


@pytest.mark.parametrize("rate", [0.0, 1.0, -0.1, math.nan])
def test_rates_that_cannot_be(rate) -> None:
    with pytest.raises(InvalidParameterError, match="rate must be"):
        absence(rate, 50)


def test_other_settings_that_cannot_be() -> None:
    with pytest.raises(InvalidParameterError, match="n_tokens must be an integer that is at least"):
        absence(0.1, 0)
    with pytest.raises(InvalidParameterError, match="level must be below 1"):
        tokens_needed(0.1, 1.0)
    with pytest.raises(InvalidParameterError, match="rate and other must differ"):
        documents_needed(0.1, 0.1, 50)
    with pytest.raises(InvalidParameterError, match="size must be a finite number above 0"):
        clustered_absence(0.5, 0)
