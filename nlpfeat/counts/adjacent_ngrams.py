"""The frequent n-grams of a text, how often their parts begin and end others, and what is beside.

An n-gram is named by its place among the frequent n-grams of its length, in code-point order of
the terms. It is found by a key of 64 bits: the place of its first n-1 terms, and its last term. So
nothing is ever a string, and n-grams of any length have a key.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import BoolArray, Int32Array, Int64Array
from nlpfeat.counts.feature_space import FeatureFrequencies
from nlpfeat.counts.sorted_keys import CountedKeys, Groups, KeyCounter, find, joined_keys
from nlpfeat.parallel.spool import ArraySpool
from nlpfeat.text.token_ids import GAP, TokenIds
from nlpfeat.text.token_spool import BLOCK_TOKENS, Progress, TokenSpool, no_progress

_KEYS_AT_ONCE = 1 << 24


@dataclass(frozen=True, eq=False)
class Neighbors:
    """How often terms stand beside n-grams; those that do so equally often beside one are counted.

    Ordered by row and count. What is missing to the occurrences of an n-gram are sentence ends and
    gaps.

    Attributes
    ----------
    rows : ndarray of int64, shape (n_entries,)
        The place of the n-gram.
    counts : ndarray of int64, shape (n_entries,)
        How often each of the terms stands there.
    n_terms : ndarray of int64, shape (n_entries,)
        How many different terms do.
    """

    rows: Int64Array
    counts: Int64Array
    n_terms: Int64Array


@dataclass(frozen=True, eq=False)
class AdjacentNgrams:
    """The frequent n-grams of one length.

    Attributes
    ----------
    terms : ndarray of int32, shape (n_ngrams, length)
        Term ids, in lexicographic order, which is the code-point order of the terms.
    counts : ndarray of int64, shape (n_ngrams,)
    first, second : ndarray of int64, shape (length - 1, n_ngrams)
        For the split after the first a terms, in row a - 1: how many n-grams of this length, rare
        ones too, begin with the same a terms, and end with the same rest.
    total : int
        All n-grams of this length.
    left, right : Neighbors
        What stands before the n-grams, and behind them.
    """

    terms: Int32Array
    counts: Int64Array
    first: Int64Array
    second: Int64Array
    total: int
    left: Neighbors
    right: Neighbors


def adjacent_ngrams(
    spool: TokenSpool, max_length: int, min_count: int = 1, *, excluded: BoolArray | None = None,
    block_tokens: int = BLOCK_TOKENS, progress: Progress = no_progress,
) -> Iterator[AdjacentNgrams]:  # fmt: skip
    """Yield the n-grams of 2, 3, … ``max_length`` terms that occur often enough, exactly.

    An n-gram holds no gap and crosses no sentence end. It can be frequent only if the n-grams
    without its first and without its last term are, so no other is ever counted. Memory holds the
    frequent n-grams, one block of tokens and some 16 million keys.

    Parameters
    ----------
    spool : TokenSpool
    max_length : int
        At least 2.
    min_count : int, default 1
        Occurrences that an n-gram must have.
    excluded : ndarray of bool, shape (n_terms,), default None
        Terms that are gaps for the n-grams, and terms for their neighbors.
    block_tokens : int
        Tokens of a block; the result does not depend on it.
    progress : callable
        Told of the lengths that were counted.

    Yields
    ------
    AdjacentNgrams
        Of each length. Ends early when no n-gram of a length is frequent.

    Examples
    --------
    >>> from nlpfeat.text.segmenters import as_segmenter
    >>> from nlpfeat.text.token_spool import spool_tokens
    >>> texts = [["人工", "智能", "好"], ["人工", "智能"], ["好"]]
    >>> with spool_tokens(texts, as_segmenter("jieba")) as spool:
    ...     for ngrams in adjacent_ngrams(spool, 3, 2):
    ...         print(ngrams.terms.tolist(), ngrams.counts, ngrams.total)
    [[0, 2]] [2] 3
    """
    with _Counter(spool, min_count, excluded, block_tokens) as counter:
        for length in range(2, max_length + 1):
            ngrams = counter.next_length()
            progress("counting", length - 1, max_length - 1)
            if not len(ngrams.counts):
                return
            yield ngrams


@dataclass(frozen=True)
class _Block:
    """Tokens, with the places at which n-grams can stand.

    Attributes
    ----------
    ids : ndarray of int32
    inside : ndarray of bool
        Whether a token can be part of an n-gram.
    linked : ndarray of bool, shape (n_tokens - 1,)
        Whether a token and the next one are of one sentence.
    start : int
        The place of the first token in the corpus.
    """

    ids: Int32Array
    inside: BoolArray
    linked: BoolArray
    start: int

    def runs(self, length: int) -> BoolArray:
        """Return whether an n-gram of a length begins at each token that has room behind it."""
        n_places = max(len(self.ids) - length + 1, 0)
        result: BoolArray = self.inside[:n_places].copy()
        for step in range(1, length):
            result &= self.linked[step - 1 :][:n_places] & self.inside[step:][:n_places]
        return result


class _Counter:
    """Counts one length after the other; for each it keeps on disk which n-gram begins where."""

    def __init__(
        self, spool: TokenSpool, min_count: int, excluded: BoolArray | None, block_tokens: int
    ) -> None:
        self._spool = spool
        self._min_count = min_count
        self._block_tokens = block_tokens
        n_terms = len(spool.vocabulary)
        self._n_terms = n_terms
        # The entry behind the last term stands for the gap, whose id is -1.
        self._is_inside = np.append(
            np.ones(n_terms, np.bool_) if excluded is None else ~excluded, False
        )
        counts = spool.vocabulary.term_frequencies
        self._counts = [counts]
        self._keys = [np.arange(n_terms, dtype=np.int64)]
        self._terms = [np.arange(n_terms, dtype=np.int32)[:, None]]
        self._is_frequent = self._is_inside & np.append(counts >= min_count, False)
        self._places: list[ArraySpool] = []
        # A text of one block is read once, others from the disk each time.
        is_short = spool.n_tokens <= block_tokens
        self._only = list(self._read_blocks()) if is_short else None

    def __enter__(self) -> "_Counter":
        return self

    def __exit__(self, *exception: object) -> None:
        for places in self._places:
            places.close()

    def next_length(self) -> AdjacentNgrams:
        """Count the n-grams that are one term longer than the last ones."""
        length = len(self._keys) + 1
        keys, counts = self._frequent(length)
        prefixes, last = np.divmod(keys, max(self._n_terms, 1))
        terms = np.column_stack([self._terms[-1][prefixes], last.astype(np.int32)])
        self._keys.append(keys)
        self._counts.append(counts)
        self._terms.append(terms)
        first, second, total = self._margins(length)
        self._places.append(ArraySpool(np.int32))
        for block in self._blocks():
            self._places[-1].append(self._find(block, length))
        return AdjacentNgrams(
            terms, counts, first, second, total,
            self._beside(length, before=True), self._beside(length, before=False),
        )  # fmt: skip

    def _blocks(self) -> Iterable[_Block]:
        return self._read_blocks() if self._only is None else self._only

    def _read_blocks(self) -> Iterator[_Block]:
        start = 0
        for tokens in self._spool.blocks(self._block_tokens):
            yield self._block(tokens, start)
            start += tokens.n_tokens

    def _block(self, tokens: TokenIds, start: int) -> _Block:
        linked = np.ones(max(tokens.n_tokens - 1, 0), dtype=np.bool_)
        ends = tokens.bounds("sentence")[1:-1]
        linked[ends - 1] = False
        return _Block(tokens.ids, self._is_inside[tokens.ids], linked, start)

    def _places_of(self, block: _Block, length: int) -> Int32Array:
        """Return the frequent n-gram that begins at each token, GAP where none does."""
        if length == 1:
            frequent: Int32Array = np.where(self._is_frequent[block.ids], block.ids, GAP)
            return frequent
        stored = self._places[length - 2]
        return np.asarray(stored.read(block.start, block.start + len(block.ids)), dtype=np.int32)

    def _candidates(self, block: _Block, length: int) -> tuple[Int64Array, Int32Array, Int32Array]:
        """Return where n-grams begin whose two parts are frequent; the first part, the last term.

        The parts are the n-grams without the last and without the first term.
        """
        shorter = self._places_of(block, length - 1)
        is_candidate = (shorter[:-1] >= 0) & (shorter[1:] >= 0)
        if length == 2:
            is_candidate &= block.linked
        starts = np.flatnonzero(is_candidate)
        return starts, shorter[starts], block.ids[starts + length - 1]

    def _key(self, rows: Int32Array, terms: Int32Array, length: int) -> Int64Array:
        """Return the keys of n-grams of a length, by the place of what is one term shorter."""
        return joined_keys((rows, len(self._keys[length - 2])), (terms, self._n_terms))

    def _frequent(self, length: int) -> tuple[Int64Array, Int64Array]:
        """Return the keys of the frequent n-grams, in order, and their counts."""
        keys, counts = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for found in self._count_keys(
            lambda block: self._candidates(block, length)[1:], self._counts[length - 2]
        ):
            frequent = found.frequencies.occurrences >= self._min_count
            keys.append(found.keys[frequent])
            counts.append(found.frequencies.occurrences[frequent])
        return np.concatenate(keys), np.concatenate(counts)

    def _find(self, block: _Block, length: int) -> Int32Array:
        """Return the frequent n-gram that begins at each token, from those that are shorter."""
        result = np.full(len(block.ids), GAP, dtype=np.int32)
        starts, rows, terms = self._candidates(block, length)
        result[starts] = find(self._keys[length - 1], self._key(rows, terms, length))
        return result

    def _margins(self, length: int) -> tuple[Int64Array, Int64Array, int]:
        """Return the margins of each frequent n-gram at each split, and the n-grams of all."""
        splits = range(1, length)
        begin = [np.zeros(len(self._counts[a - 1]), dtype=np.int64) for a in splits]
        end = [np.zeros_like(counts) for counts in begin]
        total = 0
        for block in self._blocks():
            starts = np.flatnonzero(block.runs(length))
            total += len(starts)
            for part in splits:
                places = self._places_of(block, part)
                _add_counts(begin[part - 1], places[starts])
                _add_counts(end[part - 1], places[starts + length - part])
        terms = self._terms[length - 1]
        first = [begin[a - 1][self._named(terms[:, :a])] for a in splits]
        second = [end[length - a - 1][self._named(terms[:, a:])] for a in splits]
        return np.array(first), np.array(second), total

    def _named(self, terms: Int32Array) -> Int32Array:
        """Return the places of frequent n-grams that are given by their terms."""
        places = terms[:, 0]
        for length in range(2, terms.shape[1] + 1):
            keys = self._key(places, terms[:, length - 1], length)
            places = find(self._keys[length - 1], keys).astype(np.int32)
        return places

    def _beside(self, length: int, *, before: bool) -> Neighbors:
        """Return how often terms stand before the frequent n-grams of a length, or behind them."""
        # From the first token of an n-gram: where the neighbor stands, and which of two linked
        # tokens is the left one.
        step, link = (-1, -1) if before else (length, length - 1)

        def found_in(block: _Block) -> tuple[Int32Array, Int32Array]:
            places = self._places_of(block, length)
            starts = np.flatnonzero(places >= 0)
            starts = starts[(starts + step >= 0) & (starts + step < len(block.ids))]
            starts = starts[block.linked[starts + link] & (block.ids[starts + step] >= 0)]
            return places[starts], block.ids[starts + step]

        occurrences = self._counts[length - 1]
        # A count is at most that of the n-gram, so that a range of rows has its own keys.
        most = int(occurrences.max(initial=0)) + 1
        keys, n_terms = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for found in self._count_keys(found_in, occurrences):
            rows = found.keys // max(self._n_terms, 1)
            equal = Groups.of((rows, len(occurrences)), (found.frequencies.occurrences, most))
            keys.append(equal.keys)
            n_terms.append(equal.sizes)
        rows, counts = np.divmod(np.concatenate(keys), most)
        return Neighbors(rows, counts, np.concatenate(n_terms))

    def _count_keys(
        self, found_in: Callable[[_Block], tuple[Int32Array, Int32Array]], occurrences: Int64Array
    ) -> Iterator[CountedKeys]:
        """Count the pairs of row and term that are found, a range of rows after the other.

        A row has no more different keys than occurrences, which bounds the keys of a range.
        """
        n_rows = len(occurrences)
        for first, last in _row_ranges(occurrences):
            counter = KeyCounter()
            for block in self._blocks():
                rows, terms = found_in(block)
                if last - first < n_rows:
                    is_here = (rows >= first) & (rows < last)
                    rows, terms = rows[is_here], terms[is_here]
                groups = Groups.of((rows, n_rows), (terms, self._n_terms))
                # In how many documents they occur does not matter here.
                counter.add(
                    CountedKeys(groups.keys, FeatureFrequencies(groups.sizes, groups.sizes))
                )
            yield counter.total()


def _row_ranges(occurrences: Int64Array) -> Iterator[tuple[int, int]]:
    """Yield ranges of rows with no more than ``_KEYS_AT_ONCE`` occurrences, or of a single row."""
    done = np.cumsum(occurrences)
    first = 0
    while first < len(occurrences):
        before = done[first - 1] if first else 0
        last = int(np.searchsorted(done, before + _KEYS_AT_ONCE, side="right"))
        yield first, max(last, first + 1)
        first = max(last, first + 1)


def _add_counts(counts: Int64Array, places: Int32Array) -> None:
    counts += np.bincount(places[places >= 0], minlength=len(counts))
