"""Terms, gaps, blanks and sentence ends, each by hand."""

import re
import unicodedata
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.text.characters import CLOSERS, SENTENCE_ENDS
from nlpfeat.text.encoder import BatchCutter, TokenEncoder
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import CharSegmenter, JiebaSegmenter, WhitespaceSegmenter
from nlpfeat.text.token_ids import GAP, TokenIds

RAW = Normalization(fold_width=False, lowercase=False)


def encode(batch, segmenter=None, normalization=RAW, stop_words=(), keep=False):
    """Return a batch as token ids, and the terms."""
    encoder = TokenEncoder(frozenset(stop_words), keep)
    cutter = BatchCutter(segmenter or CharSegmenter(), normalization, 0)
    return encoder.encode(cutter(batch)), encoder.terms


def sentences(batch, **settings) -> list[str]:
    """Return the sentences, with punctuation kept."""
    tokens, terms = encode(batch, keep=True, **settings)
    bounds = tokens.sentence_indptr.tolist()
    assert set(tokens.indptr.tolist()) <= set(bounds)
    return ["".join(terms[n] for n in tokens.ids[a:b].tolist()) for a, b in pairwise(bounds)]


SENTENCES = [
    ("你好！“他走了。”她说；再见……", ["你好！", "“他走了。”", "她说；", "再见……"]),
    ("你好", ["你好"]),
    ("", []),
    ("。", ["。"]),
    ("真的吗！！？好", ["真的吗！！？", "好"]),
    ("真的!?好;行", ["真的!?", "好;", "行"]),
    ("（他走了。）我也走", ["（他走了。）", "我也走"]),
    ("他说：“走！”然后走了", ["他说：“走！”", "然后走了"]),
    ("《书》好。』」你", ["《书》好。』」", "你"]),
    ("他说“好”。行", ["他说“好”。", "行"]),
    ("”你好。", ["”你好。"]),
    ("）】你。好", ["）】你。", "好"]),
    ("增长3.5%，e.g.这样.好", ["增长3.5%，e.g.这样.好"]),
    ("甲、乙，丙：丁—戊·己", ["甲、乙，丙：丁—戊·己"]),
    ("一…二", ["一…", "二"]),
    ("好。 ”你", ["好。”", "你"]),
    ("“好”“行”", ["“好”“行”"]),
    ("好。（行）", ["好。", "（行）"]),
]


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_sentence_ends(text: str, expected: list[str]) -> None:
    assert sentences([text]) == expected
    assert sentences([text], segmenter=JiebaSegmenter()) == expected


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_token_lists_end_by_the_same_tokens(text: str, expected: list[str]) -> None:
    assert sentences([JiebaSegmenter().segment(text)]) == expected
    runs = re.findall(r"[。！？；…!?;”）』」]+|.", text)  # the marks as one token
    assert sentences([runs]) == [sentence.replace(" ", "") for sentence in expected]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\n\n", "\n \n"])
def test_lines_are_sentences(line_end: str) -> None:
    text = f"今天{line_end}天气。{line_end}”好"
    assert sentences([text]) == ["今天", "天气。", "”好"]
    tokens, _ = encode([text, "好"])
    assert tokens.indptr.tolist() == [0, 7, 8]


@pytest.mark.parametrize("other", ["\u2028", "\x0b", "\x0c", "\x85", "\t", "　"])
def test_other_blanks_end_nothing(other: str) -> None:
    assert sentences([f"今天{other}天气"]) == ["今天天气"]


def test_documents_end_sentences() -> None:
    assert sentences(["今天", "”天气。", "", "”好"]) == ["今天", "”天气。", "”好"]
    assert sentences([["今天"], ["”", "天气", "。"], [], ["”", "好"]]) == [
        "今天", "”天气。", "”好",
    ]  # fmt: skip


def test_blanks_take_no_place() -> None:
    tokens, terms = encode(["苹果 香蕉\r\n　橙子\ufeff", " ", ""], JiebaSegmenter())
    assert (tokens.ids.tolist(), terms) == ([0, 1, 2], ["苹果", "香蕉", "橙子"])
    assert tokens.indptr.tolist() == [0, 3, 3, 3]
    lists, _ = encode([["苹果", " ", "香蕉", "", "\u3000", "橙子"], ["\ufeff"], []])
    assert (lists.ids.tolist(), lists.indptr.tolist()) == ([0, 1, 2], [0, 3, 3, 3])


def test_punctuation_is_a_gap_and_symbols_stay() -> None:
    tokens, terms = encode(["好，😀+。"])
    assert (tokens.ids.tolist(), terms) == ([0, GAP, 1, 2, GAP], ["好", "😀", "+"])
    tokens, terms = encode(["好，好"], keep=True)
    assert (tokens.ids.tolist(), terms) == ([0, 1, 0], ["好", "，"])


