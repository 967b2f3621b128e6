import logging
from pathlib import Path

import pytest

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import CharSegmenter, JiebaSegmenter
from nlpfeat.text.stopwords import read_stop_words, warn_of_unreachable

WORDS = ["的", "了", "THE", "Ａ股"]
TERMS = frozenset({"的", "了", "the", "a股"})


@pytest.mark.parametrize("form", [list, tuple, set, frozenset, iter, dict.fromkeys])
def test_any_iterable(form) -> None:
    assert read_stop_words(form(WORDS), Normalization()) == TERMS


def test_terms_are_those_of_the_tokens() -> None:
    assert read_stop_words(WORDS, Normalization(False, False)) == frozenset(WORDS)
    assert read_stop_words(WORDS, Normalization(lowercase=False)) == {"的", "了", "THE", "A股"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("as_string", [True, False])
def test_a_file(tmp_path: Path, encoding: str, as_string: bool) -> None:
    path = tmp_path / "stop.txt"
    path.write_bytes("的\r\n\r\n 了 \r\nTHE\r\n　\r\nＡ股".encode(encoding))
    assert read_stop_words(str(path) if as_string else path, Normalization()) == TERMS


def test_none_and_empty() -> None:
    assert read_stop_words(None, Normalization()) == frozenset()
    assert read_stop_words([], Normalization()) == frozenset()
    assert read_stop_words(["", "的"], Normalization()) == {"的"}


@pytest.mark.parametrize("word", [None, 5, float("nan"), b"x"])
def test_a_word_that_is_none(word: object) -> None:
    with pytest.raises(InvalidParameterError, match=r"stop_words must hold strings\. Got"):
        read_stop_words(["的", word], Normalization())


@pytest.mark.parametrize("words", [5, True, 1.5])
def test_what_is_no_collection(words: object) -> None:
    with pytest.raises(InvalidParameterError, match="stop_words must be a path or an iterable of"):
        read_stop_words(words, Normalization())


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"none\.txt"):
        read_stop_words(tmp_path / "none.txt", Normalization())


def test_words_that_are_cut_apart_are_named(caplog: pytest.LogCaptureFixture) -> None:
    words = frozenset({"人工智能技术", "的", "3-4", " "})
    with caplog.at_level(logging.WARNING):
        found = warn_of_unreachable(words, JiebaSegmenter())
    assert found == ["' '", "3-4 (3 - 4)", "人工智能技术 (人工智能 技术)"]
    assert "3 of 4 stop words are cut into several tokens" in caplog.text
    assert "Give them as user words (--user-word) too, or stop their parts." in caplog.text


def test_a_user_word_is_within_reach(caplog: pytest.LogCaptureFixture) -> None:
    segmenter = JiebaSegmenter(user_words=["人工智能技术"])
    assert warn_of_unreachable(frozenset({"人工智能技术", "的"}), segmenter) == []
    assert caplog.text == ""


def test_only_ten_are_shown(caplog: pytest.LogCaptureFixture) -> None:
    found = warn_of_unreachable(frozenset(f"甲{n}" for n in range(10, 22)), CharSegmenter())
    assert len(found) == 12
    assert "12 of 12" in caplog.text
    assert "甲19 (甲 1 9), …" in caplog.text


def test_a_word_that_the_dictionary_knows_in_upper_case_is_no_cut_word():
    assert warn_of_unreachable(frozenset({"t恤", "a股"}), JiebaSegmenter()) == []


def test_lines_with_their_ends_are_words() -> None:
    assert read_stop_words(["的\n", " 了 ", "\n"], Normalization()) == {"的", "了"}
