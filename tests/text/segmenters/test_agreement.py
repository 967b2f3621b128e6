"""Both engines give what jieba gives, blanks aside."""

from collections.abc import Callable, Sequence
from typing import Any

import jieba
import pytest
import shared_data
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nlpfeat.errors import InvalidInputError
from nlpfeat.text.characters import is_blank
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.joined import TOKEN_END
from nlpfeat.text.segmenters import JiebaSegmenter, rust_engine
from nlpfeat.text.segmenters.frequencies import jieba_frequencies
from nlpfeat.text.segmenters.python_engine import PythonEngine
from nlpfeat.text.segmenters.rust_engine import RustEngine
from nlpfeat.text.segmenters.user_dictionary import DictionaryEntry as Entry
from nlpfeat.text.segmenters.user_words import UserWords

SHARED_DATA = shared_data.SHARED_DATA

TRICKY_LINES = [
    "",
    " ",
    "　\t\u200b\ufeff",
    "。",
    "……",
    "a",
    "+",
    "-",
    "%",
    "3-4",
    "3.5%",
    "3.14-2.71",
    "-1.5e-3",
    "1,234.56元",
    "50%的人",
    "今年增长了3.5%，去年是-2%。",
    "C++和C#都是语言",
    "C++",
    "AT&T公司的T恤",
    "A&B+C",
    "R&D投入",
    "请看https://www.example.com/a/b?c=1&d=2%20e#f。",
    "www.example.com.cn",
    "邮箱是zhang.san_01@example.com，谢谢",
    "文件名a_b-c.tar.gz在哪",
    "v1.2.3-rc.4",
    "192.168.0.1",
    "2026-11-29 17:30:05",
    "13:45见",
    "GPT-4和iPhone15Pro",
    "型号A/B已到货",
    "C-反应蛋白偏高",
    "卡拉OK和K歌",
    "T恤衫XL码VIP价",
    "3G、4G、5G手机",
    "α射线和β射线",
    "Ａ股２０２６年涨５％",
    "²³①Ⅳ㊣℃㎡",
    "今天好开心😀😀去玩🎉",
    "👨‍👩‍👧‍👦一家🇨🇳❤️",
    "㐀㐁是扩展A区的字",
    "他姓\u9feb，她姓\u9fd6，都姓\u9fa5",
    "𠮷野家的𠮷字",
    "豈更車賈",
    "\U0002f800\U0002b740好",
    "二〇二六年人人〻々",
    "ひらがなとカタカナ한국어",
    "résumé naïve café",
    "Привет мир",
    "丰田太省了",
    "他来到了网易杭研大厦",
    "小明硕士毕业于中国科学院计算所，后在日本京都大学深造",
    "南京市长江大桥",
    "工信处女干事每月经过下属科室都要亲口交代24口交换机等技术性器件的安装工作",
    "永和服装饰品有限公司",
    "买水果然后来世博园",
    "的的的的的",
    "哈哈哈哈哈哈哈哈哈",
    "a b  c\r\nd\ne",
    "苹果 香蕉\r\n　橙子\ufeff",
    "(a)[b]{c}<d>“e”‘f’《g》",
    "好\x00坏\x1f中\x85外\u2028内",
    "1234567890" * 20,
    "abc_" * 300,
    "今天天气很好，我们去公园3-4次。" * 500,
    "天" * 3000,
]


@pytest.fixture(scope="module")
def engines() -> dict[bool, tuple[JiebaSegmenter, JiebaSegmenter]]:
    return {
        hmm: (JiebaSegmenter(engine="rust", hmm=hmm), JiebaSegmenter(engine="python", hmm=hmm))
        for hmm in (True, False)
    }


@pytest.mark.parametrize("hmm", [True, False])
@pytest.mark.parametrize("line", TRICKY_LINES, ids=range(len(TRICKY_LINES)))
def test_tricky_lines(line: str, hmm: bool, engines, jieba_cut) -> None:
    rust, python = engines[hmm]
    assert rust.segment(line) == jieba_cut(line, hmm)
    assert python.segment(line) == jieba_cut(line, hmm)


