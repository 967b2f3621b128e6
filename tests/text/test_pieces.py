from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.text import pieces as pieces_module
from nlpfeat.text.pieces import into_pieces
from nlpfeat.text.segmenters import (
    CharSegmenter,
    FunctionSegmenter,
    JiebaSegmenter,
    WhitespaceSegmenter,
)


def test_lines_of_texts() -> None:
    taken = into_pieces(["今天\n天气", "好", "", "\r\n", "a\rb\n\nc\n"])
    assert taken.pieces == ["今天", "天气", "好", "", "", "", "a", "b", "", "c", ""]
    assert taken.document_ends == [2, 3, 4, 6, 11]
    assert taken.line_ends == list(range(1, 12))


def test_texts_of_one_line_are_kept() -> None:
    texts = ["今天", "", "a\u2028b\x0bc\x85d"]
    taken = into_pieces(texts)
    assert taken.pieces is texts
    assert (taken.document_ends, taken.line_ends) == (None, [])


@given(st.lists(st.text("甲a。\r\n"), max_size=5))
def test_nothing_is_lost(texts: list[str]) -> None:
    taken = into_pieces(texts)
    ends = taken.document_ends or list(range(1, len(texts) + 1))
    for text, (start, end) in zip(texts, pairwise([0, *ends])):
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert taken.pieces[start:end] == lines
    assert taken.document_ends is None or set(taken.document_ends) <= set(taken.line_ends)


def test_long_lines_are_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_module, "_LONGEST_PIECE", 5)
    taken = into_pieces(["今天天气很好，我们去公园。3.5%的人", "好"])
    assert "".join(taken.pieces) == "今天天气很好，我们去公园。3.5%的人好"
    assert len(taken.pieces) > 2
    assert taken.document_ends == [len(taken.pieces) - 1, len(taken.pieces)]
    assert taken.line_ends == taken.document_ends


LONG = "今天天气很好，我们去公园C++。买3.5%的T恤！他说：“走了”……型号A/B已到货 㐀𠮷😀 好，"


@pytest.mark.parametrize("limit", [1, 2, 7, 30])
@pytest.mark.parametrize(
    "segmenter",
    [
        CharSegmenter(),
        JiebaSegmenter(),
        JiebaSegmenter(user_words=["型号A/B", "很好，我们"]),
        WhitespaceSegmenter(),
        FunctionSegmenter(lambda text: text.split("。") if text else []),
    ],
    ids=["characters", "jieba", "user words", "white space", "function"],
)
def test_no_token_changes(segmenter, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = LONG * 3
    monkeypatch.setattr(pieces_module, "_LONGEST_PIECE", limit)
    pieces = into_pieces([text], segmenter.separators).pieces
    tokens = [token for piece in pieces for token in segmenter.segment(piece)]
    assert tokens == segmenter.segment(text)
