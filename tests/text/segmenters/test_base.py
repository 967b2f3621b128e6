import pickle

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


class Halves:
    def segment(self, text: str) -> list[str]:
        middle = len(text) // 2
        return [text[:middle], text[middle:]]


def slashes(text: str) -> list[str]:
    return text.split("/")


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
