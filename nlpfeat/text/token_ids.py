"""The corpus as integers."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Int32Array, Int64Array

GAP = -1
"""Stands where a token was removed: punctuation, a stop word, a word outside the vocabulary."""

SCOPES = {"document": "indptr", "sentence": "sentence_indptr"}
"""What a pair may not cross, and the attribute of :class:`TokenIds` that holds its bounds."""


@dataclass(frozen=True)
class TokenIds:
    """Documents as term ids, one behind the other, with gaps where tokens were removed.

    Parameters
    ----------
    ids : ndarray of int32, shape (n_tokens,)
        Term ids, or :data:`GAP`. A gap keeps its place, so that distances are those of the text.
    indptr : ndarray of int64, shape (n_documents + 1,)
        Document d is ``ids[indptr[d]:indptr[d + 1]]``.
    sentence_indptr : ndarray of int64, shape (n_sentences + 1,)
        The same for sentences; every document end is a sentence end.

    Examples
    --------
    >>> tokens = TokenIds(np.array([0, GAP, 1], np.int32), np.array([0, 3]), np.array([0, 2, 3]))
    >>> tokens.n_documents, tokens.n_tokens, [part.tolist() for part in tokens]
    (1, 3, [[0, -1, 1]])
    """

    ids: Int32Array
    indptr: Int64Array
    sentence_indptr: Int64Array

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return len(self.indptr) - 1

    @property
    def n_tokens(self) -> int:
        """Number of tokens, gaps included."""
        return len(self.ids)

    def bounds(self, scope: str) -> Int64Array:
        """Return where the units of a scope begin and end; units without a token are left out.

        Parameters
        ----------
        scope : {"document", "sentence"}

        Returns
        -------
        ndarray of int64, shape (n_units + 1,)
        """
        bounds: Int64Array = getattr(self, lookup(SCOPES, scope, "scope"))
        kept: Int64Array = bounds[np.concatenate([[True], bounds[1:] > bounds[:-1]])]
        return kept

    def shortened(self, max_length: int) -> "TokenIds":
        """Return the first tokens of each document.

        Parameters
        ----------
        max_length : int
            Tokens of a document that are kept at most, gaps included.

        Examples
        --------
        >>> ids = np.array([0, 1, 2, 3, 4], np.int32)
        >>> short = TokenIds(ids, np.array([0, 4, 5]), np.array([0, 1, 4, 5])).shortened(2)
        >>> short.ids.tolist(), short.indptr.tolist(), short.sentence_indptr.tolist()
        ([0, 1, 4], [0, 2, 3], [0, 1, 2, 3])
        """
        lengths = np.diff(self.indptr)
        is_kept = np.arange(self.n_tokens) - np.repeat(self.indptr[:-1], lengths) < max_length
        n_kept = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(is_kept)])
        sentences = n_kept[self.sentence_indptr]
        is_new = np.concatenate([[True], sentences[1:] > sentences[:-1]])
        return TokenIds(self.ids[is_kept], n_kept[self.indptr], sentences[is_new])

    def chosen(self, rows: Int64Array) -> "TokenIds":
        """Return some of the documents.

        Parameters
        ----------
        rows : ndarray of int64, shape (n_rows,)
            Numbers of documents, in any order; one that stands twice is there twice.

        Examples
        --------
        >>> ids = np.array([0, 1, 2], np.int32)
        >>> tokens = TokenIds(ids, np.array([0, 2, 3]), np.array([0, 2, 3]))
        >>> [part.tolist() for part in tokens.chosen(np.array([1, 0, 1]))]
        [[2], [0, 1], [2]]
        """
        lengths = np.diff(self.indptr)[rows]
        ends = np.cumsum(lengths)
        starts = np.repeat(self.indptr[rows] - (ends - lengths), lengths)
        places = np.arange(int(lengths.sum())) + starts
        is_end = np.zeros(self.n_tokens + 1, dtype=np.bool_)
        is_end[self.sentence_indptr] = True
        zero = np.zeros(1, dtype=np.int64)
        sentence_ends = np.flatnonzero(is_end[places + 1]) + 1
        return TokenIds(
            self.ids[places],
            np.concatenate([zero, ends]),
            np.concatenate([zero, sentence_ends]),
        )

    def __iter__(self) -> Iterator[Int32Array]:
        """Yield the ids of each document."""
        for start, stop in zip(self.indptr[:-1].tolist(), self.indptr[1:].tolist()):
            yield self.ids[start:stop]
