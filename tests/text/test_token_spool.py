import logging
import multiprocessing
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.errors import InvalidInputError, InvalidParameterError, OutputError, WorkerError
from nlpfeat.text import token_spool as module
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import (
    CharSegmenter,
    FunctionSegmenter,
    JiebaSegmenter,
    Segmenter,
    WhitespaceSegmenter,
)
from nlpfeat.text.token_ids import GAP, TokenIds
from nlpfeat.text.token_spool import TextSettings, TokenSpool, spool_tokens
from nlpfeat.text.vocabulary import Vocabulary

LINES = [
    "今天天气很好，我们去公园。“走吧！”他说。",
    "",
    "　",
    "VIP穿XL的T恤，50%😀",
    "的的的",
    "Ａ股A股",
]


def named(spool: TokenSpool, max_tokens: int = 1 << 20) -> list[list[str | None]]:
    decode = spool.vocabulary.decode
    return [decode(part.tolist()) for block in spool.blocks(max_tokens) for part in block]


def sentences(spool: TokenSpool, max_tokens: int = 1 << 20) -> list[int]:
    return [
        int(length)
        for block in spool.blocks(max_tokens)
        for length in np.diff(block.sentence_indptr)
    ]


TOKEN = st.sampled_from(["甲", "乙", "丙", "丁", "。", "，", " ", "”", "A", "a"])
DOCUMENTS = st.lists(st.lists(TOKEN, max_size=9), max_size=12)


@given(DOCUMENTS)
def test_frequencies_by_brute_force(documents: list[list[str]]) -> None:
    with spool_tokens(documents, CharSegmenter()) as spool:
        found = named(spool)
        terms = [[t.lower() for t in tokens if t not in "。，” "] for tokens in documents]
        assert [[t for t in tokens if t is not None] for tokens in found] == terms
        assert spool.vocabulary == Vocabulary.build(terms)
        assert spool.n_documents == len(documents)
        assert spool.n_tokens == sum(token != " " for tokens in documents for token in tokens)


@given(DOCUMENTS, st.integers(1, 12))
def test_blocks_of_any_size(documents: list[list[str]], max_tokens: int) -> None:
    with spool_tokens(documents, CharSegmenter()) as spool:
        whole = list(spool.blocks())
        assert len(whole) <= 1
        assert named(spool, max_tokens) == named(spool)
        assert sentences(spool, max_tokens) == sentences(spool)
        for block in spool.blocks(max_tokens):
            assert block.n_tokens <= max_tokens or np.count_nonzero(np.diff(block.indptr)) == 1
            assert block.indptr[0] == block.sentence_indptr[0] == 0
            assert block.indptr[-1] == block.sentence_indptr[-1] == block.n_tokens
            assert set(block.indptr.tolist()) <= set(block.sentence_indptr.tolist())


