"""From pieces of text to term ids: what is a term, a gap, a blank, the end of a sentence."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import BoolArray, Int32Array, Int64Array
from nlpfeat.text.batches import Batch, are_texts
from nlpfeat.text.characters import CLOSERS, SENTENCE_ENDS, is_blank, is_punctuation
from nlpfeat.text.interning import TokenInterner
from nlpfeat.text.joined import join_tokens, without_ends
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.pieces import into_pieces
from nlpfeat.text.segmenters import Segmenter
from nlpfeat.text.token_ids import GAP, TokenIds

_BLANK = -2
_PLAIN, _CLOSES, _ENDS = 0, 1, 2


@dataclass(frozen=True)
class NumberedBatch:
    """A batch of documents as numbers of distinct tokens, as a worker sends it.

    Attributes
    ----------
    worker : int
        Whose numbers they are.
    new_tokens : list of str
        The tokens that this worker numbered for the first time, in order.
    numbers : ndarray of int32, shape (n_tokens,)
        Blank and empty pieces are among them.
    document_ends, line_ends : ndarray of int64
        The number of tokens up to the end of each document, and of each line within one.
    was_cut : bool
        Whether the documents were texts.
    """

    worker: int
    new_tokens: list[str]
    numbers: Int32Array
    document_ends: Int64Array
    line_ends: Int64Array
    was_cut: bool


class BatchCutter:
    """Cuts and numbers batches: the part of the work that several processes share.

    Parameters
    ----------
    segmenter : Segmenter
    normalization : Normalization
    worker : int
        Goes into each batch.
    """

    def __init__(self, segmenter: Segmenter, normalization: Normalization, worker: int) -> None:
        self._segmenter = segmenter
        self._normalization = normalization
        self._worker = worker
        self._interner = TokenInterner()

    def __call__(self, batch: Batch) -> NumberedBatch:
        """Return a batch of texts or token lists as numbers."""
        known = len(self._interner.tokens)
        document_pieces, line_pieces = None, []
        if are_texts(batch):
            texts = into_pieces(without_ends(batch), self._segmenter.separators)
            document_pieces, line_pieces = texts.document_ends, texts.line_ends
            groups = map(self._normalization.before_cutting, texts.groups())
            numbers, ends = _concatenated(
                [self._interner.intern(self._segmenter.cut_joined(group)) for group in groups]
            )
        else:
            numbers, ends = self._interner.intern(join_tokens(batch))
        return NumberedBatch(
            self._worker,
            self._interner.tokens[known:],
            numbers,
            ends if document_pieces is None else _at(ends, document_pieces),
            _at(ends, line_pieces),
            are_texts(batch),
        )


def _concatenated(parts: list[tuple[Int32Array, Int64Array]]) -> tuple[Int32Array, Int64Array]:
    """Return the numbers of all parts, and the ends of their pieces counted from the first."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *(len(numbers) for numbers, _ in parts)])
    ends = [ends + start for (_, ends), start in zip(parts, starts)]
    return np.concatenate([numbers for numbers, _ in parts]), np.concatenate(ends)


def _at(ends: Int64Array, n_pieces: list[int]) -> Int64Array:
    return np.concatenate([[0], ends])[np.array(n_pieces, dtype=np.int64)]


class TokenEncoder:
    """Turns numbered tokens into term ids, gaps and sentence ends.

    Parameters
    ----------
    normalization : Normalization
    stop_words : frozenset of str
        Terms that become gaps.
    keep_punctuation : bool
        Whether punctuation is a term instead of a gap.

    """

    def __init__(
        self, normalization: Normalization, stop_words: frozenset[str], keep_punctuation: bool
    ) -> None:
        self._normalization = normalization
        self._keep_punctuation = keep_punctuation
        self._ids = _TermIds(stop_words)
        self._codes: dict[int, _Codes] = {}

    @property
    def terms(self) -> list[str]:
        """The terms so far, in no order; the ids of the encoded batches are places in it."""
        return self._ids.terms

    def encode(self, batch: NumberedBatch) -> TokenIds:
        """Return the batch as term ids; batches of one worker must come in its order."""
        table = self._codes.setdefault(batch.worker, _Codes())
        if batch.new_tokens:
            table.extend(*self._classify(batch.new_tokens))
        codes = table.codes[batch.numbers]
        kinds = table.kinds[batch.numbers]
        document_ends, line_ends = batch.document_ends, batch.line_ends
        blank = codes == _BLANK
        if blank.any():
            kept = np.concatenate([[0], np.cumsum(~blank)])
            document_ends, line_ends = kept[document_ends], kept[line_ends]
            codes, kinds = codes[~blank], kinds[~blank]
        borders = np.zeros(len(codes) + 1, dtype=np.bool_)
        borders[document_ends] = True
        borders[line_ends] = True
        return TokenIds(
            codes,
            np.concatenate([[0], document_ends]),
            np.concatenate([[0], _sentence_ends(kinds, borders)]),
        )

    def _classify(self, tokens: list[str]) -> tuple[Int32Array, NDArray[np.int8]]:
        """Return the codes of tokens (a term's id, gap or blank) and their part in sentences."""
        kinds = np.full(len(tokens), _PLAIN, dtype=np.int8)
        marks = {}
        for place in [place for place, token in enumerate(tokens) if not token.isalnum()]:
            token = tokens[place]
            if is_blank(token):
                marks[place] = _BLANK
            elif is_punctuation(token):
                kinds[place] = _sentence_kind(token)
                if not self._keep_punctuation:
                    marks[place] = GAP
        codes = np.empty(len(tokens), dtype=np.int32)
        if marks:
            codes[list(marks)] = list(marks.values())
        words = [place for place in range(len(tokens)) if place not in marks]
        terms = self._normalization.terms([tokens[place] for place in words])
        codes[words] = list(map(self._ids.__getitem__, terms))
        return codes, kinds


def _sentence_kind(token: str) -> int:
    if not SENTENCE_ENDS.union(CLOSERS).issuperset(token):
        return _PLAIN
    return _CLOSES if SENTENCE_ENDS.isdisjoint(token) else _ENDS


class _Codes:
    """The codes and kinds of one worker's tokens, by their numbers."""

    def __init__(self) -> None:
        self.codes = np.empty(0, dtype=np.int32)
        self.kinds = np.empty(0, dtype=np.int8)

    def extend(self, codes: Int32Array, kinds: NDArray[np.int8]) -> None:
        self.codes = np.concatenate([self.codes, codes])
        self.kinds = np.concatenate([self.kinds, kinds])


class _TermIds(dict[str, int]):
    """Gives the next number to a term that is asked for the first time."""

    def __init__(self, stop_words: frozenset[str]) -> None:
        super().__init__(dict.fromkeys(stop_words, GAP))
        self.terms: list[str] = []

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self.terms)
        self.terms.append(term)
        return number


def _sentence_ends(kinds: NDArray[np.int8], borders: BoolArray) -> Int64Array:
    """Return the number of tokens up to the end of each sentence.

    A sentence ends at each border, and behind a run of closing quotes, brackets and ends that
    holds at least one end.
    """
    in_run = kinds != _PLAIN
    last = np.flatnonzero(in_run & ~np.append(in_run[1:], False) | in_run & borders[1:])
    n_ends = np.cumsum(kinds == _ENDS)[last]
    ends = last[np.diff(n_ends, prepend=0) > 0] + 1
    marked = borders.copy()
    marked[ends] = True
    marked[0] = False
    result: Int64Array = np.flatnonzero(marked)
    return result