@pytest.mark.parametrize("hmm", [True, False])
def test_a_batch_is_its_texts_one_by_one(hmm: bool, engines) -> None:
    for segmenter in engines[hmm]:
        batch = segmenter.cut_batch(TRICKY_LINES)
        assert batch == [segmenter.cut_batch([line])[0] for line in TRICKY_LINES]
        assert ["".join(pieces) for pieces in batch] == TRICKY_LINES
        assert segmenter.cut_joined(TRICKY_LINES) == list(map(TOKEN_END.join, batch))
        assert segmenter.cut_batch([]) == segmenter.cut_joined([]) == []


HAN = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过"
MIXTURES = st.lists(
    st.one_of(
        st.sampled_from(["今天天气", "中华人民共和国", "反应", "卡拉OK", "T恤", "IC卡", "北京"]),
        st.text(HAN, min_size=1, max_size=5),
        st.text("abcXYZ0123456789", min_size=1, max_size=4),
        st.text("+#&._%-", min_size=1, max_size=3),
        st.text("\u3400\u4dbf\u9fd6\u9feb\u9fff\uf900\U00020000\U0002f800〇々", max_size=2),
        st.text(" \t\r\n　\ufeff\u200b。，/@😀Ａ５", max_size=2),
    ),
    max_size=12,
).map("".join)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=MIXTURES, hmm=st.booleans())
def test_mixtures(text: str, hmm: bool, engines, jieba_cut) -> None:
    rust, python = engines[hmm]
    expected = jieba_cut(text, hmm)
    assert rust.segment(text) == expected
    assert python.segment(text) == expected


def test_every_character_of_the_basic_plane(engines, jieba_cut) -> None:
    rust, _ = engines[True]
    points = [*range(0xD800), *range(0xE000, 0xFFFE), *range(0x10000, 0x110000, 997)]
    texts = [f"好{chr(point)}1{chr(point)}人" for point in points]
    wrong = [
        point for point, text in zip(points, texts) if rust.segment(text) != jieba_cut(text, True)
    ]
    assert not wrong


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("surrogate", ["\ud800", "好\udfff", "1\udc80-"])
def test_a_lone_surrogate_is_named(engine: str, surrogate: str) -> None:
    segmenter = JiebaSegmenter(engine=engine)
    with pytest.raises(InvalidInputError, match=r"holds a lone surrogate, .*errors='replace'"):
        segmenter.segment(f"今天{surrogate}天气")


USER_ENTRIES = (
    Entry("云原生底座"),
    Entry("云原生", 5, "n"),
    Entry("GPT-4", 3, "nz"),
    Entry("C-反应蛋白"),
    Entry("C++"),
    Entry("3.5G"),
    Entry("省了", 100_000),
    Entry("台中", 0),
    Entry("太省", 0),
    Entry("网易"),
    Entry("网易", 7, "nt"),
    Entry("的", 1),
    Entry("天气", None, "n"),
    Entry("型号A/B", 1000),
    Entry("㐀㐁", 1000),
    Entry("ABC", 0),
    Entry("www", 0),
)
USER_LINES = [
    *TRICKY_LINES[:-4],
    "我们用云原生底座和云原生",
    "GPT-4比GPT-3好，GPT-40呢",
    "C-反应蛋白C-反应",
    "台中的太省了",
    "用ABC写ABCD，ABC.com和www",
    "3.5G和3.5GB和13.5G",
]


@pytest.mark.parametrize("hmm", [True, False])
@pytest.mark.parametrize("make", [RustEngine, PythonEngine])
def test_user_dictionary(make: Any, hmm: bool, jieba_with_entries) -> None:
    cut = jieba_with_entries(USER_ENTRIES)
    engine = make(hmm, USER_ENTRIES)
    for line, pieces in zip(USER_LINES, engine.cut_batch(USER_LINES)):
        assert _without_blanks(pieces) == cut(line, hmm), line
    assert engine.cut_joined(USER_LINES) == list(map(TOKEN_END.join, engine.cut_batch(USER_LINES)))


