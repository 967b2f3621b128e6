"""What a token is: a word, punctuation, a blank; and where that makes sentences end."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import BoolArray, Int64Array
from nlpfeat.text.characters import CLOSERS, SENTENCE_ENDS, is_blank, is_punctuation

WORD, BLANK, LINE_END, PUNCTUATION, CLOSER, END = range(6)
"""A line end is a blank that ends a sentence. Closers and ends are punctuation too: a closer goes
with the end that it follows."""

Kinds = NDArray[np.int8]


def kinds_of(tokens: Sequence[str]) -> Kinds:
    """Return the kind of each token.

    Examples
    --------
    >>> kinds_of(["好", "　", "，", "”", "！？"]).tolist()
    [0, 1, 3, 4, 5]
    """
    kinds = np.full(len(tokens), WORD, dtype=np.int8)
    for place in [place for place, token in enumerate(tokens) if not token.isalnum()]:
        kinds[place] = _kind(tokens[place])
    return kinds


def _kind(token: str) -> int:
    if is_blank(token):
        return LINE_END if "\n" in token or "\r" in token else BLANK
    if not is_punctuation(token):
        return WORD
    if not SENTENCE_ENDS.union(CLOSERS).issuperset(token):
        return PUNCTUATION
    return CLOSER if SENTENCE_ENDS.isdisjoint(token) else END


def are_tokens(kinds: Kinds) -> BoolArray:
    """Tell which pieces are tokens, and no blanks."""
    shown: BoolArray = (kinds == WORD) | (kinds >= PUNCTUATION)
    return shown


def sentence_ends(kinds: Kinds, borders: BoolArray) -> Int64Array:
    """Return the number of tokens up to the end of each sentence.

    A sentence ends at each border, and behind a run of closers and ends that holds an end.

    Parameters
    ----------
    kinds : ndarray of int8, shape (n_tokens,)
        Without blanks.
    borders : ndarray of bool, shape (n_tokens + 1,)
        True where that many tokens end a document or a line.
    """
    in_run = kinds >= CLOSER
    last = np.flatnonzero(in_run & ~np.append(in_run[1:], False) | in_run & borders[1:])
    n_ends = np.cumsum(kinds == END)[last]
    ends = last[np.diff(n_ends, prepend=0) > 0] + 1
    marked = borders.copy()
    marked[ends] = True
    marked[0] = False
    result: Int64Array = np.flatnonzero(marked)
    return result
