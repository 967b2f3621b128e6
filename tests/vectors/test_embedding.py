"""Vectors learned from a spool, by each method."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.counts.counting import count_cooccurrences, count_spool
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.text.segmenters import WhitespaceSegmenter
from nlpfeat.text.token_spool import spool_tokens
from nlpfeat.text.vocabulary import Vocabulary
from nlpfeat.vectors import METHODS
from nlpfeat.vectors.embedding import embed_counts, embed_spool
from nlpfeat.vectors.ppmi_svd import ppmi_svd
from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.word2vec import SpooledSentences

WORDS = ["茶", "水", "杯", "叶", "好", "坏", "我", "你", "去", "看"]
DOCUMENTS = [random.Random(number).choices(WORDS, k=9) for number in range(40)]


@pytest.fixture
def make_spool():
    opened = []

    def make(documents):
        opened.append(spool_tokens(documents, WhitespaceSegmenter()))
        return opened[-1]

    yield make
    for spool in opened:
        spool.close()


def test_svd_is_the_factorization_of_the_counts(make_spool):
    spool = make_spool(DOCUMENTS)
    counting = CountingSettings(window=3, weighting="linear").validate()
    chosen = EmbeddingSettings(n_components=4, counting=counting)
    vectors = embed_spool(spool, chosen)
    assert vectors.terms == spool.vocabulary.terms
    assert vectors.term_frequencies is spool.vocabulary.term_frequencies
    assert vectors.n_tokens == 360
    assert vectors.matrix.tolist() == ppmi_svd(count_spool(spool, counting), chosen).tolist()


def test_settings_say_how_the_vectors_were_made(make_spool):
    spool = make_spool(DOCUMENTS)
    chosen = EmbeddingSettings(n_components=4, counting=CountingSettings(2, weighting=(1, 0.5)))
    assert embed_spool(spool, chosen).settings == {
        "method": "svd", "n_components": 4, "seed": 0, "window": 2, "scope": "document",
        "direction": "both", "weighting": [1.0, 0.5], "counting": "pairs", "smoothing": 0.75,
        "shift": 1.0, "exponent": 0.0, "context_weight": 0.0, "max_contexts": 10_000,
        "n_documents": 40,
        "preparation": spool.preparation,
    }  # fmt: skip
    chosen = EmbeddingSettings(4, "word2vec", epochs=1)
    assert embed_spool(spool, chosen).settings == {
        "method": "word2vec", "n_components": 4, "seed": 0, "window": 5, "scope": "document",
        "epochs": 1, "negative": 5, "n_documents": 40, "preparation": spool.preparation,
    }  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_bytes(make_spool, tmp_path, method):
    for name in ("one", "two"):
        chosen = EmbeddingSettings(5, method, seed=3)
        embed_spool(make_spool(DOCUMENTS), chosen).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@settings(max_examples=15)
@given(st.permutations(range(20)), st.integers(1, 5), st.sampled_from([0.0, 0.5, 1.0]))
def test_the_order_of_documents_makes_no_difference(order, n_components, exponent):
    chosen = EmbeddingSettings(n_components=n_components, exponent=exponent)
    found = []
    for documents in (DOCUMENTS[:20], [DOCUMENTS[number] for number in order]):
        with spool_tokens(documents, WhitespaceSegmenter()) as spool:
            found.append(embed_spool(spool, chosen).matrix)
    assert found[0].tobytes() == found[1].tobytes()


def test_threads_make_no_difference_to_svd(make_spool):
    chosen = EmbeddingSettings(n_components=4)
    one, two = (embed_spool(make_spool(DOCUMENTS), chosen, n_threads=n) for n in (1, 2))
    assert one.matrix.tobytes() == two.matrix.tobytes()


@pytest.mark.parametrize("method", METHODS)
def test_words_in_the_same_places_are_close(make_spool, method):
    draw = random.Random(0)
    frames = ["我 在 家 {} 茶 水", "医生 去 医院 {} 病 人", "学生 到 学校 {} 书 报"]
    fillers = [("喝", "饮"), ("看", "治"), ("读", "念")]
    documents = []
    for _ in range(600):
        which = draw.randrange(3)
        documents.append(frames[which].format(draw.choice(fillers[which])).split())
    chosen = EmbeddingSettings(n_components=6, method=method, exponent=0.5, epochs=60)
    vectors = embed_spool(make_spool(documents), chosen)
    for one, other in fillers:
        strangers = [word for pair in fillers for word in pair if word not in (one, other)]
        assert all(
            vectors.similarity(one, other) > vectors.similarity(one, word) for word in strangers
        )


def test_fewer_terms_than_dimensions(make_spool):
    for method in METHODS:
        vectors = embed_spool(make_spool([["茶", "水", "杯"]]), EmbeddingSettings(50, method))
        assert vectors.matrix.shape == (3, 3)
        assert vectors.settings["n_components"] == 3


def test_fewer_contexts_than_dimensions(make_spool):
    chosen = EmbeddingSettings(n_components=5, max_contexts=4)
    vectors = embed_spool(make_spool(DOCUMENTS), chosen)
    assert vectors.matrix.shape == (10, 4)


def test_counts_that_are_there_are_not_counted_again(make_spool):
    spool = make_spool(DOCUMENTS)
    counting = CountingSettings(window=3, scope="sentence", weighting="linear").validate()
    wanted = embed_spool(spool, EmbeddingSettings(n_components=4, counting=counting))
    found = embed_counts(count_spool(spool, counting), EmbeddingSettings(n_components=4))
    assert found.matrix.tobytes() == wanted.matrix.tobytes()
    assert (found.terms, found.settings, found.n_tokens) == (
        wanted.terms, wanted.settings, wanted.n_tokens,
    )  # fmt: skip


def test_word2vec_cannot_learn_from_counts(make_spool):
    counts = count_spool(make_spool(DOCUMENTS), CountingSettings().validate())
    message = "one that learns from counts: 'svd'. Got 'word2vec', which needs the text"
    with pytest.raises(InvalidParameterError, match=message):
        embed_counts(counts, EmbeddingSettings(method="word2vec"))


def test_counts_without_a_term():
    counts = count_cooccurrences([["茶", "水"]], stop_words=["茶"], vocabulary=Vocabulary.build([]))
    with pytest.raises(InvalidInputError, match="Word vectors need at least one term"):
        embed_counts(counts, EmbeddingSettings())


def test_restricted_terms_have_no_vector(make_spool):
    spool = make_spool([["茶", "水", "茶", "杯"], ["茶", "水"]])
    spool.restrict(spool.vocabulary.prune(min_count=2))
    for method in METHODS:
        assert embed_spool(spool, EmbeddingSettings(1, method)).terms == ("水", "茶")


def test_sentences_for_word2vec(make_spool):
    spool = make_spool([["茶", "，", "水"], ["。"], ["杯", "。", "茶", "水"], []])
    assert list(SpooledSentences(spool, "document")) == [["茶", "水"], ["杯", "茶", "水"]]
    assert list(SpooledSentences(spool, "sentence")) == [["茶", "水"], ["杯"], ["茶", "水"]]
    spool.restrict(spool.vocabulary.prune(min_count=2))
    again = SpooledSentences(spool, "document")
    assert [*again, *again] == [["茶", "水"], ["茶", "水"]] * 2


def test_long_documents_lose_nothing_to_gensim(make_spool):
    sentences = list(SpooledSentences(make_spool([["茶", "水"] * 12_000]), "document"))
    assert [len(sentence) for sentence in sentences] == [10_000, 10_000, 4_000]


def test_nothing_to_learn_from(make_spool):
    for documents in ([], [[]], [["。"]]):
        with pytest.raises(InvalidInputError, match="Word vectors need at least one term"):
            embed_spool(make_spool(documents), EmbeddingSettings())


@pytest.mark.parametrize(("changes", "message"), [
    ({"method": "glove"}, "method must be one of 'svd', 'word2vec'. Got 'glove'"),
    ({"n_components": 0}, "n_components must be an integer that is at least 1"),
    ({"smoothing": 1.5}, "smoothing must be a finite number above 0 and at most 1"),
    ({"shift": 0}, "shift must be a finite number above 0"),
    ({"exponent": 1.5}, "exponent must be at least 0 and at most 1. Got 1.5"),
    ({"exponent": -0.5}, "exponent must be at least 0 and at most 1. Got -0.5"),
    ({"context_weight": -1}, "context_weight must be at least 0. Got -1"),
    ({"max_contexts": 0}, "max_contexts must be an integer that is at least 1"),
    ({"epochs": 0}, "epochs must be an integer that is at least 1"),
    ({"negative": 0}, "negative must be an integer that is at least 1"),
    ({"seed": -1}, "seed must be an integer that is at least 0"),
    ({"seed": 1 << 32}, "seed must be at most 4294967295"),
    ({"counting": CountingSettings(window=0)}, "window .* must be an integer"),
    (
        {"method": "word2vec", "counting": CountingSettings(window="all")},
        "method='word2vec' needs a window of so many tokens",
    ),
])  # fmt: skip
def test_bad_settings(make_spool, changes, message):
    with pytest.raises(InvalidParameterError, match=message):
        embed_spool(make_spool(DOCUMENTS), EmbeddingSettings(**changes))


def test_plain_numbers_leave_validation():
    checked = EmbeddingSettings(np.int64(3), smoothing=np.float32(0.5), seed=np.int64(2)).validate()
    assert [type(value) for value in (checked.n_components, checked.smoothing, checked.seed)] == [
        int, float, int,
    ]  # fmt: skip
