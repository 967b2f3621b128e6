import sys
from dataclasses import replace

import numpy as np
import pytest
from lda_oracle import planted, weights_of
from scipy.sparse import csr_array

from nlpfeat.errors import InvalidInputError, InvalidParameterError, MissingDependencyError
from nlpfeat.topics.settings import LearningSettings
from nlpfeat.topics.tomotopy_engine import learn

SETTINGS = LearningSettings(
    n_topics=3, passes=30, chunk_size=None, document_prior=np.full(3, 0.1),
    learn_document_prior=False, term_prior=0.01, decay=0.7, offset=1.0, seed=7,
)  # fmt: skip
COUNTS, _ = planted()


def test_weights_are_whole_tokens_and_the_prior():
    tokens = weights_of(learn(COUNTS, SETTINGS)) - 0.01
    np.testing.assert_allclose(tokens, np.round(tokens), atol=1e-12)
    np.testing.assert_allclose(tokens.sum(axis=0), COUNTS.sum(axis=0))


def test_terms_keep_their_columns():
    """tomotopy numbers terms as they come; ours are columns, here in falling order."""
    counts = csr_array([[0, 0, 1], [0, 4, 0], [9, 0, 0]])
    tokens = weights_of(learn(counts, SETTINGS)).sum(axis=0) - 0.03
    assert tokens.tolist() == pytest.approx([9, 4, 1])


def test_whole_counts_of_floats_are_taken():
    assert np.array_equal(
        weights_of(learn(COUNTS.astype(float), SETTINGS)), weights_of(learn(COUNTS, SETTINGS))
    )


def test_fractional_counts_are_refused_by_place():
    counts = csr_array([[0, 1.0, 0], [0, 0, 0], [2.0, 0, 0.25]])
    with pytest.raises(
        InvalidInputError, match=r"whole counts with engine='tomotopy'.* Got 0.25 in row 2, col.* 2"
    ):
        learn(counts, SETTINGS)


def test_too_many_tokens():
    with pytest.raises(InvalidInputError, match=r"at most 500,000,000 tokens.*take engine='gensi"):
        learn(csr_array([[3_000_000_000, 1]]), SETTINGS)


def test_too_many_topics():
    with pytest.raises(InvalidParameterError, match=r"n_topics must be at most 32767 .* Got 32768"):
        learn(COUNTS, replace(SETTINGS, n_topics=32768))


def test_missing_tomotopy(monkeypatch):
    monkeypatch.setitem(sys.modules, "tomotopy", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'nlpfeat\[topics\]'"):
        learn(COUNTS, SETTINGS)
