"""Vectors that are looked up, compared and saved."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nlpfeat.errors import InvalidInputError, InvalidParameterError, OutputError
from nlpfeat.io.matrices import load_arrays, save_arrays
from nlpfeat.vectors.similarity import cosines, ranked, row_norms
from nlpfeat.vectors.word_vectors import WordVectors

TERMS = ("一", "中", "坏", "大", "好")


@pytest.fixture
def vectors():
    matrix = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 4.0], [0.0, -2.0], [6.0, 8.0]])
    return WordVectors(TERMS, matrix, np.array([9, 2, 5, 2, 7]), {"method": "by hand"}, 25)


def test_similarity_by_hand(vectors):
    assert vectors.similarity("好", "坏") == 1.0
    assert vectors.similarity("中", "坏") == 0.6
    assert vectors.similarity("大", "坏") == -0.8
    assert vectors.similarity("中", "大") == 0.0


def test_zero_vector_is_near_nothing(vectors):
    assert [vectors.similarity("一", term) for term in TERMS] == [0.0] * 5
    assert vectors.most_similar("一") == [("好", 0.0), ("坏", 0.0), ("中", 0.0), ("大", 0.0)]


def test_most_similar_by_hand(vectors):
    assert vectors.most_similar("中", n=3) == [("好", 0.6), ("坏", 0.6), ("一", 0.0)]
    assert vectors.most_similar(["中", "大"], n=1) == [("一", 0.0)]
    # (1, 0) and (0.6, 0.8): their mean is (0.8, 0.4).
    (term, cosine), *_ = vectors.most_similar(["中", "坏"], n=1)
    assert (term, cosine) == ("好", pytest.approx(0.8 * 0.6 + 0.4 * 0.8, abs=0.2))
    assert cosine == pytest.approx(0.8 / np.hypot(0.8, 0.4), abs=1e-12)


def test_ties_without_frequencies_go_by_code_point(vectors):
    alone = WordVectors(TERMS, vectors.matrix)
    assert [term for term, _ in alone.most_similar("一")] == ["中", "坏", "大", "好"]


def test_n_beyond_the_vocabulary(vectors):
    assert len(vectors.most_similar("好", n=100)) == 4
    assert WordVectors(("好",), np.ones((1, 2))).most_similar("好") == []


def test_mapping(vectors):
    assert "好" in vectors
    assert "差" not in vectors
    assert None not in vectors
    assert list(vectors) == list(TERMS)
    assert (len(vectors), vectors.n_dims) == (5, 2)
    assert vectors["好"].tolist() == [6.0, 8.0]
    assert repr(vectors) == "<WordVectors of 5 terms, 2 dimensions: '一', '中', '坏', '大', '好'>"


def test_vectors_are_read_only_and_the_array_given_is_not():
    given_array = np.ones((1, 2))
    vectors = WordVectors(("好",), given_array)
    with pytest.raises(ValueError, match="read-only"):
        vectors["好"][0] = 3.0
    given_array[0, 0] = 1.0


@pytest.mark.parametrize("ask", [
    lambda v: v["好吃的"], lambda v: v.similarity("好吃的", "好"),
    lambda v: v.most_similar("好吃的"), lambda v: v.similarity("好", "好吃的"),
    lambda v: v.most_similar(["好", "好吃的"]),
])  # fmt: skip
def test_unknown_term_names_the_closest(ask):
    vectors = WordVectors(("好", "好吃"), np.ones((2, 1)))
    message = "must be one of the 2 that have a vector. Got '好吃的'. Did you mean '好吃'?"
    with pytest.raises(InvalidParameterError, match=message.replace("?", r"\?")):
        ask(vectors)


def test_bad_questions(vectors):
    with pytest.raises(InvalidParameterError, match=r"A term must be a string\. Got 3"):
        vectors[3]
    with pytest.raises(InvalidParameterError, match=r"needs at least one term\. Got none"):
        vectors.most_similar([])
    with pytest.raises(InvalidParameterError, match="n must be an integer that is at least 1"):
        vectors.most_similar("好", n=0)


def test_bad_parts():
    with pytest.raises(InvalidInputError, match="distinct and in code-point order"):
        WordVectors(("好", "坏"), np.ones((2, 1)))
    with pytest.raises(InvalidInputError, match="distinct and in code-point order"):
        WordVectors(("好", "好"), np.ones((2, 1)))
    with pytest.raises(InvalidInputError, match=r"row for each of the 1 terms\. Got 2 rows"):
        WordVectors(("好",), np.ones((2, 1)))
    with pytest.raises(InvalidInputError, match=r"term_frequencies must be int64.* float64"):
        WordVectors(("好",), np.ones((1, 1)), np.ones(1))
    with pytest.raises(InvalidInputError, match="Got 1 rows and 2 frequencies"):
        WordVectors(("好",), np.ones((1, 1)), np.array([1, 2]))
    with pytest.raises(InvalidInputError, match=r"float32 or float64, one row a term. Got int64"):
        WordVectors(("好",), np.ones((1, 1), dtype=np.int64))
    with pytest.raises(InvalidInputError, match="The row of '好' is not"):
        WordVectors(("坏", "好"), np.array([[1.0], [np.nan]]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_equal_rows_tie_wherever_they_stand(dtype):
    generator = np.random.default_rng(0)
    matrix = generator.normal(size=(101, 37)).astype(dtype)
    matrix[1:] = matrix[1]
    found = cosines(matrix, row_norms(matrix), matrix[0])
    assert len(set(found[1:].tolist())) == 1
    assert ranked(found, None, 5).tolist() in ([0, 1, 2, 3, 4], [1, 2, 3, 4, 5])


@given(
    arrays(np.float64, (6, 3), elements=st.floats(-1e3, 1e3)),
    st.sampled_from([np.float32, np.float64]),
)
def test_cosines_are_those_of_plain_numbers(matrix, dtype):
    matrix = matrix.astype(dtype)
    found = cosines(matrix, row_norms(matrix), matrix[0])
    for row, cosine in zip(matrix.astype(float), found.tolist()):
        product = float(row @ matrix[0].astype(float))
        length = float(np.linalg.norm(row) * np.linalg.norm(matrix[0].astype(float)))
        assert -1.0 <= cosine <= 1.0
        if length > 1e-30:
            assert cosine == pytest.approx(product / length, abs=2e-6)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, -np.inf]), min_size=1), st.integers(1, 9))
def test_ranked_is_a_stable_sort(values, n_first):
    counts = [(7 * place) % 3 for place in range(len(values))]
    wanted = sorted(
        (place for place, value in enumerate(values) if value > -np.inf),
        key=lambda place: (-values[place], -counts[place], place),
    )
    found = ranked(np.array(values), np.array(counts), n_first)
    assert found.tolist() == wanted[:n_first]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_save_and_load(tmp_path, vectors, dtype):
    saved = WordVectors(TERMS, vectors.matrix.astype(dtype), vectors.term_frequencies,
                        {"window": 5, "weighting": [1.0, 0.5]}, 25)  # fmt: skip
    saved.save(tmp_path / "words.npz")
    saved.save(tmp_path / "again.npz")
    assert (tmp_path / "words.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    loaded = WordVectors.load(tmp_path / "words.npz")
    assert loaded.terms == TERMS
    assert loaded.matrix.dtype == dtype
    assert loaded.matrix.tolist() == saved.matrix.tolist()
    assert loaded.term_frequencies.tolist() == [9, 2, 5, 2, 7]
    assert (loaded.settings, loaded.n_tokens) == ({"window": 5, "weighting": [1.0, 0.5]}, 25)


def test_saved_file_says_what_made_it(tmp_path, vectors):
    WordVectors(TERMS, vectors.matrix).save(tmp_path / "words.npz")
    members, texts, metadata = load_arrays(tmp_path / "words.npz")
    assert metadata["made_with"].startswith("nlpfeat ")
    assert (list(members), texts) == (["matrix"], {"terms": list(TERMS)})
    assert WordVectors.load(tmp_path / "words.npz").term_frequencies is None


def test_pickles_hold_no_more_than_what_was_given(vectors):
    before = pickle.dumps(vectors)
    vectors.most_similar("好")
    assert vectors.similarity("好", "坏") == 1.0
    assert pickle.dumps(vectors) == before
    copy = pickle.loads(before)
    assert copy.terms == TERMS
    assert copy.matrix.tolist() == vectors.matrix.tolist()
    assert copy.term_frequencies.tolist() == vectors.term_frequencies.tolist()
    assert (copy.settings, copy.n_tokens) == (vectors.settings, vectors.n_tokens)
    assert copy.most_similar("好") == vectors.most_similar("好")
    with pytest.raises(ValueError, match="read-only"):
        copy["好"][0] = 3.0


@pytest.mark.parametrize(("changes", "message"), [
    ({"ends": np.array([3, 6, 9, 12])}, "ends of the terms do not fit"),
    ({"matrix": np.ones((4, 2))}, "row for each of the 5 terms. Got 4 rows"),
    ({"matrix": np.full((5, 2), np.nan)}, "The row of '一' is not"),
    ({"term_frequencies": np.ones(4, np.int64)}, "Got 5 rows and 4 frequencies"),
])  # fmt: skip
def test_crafted_states(vectors, changes, message):
    with pytest.raises(InvalidInputError, match=message):
        WordVectors.__new__(WordVectors).__setstate__({**vectors.__getstate__(), **changes})


def test_foreign_and_damaged_files(tmp_path):
    path = tmp_path / "words.npz"
    save_arrays(path, {}, {}, {"kind": "other"})
    with pytest.raises(InvalidInputError, match="holds no word vectors"):
        WordVectors.load(path)
    metadata = {"kind": "nlpfeat.WordVectors", "settings": {}, "n_tokens": 0}
    save_arrays(path, {"matrix": np.ones((2, 2))}, {"terms": ["好"]}, metadata)
    with pytest.raises(InvalidInputError, match="its parts do not fit together"):
        WordVectors.load(path)
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(InvalidInputError, match=r"damaged or no \.npz file"):
        WordVectors.load(path)


def test_settings_that_json_cannot_hold(tmp_path):
    vectors = WordVectors(("好",), np.ones((1, 1)), settings={"window": (1, 2)})
    with pytest.raises(InvalidParameterError, match="must come back from JSON"):
        vectors.save(tmp_path / "words.npz")
    with pytest.raises(OutputError, match="does not exist"):
        WordVectors(("好",), np.ones((1, 1))).save(tmp_path / "nowhere" / "words.npz")
