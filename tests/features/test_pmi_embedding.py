"""The estimator that learns word vectors."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from nlpfeat import Corpus
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.pmi_embedding import PmiEmbedding
from nlpfeat.text.segmenters import as_segmenter
from nlpfeat.text.token_spool import spool_tokens
from nlpfeat.vectors.embedding import embed_spool
from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.word_vectors import WordVectors

TEXTS = ["我去医院看医生", "他去医院看大夫", "我去医院看大夫", "他去医院看医生", "我去学校看老师"]


@pytest.fixture
def embedding():
    return PmiEmbedding(3, min_term_count=1, random_state=0)


def test_learns_what_the_layer_below_learns(embedding):
    draw = np.random.RandomState(0).randint(np.iinfo(np.int32).max)
    with spool_tokens(TEXTS, as_segmenter("jieba")) as spool:
        wanted = embed_spool(spool, EmbeddingSettings(3, seed=draw))
    found = embedding.fit(TEXTS).vectors_
    assert found.terms == wanted.terms
    assert found.matrix.tobytes() == wanted.matrix.tobytes()
    assert found.settings == wanted.settings


def test_delegates(embedding, tmp_path):
    embedding.fit(TEXTS)
    assert embedding.most_similar("医生", n=1) == [("大夫", 1.0)]
    assert embedding.similarity("医生", "大夫") == 1.0
    embedding.save(tmp_path / "words.npz")
    loaded = PmiEmbedding.load(tmp_path / "words.npz")
    assert isinstance(loaded, WordVectors)
    assert loaded.matrix.tolist() == embedding.vectors_.matrix.tolist()
    assert loaded.settings == embedding.vectors_.settings


@pytest.mark.parametrize("ending", ["txt", "vec.gz"])
def test_text_format(embedding, tmp_path, ending):
    path = tmp_path / f"words.{ending}"
    embedding.fit(TEXTS).save_text(path)
    loaded = PmiEmbedding.load_text(path, dtype="float64")
    assert isinstance(loaded, WordVectors)
    assert loaded.terms == embedding.vectors_.terms
    assert loaded.matrix.tolist() == embedding.vectors_.matrix.tolist()
    assert PmiEmbedding.load_text(path).matrix.dtype == np.float32


def test_opposites_in_the_same_places_are_as_close_as_can_be():
    rooms, adverbs = ["房间", "早饭", "服务", "位置"], ["很", "太"]
    texts = [[room, adverb, word] for room in rooms for adverb in adverbs for word in ("好", "坏")]
    embedding = PmiEmbedding(4, min_term_count=1, random_state=0).fit(texts)
    assert embedding.similarity("好", "坏") == 1.0
    assert embedding.most_similar("好", n=1) == [("坏", 1.0)]


@pytest.mark.parametrize(("changes", "message"), [
    ({"n_components": 99}, "number of terms, 9. Got 99: 9 dimensions were learned"),
    (
        {"n_components": 5, "max_contexts": 4},
        r"number of contexts \(max_contexts\), 4. Got 5: 4 dimensions",
    ),
])  # fmt: skip
def test_fewer_dimensions_than_asked_for(embedding, changes, message):
    with pytest.warns(UserWarning, match=message) as told:
        embedding.set_params(**changes).fit(TEXTS)
    assert [each.filename for each in told] == [__file__]


def test_every_parameter_arrives():
    changed = PmiEmbedding(
        2, window=2, scope="sentence", weighting="linear", smoothing=0.5, shift=1.5, exponent=0.5,
        context_weight=1.0, max_contexts=4, epochs=2, negative=3, min_term_count=2,
        max_terms=5, stop_words=["去"], keep_punctuation=True, fold_width=False, lowercase=False,
        random_state=1,
    ).fit([*TEXTS, "ＶＩＰ好。VIP好。VIP坏。"])  # fmt: skip
    made = changed.vectors_.settings
    wanted = {
        "n_components": 2, "window": 2, "scope": "sentence", "weighting": "linear",
        "smoothing": 0.5, "shift": 1.5, "exponent": 0.5, "context_weight": 1.0, "max_contexts": 4,
    }  # fmt: skip
    assert {name: made[name] for name in wanted} == wanted
    assert made["preparation"]["stop_words"] == "去"
    assert made["preparation"]["lowercase"] == made["preparation"]["fold_width"] == "False"
    assert len(changed.vectors_) == 5
    assert "。" in changed.vectors_
    assert "去" not in changed.vectors_
    assert changed.vectors_.term_frequencies.min() >= 2


def test_word2vec():
    embedding = PmiEmbedding(
        2, method="word2vec", segmenter="whitespace", min_term_count=1, epochs=2, random_state=0,
        n_jobs=2,
    )  # fmt: skip
    first = embedding.fit(["茶 水 杯 茶", "水 杯"]).vectors_
    again = clone(embedding).fit(["茶 水 杯 茶", "水 杯"]).vectors_
    assert first.matrix.dtype == np.float32
    assert first.matrix.tobytes() == again.matrix.tobytes()
    assert first.settings["epochs"] == 2


def test_documents_of_every_kind(embedding, tmp_path):
    wanted = embedding.fit(TEXTS).vectors_.matrix.tobytes()
    cut = [as_segmenter("jieba").segment(text) for text in TEXTS]
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS), "utf-8")
    kinds = [tuple(TEXTS), iter(TEXTS), np.array(TEXTS), cut, Corpus(tmp_path / "texts.txt")]
    for documents in kinds:
        assert embedding.fit(documents).vectors_.matrix.tobytes() == wanted


def test_clone_and_pickle(embedding):
    copy = clone(embedding)
    assert copy.get_params() == embedding.get_params()
    embedding.fit(TEXTS)
    read = pickle.loads(pickle.dumps(embedding))
    assert read.most_similar("医生") == embedding.most_similar("医生")


def test_defaults_are_those_of_the_settings_below():
    below, counting = EmbeddingSettings(), CountingSettings()
    parameters = PmiEmbedding().get_params()
    for name in ("n_components", "method", "smoothing", "shift", "exponent", "context_weight",
                 "max_contexts", "epochs", "negative"):  # fmt: skip
        assert parameters[name] == getattr(below, name), name
    for name in ("window", "scope", "weighting"):
        assert parameters[name] == getattr(counting, name), name


def test_not_fitted(embedding):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        embedding.most_similar("好")


def test_rare_terms_alone(embedding):
    embedding.set_params(min_term_count=50)
    with pytest.raises(InvalidParameterError, match="No term occurs at least 50 times"):
        embedding.fit(TEXTS)


def test_no_text(embedding):
    with pytest.raises(InvalidInputError, match="The documents hold no term"):
        embedding.fit(["。", ""])
    with pytest.raises(InvalidInputError, match="not one string"):
        embedding.fit("今天")


@pytest.mark.parametrize(("changes", "message"), [
    ({"method": "glove"}, "method must be one of 'svd', 'word2vec'"),
    ({"window": 0}, "window .* must be an integer that is at least 1"),
    ({"weighting": "liner"}, "Did you mean 'linear'"),
    ({"min_term_count": 0}, "min_term_count must be an integer that is at least 1"),
    ({"max_terms": 0}, "max_terms must be an integer that is at least 1"),
    ({"lowercase": "yes"}, "lowercase must be True or False"),
    ({"random_state": "x"}, "random_state must be an integer"),
    ({"exponent": 2}, "exponent must be at least 0 and at most 1"),
])  # fmt: skip
def test_bad_parameters_are_told_on_fit(embedding, changes, message):
    embedding.set_params(**changes)
    with pytest.raises(InvalidParameterError, match=message):
        embedding.fit(TEXTS)
