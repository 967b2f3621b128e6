import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.text.characters import is_blank
from nlpfeat.text.segmenters import CharSegmenter, WhitespaceSegmenter

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def test_characters() -> None:
    assert CharSegmenter().segment("今天 很好！😀\u3000\ufeff𠮷a1\r\n") == list("今天很好！😀𠮷a1")
    assert CharSegmenter().segment("") == []


def test_white_space_separates() -> None:
    text = "\ufeff 今天　天气\t很\u2028好 3.5% C++\u200b \u200b\r\n"
    assert WhitespaceSegmenter().segment(text) == ["今天", "天气", "很", "好", "3.5%", "C++\u200b"]
    assert WhitespaceSegmenter().segment(" \t ") == []


@pytest.mark.parametrize("segmenter", [CharSegmenter(), WhitespaceSegmenter()])
@given(texts=st.lists(TEXT, max_size=4))
def test_a_batch_is_its_texts_and_blanks(segmenter, texts: list[str]) -> None:
    batch = segmenter.cut_batch(texts)
    assert [[piece for piece in pieces if not is_blank(piece)] for pieces in batch] == [
        segmenter.segment(text) for text in texts
    ]


@given(TEXT)
def test_nothing_is_lost(text: str) -> None:
    solid = "".join(character for character in text if not is_blank(character))
    assert "".join(CharSegmenter().segment(text)) == solid
    kept = "".join(WhitespaceSegmenter().segment(text))
    assert "".join(character for character in kept if not is_blank(character)) == solid


@pytest.mark.parametrize("segmenter", [CharSegmenter(), WhitespaceSegmenter()])
def test_they_pickle(segmenter) -> None:
    copy = pickle.loads(pickle.dumps(segmenter))
    assert copy.segment("今 天") == segmenter.segment("今 天")
