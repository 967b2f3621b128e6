"""The text format of word2vec, written and read."""

import gzip

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nlpfeat.errors import EncodingError, InvalidInputError, InvalidParameterError
from nlpfeat.vectors.word_vectors import WordVectors


@pytest.fixture
def vectors():
    matrix = np.array([[0.1, -2.5], [1e-30, 3.0]], dtype=np.float32)
    return WordVectors(("坏", "好"), matrix, np.array([1, 4]))


def test_bytes_by_hand(tmp_path, vectors):
    vectors.save_text(tmp_path / "words.txt")
    assert (tmp_path / "words.txt").read_text("utf-8") == "2 2\n好 1e-30 3.0\n坏 0.1 -2.5\n"


def test_without_frequencies_in_code_point_order(tmp_path):
    WordVectors(("坏", "好"), np.eye(2)).save_text(tmp_path / "words.txt")
    assert (tmp_path / "words.txt").read_text("utf-8") == "2 2\n坏 1.0 0.0\n好 0.0 1.0\n"


@pytest.mark.parametrize("name", ["words.txt", "words.txt.gz"])
def test_gensim_reads_what_we_write(tmp_path, vectors, name):
    vectors.save_text(tmp_path / name)
    read = KeyedVectors.load_word2vec_format(str(tmp_path / name))
    assert read.index_to_key == ["好", "坏"]
    assert read["坏"].tolist() == vectors["坏"].tolist()


@pytest.mark.parametrize("name", ["words.txt", "words.txt.gz"])
def test_we_read_what_gensim_writes(tmp_path, name):
    theirs = KeyedVectors(3)
    theirs.add_vectors(["好", "坏"], np.array([[1, 2.5, -3], [0.1, 0, 7]], dtype=np.float32))
    theirs.save_word2vec_format(str(tmp_path / name))
    ours = WordVectors.load_text(tmp_path / name)
    assert (ours.terms, ours.matrix.dtype) == (("坏", "好"), np.float32)
    assert ours["好"].tolist() == [1.0, 2.5, -3.0]


def test_compressed_bytes_hold_no_date_and_no_name(tmp_path, vectors):
    vectors.save_text(tmp_path / "one.txt.gz")
    vectors.save_text(tmp_path / "two.TXT.GZ")
    assert (tmp_path / "one.txt.gz").read_bytes() == (tmp_path / "two.TXT.GZ").read_bytes()


@given(st.data())
def test_numbers_read_back_equal(tmp_path_factory, data):
    dtype = data.draw(st.sampled_from([np.float32, np.float64]))
    finite = st.floats(-(2.0**60), 2.0**60, width=32 if dtype is np.float32 else 64)
    matrix = data.draw(arrays(dtype, (3, 2), elements=finite))
    path = tmp_path_factory.mktemp("words") / "words.txt"
    WordVectors(("一", "二", "天"), matrix).save_text(path)
    loaded = WordVectors.load_text(path, dtype=np.dtype(dtype).name)
    assert loaded.terms == ("一", "二", "天")
    assert loaded.matrix.tolist() == matrix.tolist()


@pytest.mark.parametrize("term", ["", "好 坏", "好\u3000坏", "好\n", "\u2028"])
def test_white_space_is_refused(tmp_path, term):
    with pytest.raises(InvalidParameterError, match=r"hold no white space.*use save\(\)"):
        WordVectors((term,), np.ones((1, 1))).save_text(tmp_path / "words.txt")
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_written(tmp_path, vectors):
    with pytest.raises(InvalidParameterError, match="UTF-8 can write"):
        WordVectors(("\ud800",), np.ones((1, 1))).save_text(tmp_path / "words.txt")
    with pytest.raises(InvalidParameterError, match=r"plain or as \.gz\. Got .*words\.xz"):
        vectors.save_text(tmp_path / "words.xz")


@pytest.mark.parametrize(("text", "message"), [
    ("", "line 1 must hold the number of words"),
    ("好 0.1 0.2\n", "line 1 must hold .* Got '好 0.1 0.2'. Vectors of GloVe lack this line"),
    ("2 -1\n", "line 1 must hold the number of words"),
    ("2 2\n好 1 2\n", "ends after line 2; its header promises 2 words and it holds 1"),
    ("1 2\n好 1 2\n坏 1 2\n", "line 3 is one more than the 1 words of the header"),
    ("2 2\n好 1 2\n坏 1\n", "line 3 must hold a word and 2 numbers.* Got 1 after '坏'"),
    ("2 2\n好 1 2\n坏 1 2 3\n", "line 3 must hold a word and 2 numbers.* Got 3 after '坏'"),
    ("1 2\n好 1  2\n", "line 2 must hold a word and 2 numbers"),
    ("2 2\n好 1 2\n\n", "line 3 must hold a word and 2 numbers.* Got 0 after ''"),
    ("1 2\n 1 2\n", "line 2 must hold a word"),
    ("2 1\n好 1\n坏 x\n", "line 3 must hold numbers after the word '坏'"),
    ("1 1\n好 nan\n", "line 2 must hold finite numbers after the word '好'"),
    ("1 1\n好 -inf\n", "line 2 must hold finite numbers"),
    ("1 1\n好 1e50\n", "line 2 must hold finite numbers"),
    ("2 1\n好 1\n好 1\n", "line 3 repeats the word '好' of line 2"),
])  # fmt: skip
def test_damage_is_named_by_its_line(tmp_path, text, message):
    path = tmp_path / "words.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidInputError, match=message):
        WordVectors.load_text(path)


def test_a_space_at_the_end_of_lines_and_windows_line_ends(tmp_path):
    (tmp_path / "words.txt").write_bytes("2 2 \r\n好 1 2 \r\n坏 3 4 \r\n".encode())
    loaded = WordVectors.load_text(tmp_path / "words.txt")
    assert loaded.matrix.tolist() == [[3.0, 4.0], [1.0, 2.0]]


def test_damaged_bytes(tmp_path):
    path = tmp_path / "words.txt.gz"
    path.write_bytes(gzip.compress("1 1\n好 1\n".encode())[:-9])
    with pytest.raises(InvalidInputError, match="is cut short"):
        WordVectors.load_text(path)
    (tmp_path / "gbk.txt").write_bytes("1 1\n好 1\n".encode("gbk"))
    with pytest.raises(EncodingError, match=r"gbk\.txt"):
        WordVectors.load_text(tmp_path / "gbk.txt")
    with pytest.raises(InvalidInputError, match="Cannot read"):
        WordVectors.load_text(tmp_path / "none.txt")
    with pytest.raises(InvalidParameterError, match="dtype must be one of 'float32', 'float64'"):
        WordVectors.load_text(path, dtype="float16")
