import logging
from dataclasses import replace

import numpy as np
import pytest
from gensim.models import LdaModel
from lda_oracle import planted, weights_of

from nlpfeat.topics.gensim_engine import _CompiledLda, learn
from nlpfeat.topics.inference import infer
from nlpfeat.topics.settings import LearningSettings

SETTINGS = LearningSettings(
    n_topics=3, passes=60, chunk_size=None, document_prior=np.full(3, 0.1),
    learn_document_prior=False, term_prior=0.01, decay=0.7, offset=1.0, seed=7,
)  # fmt: skip
COUNTS, TOPIC_OF = planted()


class StartAtOne:
    """gensim starts each document at random, we do at 1: another start can end elsewhere."""

    def gamma(self, shape, scale, size):
        return np.ones(size)


def documents_of(counts):
    return [list(enumerate(row)) for row in counts.toarray().tolist()]


def test_the_compiled_loop_is_gensims():
    """On the same topics both come to the same weights and statistics."""
    ours = _CompiledLda(COUNTS, SETTINGS)
    theirs = LdaModel(
        num_topics=3, id2word=ours.id2word, alpha=SETTINGS.document_prior, eta=0.01,
        dtype=np.float64, iterations=5000, gamma_threshold=1e-12, random_state=0,
    )  # fmt: skip
    theirs.random_state = StartAtOne()
    theirs.state.sstats[:] = ours.state.sstats
    theirs.sync_state()
    ours.iterations, ours.gamma_threshold = 5000, 1e-12
    rows = [5, 0, 17]
    gamma, statistics = ours.inference(rows, collect_sstats=True)
    expected_gamma, expected = theirs.inference(documents_of(COUNTS[rows]), collect_sstats=True)
    np.testing.assert_allclose(gamma, expected_gamma, atol=1e-6)
    np.testing.assert_allclose(statistics, expected, atol=1e-6)


def test_gensim_infers_what_we_infer():
    model = learn(COUNTS, SETTINGS)
    theirs = LdaModel(
        num_topics=3, id2word=dict.fromkeys(range(15), ""), alpha=model.document_prior,
        eta=0.01, dtype=np.float64, iterations=5000, gamma_threshold=1e-10, random_state=0,
    )  # fmt: skip
    theirs.random_state = StartAtOne()
    theirs.state.sstats[:] = weights_of(model) - 0.01
    theirs.sync_state()
    gamma, _ = theirs.inference(documents_of(COUNTS[:20]))
    np.testing.assert_allclose(infer(model, COUNTS[:20]), gamma, atol=1e-4)


def test_inference_without_statistics():
    assert _CompiledLda(COUNTS, SETTINGS).inference([0])[1] is None


@pytest.mark.parametrize("chunk_size", [30, 64, 199])
def test_chunks_find_the_planted_topics_too(chunk_size):
    model = learn(COUNTS, replace(SETTINGS, chunk_size=chunk_size))
    found = infer(model, COUNTS).argmax(axis=1)
    assert len(set(zip(TOPIC_OF.tolist(), found.tolist()))) == 3


def test_chunks_are_of_one_size():
    assert _CompiledLda(COUNTS, replace(SETTINGS, chunk_size=199)).chunksize == 100
    assert _CompiledLda(COUNTS, replace(SETTINGS, chunk_size=1000)).chunksize == 200


def test_decay_and_offset_matter_with_chunks_alone():
    slow = {"decay": 0.9, "offset": 5.0}
    whole = weights_of(learn(COUNTS, replace(SETTINGS, passes=2)))
    assert np.array_equal(whole, weights_of(learn(COUNTS, replace(SETTINGS, passes=2, **slow))))
    chunked = replace(SETTINGS, passes=2, chunk_size=50)
    changed = weights_of(learn(COUNTS, replace(chunked, **slow)))
    assert not np.allclose(weights_of(learn(COUNTS, chunked)), changed)


def test_order_changes_no_more_than_rounding_without_chunks():
    there, back = learn(COUNTS, SETTINGS), learn(COUNTS[::-1], SETTINGS)
    np.testing.assert_allclose(weights_of(there), weights_of(back), rtol=1e-6)


def test_threads_change_nothing():
    counts, _ = planted(n_documents=2500)
    settings = replace(SETTINGS, passes=3)
    one, two = learn(counts, settings), learn(counts, replace(settings, n_threads=2))
    assert weights_of(one).tobytes() == weights_of(two).tobytes()


def test_fractional_counts_are_taken():
    model = learn(COUNTS / 4, SETTINGS)
    assert weights_of(model).sum() == pytest.approx(COUNTS.sum() / 4 + 0.45)


def test_a_tiny_term_prior_loses_no_token():
    """With gensim's own loop exp(E[ln beta]) of an unseen term is 0, and it stays unseen."""
    model = learn(COUNTS, replace(SETTINGS, term_prior=1e-4, chunk_size=20, passes=5))
    assert weights_of(model).sum(axis=0).min() > 1
    assert np.all(np.isfinite(weights_of(model)))


def test_gensims_other_warnings_stay(caplog):
    logger = logging.getLogger("gensim.models.ldamodel")
    learn(COUNTS, SETTINGS)
    logger.warning("too few updates, and more")
    assert [record.getMessage() for record in caplog.records] == ["too few updates, and more"]
    assert logger.filters == []
