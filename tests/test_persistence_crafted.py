"""Files whose arrays do not fit together: refused by name, before compiled code reads them."""

import numpy as np
import pytest
from estimators import ALL, fitted, loaded, saved

from nlpfeat import LdaTransformer, PmiEmbedding, Vocabulary, load, save
from nlpfeat.counts.ngrams import NgramSpace
from nlpfeat.counts.positions import PositionSettings, PositionSpace
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.persistence import loading
from nlpfeat.vectors.word_vectors import WordVectors

TEXT = np.frombuffer("坏好".encode(), np.uint8)
SOUND = {
    "text": TEXT,
    "ends": np.array([3, 6]),
    "term_frequencies": np.array([4, 5]),
    "document_frequencies": np.array([1, 2]),
}


def state_of(kind, state):
    """Make an object as pickle and skops do."""
    made = kind.__new__(kind)
    made.__setstate__(state)
    return made


def test_the_sound_state():
    vocabulary = state_of(Vocabulary, SOUND)
    assert vocabulary.terms == ("坏", "好")
    assert vocabulary.__getstate__().keys() == SOUND.keys()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ends": np.array([6, 3])}, "ends of the terms do not fit their text"),
        ({"ends": np.array([3, 7])}, "ends of the terms do not fit their text"),
        ({"ends": np.array([3])}, "ends of the terms do not fit their text"),
        ({"ends": np.array([-3, 6])}, "ends of the terms do not fit their text"),
        ({"ends": np.array([3.0, 6.0])}, "ends of the terms do not fit their text"),
        ({"ends": np.array([[3, 6]])}, "ends of the terms do not fit their text"),
        ({"ends": np.empty(0, np.int64)}, "ends of the terms do not fit their text"),
        ({"text": TEXT.astype(np.int64)}, "ends of the terms do not fit their text"),
        ({"ends": np.array([1, 6])}, "The text of the terms is no UTF-8"),
        ({"text": TEXT[[3, 4, 5, 0, 1, 2]]}, "terms must be distinct and in code-point order"),
        ({"text": TEXT[[0, 1, 2, 0, 1, 2]]}, "terms must be distinct and in code-point order"),
        ({"term_frequencies": np.array([4])}, "term_frequencies of a vocabulary must be 2 integ"),
        ({"document_frequencies": np.array([1.0, 2.0])}, "document_frequencies of a vocab"),
        ({"document_frequencies": np.array([1, -2])}, "document_frequencies of a vocab"),
    ],
)
def test_vocabularies(changes, message):
    with pytest.raises(InvalidInputError, match=message):
        state_of(Vocabulary, {**SOUND, **changes})


NGRAMS, _ = NgramSpace.from_names(["好 坏", "坏"], (1, 2), " ")
YES = np.ones(1, dtype=np.bool_)


@pytest.mark.parametrize(
    "changes",
    [
        {"keys": (np.array([4]),)},  # of two terms, 3 is the highest
        {"keys": (np.array([-1]),)},
        {"keys": (np.array([1.0]),)},
        {"keys": (np.array([[1]]),)},
        {"keys": (np.array([2, 1]),), "is_column": (NGRAMS.is_column[0], np.array([True, True]))},
        {"keys": ()},
        {"keys": (np.array([1]), np.array([1])), "is_column": (*NGRAMS.is_column, YES)},
        {"is_column": (YES, YES)},
        {"is_column": (np.array([1, 0]), YES)},
    ],
)
def test_ngrams(changes):
    state = NGRAMS.__getstate__()
    assert state_of(NgramSpace, state).names() == ["坏", "好 坏"]
    with pytest.raises(InvalidInputError, match="n-grams do not fit their terms"):
        state_of(NgramSpace, {**state, **changes})


def test_lengths_of_ngrams():
    with pytest.raises(InvalidParameterError, match="ngram_range must have the shortest"):
        state_of(NgramSpace, {**NGRAMS.__getstate__(), "ngram_range": (2, 1)})


POSITIONS, _ = PositionSpace.from_names(["0:好", "1:坏"], PositionSettings())


@pytest.mark.parametrize("keys", [[3, 1], [-1, 1], [1, 1], [1, 2**33], [[1]], [1.0]])
def test_positions(keys):
    state = vars(POSITIONS)
    assert state_of(PositionSpace, state).names() == ["0:好", "1:坏"]
    with pytest.raises(InvalidInputError, match="positions do not fit their terms"):
        state_of(PositionSpace, {**state, "keys": np.array(keys)})


def test_positions_without_terms():
    nothing = Vocabulary((), *np.zeros((2, 0), dtype=np.int64))
    with pytest.raises(InvalidInputError, match="positions do not fit their terms"):
        state_of(PositionSpace, {**vars(POSITIONS), "vocabulary": nothing})


def crafted(estimator, **changes):
    """Return the file of an estimator whose attributes were changed."""
    copy = loaded(saved(estimator))
    vars(copy).update(changes)
    return saved(copy)


def test_a_file_is_refused_by_its_name(tmp_path):
    lda = fitted(ALL["topics"])
    narrow = lda.components_[:, :2]
    path = tmp_path / "topics.skops"
    path.write_bytes(crafted(lda, components_=narrow))
    with pytest.raises(InvalidInputError, match=r"topics.skops': it is damaged.* Got 2: fit again"):
        load(path)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("mean rows", lambda rows: rows.indices.__setitem__(0, 1 << 30)),
        ("mean rows", lambda rows: rows.indptr.__setitem__(1, 1 << 30)),
        ("mean rows", lambda rows: rows[:, :2]),
        ("mean vectors", lambda vectors: vectors[:2]),
        ("mean vectors", lambda vectors: vectors[0]),
    ],
)
def test_vectors_of_terms(name, change):
    estimator = fitted(ALL[name])
    vectors = estimator.term_vectors_.copy()
    changed = change(vectors)
    data = crafted(estimator, term_vectors_=vectors if changed is None else changed)
    with pytest.raises(InvalidInputError, match="cannot load 'stream': it is damaged"):
        loaded(data)


def test_use_changes_no_byte():
    embedding = PmiEmbedding(3, min_term_count=1, random_state=0).fit([list("今天好坏")])
    data = saved(embedding)
    assert embedding.most_similar("天")
    assert "好" in embedding.vectors_
    assert saved(embedding) == data
    assert loaded(data).most_similar("天") == embedding.most_similar("天")


def test_many_word_vectors_are_saved_in_little_time():
    n_terms = 50_000
    terms = tuple(sorted(chr(0x4E00 + n // 300) + chr(0x4E00 + n % 300) for n in range(n_terms)))
    embedding = PmiEmbedding()
    embedding.vectors_ = WordVectors(terms, np.ones((n_terms, 2)))
    assert len(saved(embedding)) < n_terms * 40  # a term stands in no file of its own


def test_too_little_memory_is_no_damage(monkeypatch, tmp_path):
    def fails(*args, **kwargs):
        raise MemoryError("no room")

    save(LdaTransformer(), tmp_path / "lda.skops")
    monkeypatch.setattr(LdaTransformer, "__setstate__", fails)
    with pytest.raises(MemoryError, match="no room"):
        load(tmp_path / "lda.skops")
    assert MemoryError not in loading._DAMAGE
