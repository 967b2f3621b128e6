"""The n-grams of a text, length after length, and which of a corpus are frequent enough."""

from collections.abc import Iterator

import numpy as np

from nlpfeat._typing import Int64Array
from nlpfeat.counts.feature_space import FeatureFrequencies
from nlpfeat.counts.sorted_keys import (
    CountedKeys,
    Groups,
    IntArray,
    KeyCounter,
    find,
    fitting_dtype,
)
from nlpfeat.text.token_ids import GAP, TokenIds
from nlpfeat.text.token_spool import TokenSpool


class NgramWalk:
    """The n-grams of a block, length after length.

    A gap at the end of each sentence makes "no gap inside" the only thing to look at.

    Parameters
    ----------
    tokens : TokenIds
    ids : ndarray of int32, shape (n_tokens,)
        The terms of the tokens, or gaps.
    n_terms : int
    known_ends : bool, default False
        Whether to pass over an n-gram when what it ends with, without its first term, is unknown.

    Attributes
    ----------
    length : int
        Of the n-grams that are known so far.
    documents : ndarray of int, shape (n_things,)
        The documents of the n-grams that were grouped last, in the order of the text.
    """

    def __init__(
        self, tokens: TokenIds, ids: IntArray, n_terms: int, *, known_ends: bool = False
    ) -> None:
        ends = tokens.bounds("sentence")[1:]
        self._ids: IntArray = np.insert(ids, ends, GAP)
        self._n_terms = n_terms
        self._known_ends = known_ends
        # Places of the n-grams that begin at each token among the known ones; -1: of none.
        self._nodes, self._n_nodes = self._ids, n_terms
        self._groups: Groups | None = None
        self._starts = np.empty(0, dtype=np.int64)
        self.length = 1
        indptr = tokens.indptr + np.searchsorted(ends, tokens.indptr, side="right")
        numbers = np.arange(tokens.n_documents, dtype=fitting_dtype(tokens.n_documents))
        self._all_documents: IntArray = np.repeat(numbers, np.diff(indptr))
        self.documents = self._all_documents[:0]

    def terms(self) -> Groups:
        """Group the terms; keys are their ids."""
        starts = np.flatnonzero(self._ids >= 0)
        self.documents = self._all_documents[starts]
        return Groups.of((self._ids[starts], self._n_terms))

    def longer(self) -> Groups:
        """Group what begins with a known n-gram and has one more term."""
        if self._groups is None:
            following = self._nodes[1:] if self._known_ends else self._ids[self.length :]
            self._starts = np.flatnonzero((self._nodes[:-1] >= 0) & (following >= 0))
            self.documents = self._all_documents[self._starts]
            self._groups = Groups.of(
                (self._nodes[self._starts], self._n_nodes),
                (self._ids[self._starts + self.length], self._n_terms),
            )
        return self._groups

    def go_on(self, keys: Int64Array) -> None:
        """Make the n-grams with these keys, of those that are one term longer, the known ones."""
        groups = self.longer()
        dtype = fitting_dtype(len(keys))
        nodes: IntArray = np.full(max(len(self._nodes) - 1, 0), -1, dtype=dtype)
        places = find(keys, groups.keys).astype(dtype)
        nodes[self._starts[groups.order]] = np.repeat(places, groups.sizes)
        self._nodes, self._n_nodes = nodes, len(keys)
        self._groups = None
        self.length += 1


def learned_levels(spool: TokenSpool, longest: int, min_documents: int) -> Iterator[CountedKeys]:
    """Yield the n-grams of each length that are in enough documents, up to the longest there are.

    Those of length 1 are ids of the spool's vocabulary; all others are numbered by what is kept.
    """
    vocabulary = spool.vocabulary
    kept = np.flatnonzero(vocabulary.document_frequencies >= min_documents)
    terms = CountedKeys(
        kept,
        FeatureFrequencies(
            vocabulary.term_frequencies[kept], vocabulary.document_frequencies[kept]
        ),
    )
    yield terms
    new_ids = np.full(len(vocabulary) + 1, GAP, dtype=np.int32)
    new_ids[kept] = np.arange(len(kept), dtype=np.int32)
    levels = [terms]
    only: list[NgramWalk] = []
    while len(levels) < longest and len(levels[-1]):
        counter = KeyCounter()
        n_blocks = 0
        walks = only or (
            NgramWalk(block, new_ids[block.ids], len(kept), known_ends=True)
            for block in spool.blocks()
        )
        for walk in walks:
            while walk.length < len(levels):
                walk.go_on(levels[walk.length].keys)
            counter.add(walk.longer().counted(walk.documents))
            n_blocks += 1
        # One block is kept as far as it has come, more are read again.
        only = [walk] if n_blocks == 1 else []
        found = counter.total()
        levels.append(found.take(np.flatnonzero(found.frequencies.documents >= min_documents)))
        if len(levels[-1]):
            yield levels[-1]
