"""From documents to term ids: cutting and numbering in workers, ids in one place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, count

import numpy as np

from nlpfeat._typing import Int32Array, Int64Array
from nlpfeat.text.batches import Batch, are_texts
from nlpfeat.text.interning import TokenInterner
from nlpfeat.text.joined import join_tokens, without_ends
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.pieces import into_pieces
from nlpfeat.text.segmenters import Segmenter
from nlpfeat.text.token_ids import GAP, TokenIds
from nlpfeat.text.token_kinds import LINE_END, WORD, Kinds, are_tokens, kinds_of, sentence_ends


@dataclass(frozen=True)
class NumberedBatch:
    """A batch of documents as numbers of distinct tokens, as a worker sends it.

    Attributes
    ----------
    worker : int
        Whose numbers they are.
    new_terms : sequence of str
        The terms of the tokens that this worker numbered for the first time, in order.
    new_kinds : ndarray of int8
        The kinds of these tokens.
    numbers : ndarray of int32, shape (n_tokens,)
        Without blanks.
    indptr, sentence_indptr : ndarray of int64
        Where documents and sentences begin and end, as in :class:`TokenIds`.
    was_cut : bool
        Whether the documents were texts.
    """

    worker: int
    new_terms: Sequence[str]
    new_kinds: Kinds
    numbers: Int32Array
    indptr: Int64Array
    sentence_indptr: Int64Array
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
        self._kinds: Kinds = np.empty(0, dtype=np.int8)

    def __call__(self, batch: Batch) -> NumberedBatch:
        """Return a batch of texts or token lists as numbers."""
        known = len(self._interner.tokens)
        numbers, document_ends, line_ends = self._number(batch)
        new_tokens = self._interner.tokens[known:]
        new_kinds = kinds_of(new_tokens)
        self._kinds = np.concatenate([self._kinds, new_kinds])
        kinds = self._kinds[numbers]
        is_token = are_tokens(kinds)
        if not is_token.all():
            n_kept = np.concatenate([[0], np.cumsum(is_token)])
            # Token lists may hold line ends as tokens of their own, as jieba gives them.
            line_ends = np.concatenate([line_ends, np.flatnonzero(kinds == LINE_END)])
            document_ends, line_ends = n_kept[document_ends], n_kept[line_ends]
            numbers, kinds = numbers[is_token], kinds[is_token]
        borders = np.zeros(len(numbers) + 1, dtype=np.bool_)
        borders[document_ends] = True
        borders[line_ends] = True
        return NumberedBatch(
            self._worker,
            self._normalization.terms(new_tokens),
            new_kinds,
            numbers,
            np.concatenate([[0], document_ends]),
            np.concatenate([[0], sentence_ends(kinds, borders)]),
            are_texts(batch),
        )

    def _number(self, batch: Batch) -> tuple[Int32Array, Int64Array, Int64Array]:
        """Return the numbers of all pieces, and the numbers of pieces up to each end."""
        if not are_texts(batch):
            numbers, ends = self._interner.intern(join_tokens(batch))
            return numbers, ends, ends[:0]
        texts = into_pieces(without_ends(batch), self._segmenter.separators)
        groups = map(self._normalization.before_cutting, texts.groups())
        numbers, ends = _concatenated(
            [self._interner.intern(self._segmenter.cut_joined(group)) for group in groups]
        )
        document_ends = ends if texts.document_ends is None else _at(ends, texts.document_ends)
        return numbers, document_ends, _at(ends, texts.line_ends)


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
    """Turns the numbers of workers into term ids and gaps.

    Parameters
    ----------
    stop_words : frozenset of str
        Terms that become gaps.
    keep_punctuation : bool
        Whether punctuation is a term instead of a gap.
    known : mapping of str to int, optional
        The ids of the only terms there are; None gives each new term the next id.
    unknown : int, default GAP
        The id of every other term, where the terms are known.
    """

    def __init__(
        self,
        stop_words: frozenset[str],
        keep_punctuation: bool,
        known: Mapping[str, int] | None = None,
        unknown: int = GAP,
    ) -> None:
        self._keep_punctuation = keep_punctuation
        self._ids: _TermIds | _KnownIds = (
            _TermIds(stop_words) if known is None else _KnownIds(stop_words, known, unknown)
        )
        self._tables: dict[int, Int32Array] = {}

    @property
    def terms(self) -> list[str]:
        """The terms that were met first here, in no order.

        Where the terms are not known, the ids of the encoded batches are places in this list; where
        they are, it holds the unknown ones.
        """
        return self._ids.terms

    def encode(self, batch: NumberedBatch) -> TokenIds:
        """Return the batch as term ids; batches of one worker must come in its order."""
        table = self._tables.get(batch.worker, np.empty(0, dtype=np.int32))
        if len(batch.new_terms):
            table = np.concatenate([table, self._new_ids(batch)])
            self._tables[batch.worker] = table
        return TokenIds(table[batch.numbers], batch.indptr, batch.sentence_indptr)

    def _new_ids(self, batch: NumberedBatch) -> Int32Array:
        kinds = batch.new_kinds
        is_term = are_tokens(kinds) if self._keep_punctuation else kinds == WORD
        ids = np.full(len(kinds), GAP, dtype=np.int32)
        ids[is_term] = self._ids.of(list(compress(batch.new_terms, is_term.tolist())))
        return ids


class _TermIds:
    """Gives the next number to a term that is asked for the first time."""

    def __init__(self, stop_words: frozenset[str]) -> None:
        self.terms: list[str] = []
        self._ids = dict.fromkeys(stop_words, GAP)

    def of(self, terms: list[str]) -> list[int]:
        """Return the number of each term; a term may come more than once."""
        known = self._ids
        new = [term for term in dict.fromkeys(terms) if term not in known]
        known.update(zip(new, count(len(self.terms))))
        self.terms += new
        return list(map(known.__getitem__, terms))


class _KnownIds:
    """Gives the number that a term has, and one number to all others."""

    def __init__(self, stop_words: frozenset[str], known: Mapping[str, int], unknown: int) -> None:
        self._stop_words = stop_words
        self._known = known
        self._unknown = unknown
        self.terms: list[str] = []

    def of(self, terms: list[str]) -> list[int]:
        """Return the number of each term; a term may come more than once."""
        return list(map(self._number, terms))

    def _number(self, term: str) -> int:
        if term in self._stop_words:
            return GAP
        number = self._known.get(term)
        if number is None:
            self.terms.append(term)
            return self._unknown
        return number
