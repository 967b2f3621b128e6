"""Variational inference in plain NumPy, one document at a time, and texts with known topics."""

import math

import numpy as np
from scipy.sparse import csr_array
from scipy.special import digamma, gammaln


def infer_slowly(prior, term_weights, counts, steps=5000):
    """Return gamma, shape (n_documents, n_topics), with phi written out for each token."""
    prior = np.asarray(prior, dtype=float)
    weights = np.asarray(term_weights, dtype=float)
    log_topics = digamma(weights) - digamma(weights.sum(axis=1, keepdims=True))
    result = []
    for document in np.asarray(counts, dtype=float):
        gamma = np.ones(len(prior))
        for _ in range(steps):
            new = prior.copy()
            for term in np.flatnonzero(document):
                log_phi = digamma(gamma) + log_topics[:, term]
                phi = np.exp(log_phi - log_phi.max())
                new += document[term] * phi / phi.sum()
            change = np.abs(new - gamma).max()
            gamma = new
            if change < 1e-12:
                break
        result.append(gamma)
    return np.array(result)


def weights_of(model):
    """Return the Dirichlet weight of each term in each topic, shape (n_topics, n_terms)."""
    return model.components * model.topic_weights[:, np.newaxis]


def bound_slowly(prior, topics, document, gamma):
    """Return E_q[ln p(tokens, z, theta)] - E_q[ln q(z, theta)] for one document, term by term."""
    log_theta = digamma(gamma) - digamma(gamma.sum())
    bound = gammaln(prior.sum()) - gammaln(prior).sum() + ((prior - 1) * log_theta).sum()
    bound -= gammaln(gamma.sum()) - gammaln(gamma).sum() + ((gamma - 1) * log_theta).sum()
    for term, count in enumerate(document):
        phi = np.exp(log_theta) * topics[:, term]
        phi /= phi.sum()
        for topic, share in enumerate(phi):
            bound += count * share * (
                log_theta[topic] + math.log(topics[topic, term]) - math.log(share)
            )  # fmt: skip
    return bound


def planted(n_documents=200, n_topics=3, terms_per_topic=5, tokens=12, seed=0):
    """Return counts in which each document has one topic and topics share no term, and the topics.

    Document d has topic d mod n_topics; topic k has the terms from k * terms_per_topic on.
    """
    draw = np.random.default_rng(seed)
    counts = np.zeros((n_documents, n_topics * terms_per_topic), dtype=np.int64)
    topic_of = np.arange(n_documents) % n_topics
    for row, topic in enumerate(topic_of):
        terms = topic * terms_per_topic + draw.integers(terms_per_topic, size=tokens)
        np.add.at(counts[row], terms, 1)
    return csr_array(counts), topic_of
