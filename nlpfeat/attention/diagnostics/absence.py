"""D9: what the absence of a word tells.

A word of rate p is absent from n tokens with probability (1 - p)^n. For short texts that is so
likely that absence tells little: presence carries most of the evidence, and only many texts
together tell two rates apart.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

import torch

from nlpfeat._validation import check_int, check_real
from nlpfeat.attention.diagnostics.check import Check
from nlpfeat.errors import InvalidParameterError


@dataclass(frozen=True)
class Absence:
    """How surprising it is that a word is absent.

    Parameters
    ----------
    probability : float
        Of absence, from 0 to 1.
    bits, nats : float
        Its surprisal, -log of the probability in the base 2 and e.
    """

    probability: float
    bits: float
    nats: float


@dataclass(frozen=True)
class Evidence:
    """What one document tells for one rate against another.

    Parameters
    ----------
    absent, present : float
        Likelihood ratio of the first rate to the second when the word is absent, and when it is
        present. Their log2 is the evidence in bits.
    """

    absent: float
    present: float


@dataclass(frozen=True)
class Divergence:
    """Kullback-Leibler divergences a document, in bits: the mean evidence when one rate is true.

    Parameters
    ----------
    by_presence, by_counts : float
        When only presence is seen, and when the occurrences are counted: at least as much.
    """

    by_presence: float
    by_counts: float


def absence(rate: float, n_tokens: int) -> Absence:
    """Return how likely a word is absent from a text, with tokens drawn one by one.

    Parameters
    ----------
    rate : float
        Share of the word among all tokens, between 0 and 1.
    n_tokens : int
        Length of the text, at least 1.

    Examples
    --------
    >>> found = absence(0.01, 50)
    >>> round(found.probability, 6), round(found.bits, 4), round(found.nats, 4)
    (0.605006, 0.725, 0.5025)
    """
    log = _log_absence(rate, n_tokens)
    return Absence(math.exp(log), -log / math.log(2), -log)


def clustered_absence(mean: float, size: float) -> float:
    """Return the probability of absence when occurrences come in clusters (negative binomial).

    Parameters
    ----------
    mean : float
        Occurrences expected in the text, above 0.
    size : float
        The negative binomial's k, above 0: the smaller, the more they cluster; infinitely many
        give the Poisson probability exp(-mean).

    Examples
    --------
    Half an occurrence is expected. Without clusters, and with:

    >>> round(clustered_absence(0.5, 1e9), 3), round(clustered_absence(0.5, 0.1), 3)
    (0.607, 0.836)
    """
    check_real(mean, "mean", above=0.0)
    check_real(size, "size", above=0.0)
    return math.exp(-size * math.log1p(mean / size))


def evidence(rate: float, other: float, n_tokens: int) -> Evidence:
    """Return the likelihood ratios of two rates, given that a word is absent, or present.

    Parameters
    ----------
    rate, other : float
        The two rates, between 0 and 1.
    n_tokens : int

    Examples
    --------
    >>> found = evidence(0.01, 0.001, 50)
    >>> round(found.absent, 4), round(found.present, 3)
    (0.636, 8.095)
    """
    first, second = _log_absence(rate, n_tokens), _log_absence(other, n_tokens)
    return Evidence(math.exp(first - second), math.expm1(first) / math.expm1(second))


def divergence(rate: float, other: float, n_tokens: int) -> Divergence:
    """Return the evidence that a document has on average when the first rate is true, in bits.

    Parameters
    ----------
    rate, other : float
        The true rate and the other one, between 0 and 1.
    n_tokens : int

    Examples
    --------
    >>> found = divergence(0.01, 0.001, 50)
    >>> round(found.by_presence, 3), round(found.by_counts, 3)
    (0.797, 1.015)
    """
    first, second = absence(rate, n_tokens), absence(other, n_tokens)
    return Divergence(
        by_presence=_bernoulli_divergence(first.probability, second.probability),
        by_counts=n_tokens * _bernoulli_divergence(rate, other),
    )


def tokens_needed(rate: float, level: float = 0.05) -> int:
    """Return how long a text must be for an absence to be significant.

    Parameters
    ----------
    rate : float
        Share of the word among all tokens, between 0 and 1.
    level : float, default 0.05
        What the probability of absence must not pass.

    Examples
    --------
    >>> tokens_needed(0.01), tokens_needed(0.001)
    (299, 2995)
    """
    return math.ceil(math.log(_share(level, "level")) / _log_absence(rate, 1))


def rate_needed(n_tokens: int, level: float = 0.05) -> float:
    """Return how frequent a word must be for its absence from a text to be significant.

    Parameters
    ----------
    n_tokens : int
    level : float, default 0.05

    Examples
    --------
    >>> round(rate_needed(50), 4)
    0.0582
    """
    check_int(n_tokens, "n_tokens", minimum=1)
    return -math.expm1(math.log(_share(level, "level")) / n_tokens)


def documents_needed(
    rate: float, other: float, n_tokens: int, *, level: float = 0.05, power: float = 0.8
) -> int:
    """Return how many documents a group tell two rates apart by presence.

    Parameters
    ----------
    rate, other : float
        The rates of the word in the two groups, between 0 and 1, not equal.
    n_tokens : int
        Length of each document.
    level : float, default 0.05
        Of the two-sided test.
    power : float, default 0.8
        How likely the test must find the difference.

    Notes
    -----
    The normal approximation for two proportions (Fleiss, Levin and Paik, 2003), without the
    correction for continuity.

    Examples
    --------
    >>> documents_needed(0.01, 0.001, 50)
    22
    """
    if rate == other:
        raise InvalidParameterError(
            f"rate and other must differ: no number of documents tells them apart. Got {rate!r} "
            "twice."
        )
    first, second = (1 - absence(each, n_tokens).probability for each in (rate, other))
    middle = (first + second) / 2
    normal = NormalDist()
    width = normal.inv_cdf(1 - _share(level, "level") / 2) * math.sqrt(2 * middle * (1 - middle))
    width += normal.inv_cdf(_share(power, "power")) * math.sqrt(
        first * (1 - first) + second * (1 - second)
    )
    return math.ceil((width / (first - second)) ** 2)


def checks(generator: torch.Generator) -> Iterator[Check]:  # noqa: ARG001
    """Compute what needs no attention, and no chance."""
    frequent, rare = absence(0.01, 50), absence(0.001, 50)
    yield Check("rate 1 %, 50 tokens: probability of absence", "=", 0.605006,
                frequent.probability, 5e-7)  # fmt: skip
    yield Check("rate 1 %, 50 tokens: bits of absence", "=", 0.7250, frequent.bits, 5e-5)
    yield Check("rate 1 %, 50 tokens: nats of absence", "=", 0.5025, frequent.nats, 5e-5)
    yield Check("rate .1 %, 50 tokens: probability of absence", "=", 0.951206,
                rare.probability, 5e-7)  # fmt: skip
    yield Check("rate .1 %, 50 tokens: bits of absence", "=", 0.0722, rare.bits, 5e-5)
    yield Check("rate .1 %, 50 tokens: nats of absence", "=", 0.0500, rare.nats, 5e-5)
    found = evidence(0.01, 0.001, 50)
    yield Check("1 % against .1 %: likelihood ratio of absence", "=", 0.6360, found.absent, 5e-5)
    yield Check("1 % against .1 %: likelihood ratio of presence", "=", 8.095, found.present, 5e-4)
    yield Check("rate 1 %: tokens that make absence significant", "=", 299, tokens_needed(0.01))
    yield Check("rate .1 %: tokens that make absence significant", "=", 2995, tokens_needed(0.001))
    yield Check("50 tokens: rate whose absence is significant", "=", 0.0582, rate_needed(50), 5e-5)
    yield Check("1 % against .1 %: documents a group", "=", 22, documents_needed(0.01, 0.001, 50))
    both = divergence(0.01, 0.001, 50), divergence(0.001, 0.01, 50)
    for name, expected, measured in (
        ("1 % true, by presence", 0.797, both[0].by_presence),
        (".1 % true, by presence", 0.474, both[1].by_presence),
        ("1 % true, by counts", 1.015, both[0].by_counts),
        (".1 % true, by counts", 0.486, both[1].by_counts),
    ):
        yield Check(f"{name}: bits a document", "=", expected, measured, 5e-4)
    yield Check("mean .5, clustered (k = .1): probability of absence", "=", 0.836,
                clustered_absence(0.5, 0.1), 5e-4)  # fmt: skip
    yield Check("mean .5, not clustered: probability of absence", "=", 0.607,
                clustered_absence(0.5, 1e9), 5e-4)  # fmt: skip


def _log_absence(rate: float, n_tokens: int) -> float:
    check_int(n_tokens, "n_tokens", minimum=1)
    return n_tokens * math.log1p(-_share(rate, "rate"))


def _bernoulli_divergence(first: float, second: float) -> float:
    return first * math.log2(first / second) + (1 - first) * math.log2((1 - first) / (1 - second))


def _share(value: float, name: str) -> float:
    number = check_real(value, name, above=0.0, at_most=1.0)
    if number == 1:
        raise InvalidParameterError(f"{name} must be below 1. Got {value!r}.")
    return number
