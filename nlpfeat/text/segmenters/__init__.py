"""Segmenters, by name or as objects."""

from collections.abc import Callable
from functools import cache

from nlpfeat._names import lookup
from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.segmenters.base import FunctionSegmenter, Segmenter
from nlpfeat.text.segmenters.jieba import JiebaSegmenter
from nlpfeat.text.segmenters.simple import CharSegmenter, WhitespaceSegmenter

SEGMENTERS: dict[str, Callable[[], Segmenter]] = {
    "jieba": JiebaSegmenter,
    "char": CharSegmenter,
    "whitespace": WhitespaceSegmenter,
}

__all__ = [
    "SEGMENTERS",
    "CharSegmenter",
    "FunctionSegmenter",
    "JiebaSegmenter",
    "Segmenter",
    "WhitespaceSegmenter",
    "as_segmenter",
]


@cache
def _named(name: str) -> Segmenter:
    """Return the one segmenter of a name: its dictionary is loaded once a process."""
    return SEGMENTERS[name]()


def as_segmenter(segmenter: str | Segmenter | Callable[[str], list[str]]) -> Segmenter:
    """Return the segmenter for a name, a segmenter, an object with ``segment``, or a function.

    A name gives the same segmenter each time, with its defaults.

    Examples
    --------
    >>> as_segmenter("char").segment("你好")
    ['你', '好']
    >>> as_segmenter("jeiba")
    Traceback (most recent call last):
        ...
    nlpfeat.errors.InvalidParameterError: segmenter must be one of 'jieba', 'char', 'whitespace'. \
Got 'jeiba'. Did you mean 'jieba'?
    """
    if isinstance(segmenter, Segmenter):
        return segmenter
    if isinstance(segmenter, str):
        lookup(SEGMENTERS, segmenter, "segmenter")
        return _named(segmenter)
    method = getattr(segmenter, "segment", segmenter)
    if callable(method) and not isinstance(segmenter, type):
        return FunctionSegmenter(method)
    raise InvalidParameterError(
        "segmenter must be a name, an object with a method segment(text), or a function "
        f"text -> list of tokens. Got {segmenter!r}"
        f"{', a class: make an object of it' if isinstance(segmenter, type) else ''}."
    )
