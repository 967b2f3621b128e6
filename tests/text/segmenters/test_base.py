import pickle
from functools import partial

import jieba
import pytest

from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.segmenters import (
    SEGMENTERS,
    CharSegmenter,
    FunctionSegmenter,
    JiebaSegmenter,
    Segmenter,
    WhitespaceSegmenter,
    as_segmenter,
)
from nlpfeat.text.segmenters.found_names import UNIDENTIFIED


class Halves:
    def segment(self, text: str) -> list[str]:
        middle = len(text) // 2
        return [text[:middle], text[middle:]]


class At:
    def __init__(self, mark: str) -> None:
        self.mark = mark

    def segment(self, text: str) -> list[str]:
        return text.split(self.mark)

    @classmethod
    def by_class(cls, text: str) -> list[str]:
        return [cls.__name__, text]


class Below(At):
    pass


class Bare(Segmenter):
    def segment(self, text: str) -> list[str]:
        return [text]


class Hidden(Bare):
    def __init__(self, mark: str) -> None:
        self.mark = mark


class Shown(Hidden):
    def __repr__(self) -> str:
        return f"Shown({self.mark})"


def slashes(text: str) -> list[str]:
    return text.split("/")


def inner(mark: str):
    def cut(text: str) -> list[str]:
        return text.split(mark)

    return cut


def test_names() -> None:
    assert {name: type(as_segmenter(name)) for name in SEGMENTERS} == {
        "jieba": JiebaSegmenter,
        "char": CharSegmenter,
        "whitespace": WhitespaceSegmenter,
    }


def test_an_unknown_name() -> None:
    with pytest.raises(InvalidParameterError, match=r"segmenter must be one of.*mean 'jieba'\?"):
        as_segmenter("jieb")


def test_a_segmenter_is_kept() -> None:
    segmenter = CharSegmenter()
    assert as_segmenter(segmenter) is segmenter


def test_an_object_and_a_function() -> None:
    assert as_segmenter(Halves()).segment("今天天气") == ["今天", "天气"]
    segmenter = as_segmenter(slashes)
    assert segmenter.segment("今天/天气") == ["今天", "天气"]
    assert segmenter.cut_batch(["a/b", ""]) == [["a", "b"], [""]]
    assert segmenter.cut_joined(["a/b", ""]) == ["a\uffffb", ""]
    assert pickle.loads(pickle.dumps(segmenter)).segment("a/b") == ["a", "b"]


def test_a_function_may_give_any_iterable() -> None:
    assert FunctionSegmenter(lambda text: iter(text)).segment("今天") == ["今", "天"]
    assert FunctionSegmenter(lambda text: tuple(text)).segment("今天") == ["今", "天"]


@pytest.mark.parametrize("segmenter", [None, 5, ["jieba"], JiebaSegmenter])
def test_nothing_else_will_do(segmenter: object) -> None:
    with pytest.raises(InvalidParameterError, match=r"a method segment\(text\), or a function"):
        as_segmenter(segmenter)


@pytest.mark.parametrize(
    "answer", ["今天 天气", None, 5, ["今天", None], [1], [b"x"], {"今天"}, {"今天": 1}]
)
def test_a_function_that_gives_no_list_of_strings(answer: object) -> None:
    segmenter = FunctionSegmenter(lambda text: answer)
    with pytest.raises(
        InvalidParameterError, match=r"must give a list of strings for every text. Got .*'今天天气'"
    ):
        segmenter.segment("今天天气")


def test_an_error_of_the_function_comes_through() -> None:
    with pytest.raises(ZeroDivisionError):
        FunctionSegmenter(lambda text: [text[1 // 0 :]]).segment("今天")


def test_segment_must_be_written() -> None:
    with pytest.raises(TypeError, match="segment"):
        Segmenter()


NAMED = [
    (slashes, f"FunctionSegmenter({__name__}.slashes)"),
    (Halves(), f"FunctionSegmenter({__name__}.Halves.segment)"),
    (At.by_class, f"FunctionSegmenter({__name__}.At.by_class)"),
    (Below.by_class, f"FunctionSegmenter({__name__}.Below.by_class)"),
    (jieba.lcut, "FunctionSegmenter(jieba.lcut)"),
    (Bare(), f"{__name__}.Bare()"),
    (Shown("/"), f"{__name__}.Shown: Shown(/)"),
    (CharSegmenter(), "CharSegmenter()"),
    (JiebaSegmenter(hmm=False), "JiebaSegmenter(hmm=False)"),
]


@pytest.mark.parametrize(("segmenter", "identity"), NAMED)
def test_what_is_found_by_its_name_is_identified(segmenter: object, identity: str) -> None:
    assert as_segmenter(segmenter).identity == identity


@pytest.mark.parametrize(
    "segmenter",
    [
        lambda text: text.split("/"), inner("/"), partial(str.split, sep="/"), At("/"),
        At("/").segment, Hidden("/"), jieba.Tokenizer().lcut, "/".split,
        type("Bare", (Bare,), {})(),
    ],
)  # fmt: skip
def test_what_another_process_could_not_find_is_unidentified(segmenter: object) -> None:
    identity = as_segmenter(segmenter).identity
    assert UNIDENTIFIED in identity
    assert "0x" not in identity