@pytest.mark.parametrize("hmm", [True, False])
def test_a_dictionary_that_repeats_frequent_words(
    hmm: bool, base_tokenizer: Any, jieba_with_entries
) -> None:
    # jieba counts the frequency of a repeated word twice in its total, which moves every border.
    frequent = sorted(base_tokenizer.FREQ.items(), key=lambda item: -item[1])[:3000]
    entries = [Entry(word, number) for word, number in frequent] + [Entry("反应")] * 3
    cut = jieba_with_entries(entries)
    engine = RustEngine(hmm, entries)
    lines = ["反反复复", "反反", "的了反反反", *_clauses(base_tokenizer)]
    assert [_without_blanks(pieces) for pieces in engine.cut_batch(lines)] == [
        cut(line, hmm) for line in lines
    ]


def _clauses(tokenizer: Any) -> list[str]:
    words = [word for word, number in tokenizer.FREQ.items() if number]
    return ["".join(words[start :: 997 * 83]) for start in range(0, 997 * 83, 97)]


ENTRIES = st.lists(
    st.builds(
        Entry,
        st.one_of(
            st.sampled_from(["中国人", "GPT-4", "C-反应蛋白", "天气", "ab", "a.b", "50%", "上下"]),
            st.text("ab5-.%" + HAN[:12], min_size=2, max_size=4),
        ),
        st.sampled_from([None, 0, 1, 3, 1000, 10**6]),
        st.sampled_from([None, "n"]),
    ),
    min_size=1,
    max_size=5,
)


@pytest.fixture
def dictionaries_are_read_once(monkeypatch, base_tokenizer: Any) -> None:
    """Give each engine a copy: to read jieba's dictionary anew takes most of an example's time."""
    frequencies = jieba_frequencies()

    def copied(self: jieba.Tokenizer, file: Any) -> tuple[dict[str, int], int]:
        file.close()
        return dict(base_tokenizer.FREQ), base_tokenizer.total

    monkeypatch.setattr(rust_engine, "jieba_frequencies", lambda: dict(frequencies))
    monkeypatch.setattr(jieba.Tokenizer, "gen_pfdict", copied)


@pytest.mark.slow
@pytest.mark.usefixtures("dictionaries_are_read_once")
@settings(
    max_examples=8,
    deadline=None,
    derandomize=True,  # exact ties, which the engines may break differently, are drawn too often
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(entries=ENTRIES, texts=st.lists(MIXTURES, min_size=3, max_size=8))
def test_any_user_dictionary(entries: list[Entry], texts: list[str], jieba_with_entries) -> None:
    cut = jieba_with_entries(entries)
    texts = [text + entry.word + text[:2] for text in texts for entry in entries]
    for hmm in (True, False):
        for make in (RustEngine, PythonEngine):
            pieces = make(hmm, entries).cut_batch(texts)
            assert list(map(_without_blanks, pieces)) == [cut(text, hmm) for text in texts]


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("hmm", [True, False])
def test_user_words_stand_between_texts_that_jieba_cuts(engine: str, hmm: bool, jieba_cut) -> None:
    words = ["型号A/B", "C++", "GPT-4", "\u9feb姓", "😀😀", "3.5%", "天气"]
    segmenter = JiebaSegmenter(engine=engine, hmm=hmm, user_words=words)
    for line in [*TRICKY_LINES[:-4], "型号A/B的GPT-4和C++，" * 3]:
        expected: list[str] = []
        for part, is_word in UserWords(words).split(line):
            expected += [part] if is_word else jieba_cut(part, hmm)
        assert segmenter.segment(line) == expected


def _without_blanks(pieces: Sequence[str]) -> list[str]:
    return [piece for piece in pieces if not is_blank(piece)]


@pytest.mark.shared
@pytest.mark.slow
def test_shared_texts(jieba_cut: Callable[[str, bool], list[str]]) -> None:
    if not SHARED_DATA.is_dir():
        pytest.skip("there is no text collection beside the checkout")
    segmenter = JiebaSegmenter()
    n_lines = n_equal = 0
    for path in sorted(path for path in SHARED_DATA.rglob("*") if path.is_file()):
        for line in list(Corpus(path))[::5]:
            n_lines += 1
            n_equal += segmenter.segment(line) == jieba_cut(line, True)
    assert n_lines > 10_000
    assert n_equal / n_lines >= 0.9999
