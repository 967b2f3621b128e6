"""Embedding prior: where the vectors of terms start."""

import numpy as np
import pytest

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.pmi_embedding import PmiEmbedding
from nlpfeat.priors import EmbeddingPrior, PmiPrior, ReadDocuments
from nlpfeat.priors.placebo import other_terms

_RANDOM = np.random.default_rng(0)
#: 30 texts of 6 of 12 characters, so that no two singular values are equal.
TEXTS = ["".join(_RANDOM.choice(list("天气很好我去医院看生他大"), 6)) for _ in range(30)]


def fitted(prior, texts=TEXTS, vocabulary=None):
    read = ReadDocuments.read(texts, unit="char", vocabulary=vocabulary)
    return prior.fit(read, np.zeros(len(texts), dtype=np.int64), 2, seed=0), read


@pytest.mark.parametrize(
    "options",
    [{}, {"exponent": 1.0, "window": 2}, {"smoothing": 1.0, "shift": 1.2}],
    ids=["default", "exponent", "shift"],
)
def test_rows_have_the_directions_of_word_vectors(options):
    prior, read = fitted(EmbeddingPrior(n_components=4, **options))
    given = {"exponent": 0.5, **options}
    vectors = PmiEmbedding(
        4, segmenter="char", min_term_count=1, random_state=0, **given
    ).fit(TEXTS).vectors_  # fmt: skip
    assert vectors.terms == read.vocabulary.terms
    lengths = np.linalg.norm(vectors.matrix, axis=1, keepdims=True)
    assert lengths.min() > 0.1
    np.testing.assert_allclose(prior.vectors[:-1], 2 * vectors.matrix / lengths, atol=1e-5)
    assert prior.scale == pytest.approx(vectors.matrix[vectors.matrix != 0].std())


def test_rows_have_the_mean_square_one():
    prior, read = fitted(EmbeddingPrior(n_components=6))
    assert prior.vectors.shape == (len(read.vocabulary) + 1, 6)
    assert prior.vectors.dtype == np.float32
    np.testing.assert_allclose(np.square(prior.vectors[:-1]).mean(axis=1), 1.0, rtol=1e-5)


def test_fewer_terms_than_components():
    prior, read = fitted(EmbeddingPrior())
    n_terms = len(read.vocabulary)
    assert prior.vectors.shape == (n_terms + 1, n_terms)


def test_columns_are_those_of_a_wider_factorization():
    """Before rows get their length: a narrower network takes the first columns."""
    narrow, _ = fitted(EmbeddingPrior(n_components=3))
    wide, _ = fitted(EmbeddingPrior(n_components=8))
    cut = wide.vectors[:-1, :3] / np.linalg.norm(wide.vectors[:-1, :3], axis=1, keepdims=True)
    np.testing.assert_allclose(narrow.vectors[:-1], np.sqrt(3) * cut, atol=1e-4)


def test_what_says_nothing_has_the_row_zero():
    """雨 has no neighbor."""
    prior, read = fitted(EmbeddingPrior(n_components=3), [*TEXTS, "雨"])
    assert not prior.vectors[read.vocabulary.ids["雨"]].any()
    assert not prior.vectors[-1].any()


def test_without_a_neighbor_at_all():
    prior, _ = fitted(EmbeddingPrior(n_components=2), ["天", "雨"])
    assert not prior.vectors.any()
    assert prior.scale == 1.0


def test_without_a_term():
    with pytest.raises(InvalidInputError, match="at least one term"):
        fitted(EmbeddingPrior(), ["，", ""])


def test_placebo_gives_rows_to_other_terms():
    prior, read = fitted(EmbeddingPrior(n_components=4))
    placebo, _ = fitted(EmbeddingPrior(n_components=4).shuffled(2))
    order = other_terms(len(read.vocabulary), seed=2)
    assert np.array_equal(placebo.vectors[:-1], prior.vectors[:-1][order])
    assert not np.array_equal(placebo.vectors, prior.vectors)


def test_projections_only_when_asked_for():
    prior, _ = fitted(EmbeddingPrior())
    assert prior.query is None
    assert prior.key is None


def test_projections_give_pmi():
    """With as many dimensions as terms nothing is lost: queries times keys are the PMI prior."""
    prior, read = fitted(EmbeddingPrior(use="query_key", window=2))
    n_terms = len(read.vocabulary)
    assert prior.query.shape == prior.key.shape == (n_terms, n_terms)
    pairs, _ = fitted(PmiPrior(window=2, clip=None))
    expected = pairs.pair_values(np.arange(n_terms))
    assert np.linalg.matrix_rank(expected) == n_terms
    vectors = prior.vectors[:-1].astype(float)
    products = (vectors @ prior.query) @ (vectors @ prior.key).T
    np.testing.assert_allclose(products, expected, atol=1e-3)


def test_few_dimensions_come_near_to_pmi():
    prior, read = fitted(EmbeddingPrior(use="query_key", window=2, n_components=8))
    n_terms = len(read.vocabulary)
    pairs, _ = fitted(PmiPrior(window=2, clip=None))
    expected = pairs.pair_values(np.arange(n_terms)).ravel()
    vectors = prior.vectors[:-1]
    products = ((vectors @ prior.query) @ (vectors @ prior.key).T).ravel()
    assert np.corrcoef(products, expected)[0, 1] > 0.7


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_components": 0}, r"EmbeddingPrior.n_components must be an integer"),
        ({"window": "wide"}, r"window \(an integer or 'all'\) must be an integer"),
        ({"exponent": -0.1}, r"EmbeddingPrior.exponent must be at least 0 and at most 1"),
        ({"exponent": 1.1}, r"EmbeddingPrior.exponent must be a finite number at most 1"),
        ({"strength": -0.1}, r"EmbeddingPrior.strength must be at least 0 and at most 1"),
        ({"smoothing": 0}, r"EmbeddingPrior.smoothing must be a finite number above 0"),
        ({"shift": 0}, r"EmbeddingPrior.shift must be a finite number above 0"),
        ({"mode": "freeze"}, r"EmbeddingPrior.mode must be one of.*Did you mean 'frozen'"),
        ({"use": "qk"}, r"EmbeddingPrior.use must be one of 'embedding', 'query_key'"),
    ],
    ids=["n_components", "window", "exponent low", "exponent high", "strength", "smoothing",
         "shift", "mode", "use"],
)  # fmt: skip
def test_settings_that_cannot_be(change, message):
    with pytest.raises(InvalidParameterError, match=message):
        fitted(EmbeddingPrior(**change))
