"""Where a text can be taken apart without changing a token."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\r|\n")
_LONGEST_PIECE = 100_000
_GROUP = 1_000_000
_OUTSIDE_RUNS = re.compile(r"[^\u4e00-\u9fd5a-zA-Z0-9+#&._%\-]")


@dataclass(frozen=True)
class TextPieces:
    """Texts taken apart at their line ends, and within very long lines.

    Attributes
    ----------
    pieces : sequence of str
    document_ends : list of int or None
        The number of pieces up to the end of each document; None when each is a document.
    line_ends : list of int
        The number of pieces up to each line end within a document.
    """

    pieces: Sequence[str]
    document_ends: list[int] | None
    line_ends: list[int]

    def groups(self) -> Iterator[Sequence[str]]:
        """Yield the pieces in order, about a million characters at a time.

        What cuts a group before it looks at the next holds the tokens of no more than that.
        """
        start = n_characters = 0
        for end, piece in enumerate(self.pieces, 1):
            n_characters += len(piece)
            if n_characters >= _GROUP:
                yield self.pieces[start:end]
                start, n_characters = end, 0
        if start < len(self.pieces):
            yield self.pieces[start:]


def into_pieces(texts: Sequence[str]) -> TextPieces:
    r"""Take texts apart at their line ends, and very long lines where jieba looks no further.

    jieba cuts each run of Han characters, letters and digits on its own, so a line can be cut
    behind any other character without changing a token; that keeps memory bounded on a line of
    100 MB. A run that is longer than the limit stays whole.

    Examples
    --------
    >>> into_pieces(["今天\n天气", "好"])
    TextPieces(pieces=['今天', '天气', '好'], document_ends=[2, 3], line_ends=[1, 2, 3])
    """
    if not any(len(text) > _LONGEST_PIECE or "\n" in text or "\r" in text for text in texts):
        return TextPieces(texts, None, [])
    pieces: list[str] = []
    document_ends = []
    line_ends = []
    for text in texts:
        for line in _LINE_END.split(text):
            pieces.extend(_short_pieces(line))
            line_ends.append(len(pieces))
        document_ends.append(len(pieces))
    return TextPieces(pieces, document_ends, line_ends)


def _short_pieces(line: str) -> Iterator[str]:
    start = 0
    while len(line) - start > _LONGEST_PIECE:
        found = _OUTSIDE_RUNS.search(line, start + _LONGEST_PIECE)
        if not found:
            break
        yield line[start : found.end()]
        start = found.end()
    yield line[start:]
