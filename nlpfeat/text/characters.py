"""What kind of character is it: blank, punctuation, the end of a sentence."""

import unicodedata
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

SENTENCE_ENDS = frozenset("。！？；…!?;｡︒︕︖︔")
"""Characters that end a sentence; the dot is none, since it also stands in 3.5 and e.g."""

CLOSERS = frozenset("”’」』）】》〉〕〗〙〛｝］\"')]}»›＂＇")
"""Quotes and brackets that belong to the sentence whose end they follow."""


_BLANK = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})


def is_blank(token: str) -> bool:
    r"""Tell whether a piece of text is no token: white space, control or format characters only.

    Examples
    --------
    >>> [is_blank(piece) for piece in ("　", "\ufeff", "\r\n", "好", "")]
    [True, True, True, False, True]
    """
    return all(unicodedata.category(character) in _BLANK for character in token)


def is_punctuation(token: str) -> bool:
    """Tell whether every character is in one of Unicode's P categories; symbols and emoji are not.

    Examples
    --------
    >>> [is_punctuation(token) for token in ("，", "……", "+", "好。", "😀")]
    [True, True, False, False, False]
    """
    return bool(token) and all(unicodedata.category(c)[0] == "P" for c in token)


def character_table(belongs: Callable[[int], bool]) -> NDArray[np.bool_]:
    """Return a table over the 65,536 UTF-16 units: which of them ``belongs`` accepts."""
    return np.fromiter(map(belongs, range(1 << 16)), dtype=np.bool_, count=1 << 16)


def texts_holding(texts: Sequence[str], table: NDArray[np.bool_]) -> list[int]:
    """Return the indexes of the texts that hold a character of the table.

    One look at all texts together costs a twentieth of a regular expression on each.

    Parameters
    ----------
    texts : sequence of str
        Texts without line feeds give the exact answer; where one holds a line feed, all
        indexes are returned.
    table : ndarray of bool, shape (65536,)
        From :func:`character_table`, over UTF-16 units.

    Examples
    --------
    >>> digits = character_table(lambda unit: 0xFF10 <= unit <= 0xFF19)
    >>> texts_holding(["今天", "２０２６年", "好"], digits)
    [1]
    """
    joined = "\n".join(texts).encode("utf-16-le", "surrogatepass")
    units = np.frombuffer(joined, dtype="<u2")
    hits = np.flatnonzero(table[units])
    if not len(hits):
        return []
    ends = np.flatnonzero(units == 10)
    if len(ends) != len(texts) - 1:
        return list(range(len(texts)))
    found: list[int] = np.unique(np.searchsorted(ends, hits)).tolist()
    return found
