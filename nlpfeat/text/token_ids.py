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

    def __iter__(self) -> Iterator[Int32Array]:
        """Yield the ids of each document."""
        for start, stop in zip(self.indptr[:-1].tolist(), self.indptr[1:].tolist()):
            yield self.ids[start:stop]