@settings(max_examples=30)
@given(DOCUMENTS)
def test_statistics_do_not_depend_on_blocks(documents: list[list[str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_STATISTICS_TOKENS", 2)
        with spool_tokens(documents, CharSegmenter()) as small:
            vocabulary = small.vocabulary
    with spool_tokens(documents, CharSegmenter()) as spool:
        assert spool.vocabulary == vocabulary


def test_long_documents_stand_alone_and_empty_ones_stay() -> None:
    documents = [["甲"] * 3, [], ["乙"] * 50, [], [], ["丙"] * 2, ["丁"] * 2]
    with spool_tokens(documents, CharSegmenter()) as spool:
        lengths = [np.diff(block.indptr).tolist() for block in spool.blocks(4)]
    assert lengths == [[3, 0], [50], [0, 0, 2, 2]] or lengths == [[3, 0], [50, 0, 0], [2, 2]]


def test_many_documents_and_sentences() -> None:
    # More than the 100,000 lengths that are read at a time.
    with spool_tokens(["好。好"] * 150_000, CharSegmenter()) as spool:
        blocks = list(spool.blocks(200_000))
        assert sum(block.n_documents for block in blocks) == 150_000
        assert sum(len(block.sentence_indptr) - 1 for block in blocks) == 300_000
        assert spool.vocabulary.term_frequencies.tolist() == [300_000]
        assert spool.vocabulary.document_frequencies.tolist() == [150_000]


def test_restrict() -> None:
    with spool_tokens([["甲", "乙", "丙", "，", "甲"]], CharSegmenter()) as spool:
        spool.restrict(Vocabulary.build([["丙", "甲", "丁"]]))
        assert named(spool) == [["甲", None, "丙", None, "甲"]]
        assert spool.vocabulary.terms == ("丁", "丙", "甲")
        spool.restrict(spool.vocabulary)
        assert named(spool) == [["甲", None, "丙", None, "甲"]]
        spool.restrict(Vocabulary.build([["丙", "乙"]]))  # what is gone does not come back
        assert named(spool) == [[None, None, "丙", None, None]]
        assert spool.n_tokens == 5


@given(DOCUMENTS, st.sets(st.sampled_from("甲乙丙丁a")))
def test_restrict_leaves_gaps(documents: list[list[str]], kept: set[str]) -> None:
    with spool_tokens(documents, CharSegmenter()) as spool:
        before = named(spool)
        spool.restrict(Vocabulary.build([sorted(kept)]))
        expected = [[token if token in kept else None for token in part] for part in before]
        assert named(spool, 3) == expected


class TestSettings:
    def test_punctuation(self) -> None:
        with spool_tokens(["好，好。"], CharSegmenter()) as spool:
            assert named(spool) == [["好", None, "好", None]]
        kept = TextSettings(keep_punctuation=True)
        with spool_tokens(["好，好。"], CharSegmenter(), kept) as spool:
            assert named(spool) == [["好", "，", "好", "。"]]

    @pytest.mark.parametrize(
        "words", [{"的", "B"}, frozenset(["的", "b"]), ["的", "b"], iter(["的", "Ｂ"])]
    )
    def test_stop_words(self, words) -> None:
        with spool_tokens(["我的b和B"], CharSegmenter(), TextSettings(stop_words=words)) as spool:
            assert named(spool) == [["我", None, None, "和", None]]
            assert spool.vocabulary.terms == ("和", "我")

    def test_case_and_width(self) -> None:
        raw = TextSettings(Normalization(fold_width=False, lowercase=False))
        with spool_tokens([["Ａ股", "A股"], ["a股"]], CharSegmenter()) as spool:
            assert spool.vocabulary.terms == ("a股",)
        with spool_tokens([["Ａ股", "A股"], ["a股"]], CharSegmenter(), raw) as spool:
            assert spool.vocabulary.terms == ("A股", "a股", "Ａ股")

    def test_texts_and_tokens_give_the_same(self) -> None:
        segmenter = JiebaSegmenter()
        folded = list(Normalization().before_cutting(LINES))
        with (
            spool_tokens(LINES, segmenter) as texts,
            spool_tokens(map(segmenter.segment, folded), segmenter) as tokens,
        ):
            assert named(texts) == named(tokens)
            assert sentences(texts) == sentences(tokens)
            assert texts.vocabulary == tokens.vocabulary


class TestScope:
    """No pair crosses a bound, so the bounds must be right across blocks and documents."""

    def test_documents_and_sentences(self) -> None:
        with spool_tokens(["春花。夏", "秋月\n冬！”雪"], CharSegmenter()) as spool:
            (block,) = spool.blocks()
            assert block.bounds("document").tolist() == [0, 4, 10]
            assert block.bounds("sentence").tolist() == [0, 3, 4, 6, 9, 10]
            assert sentences(spool, 1) == [3, 1, 2, 3, 1]


LONG_LINE = "今天天气很好，我们去公园。型号A/B已到货 买3.5%的T恤！" * 5_000


@pytest.mark.parametrize(
    "segmenter",
    [
        JiebaSegmenter(),
        JiebaSegmenter(user_words=["很好，我们", "公园。型号A/B已到货 买", "T恤！今"]),
        WhitespaceSegmenter(),
        FunctionSegmenter(lambda text: text.split("。")),
    ],
    ids=["jieba", "user words", "white space", "function"],
)
def test_a_very_long_line_keeps_its_tokens(segmenter: Segmenter) -> None:
    assert len(LONG_LINE) > 150_000
    expected = Counter(segmenter.segment(LONG_LINE))
    keep = TextSettings(Normalization(False, False), keep_punctuation=True)
    with spool_tokens([LONG_LINE], segmenter, keep) as spool:
        found = dict(zip(spool.vocabulary.terms, spool.vocabulary.term_frequencies.tolist()))
    assert found == expected


class Dying(Segmenter):
    def segment(self, text: str) -> list[str]:
        os._exit(1)


def failing(text: str) -> list[str]:
    if text == "坏":
        raise ZeroDivisionError("坏")
    return list(text)


def many_lines(n: int = 6000) -> Iterator[str]:
    for number in range(n):
        yield f"第{number}天，天气{LINES[number % len(LINES)]}型号A{number % 7}/B。"


class TestProcesses:
    @pytest.mark.parametrize("method", [None, "spawn"])
    def test_the_number_of_processes_changes_nothing(
        self, method: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "dict.txt"
        path.write_text("天天气 50\n太省 0\n", encoding="utf-8")
        segmenter = JiebaSegmenter(user_dict=path, user_words=["型号A3/B"])
        with spool_tokens(many_lines(), segmenter, n_jobs=1) as spool:
            expected = list(spool.blocks())
            vocabulary = spool.vocabulary
        assert "型号a3/b" in vocabulary.terms
        path.unlink()
        if method is not None:
            context = multiprocessing.get_context(method)
            monkeypatch.setattr(multiprocessing, "get_context", lambda _: context)
        with spool_tokens(many_lines(), segmenter, n_jobs=2) as spool:
            assert spool.vocabulary == vocabulary
            for block, other in zip(spool.blocks(), expected, strict=True):
                assert_equal(block, other)

    def test_a_worker_that_dies(self) -> None:
        with pytest.raises(WorkerError, match="worker process ended before its work was done"):
            spool_tokens(many_lines(), Dying(), n_jobs=2)

    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_an_error_in_a_worker(self, n_jobs: int) -> None:
        texts = ["好"] * 2500 + ["坏"] + ["好"] * 3000
        with pytest.raises(ZeroDivisionError, match="坏"):
            spool_tokens(texts, FunctionSegmenter(failing), n_jobs=n_jobs)
        with pytest.raises(InvalidInputError, match=r"documents\[2500\]"):
            spool_tokens([*texts[:2500], None, *texts[2501:]], CharSegmenter(), n_jobs=n_jobs)
        with pytest.raises(InvalidInputError, match="lone surrogate"):
            spool_tokens([*texts[:2500], "\ud800"], JiebaSegmenter(), n_jobs=n_jobs)

    @pytest.mark.parametrize("n_jobs", [0, "2", 1.5])
    def test_what_n_jobs_cannot_be(self, n_jobs: object) -> None:
        with pytest.raises(InvalidParameterError, match="n_jobs must be"):
            spool_tokens(["好"], CharSegmenter(), n_jobs=n_jobs)


def assert_equal(one: TokenIds, other: TokenIds) -> None:
    assert np.array_equal(one.ids, other.ids)
    assert np.array_equal(one.indptr, other.indptr)
    assert np.array_equal(one.sentence_indptr, other.sentence_indptr)


class TestFiles:
    def test_nothing_is_left(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        with spool_tokens(many_lines(), CharSegmenter()) as spool:
            assert spool.n_documents == 6000
            kept = next(spool.blocks(100))
        assert list(tmp_path.iterdir()) == []
        assert kept.n_tokens > 0
        with pytest.raises(InvalidInputError, match=r"documents\[1\]"):
            spool_tokens(["好", None], CharSegmenter())
        assert list(tmp_path.iterdir()) == []

    def test_a_closed_spool_is_closed(self) -> None:
        spool = spool_tokens(["好"], CharSegmenter())
        spool.close()
        with pytest.raises(ValueError, match="closed file"):
            list(spool.blocks())


def test_progress(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("今天天气很好。\n" * 40_000, encoding="utf-8")
    seen: list[tuple[str, int, int | None]] = []
    corpus = Corpus(path)
    spool_tokens(corpus, CharSegmenter(), progress=lambda *step: seen.append(step)).close()
    assert len(seen) > 1
    assert {(step, total) for step, _, total in seen} == {("segmenting", path.stat().st_size)}
    done = [number for _, number, _ in seen]
    assert all(a <= b for a, b in pairwise(done))
    assert done[-1] == path.stat().st_size


def test_a_disk_too_small_is_seen_early(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("天气很好\n" * 100_000, encoding="utf-8")  # 13 bytes a line
    size = 100_000 * (4 * 4 + 8 + 8)  # four tokens, a document and a sentence

    def n_bytes(free: int) -> int:
        usage = shutil.disk_usage(tmp_path)._replace(free=free)
        monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
        with spool_tokens(Corpus(path), CharSegmenter()) as spool:
            return spool.n_bytes

    assert n_bytes(free=0) == size  # too short a text to judge by
    monkeypatch.setattr(module, "_FIRST_LOOK", 1)
    assert n_bytes(free=size) == size
    with pytest.raises(
        OutputError, match=r"temporary files, .*need about 0\.00\d+ GB more.*TMPDIR"
    ):
        n_bytes(free=size // 10)


def test_the_size_of_texts_in_memory_is_not_known(monkeypatch) -> None:
    usage = shutil.disk_usage(tempfile.gettempdir())._replace(free=0)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    monkeypatch.setattr(module, "_FIRST_LOOK", 1)
    with spool_tokens(LINES, CharSegmenter()) as spool:
        assert spool.n_documents == len(LINES)


def test_unreachable_stop_words_are_named(caplog: pytest.LogCaptureFixture) -> None:
    settings = TextSettings(stop_words=["人工智能技术", "的"])
    with caplog.at_level(logging.WARNING), spool_tokens(["好"], JiebaSegmenter(), settings):
        assert "1 of 2 stop words are cut into several tokens" in caplog.text
        assert "人工智能技术 (人工智能 技术)" in caplog.text


@pytest.mark.parametrize("documents", [[], [""], [[]], ["，。", " "]])
def test_nothing_to_count(documents) -> None:
    with spool_tokens(documents, CharSegmenter()) as spool:
        assert spool.n_documents == len(documents)
        assert len(spool.vocabulary) == 0
        assert all(part == [None] * len(part) for part in named(spool))


def test_gaps_are_minus_one() -> None:
    with spool_tokens(["好，"], CharSegmenter()) as spool:
        (block,) = spool.blocks()
        assert block.ids.tolist() == [0, GAP]
        assert block.ids.dtype == np.int32


def test_a_user_dictionary_is_reported_once_whatever_the_number_of_processes(tmp_path):
    path, log = tmp_path / "words.txt", tmp_path / "log.txt"
    path.write_text("型号A/B 5\n", encoding="utf-8")
    handler = logging.FileHandler(log, encoding="utf-8")  # forked workers write to it too
    logging.getLogger("nlpfeat").addHandler(handler)
    try:
        spool_tokens(["型号A/B"] * 5_000, JiebaSegmenter(user_dict=path), n_jobs=2).close()
    finally:
        logging.getLogger("nlpfeat").removeHandler(handler)
        handler.close()
    assert log.read_text(encoding="utf-8").count("can never match") == 1
