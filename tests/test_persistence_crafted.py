"""Files whose arrays do not fit together: refused by name, before compiled code reads them."""

import numpy as np
import pytest
from estimators import ALL, fitted, learned_with_priors, loaded, saved

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


def with_nan(array):
    changed = array.copy()
    changed.flat[-1] = np.nan
    return changed


def first_entry(value):
    """Return what makes the first entry of an array another number."""

    def change(array):
        changed = array.copy()
        changed.flat[0] = value
        return changed

    return change


# Of each prior: an attribute, what is done to it, and what the message says of it.
PRIORS = {
    "embedding": [
        ("vectors", with_nan, "vectors must be an array of finite float32.*that are not finite"),
        ("vectors", lambda each: each.astype(np.float64), "Got float64 of shape"),
        ("vectors", lambda each: each[:, 0], r"shape \(V \+ 1, width\)"),
        ("vectors", lambda each: each + 1, "vectors must be rows, the last of them 0"),
        ("query", lambda _: np.eye(2, dtype=np.float32), "query must be .*with width = "),
        ("query", lambda each: "text", "query must be .*, or None"),
        ("deviation", lambda _: float("nan"), "scale must be a finite number above 0"),
    ],
    "expert": [
        (
            "pool",
            lambda _: np.full((1, 2), np.nan, np.float32),
            "pool must be an array of finite float32",
        ),
        ("pool", lambda each: each[:, :1], "at most 0, of two classes or more"),
        ("temperature", lambda _: float("nan"), "temperature must be a finite number above 0"),
        ("temperature", lambda _: 0.0, "temperature must be a finite number above 0"),
        ("placebo", lambda _: 3, "pool must be the log-probabilities of documents"),
        ("deviation", lambda _: float("inf"), "scale must be a finite number above 0"),
    ],
    "key": [
        ("log_weights", with_nan, "log_weights must be an array of finite float32"),
        ("log_weights", lambda each: each.astype(np.int64), "Got int64 of shape"),
        ("log_weights", lambda each: each[:0], r"log_weights must be V \+ 1 numbers"),
        ("times_frequency", lambda _: 2, "times_frequency must be True or False"),
        ("deviation", lambda _: None, "scale must be a finite number above 0"),
    ],
    "pmi": [
        ("values", with_nan, "values must be an array of finite float32"),
        ("values", lambda each: -each, "values must be above 0"),
        ("values", lambda each: each[1:], "values must be .*with cells = "),
        ("keys", lambda each: each[::-1].copy(), "keys must be ascending"),
        ("keys", lambda each: each.astype(np.int32), "keys must be an array of finite int64"),
        ("n_terms", lambda _: 1, "keys must be ascending"),
        ("n_terms", lambda _: "1", "n_terms must be an integer"),
        ("deviation", lambda _: -1.0, "scale must be a finite number above 0"),
    ],
    "pmi of low rank": [
        ("left", with_nan, "left must be an array of finite float32"),
        ("right", lambda each: each[:, :1], "right must be .*rank = 2"),
        ("right", lambda each: each[1:], r"right must be .*V \+ 1 = "),
        ("right", lambda each: each + 1, "right must be rows, the last of them 0"),
        ("share", lambda _: 1.5, "share must be from 0 to 1"),
    ],
    "topic": [
        ("components", with_nan, "components must be an array of finite float64"),
        ("components", first_entry(0.0), "components must be numbers above 0"),
        ("topic_weights", lambda each: each[1:], "topic_weights must be .*with K = "),
        ("form", lambda _: "lifts", "form must be one of"),
    ],
    "wide": [
        ("ratios", with_nan, "ratios must be an array of finite float32.*that are not finite"),
        ("ratios", lambda each: each * np.float32(np.inf), "ratios must be an array of finite"),
        ("ratios", lambda each: each[:, 1:], "spaces must be spaces for 2 units and"),
        ("units", lambda each: each[:1], "spaces must be spaces for 1 units"),
        ("units", lambda _: ("char", "page"), "units must be one of 'word', 'char'"),
        ("spaces", lambda _: (1, 2), "spaces must be spaces of n-grams"),
    ],
}
CHANGES = [(name, *change) for name, changes in PRIORS.items() for change in changes]


def test_each_kind_of_fitted_prior_is_tried():
    assert PRIORS.keys() == learned_with_priors().keys()


@pytest.mark.parametrize(
    ("name", "attribute", "change", "message"),
    CHANGES,
    ids=[f"{number}-{each[0]}-{each[1]}" for number, each in enumerate(CHANGES)],
)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # 0 times infinity
def test_fitted_priors(name, attribute, change, message):
    """A number that is not finite would make all probabilities NaN, without a word."""
    classifier = loaded(saved(learned_with_priors()[name]))
    prior = classifier.priors_[0].fitted
    state = vars(prior)
    assert vars(state_of(type(prior), dict(state))).keys() == state.keys()
    state[attribute] = change(state[attribute])
    with pytest.raises((InvalidInputError, InvalidParameterError), match=message):
        state_of(type(prior), dict(state))
    with pytest.raises(InvalidInputError, match="cannot load 'stream': it is damaged"):
        loaded(saved(classifier))


@pytest.mark.parametrize("name", PRIORS)
def test_a_part_of_a_fitted_prior_is_missing(name):
    classifier = loaded(saved(learned_with_priors()[name]))
    state = vars(classifier.priors_[0].fitted)
    del state[next(iter(state))]
    with pytest.raises(InvalidInputError, match="cannot load 'stream': it is damaged"):
        loaded(saved(classifier))


@pytest.mark.parametrize(
    ("name", "attribute", "change"),
    [
        ("key", "log_weights", lambda each: np.append(each, each[:1])),
        ("embedding", "vectors", lambda each: each[1:]),
        ("pmi", "n_terms", lambda each: each**2),
        ("topic", "components", lambda each: np.hstack([each, each[:, :1]])),
        ("wide", "ratios", lambda each: np.concatenate([each, each])),
    ],
    ids=["key", "embedding", "pmi", "topic", "wide"],
)
def test_a_fitted_prior_of_other_terms_or_classes(name, attribute, change):
    """Sound in itself, but its numbers would go to the wrong terms."""
    classifier = loaded(saved(learned_with_priors()[name]))
    state = vars(classifier.priors_[0].fitted)
    state[attribute] = change(state[attribute])
    with pytest.raises(InvalidInputError, match=r"(must be for|do not fit its settings)"):
        loaded(saved(classifier)).predict(["好"])
