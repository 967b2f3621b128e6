import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.text.characters import (
    CLOSERS,
    SENTENCE_ENDS,
    character_table,
    is_blank,
    is_punctuation,
    texts_holding,
)


@pytest.mark.parametrize(
    "piece",
    ["", " ", "\t", "\r\n", "\u3000", "\ufeff", "\u200b", "\u200d", "\xa0", "\x00", "\x85",
     "\u2028", "\u2029", "\u00ad", "\x1f", " \u3000\ufeff"],
)  # fmt: skip
def test_blanks(piece: str) -> None:
    assert is_blank(piece)
    assert not is_blank(piece + "好")


@pytest.mark.parametrize("piece", ["好", "。", "a", "+", "😀", "\ufffd", "\u0301", "\ue000", "㐀"])
def test_what_is_not_blank(piece: str) -> None:
    assert not is_blank(piece)


def test_all_that_python_calls_space_is_blank() -> None:
    assert all(is_blank(chr(point)) for point in range(0x110000) if chr(point).isspace())


@pytest.mark.parametrize("piece", ["，", "。", "……", "——", "“", "）", "《", "%", "&", "#", "！？"])
def test_punctuation(piece: str) -> None:
    assert is_punctuation(piece)
    assert not is_punctuation(piece + "a")


@pytest.mark.parametrize("piece", ["", "+", "<", "=", "$", "￥", "℃", "😀", "好", "3.5", "①", " "])
def test_symbols_and_words_are_no_punctuation(piece: str) -> None:
    assert not is_punctuation(piece)


def test_ends_and_closers_are_punctuation() -> None:
    assert all(map(is_punctuation, SENTENCE_ENDS | CLOSERS))
    assert SENTENCE_ENDS.isdisjoint(CLOSERS)
    assert set("。！？；…!?;") <= SENTENCE_ENDS
    assert SENTENCE_ENDS.isdisjoint(".．，、：,:—")
    # Every closing bracket and quote of Unicode's CJK and full-width blocks is a closer.
    blocks = [*range(0x3000, 0x3040), *range(0xFF00, 0xFF60)]
    closing = {chr(point) for point in blocks if unicodedata.category(chr(point)) == "Pe"}
    assert closing - {"\u301e", "\u301f", "｠"} <= CLOSERS


def test_texts_holding_digits() -> None:
    table = character_table(lambda unit: chr(unit).isdigit())
    assert table.shape == (65536,)
    assert np.flatnonzero(table[:128]).tolist() == list(range(48, 58))
    assert texts_holding(["a", "1", "", "a2", "好"], table) == [1, 3]
    assert texts_holding([], table) == texts_holding([""], table) == []
    assert texts_holding(["a"] * 9, table) == []
    assert texts_holding(["a\n1", "b"], table) == [0, 1]  # a line feed inside: all of them


@given(st.lists(st.text("a1好\u3400😀\ud800\r"), max_size=8))
def test_against_a_look_at_each_text(texts: list[str]) -> None:
    table = character_table(lambda unit: chr(unit) in "1\u3400" or 0xD800 <= unit <= 0xDFFF)
    expected = [place for place, text in enumerate(texts) if set(text) & set("1\u3400😀\ud800")]
    assert texts_holding(texts, table) == expected
