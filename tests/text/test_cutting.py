from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import InvalidInputError
from nlpfeat.text.characters import is_blank
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.cutting import cut_documents, cut_lines
from nlpfeat.text.normalization import Normalization, fold_width
from nlpfeat.text.segmenters import (
    CharSegmenter,
    FunctionSegmenter,
    JiebaSegmenter,
    WhitespaceSegmenter,
)

RAW = Normalization(fold_width=False, lowercase=False)
JIEBA = JiebaSegmenter()


def cut(documents, segmenter=None, normalization=RAW, **settings) -> str:
    lines = cut_lines(documents, segmenter or JIEBA, normalization, **settings)
    return b"".join(lines).decode()


def test_one_line_a_document() -> None:
    texts = ["今天天气很好，我们去公园", "", " 　\ufeff", "苹果 香蕉　橙子", "好"]
    assert cut(texts) == "今天天气 很 好 ， 我们 去 公园\n\n\n苹果 香蕉 橙子\n好\n"


def test_line_ends_within_a_document() -> None:
    assert cut(["今天\n天气\r\n很\r好\n", "\n\n", "好"]) == "今天 天气 很 好\n\n好\n"


def test_surface_forms_unless_asked() -> None:
    text = ["２０２６年ＶＩＰ"]
    assert cut(text) == "２ ０ ２ ６ 年 Ｖ Ｉ Ｐ\n"
    assert cut(text, None, Normalization(True, False)) == "2026 年 VIP\n"
    assert cut(text, None, Normalization(True, True)) == "2026 年 vip\n"


def test_the_width_of_the_text_is_kept() -> None:
    text = ["２０２６年ＧＤＰ增长５％", "今天", "Ａ股　ａA\nＢ"]
    assert cut(text, None, Normalization(True, False), keep_width=True) == (
        "２０２６ 年 ＧＤＰ 增长 ５ ％\n今天\nＡ股 ａA Ｂ\n"
    )
    assert cut(text[2:], None, Normalization(), keep_width=True) == "ａ股 ａa ｂ\n"


@given(st.lists(st.text("今天股好。 \n　aA5Ａａ５％", max_size=12), max_size=4))
def test_kept_width_moves_no_border(texts: list[str]) -> None:
    plain = Normalization(True, False)
    kept = cut(texts, normalization=plain, keep_width=True)
    assert fold_width(kept) == cut(texts, normalization=plain)
    letters = [character for text in texts for character in text if not is_blank(character)]
    assert [character for character in kept if character not in " \n"] == letters


def test_a_token_that_is_not_in_the_text_stays() -> None:
    made = FunctionSegmenter(lambda _: ["甲", "A", "X", "5"])
    assert cut(["Ａ５"], made, Normalization(), keep_width=True) == "甲 ａ x ５\n"


def test_token_lists() -> None:
    assert cut([["今天", "", " ", "VIP"], []], None, Normalization()) == "今天 vip\n\n"


@given(st.lists(st.text("今天好。 \n\r　aA", max_size=12), max_size=6))
def test_against_segment(texts: list[str]) -> None:
    segmenter = CharSegmenter()
    expected = "".join(" ".join(segmenter.segment(text)) + "\n" for text in texts)
    assert cut(texts, segmenter) == expected


@pytest.mark.parametrize("words", [[], ["型号A/B", "好，我"]])
def test_a_very_long_line(words: list[str]) -> None:
    segmenter = JiebaSegmenter(user_words=words)
    text = "型号A/B很好，我们去公园。买3.5%的T恤！" * 6000
    assert len(text) > 120_000
    assert cut([text, "好"], segmenter) == " ".join(segmenter.segment(text)) + "\n好\n"
    text = "型号A/B 很好，我们去公园。" * 9000
    assert cut([text], WhitespaceSegmenter()) == text + "\n"


def test_processes_change_nothing() -> None:
    texts = [f"第{number}天，天气很好。\n3-4" for number in range(5000)]
    assert cut(iter(texts), n_jobs=2) == cut(texts)


def test_lines_come_as_they_are_read() -> None:
    read = 0

    def stream() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield "今天"

    lines = cut_lines(stream(), CharSegmenter(), RAW)
    assert next(lines).decode() == "今 天\n" * 1000
    assert read <= 3000


def test_a_corpus_and_its_progress(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("今天 天气\n\n好", encoding="utf-8")
    seen: list[tuple[str, int, int | None]] = []
    text = cut(Corpus(path), WhitespaceSegmenter(), progress=lambda *step: seen.append(step))
    assert text == "今天 天气\n\n好\n"
    assert seen[-1] == ("segmenting", path.stat().st_size, path.stat().st_size)


def test_errors_name_the_row() -> None:
    with pytest.raises(
        InvalidInputError, match=r"Row 2 of the documents \(documents\[1\]\) is nan"
    ):
        cut(["今天", float("nan")])


@pytest.mark.parametrize("segmenter", [CharSegmenter(), WhitespaceSegmenter(), JiebaSegmenter()])
def test_a_lone_surrogate(segmenter) -> None:
    with pytest.raises(InvalidInputError, match="lone surrogate"):
        cut(["今天", "好\ud800"], segmenter)


def test_documents_as_token_lists() -> None:
    texts = ["今天天气很好，我们去公园", "", " 　\ufeff", "苹果 香蕉　橙子\n\n好\n"]
    assert list(cut_documents(texts, JiebaSegmenter(), RAW)) == [
        ["今天天气", "很", "好", "，", "我们", "去", "公园"],
        [],
        [],
        ["苹果", "香蕉", "橙子", "\n", "\n", "好", "\n"],
    ]


def test_token_lists_keep_line_ends_and_lose_blanks() -> None:
    lists = [["今天", " ", "\r\n", "ＶＩＰ", ""], []]
    shown = [["今天", "\n", "vip"], []]
    assert list(cut_documents(lists, JiebaSegmenter(), Normalization())) == shown


@given(st.lists(st.text("好 今天，\n\r\u3000aＡ", max_size=12), max_size=6))
def test_lists_are_the_lines_without_line_ends(texts: list[str]) -> None:
    lists = cut_documents(texts, CharSegmenter(), RAW)
    lines = [" ".join(token for token in tokens if token != "\n") for tokens in lists]
    assert "".join(f"{line}\n" for line in lines) == cut(texts, CharSegmenter())


def test_lists_do_not_depend_on_processes() -> None:
    texts = [f"今天天气很好，第{number}行\n好" for number in range(2500)]
    one, two = (list(cut_documents(texts, CharSegmenter(), RAW, n_jobs=n)) for n in (1, 2))
    assert one == two
