"""Topic prior: shares of topics, and what they say of each token."""

import numpy as np
import pytest

from nlpfeat import BagOfWordsVectorizer
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.lda import LdaTransformer
from nlpfeat.features.random_states import check_seed
from nlpfeat.priors import ReadDocuments, TopicPrior
from nlpfeat.priors.placebo import other_terms_as_frequent
from nlpfeat.priors.topic import FittedTopicPrior

TEXTS = [
    ["房间", "干净", "早餐"],
    ["早餐", "房间", "前台", "房间"],
    ["作者", "故事"],
    ["故事", "书", "内容"],
] * 5
NEW = [["房间", "早餐", "雨"], [], ["故事", "，", "房间", "故事"], ["雨"]]
CLASSES = np.array([0, 0, 1, 1] * 5)


def fitted(prior, seed=0):
    read = ReadDocuments.read(TEXTS, unit="word")
    return prior.fit(read, CLASSES, 2, seed), read


def reading(read, documents):
    return read.alike(documents)


@pytest.mark.parametrize("form", ["gate", "token"])
@pytest.mark.parametrize("engine", ["gensim", "tomotopy"])
def test_shares_are_those_of_the_transformer(form, engine):
    prior, read = fitted(
        TopicPrior(n_topics=2, form=form, engine=engine, passes=30), seed=check_seed(3)
    )
    vectorizer = BagOfWordsVectorizer()
    lda = LdaTransformer(2, engine=engine, passes=30, random_state=3)
    lda.fit(vectorizer.fit_transform(TEXTS))
    theta = prior.inputs(reading(read, NEW)).rows
    assert theta.dtype == np.float32
    np.testing.assert_allclose(theta, lda.transform(vectorizer.transform(NEW)), atol=1e-6)
    np.testing.assert_allclose(theta.sum(axis=1), 1.0, atol=1e-6)


def test_lift_by_a_loop():
    prior, read = fitted(TopicPrior(n_topics=3, form="lift"))
    same, _ = fitted(TopicPrior(n_topics=3, form="gate"))
    new = reading(read, NEW)
    theta = same.inputs(new).rows.astype(float)
    phi, weights = prior.components, prior.topic_weights / prior.topic_weights.sum()
    expected = []
    for shares, document in zip(theta, NEW):
        for token in document:
            place = read.vocabulary.ids.get(token)
            if place is None:
                expected.append(0.0)
            else:
                of_document = sum(shares[k] * phi[k, place] for k in range(3))
                of_all = sum(weights[k] * phi[k, place] for k in range(3))
                expected.append(np.log(of_document / of_all))
    tokens = prior.inputs(new).tokens
    assert tokens.dtype == np.float32
    np.testing.assert_allclose(tokens, expected, atol=1e-5)


def test_lift_is_of_the_share_of_the_term_in_the_training_text():
    """What all topics give a term is its smoothed share: (n_x + K η) / (n + V K η)."""
    prior, read = fitted(TopicPrior(n_topics=2, term_prior=0.5))
    weights = prior.topic_weights / prior.topic_weights.sum()
    n_x = read.counts.sum(axis=0)
    smoothed = (n_x + 2 * 0.5) / (n_x.sum() + len(n_x) * 2 * 0.5)
    np.testing.assert_allclose(weights @ prior.components, smoothed, rtol=1e-6)


def test_words_of_the_topic_are_lifted():
    prior, read = fitted(TopicPrior(n_topics=2))
    tokens = prior.inputs(reading(read, [["房间", "早餐", "前台", "故事"]])).tokens
    assert (tokens[:3] > 0).all()
    assert tokens[3] < 0


def test_document_without_a_term_has_the_prior_mean():
    prior, read = fitted(TopicPrior(n_topics=4, form="token"))
    rows = prior.inputs(reading(read, [[], ["雨"], ["，"]])).rows
    np.testing.assert_allclose(rows, 0.25)


def test_placebo_reads_other_words():
    prior, read = fitted(TopicPrior(n_topics=2, form="gate"))
    placebo, _ = fitted(TopicPrior(n_topics=2, form="gate").shuffled(4))
    order = other_terms_as_frequent(read.vocabulary.term_frequencies, seed=4)
    terms = read.vocabulary.terms
    assert (order != np.arange(len(order))).any()
    other = {terms[place]: terms[number] for place, number in enumerate(order.tolist())}
    documents = [["房间", "早餐"], ["故事"], []]
    in_others = [[other[term] for term in document] for document in documents]
    found = placebo.inputs(reading(read, documents)).rows
    np.testing.assert_allclose(found, prior.inputs(reading(read, in_others)).rows, atol=1e-6)
    assert np.array_equal(np.sort(placebo.components), np.sort(prior.components))


def test_scale_is_the_deviation_of_what_is_said_of_the_training_documents():
    lift, read = fitted(TopicPrior(n_topics=2))
    assert lift.scale == pytest.approx(lift.inputs(read).tokens.astype(float).std(), rel=1e-6)
    gate, _ = fitted(TopicPrior(n_topics=2, form="gate"))
    assert gate.scale == pytest.approx(gate.inputs(read).rows.astype(float).std(), rel=1e-6)


def test_one_topic_lifts_nothing():
    prior, read = fitted(TopicPrior(n_topics=1))
    np.testing.assert_allclose(prior.inputs(read).tokens, 0.0, atol=1e-6)


def test_documents_without_a_term_cannot_teach():
    read = ReadDocuments.read([[], ["，"]], unit="word")
    with pytest.raises(InvalidInputError, match="all 2 training documents are empty"):
        TopicPrior().fit(read, np.array([0, 1]), 2, seed=0)


def test_stored_topics_are_checked():
    prior, _ = fitted(TopicPrior(n_topics=2))
    alpha, phi, weights = prior.document_prior, prior.components, prior.topic_weights
    with pytest.raises(InvalidInputError, match="components must be an array of finite float64"):
        FittedTopicPrior("lift", alpha, phi * np.nan, weights, 1.0)
    with pytest.raises(InvalidInputError, match=r"topic_weights must be numbers above 0\. Got 0"):
        FittedTopicPrior("lift", alpha, phi, weights * 0, 1.0)
    with pytest.raises(InvalidInputError, match=r"components must be .* with K = 1\. Got"):
        FittedTopicPrior("lift", alpha[:1], phi, weights, 1.0)
    with pytest.raises(InvalidParameterError, match="form must be one of"):
        FittedTopicPrior("lifts", alpha, phi, weights, 1.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_topics": 0}, r"TopicPrior.n_topics must be an integer that is at least 1"),
        ({"form": "film"}, r"TopicPrior.form must be one of 'lift', 'gate', 'token'"),
        ({"where": "keys"}, r"TopicPrior.where must be one of 'all'"),
        ({"engine": "gensin"}, r"TopicPrior.engine must be one of.*Did you mean 'gensim'"),
        ({"passes": 0}, r"TopicPrior.passes \(or None\) must be an integer"),
        ({"document_prior": 0.0}, r"TopicPrior.document_prior must be a finite number above"),
        ({"term_prior": "auto"}, r"TopicPrior.term_prior must be a finite number above"),
        ({"learned": "no"}, r"TopicPrior.learned must be True or False"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_settings_that_cannot_be(change, message):
    with pytest.raises(InvalidParameterError, match=message):
        fitted(TopicPrior(**change))
