"""Lines that end where a page was full, and not where the text does."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

_FEWEST_LINES = 50
#: Shorter lines of one length are verse.
_NARROWEST = 15
_FULL, _BROKEN = 0.4, 0.7
_ENDS = frozenset('。！？；：…”』」）!?;:."')


def are_wrapped(lines: Sequence[str]) -> bool:
    """Tell whether lines look like those of a text that was broken at a fixed width.

    They do where many have the greatest length, or one less, and most of these end within a
    sentence. Of few lines, and of short ones, it is not said.

    Parameters
    ----------
    lines : sequence of str
        The first lines of a text.

    Examples
    --------
    >>> text = "话说天下大势分久必合合久必分周末七国分争并入于秦" * 100
    >>> are_wrapped([text[at : at + 20] for at in range(0, len(text), 20)])
    True
    >>> are_wrapped(["床前明月光", "疑是地上霜"] * 100)
    False
    """
    stripped = [line.strip() for line in lines]
    lengths = sorted(len(line) for line in stripped if line)
    if len(lengths) < _FEWEST_LINES:
        return False
    widest = lengths[len(lengths) * 99 // 100]  # a few may be longer, as headings of a web page
    full = [line for line in stripped if widest - 1 <= len(line) <= widest]
    broken = [line for line in full if line[-1] not in _ENDS]
    return (
        widest >= _NARROWEST
        and len(full) >= _FULL * len(lengths)
        and len(broken) >= _BROKEN * len(full)
    )


def paragraphs(batches: Iterable[Sequence[str]]) -> Iterator[list[tuple[int, str]]]:
    """Yield the paragraphs of lines, each with the number of its first line, in batches.

    A blank line ends a paragraph, and an indented one begins another. Lines are joined without a
    blank, but for one between letters of ASCII.

    Parameters
    ----------
    batches : iterable of sequence of str
        The lines, as they are read.

    Examples
    --------
    >>> lines = ["　　话说天下大势，分", "久必合。", "　　建宁二年", "", "a big", "world"]
    >>> list(paragraphs([lines[:2], lines[2:]]))
    [[(1, '话说天下大势，分久必合。'), (3, '建宁二年')], [(5, 'a big world')]]
    """
    begun: list[str] = []
    first = n_before = 0
    for batch in batches:
        done = []
        for number, line in enumerate(batch, n_before + 1):
            text = line.strip()
            if begun and (not text or line[0].isspace()):
                done.append((first, _joined(begun)))
                begun = []
            if text:
                first = first if begun else number
                begun.append(text)
        n_before += len(batch)
        if done:
            yield done
    if begun:
        yield [(first, _joined(begun))]


def _joined(lines: Sequence[str]) -> str:
    parts = [lines[0]]
    for before, line in pairwise(lines):
        seam = before[-1] + line[0]
        parts.append(f" {line}" if seam.isascii() and seam.isalpha() else line)
    return "".join(parts)
