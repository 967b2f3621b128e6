"""Where a text can be taken apart without changing a token."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

_LINE_END = re.compile(r"\r\n|\r|\n")
_LONGEST_PIECE = 100_000
_GROUP = 1_000_000
# Full-width letters and digits may be folded into runs before they are cut.
_IN_RUNS = r"\u4e00-\u9fd5a-zA-Z0-9+#&._%\-０-９Ａ-Ｚａ-ｚ"


def outside_runs(words: Iterable[str] = ()) -> re.Pattern[str]:
    """Return what matches a character that is in no run of jieba's and in none of the words.

    jieba cuts each run of Han characters, letters and digits on its own, so a text can be taken
    apart behind any other character without changing a token.

    Examples
    --------
    >>> outside_runs().search("今天A股，好").group(), outside_runs(["A/B"]).search("A/B。").group()
    ('，', '。')
    """
    return re.compile(f"[^{_IN_RUNS}{re.escape(''.join({*chain.from_iterable(words)}))}]")


_OUTSIDE_RUNS = outside_runs()


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

        Examples
        --------
        >>> long = "好" * 600_000
        >>> [len(group) for group in into_pieces([long, long, "好", ""]).groups()]
        [2, 2]
        """
        start = n_characters = 0
        for end, piece in enumerate(self.pieces, 1):
            n_characters += len(piece)
            if n_characters >= _GROUP:
                yield self.pieces[start:end]
                start, n_characters = end, 0
        if start < len(self.pieces):
            yield self.pieces[start:]


def into_pieces(
    texts: Sequence[str], separators: re.Pattern[str] | None = _OUTSIDE_RUNS
) -> TextPieces:
    r"""Take texts apart at their line ends, and very long lines where no token is.

    That keeps memory bounded on a line of 100 MB.

    Parameters
    ----------
    texts : sequence of str
    separators : pattern of one character, optional
        Behind what it matches a line can be taken apart: `Segmenter.separators`. A line without
        a match, and every line when it is None, stays whole.

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
            pieces.extend(_short_pieces(line, separators))
            line_ends.append(len(pieces))
        document_ends.append(len(pieces))
    return TextPieces(pieces, document_ends, line_ends)


def _short_pieces(line: str, separators: re.Pattern[str] | None) -> Iterator[str]:
    start = 0
    while separators and len(line) - start > _LONGEST_PIECE:
        found = separators.search(line, start + _LONGEST_PIECE)
        if not found:
            break
        yield line[start : found.end()]
        start = found.end()
    yield line[start:]
