"""Texts that were broken at a fixed width: told from others, and put together again."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat import count_cooccurrences, load_everyday
from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.wrapped_lines import are_wrapped, paragraphs

TEXT = "".join(load_everyday())


def wrapped(text, width):
    return [text[at : at + width] for at in range(0, len(text), width)]


@pytest.mark.parametrize("width", [15, 20, 40, 78])
def test_a_fixed_width_is_seen(width):
    assert are_wrapped(wrapped(TEXT, width))
    # Paragraphs of three lines, the last of them shorter, and blank lines between.
    lines = []
    for at in range(0, 80 * width, 3 * width):
        lines += [*wrapped(TEXT[at : at + 3 * width - 5], width), "", ""]
    assert are_wrapped(lines)


def test_sentences_verse_and_short_texts_are_not_wrapped():
    assert not are_wrapped(list(load_everyday()))
    assert not are_wrapped(wrapped(TEXT, 7))
    assert not are_wrapped(wrapped(TEXT, 20)[:40])
    assert not are_wrapped([])
    assert not are_wrapped(
        ["他说了一句很长很长的话然后就走了出去。"] * 100
    )  # of one length, but whole


def in_one(*batches):
    return [paragraph for batch in paragraphs(batches) for paragraph in batch]


def test_paragraphs_by_hand():
    assert in_one(["甲", "乙", "", " ", "丙", "\t丁", "戊 "]) == [
        (1, "甲乙"),
        (5, "丙"),
        (6, "丁戊"),
    ]
    assert in_one(["an", "apple", "3.", "14", "茶", "tea"]) == [(1, "an apple3.14茶tea")]
    assert in_one([], [""], ["　"]) == []


@given(st.lists(st.lists(st.sampled_from(["天气", "　好", "", " ", "ab", "。"])), max_size=6))
def test_where_lines_are_read_in_parts_changes_nothing(batches):
    whole = [line for batch in batches for line in batch]
    assert in_one(*batches) == in_one(whole)
    texts = "".join(text for _, text in in_one(whole)).replace(" ", "")
    assert texts == "".join("".join(whole).split())
    for number, text in in_one(whole):
        assert text.startswith(whole[number - 1].strip())


def test_paragraphs_of_a_wrapped_file_are_counted_as_the_text_itself(tmp_path):
    texts = list(load_everyday())[:200]
    path = tmp_path / "a.txt"
    lines = [line for text in texts for line in wrapped(f"　　{text}", 18)]
    path.write_text("\n".join(lines), encoding="utf-8")
    corpus = Corpus(path, unit="paragraph")
    assert list(corpus) == [text.strip() for text in texts]
    assert count_cooccurrences(corpus).total == count_cooccurrences(texts).total
    assert next(iter(corpus.documents())).id == f"{path}:1"


def test_it_is_told(tmp_path, caplog):
    path = tmp_path / "a.txt"
    path.write_text("\n".join(wrapped(TEXT, 30)), encoding="utf-8")
    with caplog.at_level(logging.WARNING, "nlpfeat"):
        list(Corpus(path, unit="paragraph"))
        assert "wrapped" not in caplog.text
        list(Corpus(path))
        assert "a.txt seems to be wrapped at a fixed width" in caplog.text


def test_tables_have_rows(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text\n茶\n", encoding="utf-8")
    with pytest.raises(InvalidParameterError, match=r"unit must be 'line' for tables.*'paragraph'"):
        list(Corpus(path, unit="paragraph"))
