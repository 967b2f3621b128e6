import math

import numpy as np
import pytest
from lda_oracle import bound_slowly
from scipy.sparse import csr_array

from nlpfeat.errors import InvalidInputError
from nlpfeat.topics import TopicModel
from nlpfeat.topics.inference import infer
from nlpfeat.topics.perplexity import perplexity

PRIOR = np.array([0.5, 0.2])
WEIGHTS = np.array([[6.0, 3.0, 1.0], [1.0, 1.0, 2.0]])
MODEL = TopicModel.of_weights(PRIOR, WEIGHTS)
COUNTS = csr_array([[3, 1, 0], [0, 0, 0], [0, 2, 5], [1, 0, 0.5]])


def of(model, counts):
    return perplexity(model, counts, infer(model, counts))


def test_one_topic_is_the_perplexity_of_the_terms():
    model = TopicModel.of_weights(np.array([0.3]), np.array([[6.0, 3.0, 1.0]]))
    # 2 tokens of probability .6, 1 of .1
    expected = math.exp(-(2 * math.log(0.6) + math.log(0.1)) / 3)
    assert of(model, csr_array([[2, 0, 0], [0, 0, 1]])) == pytest.approx(expected, rel=1e-12)


def test_equal_topics_cost_at_most_a_little_more_than_one():
    twice = TopicModel.of_weights(PRIOR, np.array([[6.0, 3.0, 1.0], [6.0, 3.0, 1.0]]))
    one = TopicModel.of_weights(np.array([0.7]), np.array([[6.0, 3.0, 1.0]]))
    assert of(one, COUNTS) <= of(twice, COUNTS) < 2 * of(one, COUNTS)


def test_a_single_token_is_bounded_by_its_exact_probability():
    # p(w) = sum over topics of alpha / sum(alpha) * beta[topic, w]
    exact = PRIOR / PRIOR.sum() @ (WEIGHTS / WEIGHTS.sum(axis=1, keepdims=True))
    for term in range(3):
        counts = csr_array(np.eye(3)[[term]])
        assert 1 / exact[term] <= of(MODEL, counts) < 2.5 / exact[term]


def test_agrees_with_the_slow_sum():
    gamma = infer(MODEL, COUNTS)
    topics = WEIGHTS / WEIGHTS.sum(axis=1, keepdims=True)
    bounds = [
        bound_slowly(PRIOR, topics, document, weights)
        for document, weights in zip(COUNTS.toarray(), gamma)
    ]
    expected = math.exp(-sum(bounds) / COUNTS.sum())
    assert perplexity(MODEL, COUNTS, gamma) == pytest.approx(expected, rel=1e-10)


def test_agrees_with_gensim_where_its_bound_is_ours():
    """gensim's bound takes exp(E[ln beta]) for beta; with heavy topics the two meet."""
    from gensim.models import LdaModel

    heavy = WEIGHTS * 1e5
    model = TopicModel.of_weights(PRIOR, heavy)
    theirs = LdaModel(
        num_topics=2, id2word=dict.fromkeys(range(3), ""), alpha=PRIOR, eta=1.0,
        dtype=np.float64, random_state=0,
    )  # fmt: skip
    theirs.state.sstats[:] = heavy
    gamma = infer(model, COUNTS)
    documents = [list(enumerate(row)) for row in COUNTS.toarray()]
    # Its bound has a term for the topics too, which is all there is without documents.
    bound = theirs.bound(documents, gamma=gamma[:, np.newaxis]) - theirs.bound([])
    ours = -math.log(perplexity(model, COUNTS, gamma)) * COUNTS.sum()
    assert ours == pytest.approx(bound, rel=1e-4)


def test_an_empty_document_changes_nothing():
    assert of(MODEL, COUNTS[[0, 2, 3]]) == pytest.approx(of(MODEL, COUNTS), rel=1e-14)


def test_order_changes_nothing():
    assert of(MODEL, COUNTS[[3, 2, 1, 0]]) == pytest.approx(of(MODEL, COUNTS), rel=1e-15)


def test_blocks_change_nothing(monkeypatch):
    whole = of(MODEL, COUNTS)
    monkeypatch.setattr("nlpfeat.topics.perplexity._CELLS_PER_BLOCK", 2)
    assert of(MODEL, COUNTS) == whole


def test_no_token():
    with pytest.raises(InvalidInputError, match="perplexity is per token, and X holds none"):
        of(MODEL, COUNTS[[1]])
