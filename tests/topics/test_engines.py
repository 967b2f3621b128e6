import logging
import sys
from dataclasses import replace

import numpy as np
import pytest
from lda_oracle import planted, weights_of
from scipy.sparse import csr_array

from nlpfeat.errors import MissingDependencyError
from nlpfeat.topics import ENGINES, LearningSettings
from nlpfeat.topics.inference import infer

SETTINGS = LearningSettings(
    n_topics=3, passes=60, chunk_size=None, document_prior=np.full(3, 0.1),
    learn_document_prior=False, term_prior=0.01, decay=0.7, offset=1.0, seed=7,
)  # fmt: skip
COUNTS, TOPIC_OF = planted()

each_engine = pytest.mark.parametrize("engine", list(ENGINES))


def learn(engine, counts=COUNTS, **changes):
    return ENGINES[engine].load()(counts, replace(SETTINGS, **changes))


@each_engine
def test_planted_topics_are_found(engine):
    model = learn(engine)
    found = infer(model, COUNTS).argmax(axis=1)
    assert len(set(zip(TOPIC_OF.tolist(), found.tolist()))) == 3
    # Each topic has its own five terms and the prior of the others.
    assert sorted(np.sum(weights_of(model) > 1, axis=1)) == [5, 5, 5]


@each_engine
def test_weights_are_the_tokens_and_the_prior(engine):
    model = learn(engine)
    assert weights_of(model).sum() == pytest.approx(COUNTS.sum() + 0.01 * 3 * 15)
    assert weights_of(model).sum(axis=0) == pytest.approx(COUNTS.sum(axis=0) + 0.03)


@each_engine
def test_same_seed_same_bytes(engine):
    first, again, other = learn(engine), learn(engine), learn(engine, seed=8)
    assert weights_of(first).tobytes() == weights_of(again).tobytes()
    assert weights_of(first).tobytes() != weights_of(other).tobytes()


@each_engine
def test_the_prior_is_kept_or_learned(engine):
    given = np.array([0.1, 0.2, 0.3])
    assert learn(engine, document_prior=given).document_prior.tolist() == pytest.approx(given)
    learned = learn(engine, document_prior=given, learn_document_prior=True).document_prior
    assert learned.shape == (3,)
    assert np.all(learned > 0)
    assert np.abs(learned - given).max() > 1e-3


@each_engine
def test_a_term_that_never_occurs_has_the_prior(engine):
    wider = csr_array(np.hstack([np.zeros((200, 1), dtype=int), COUNTS.toarray()]))
    assert weights_of(learn(engine, wider))[:, 0].tolist() == pytest.approx([0.01] * 3)


@each_engine
@pytest.mark.parametrize(
    ("counts", "n_topics"),
    [([[3]], 1), ([[3]], 4), ([[0, 0], [1, 2]], 5), ([[1, 2, 3]], 2), ([[0, 1], [0, 0]], 1)],
)
def test_small_corpora(engine, counts, n_topics):
    counts = csr_array(counts)
    model = learn(engine, counts, n_topics=n_topics, document_prior=np.full(n_topics, 0.1))
    assert weights_of(model).shape == (n_topics, counts.shape[1])
    assert weights_of(model).sum() == pytest.approx(
        counts.sum() + 0.01 * n_topics * counts.shape[1], rel=1e-6
    )


def test_what_is_not_installed_is_said_before_anything_is_learned(monkeypatch):
    monkeypatch.setitem(sys.modules, "tomotopy", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'nlpfeat\[topics\]'"):
        ENGINES["tomotopy"].load()


@each_engine
def test_nothing_is_printed_or_logged_for_users(engine, capfd, caplog):
    caplog.set_level(logging.WARNING)
    learn(engine, COUNTS[:4], passes=1)
    printed = capfd.readouterr()
    assert (printed.out, printed.err, caplog.records) == ("", "", [])
