"""The loops of variational inference, compiled.

One document at a time and one number after the other, so that a document's result depends on
nothing but the document and the topics: not on its batch, not on threads.
"""

import math
from typing import Any

import numpy as np

from nlpfeat._compiled import compiled

# What divides a count; far below any share that matters, far above where 1 / x overflows.
_TINY = 1e-280


@compiled
def _shift(x: float) -> Any:
    """Return y and c, such that the digamma of x is ln y - c.

    The recurrence takes x up to 8 or more, where the asymptotic series (Abramowitz and Stegun,
    6.3.18) is exact to the last digits.
    """
    correction = 0.0
    while x < 8.0:
        correction += 1.0 / x
        x += 1.0
    f = 1.0 / (x * x)
    rest = 1 / 132 - f * (691 / 32760 - f * (1 / 12))
    series = f * (1 / 12 - f * (1 / 120 - f * (1 / 252 - f * (1 / 240 - f * rest))))
    return x, correction + 0.5 / x + series


@compiled
def digamma(x: float) -> Any:
    """Return the digamma function of a number above 0."""
    shifted, correction = _shift(x)
    return math.log(shifted) - correction


@compiled
def exp_digamma(x: float) -> Any:
    """Return e to the digamma of a number above 0: without a logarithm, and never negative."""
    shifted, correction = _shift(x)
    return shifted * math.exp(-correction)


@compiled
def expected_topics(term_weights: Any, totals: Any) -> Any:
    """Return exp(E[ln beta]) of some terms, each row's highest 1.

    Both ``term_weights`` and the result have the shape (n_terms, n_topics).

    A document's result does not change when all the topics of a term are scaled, and with the
    highest at 1 a tiny prior cannot make all of them vanish.
    """
    n_topics = len(totals)
    topics = np.empty((len(term_weights), n_topics))
    expected_total = np.empty(n_topics)
    for topic in range(n_topics):
        expected_total[topic] = digamma(totals[topic])
    for row in range(len(term_weights)):
        highest = -np.inf
        for topic in range(n_topics):
            value = digamma(term_weights[row, topic]) - expected_total[topic]
            topics[row, topic] = value
            highest = max(highest, value)
        for topic in range(n_topics):
            topics[row, topic] = math.exp(topics[row, topic] - highest)
    return topics


@compiled
def _token_mass(
    by_term: Any, by_topic: Any, counts: Any, theta: Any, ratio: Any, mass: Any
) -> None:
    """Set ``mass``: the tokens that fall to each topic, over its ``theta``.

    Both inner loops run along contiguous memory, each in the layout that suits it, so that the
    compiler can use wide registers without changing the order of an addition.
    """
    ratio[: len(counts)] = 0.0
    for topic in range(len(theta)):
        for at in range(len(counts)):
            ratio[at] += theta[topic] * by_topic[topic, at]
    mass[:] = 0.0
    for at in range(len(counts)):
        ratio[at] = counts[at] / max(ratio[at], _TINY)
        for topic in range(len(theta)):
            mass[topic] += ratio[at] * by_term[at, topic]


@compiled
def converge(
    indptr: Any, terms: Any, counts: Any, rows: Any, topics: Any, prior: Any, gamma: Any,
    max_steps: int, tolerance: float,
) -> None:  # fmt: skip
    """Improve the rows of ``gamma`` until a step changes less than ``tolerance`` a topic."""
    n_topics = len(prior)
    longest = 0
    for row in rows:
        longest = max(longest, indptr[row + 1] - indptr[row])
    by_term = np.empty((longest, n_topics))
    by_topic = np.empty((n_topics, longest))
    ratio = np.empty(longest)
    theta = np.empty(n_topics)
    mass = np.empty(n_topics)
    for row in rows:
        start, stop = indptr[row], indptr[row + 1]
        for at in range(start, stop):
            for topic in range(n_topics):
                by_term[at - start, topic] = topics[terms[at], topic]
                by_topic[topic, at - start] = by_term[at - start, topic]
        for topic in range(n_topics):
            theta[topic] = exp_digamma(gamma[row, topic])
        for _ in range(max_steps):
            _token_mass(by_term, by_topic, counts[start:stop], theta, ratio, mass)
            change = 0.0
            for topic in range(n_topics):
                weight = prior[topic] + theta[topic] * mass[topic]
                change += abs(weight - gamma[row, topic])
                gamma[row, topic] = weight
                theta[topic] = exp_digamma(weight)
            if change < tolerance * n_topics:
                break


@compiled
def add_statistics(
    indptr: Any, terms: Any, counts: Any, rows: Any, topics: Any, gamma: Any, statistics: Any
) -> None:
    """Add the tokens that each document gives to each topic to ``statistics[term, topic]``."""
    n_topics = gamma.shape[1]
    theta = np.empty(n_topics)
    for row in rows:
        for topic in range(n_topics):
            theta[topic] = exp_digamma(gamma[row, topic])
        for at in range(indptr[row], indptr[row + 1]):
            term = terms[at]
            total = 0.0
            for topic in range(n_topics):
                total += theta[topic] * topics[term, topic]
            ratio = counts[at] / max(total, _TINY)
            for topic in range(n_topics):
                statistics[term, topic] += ratio * theta[topic] * topics[term, topic]


@compiled
def shares_of(gamma: Any) -> Any:
    """Return the rows of ``gamma``, each divided by its sum."""
    shares = np.empty_like(gamma)
    for row in range(len(gamma)):
        total = 0.0
        for weight in gamma[row]:
            total += weight
        for topic in range(gamma.shape[1]):
            shares[row, topic] = gamma[row, topic] / total
    return shares
