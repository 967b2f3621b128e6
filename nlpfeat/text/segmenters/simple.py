"""Segmenters without a dictionary."""

import re
from collections.abc import Sequence

from nlpfeat.text.characters import is_blank
from nlpfeat.text.segmenters.base import Segmenter

_ANY = re.compile(".", re.DOTALL)
_WHITE_SPACE = re.compile(r"\s")


class CharSegmenter(Segmenter):
    """Every character that is not blank is a token.

    Examples
    --------
    >>> CharSegmenter().segment("今天 好！")
    ['今', '天', '好', '！']
    """

    def segment(self, text: str) -> list[str]:
        """Return the characters that are not blank."""
        return [character for character in text if not is_blank(character)]

    @property
    def separators(self) -> re.Pattern[str]:
        """Any character."""
        return _ANY

    def cut_batch(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the characters of each text, blanks included."""
        return list(map(list, texts))


class WhitespaceSegmenter(Segmenter):
    """Tokens are separated by white space: for text that was cut before.

    Examples
    --------
    >>> WhitespaceSegmenter().segment("今天　天气 很 好")
    ['今天', '天气', '很', '好']
    """

    def segment(self, text: str) -> list[str]:
        """Return the pieces between white space."""
        return [piece for piece in text.split() if not is_blank(piece)]

    @property
    def separators(self) -> re.Pattern[str]:
        """White space."""
        return _WHITE_SPACE
