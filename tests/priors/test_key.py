"""Key prior: log-weights of tokens."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfTransformer

from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors import KeyPrior, ReadDocuments
from nlpfeat.priors.placebo import other_terms
from nlpfeat.text.vocabulary import Vocabulary

TEXTS = ["天好好", "好，坏", "坏天"]
CLASSES = np.array([0, 0, 1])


def fitted(prior, texts=TEXTS, classes=CLASSES, n_classes=2):
    read = ReadDocuments.read(texts, unit="char")
    return prior.fit(read, classes, n_classes, seed=0), read


def test_idf_is_that_of_scikit_learn():
    prior, read = fitted(KeyPrior(weight="idf"))
    expected = TfidfTransformer().fit(read.counts).idf_
    assert np.exp(prior.log_weights[:-1]) == pytest.approx(expected, rel=1e-6)


def test_sif_by_hand():
    """Of 7 tokens (the comma is none) 坏 and 天 are two each, 好 three."""
    prior, read = fitted(KeyPrior(weight="sif", sif_a=0.5))
    assert read.vocabulary.terms == ("坏", "天", "好")
    expected = [0.5 / (0.5 + n / 7) for n in (2, 2, 3)]
    assert np.exp(prior.log_weights[:-1]) == pytest.approx(expected, rel=1e-6)


def test_tokens_that_are_no_terms_are_tokens_all_the_same():
    read = ReadDocuments.read(["天好"], unit="char", vocabulary=Vocabulary.build([["天"]]))
    prior = KeyPrior(weight="sif", sif_a=0.5).fit(read, np.array([0]), 2, seed=0)
    assert np.exp(prior.log_weights[0]) == pytest.approx(0.5 / (0.5 + 1 / 2))


def test_salience_by_hand():
    """p = 1 + documents of class 0 with the term: 坏 2, 天 2, 好 3 of 7; q: 2, 2, 1 of 5."""
    prior, _ = fitted(KeyPrior(weight="nb"))
    expected = [abs(np.log((2 / 7) / (2 / 5))), abs(np.log((2 / 7) / (2 / 5))),
                abs(np.log((3 / 7) / (1 / 5)))]  # fmt: skip
    assert np.exp(prior.log_weights[:-1]) == pytest.approx(expected, rel=1e-6)


def test_salience_of_three_classes_is_that_of_the_clearest():
    texts, classes = ["天天", "天好", "好坏", "坏"], np.array([0, 1, 2, 2])
    prior, read = fitted(KeyPrior(weight="nb", alpha=0.5), texts, classes, 3)
    held = read.counts.toarray() > 0
    largest = np.zeros(3)
    for number in range(3):
        p = 0.5 + held[classes == number].sum(axis=0)
        q = 0.5 + held[classes != number].sum(axis=0)
        largest = np.maximum(largest, np.abs(np.log(p / p.sum() * q.sum() / q)))
    assert np.exp(prior.log_weights[:-1]) == pytest.approx(largest, rel=1e-6)


def test_a_term_that_says_nothing_has_the_least_weight():
    prior, _ = fitted(KeyPrior(weight="nb"), ["天好", "天坏"], np.array([0, 1]))
    assert prior.log_weights[1] == pytest.approx(np.log(1e-6))


def test_frequency_in_the_document_times_idf():
    plain, read = fitted(KeyPrior(weight="idf"))
    times, _ = fitted(KeyPrior(weight="tfidf"))
    more = times.inputs(read).tokens - plain.inputs(read).tokens
    # 天 好 好 | 好 ， 坏 | 坏 天
    assert np.exp(more) == pytest.approx([1, 2, 2, 1, 1, 1, 1, 1])
    assert times.log_weights.tolist() == plain.log_weights.tolist()


@given(st.lists(st.text("天好坏冷，", max_size=8), min_size=1, max_size=5))
@settings(max_examples=30)
def test_tfidf_of_each_token_by_a_loop(texts):
    prior, first = fitted(KeyPrior(weight="tfidf"))
    read = first.alike(texts)
    expected = []
    for text in texts:
        for token in text:
            place = first.vocabulary.ids.get(token)
            if token == "，":
                expected.append(0.0)
            elif place is None:
                expected.append(prior.log_weights[-1])
            else:
                expected.append(np.log(text.count(token)) + prior.log_weights[place])
    assert prior.inputs(read).tokens == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("weight", ["idf", "sif", "tfidf", "nb"])
def test_unknown_has_the_mean_over_the_tokens(weight):
    prior, read = fitted(KeyPrior(weight=weight))
    known = read.tokens.ids[read.tokens.ids >= 0]
    assert prior.log_weights[-1] == pytest.approx(prior.log_weights[known].mean(), rel=1e-5)
    new = read.alike(["冷，天"])
    tokens = prior.inputs(new).tokens
    assert tokens.tolist() == [prior.log_weights[-1], 0.0, prior.log_weights[1]]


def test_placebo_gives_weights_to_other_terms():
    texts = ["天好好", "好坏冷雨", "坏天"]
    prior, read = fitted(KeyPrior(weight="sif"), texts)
    placebo, _ = fitted(KeyPrior(weight="sif").shuffled(1), texts)
    order = other_terms(5, seed=1)
    assert placebo.log_weights[:-1].tolist() == prior.log_weights[:-1][order].tolist()
    assert not np.array_equal(placebo.log_weights, prior.log_weights)
    known = read.tokens.ids
    assert placebo.log_weights[-1] == pytest.approx(placebo.log_weights[known].mean(), rel=1e-5)


def test_scale_is_the_deviation_of_the_logarithms():
    prior, _ = fitted(KeyPrior(weight="sif"))
    logs = prior.log_weights[:-1].astype(float)
    assert prior.scale == pytest.approx(logs.std(), rel=1e-5)
    same, _ = fitted(KeyPrior(weight="idf"), ["天好"], np.array([0]))
    assert same.scale == 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weight": "idff"}, r"KeyPrior.weight must be one of 'idf'.*Did you mean 'idf'"),
        ({"where": "layer"}, r"KeyPrior.where must be one of 'all'.*Did you mean 'layers'"),
        ({"strength": np.inf}, r"KeyPrior.strength must be a finite number"),
        ({"learned": 1}, r"KeyPrior.learned must be True or False"),
        ({"share_layers": None}, r"KeyPrior.share_layers must be True or False"),
        ({"alpha": 0.0}, r"KeyPrior.alpha must be a finite number above 0"),
        ({"sif_a": -1}, r"KeyPrior.sif_a must be a finite number above 0"),
        ({"placebo": -1}, r"KeyPrior.placebo \(or None\) must be an integer that is at least 0"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_settings_that_cannot_be(change, message):
    with pytest.raises(InvalidParameterError, match=message):
        fitted(KeyPrior(**change))