def test_stop_words_are_gaps() -> None:
    tokens, terms = encode(["我的好。"], stop_words=["的", "。"], keep=True)
    assert (tokens.ids.tolist(), terms) == ([0, GAP, 1, GAP], ["我", "好"])
    assert tokens.sentence_indptr.tolist() == [0, 4]


def test_spellings_become_one_term() -> None:
    text = "Ａ股 A股 a股 ａ股"
    tokens, terms = encode([text], WhitespaceSegmenter(), Normalization())
    assert (tokens.ids.tolist(), terms) == ([0, 0, 0, 0], ["a股"])
    tokens, terms = encode([text.split()], normalization=Normalization())
    assert (tokens.ids.tolist(), terms) == ([0, 0, 0, 0], ["a股"])


def test_full_width_digits_are_folded_before_they_are_cut() -> None:
    _, terms = encode(["２０２６年ＧＤＰ增长５％"], JiebaSegmenter(), Normalization())
    assert terms == ["2026", "年", "gdp", "增长", "5"]


def test_tokens_and_texts_give_the_same() -> None:
    texts = ["今天天气很好，我们去公园。“走吧！”", "", "好　的", "VIP穿XL的T恤，50%😀"]
    segmenter = JiebaSegmenter()
    a, terms = encode(texts, segmenter, Normalization())
    b, others = encode([segmenter.segment(text) for text in texts], None, Normalization())
    assert terms == others
    for name in ("ids", "indptr", "sentence_indptr"):
        assert getattr(a, name).tolist() == getattr(b, name).tolist()


def test_types() -> None:
    tokens, _ = encode([np.array(["今天", "好"]).tolist()])
    assert (tokens.ids.dtype, tokens.indptr.dtype) == (np.int32, np.int64)
    assert tokens.sentence_indptr.dtype == np.int64
    _, terms = encode([[np.str_("今天")]])
    assert type(terms[0]) is str


def test_two_workers_share_the_terms() -> None:
    encoder = TokenEncoder(frozenset(), False)
    first, second = (BatchCutter(CharSegmenter(), RAW, worker) for worker in (1, 2))
    ids = [
        encoder.encode(cutter([text])).ids.tolist()
        for cutter, text in [(first, "甲乙"), (second, "乙丙"), (first, "丙甲"), (second, "丁乙")]
    ]
    assert encoder.terms == ["甲", "乙", "丙", "丁"]
    assert ids == [[0, 1], [1, 2], [2, 0], [3, 1]]


def reference(documents: list[list[str]]) -> tuple[list[list[str | None]], list[int], list[int]]:
    """Follow the definitions token by token."""
    kept: list[list[str | None]] = []
    indptr, sentence_ends = [0], [0]
    place = 0
    for document in documents:
        pending = False  # an end was seen, and only closers and ends since
        out: list[str | None] = []
        run: list[str] = []
        for token in document:
            if all(unicodedata.category(c) in {"Zs", "Zl", "Zp", "Cc", "Cf"} for c in token):
                continue
            in_run = set(token) <= SENTENCE_ENDS | CLOSERS
            if not in_run:
                if pending:
                    sentence_ends.append(place)
                pending, run = False, []
            else:
                run.append(token)
                pending = pending or bool(set(token) & SENTENCE_ENDS)
            mark = all(unicodedata.category(c).startswith("P") for c in token)
            out.append(None if mark else token)
            place += 1
        kept.append(out)
        indptr.append(place)
        if sentence_ends[-1] != place:
            sentence_ends.append(place)
    return kept, indptr, sentence_ends


TOKEN = st.sampled_from(["好", "天气", "。", "”", "！”", "，", " ", "", "…", "）", "“", "+", "a.b"])


@given(st.lists(st.lists(TOKEN, max_size=12), min_size=1, max_size=5))
def test_against_the_definitions(documents: list[list[str]]) -> None:
    tokens, terms = encode(documents)
    kept, indptr, sentence_ends = reference(documents)
    assert tokens.indptr.tolist() == indptr
    assert tokens.sentence_indptr.tolist() == sentence_ends
    named = [[None if n == GAP else terms[n] for n in part.tolist()] for part in tokens]
    assert named == kept


def test_the_result_is_token_ids() -> None:
    tokens, _ = encode(["好"])
    assert isinstance(tokens, TokenIds)


def test_a_line_end_in_a_token_list_ends_a_sentence_as_in_text() -> None:
    assert sentences([["今天", "\n", "公园", "\r\n", "好"]]) == ["今天", "公园", "好"]
    assert sentences(["今天\n公园\r\n好"]) == ["今天", "公园", "好"]
