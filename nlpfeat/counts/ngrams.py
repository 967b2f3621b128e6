"""N-grams of terms: documents × n-grams."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nlpfeat._typing import BoolArray, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.counts.feature_space import FeatureFrequencies, ids_in
from nlpfeat.counts.ngram_levels import NgramWalk, learned_levels
from nlpfeat.counts.ngram_names import check_distinct, check_ngram_range, split_names
from nlpfeat.counts.sorted_keys import Cells, IntArray, find, fitting_dtype, joined_keys, union_of
from nlpfeat.counts.stored_keys import are_keys
from nlpfeat.errors import InvalidInputError, VocabularyMismatchError
from nlpfeat.text.token_ids import GAP, TokenIds
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class NgramSpace:
    """N-grams, one column each, by length and then by the terms; made by :meth:`learn`.

    An n-gram is a run of terms within a sentence, without a gap. It is stored as the place of its
    first n - 1 terms among the (n - 1)-grams and the id of its last term, both in one integer.

    Parameters
    ----------
    vocabulary : Vocabulary
        The terms of the n-grams, with their frequencies in the corpus. They are the 1-grams.
    keys : tuple of ndarray of int64
        The n-grams of length 2, 3, …, ascending: ``prefix * n_terms + last``.
    is_column : tuple of ndarray of bool
        Which n-grams of length 1, 2, … are columns; the others begin columns.
    ngram_range : (int, int)
        The lengths of the n-grams that are columns.
    separator : str
        What stands between the terms in a name.

    Examples
    --------
    >>> space, order = NgramSpace.from_names(["很 好", "好", "天气 很"], (1, 2), " ")
    >>> space.names(), order.tolist()
    (['好', '天气 很', '很 好'], [2, 0, 1])
    >>> space.vocabulary.terms
    ('天气', '好', '很')
    >>> tokens = TokenIds(np.array([0, 2, 1, 2], np.int32), np.array([0, 4]), np.array([0, 4]))
    >>> space.count(tokens).toarray()
    array([[1, 1, 1]])
    """

    vocabulary: Vocabulary
    keys: tuple[Int64Array, ...] = field(repr=False)
    is_column: tuple[BoolArray, ...] = field(repr=False)
    ngram_range: tuple[int, int]
    separator: str
    unknown_id: ClassVar[int] = GAP

    @classmethod
    def learn(
        cls,
        spool: TokenSpool,
        ngram_range: tuple[int, int],
        *,
        separator: str,
        min_documents: int = 1,
    ) -> tuple["NgramSpace", FeatureFrequencies]:
        """Return the n-grams of a corpus, and how frequent they are.

        An n-gram is in no more documents than what it begins and ends with, so only n-grams whose
        beginning and end are frequent enough are ever counted: the result is exact, and memory is
        bounded by them. The text is read once for each length.

        Parameters
        ----------
        spool : TokenSpool
            Its vocabulary must hold the frequencies of the spool, as it does when it was made.
        ngram_range : (int, int)
            The shortest and the longest length.
        separator : str
            " " for words, "" for characters.
        min_documents : int, default 1
            N-grams of fewer documents are left out.

        Raises
        ------
        InvalidParameterError
            For lengths or a ``min_documents`` that cannot be.
        """
        shortest, longest = check_ngram_range(ngram_range)
        min_documents = check_int(min_documents, "min_documents", minimum=1)
        levels = list(learned_levels(spool, longest, min_documents))
        is_column = tuple(
            np.full(len(level), length >= shortest) for length, level in enumerate(levels, start=1)
        )
        space = cls(
            spool.vocabulary.take(levels[0].keys),
            tuple(level.keys for level in levels[1:]),
            is_column,
            (shortest, longest),
            separator,
        )
        frequencies = [level.frequencies for level in levels[shortest - 1 :]]
        empty = np.empty(0, dtype=np.int64)
        return space._only(is_column), FeatureFrequencies(
            np.concatenate([empty, *(each.occurrences for each in frequencies)]),
            np.concatenate([empty, *(each.documents for each in frequencies)]),
        )

    @classmethod
    def from_names(
        cls, names: Sequence[str], ngram_range: tuple[int, int], separator: str
    ) -> tuple["NgramSpace", Int64Array]:
        """Return the space of named n-grams.

        Parameters
        ----------
        names : sequence of str
            Distinct: terms joined by the separator. Where ``ngram_range`` is (1, 1) and the
            separator is not empty, a name is one term, whatever it holds.
        ngram_range : (int, int)
        separator : str

        Returns
        -------
        space : NgramSpace
        order : ndarray of int64, shape (n_names,)
            The column of each name.

        Raises
        ------
        InvalidParameterError
            For a name that is empty, or shorter or longer than ``ngram_range``.
        """
        shortest, longest = check_ngram_range(ngram_range)
        tokens, lengths = split_names(names, (shortest, longest), separator)
        terms = tuple(sorted(set(tokens)))
        vocabulary = Vocabulary(terms, *np.zeros((2, len(terms)), dtype=np.int64))
        starts = np.cumsum(lengths) - lengths
        ids = vocabulary.encode(tokens)
        nodes = ids[starts].astype(np.int64)
        levels = [np.arange(len(terms))]
        is_column = []
        for length in range(1, int(lengths.max(initial=1)) + 1):
            if length > 1:
                longer = np.flatnonzero(lengths >= length)
                last = ids[starts[longer] + length - 1]
                keys = joined_keys((nodes[longer], len(levels[-1])), (last, len(terms)))
                level, nodes[longer] = np.unique(keys, return_inverse=True)
                levels.append(level)
            is_column.append(np.zeros(len(levels[-1]), dtype=np.bool_))
            is_column[-1][nodes[lengths == length]] = True
        space = cls(vocabulary, tuple(levels[1:]), tuple(is_column), (shortest, longest), separator)
        order = np.empty(len(names), dtype=np.int64)
        for length, columns in enumerate(space._columns, start=1):
            here = lengths == length
            order[here] = columns[nodes[here]]
        return space, order

    def __len__(self) -> int:
        """Return the number of columns."""
        return sum(int(np.count_nonzero(level)) for level in self.is_column)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: what everything else is derived from."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what `__getstate__` gave, once it is known to be sound."""
        self.__dict__.update(state)
        _, longest = check_ngram_range(self.ngram_range)
        lengths = [len(self.vocabulary), *map(len, self.keys)]
        limits = [length * len(self.vocabulary) for length in lengths]
        if (
            len(lengths) > longest
            or [level.shape for level in self.is_column] != [(length,) for length in lengths]
            or any(level.dtype != np.bool_ for level in self.is_column)
            or not all(map(are_keys, self.keys, limits))
        ):
            raise InvalidInputError("The n-grams do not fit their terms.")

    @cached_property
    def _columns(self) -> list[IntArray]:
        """The column of each n-gram of each length, -1 for none; n-gram -1 is none too."""
        columns, n_before = [], 0
        dtype = fitting_dtype(len(self))
        for level in self.is_column:
            numbers = np.full(len(level) + 1, -1, dtype=dtype)
            n_here = int(np.count_nonzero(level))
            numbers[:-1][level] = np.arange(n_before, n_before + n_here, dtype=dtype)
            columns.append(numbers)
            n_before += n_here
        return columns

    def names(self) -> list[str]:
        """Return the n-grams, their terms joined by the separator.

        Raises
        ------
        InvalidInputError
            When two n-grams have the same name.
        """
        terms = self.vocabulary.terms
        level_names = np.array(terms, dtype=object)
        following = np.array([self.separator + term for term in terms], dtype=object)
        names: list[str] = level_names[self.is_column[0]].tolist()
        for keys, is_column in zip(self.keys, self.is_column[1:]):
            prefix, last = np.divmod(keys, len(terms))
            level_names = level_names[prefix] + following[last]
            names += level_names[is_column].tolist()
        check_distinct(names, terms, self.separator)
        return names

    def count(self, tokens: TokenIds) -> "csr_array":
        """Return how often each document holds each n-gram."""
        walk = NgramWalk(tokens, tokens.ids, len(self.vocabulary))
        cells = Cells()
        if self.ngram_range[0] == 1:
            groups = walk.terms()
            cells.add(groups, self._columns[0][groups.keys], walk.documents)
        for length, (keys, columns) in enumerate(zip(self.keys, self._columns[1:]), start=2):
            groups = walk.longer()
            if length >= self.ngram_range[0]:
                cells.add(groups, columns[find(keys, groups.keys)], walk.documents)
            if length <= len(self.keys):
                walk.go_on(keys)
        return cells.matrix((tokens.n_documents, len(self)))

    def take(self, columns: Int64Array) -> "NgramSpace":
        """Return the space of some columns, which must be in order."""
        kept = np.zeros(len(self), dtype=np.bool_)
        kept[columns] = True
        ends = np.cumsum([np.count_nonzero(level) for level in self.is_column])
        is_column = []
        for level, part in zip(self.is_column, np.split(kept, ends[:-1])):
            is_kept = level.copy()
            is_kept[level] = part
            is_column.append(is_kept)
        return self._only(tuple(is_column))

    def _only(self, is_column: tuple[BoolArray, ...]) -> "NgramSpace":
        """Return the space of these columns, what begins them, and their terms."""
        if all(level.all() for level in is_column):
            return self
        is_used = [level.copy() for level in is_column]
        for length in range(len(self.keys), 0, -1):
            keys = self.keys[length - 1][is_used[length]]
            prefix, last = np.divmod(keys, len(self.vocabulary))
            is_used[length - 1][prefix] = True
            is_used[0][last] = True
        while len(is_used) > 1 and not is_used[-1].any():
            is_used.pop()
        vocabulary = self.vocabulary.take(np.flatnonzero(is_used[0]))
        terms = np.cumsum(is_used[0]) - 1
        levels = [_Level(terms, len(vocabulary))]
        new_keys = []
        for keys, used in zip(self.keys, is_used[1:]):
            new_keys.append(levels[-1].renumbered(keys[used], levels[0]))
            levels.append(_Level(np.cumsum(used) - 1, len(new_keys[-1])))
        columns = tuple(level[used] for level, used in zip(is_column, is_used))
        return NgramSpace(vocabulary, tuple(new_keys), columns, self.ngram_range, self.separator)

    def union(self, other: "NgramSpace") -> tuple["NgramSpace", Int64Array, Int64Array]:
        """Return the columns of both, and where the columns of each stand among them.

        Raises
        ------
        VocabularyMismatchError
            When the spaces were made with different settings.
        """
        for name in ("ngram_range", "separator"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours != theirs:
                raise VocabularyMismatchError(
                    f"N-grams made with different settings cannot be merged: {name} is {ours!r} "
                    f"here and {theirs!r} there. Fit both with the same."
                )
        vocabulary = self.vocabulary.merge(other.vocabulary)
        pair = (self, other)
        # Where the n-grams of each length stand among those of both, for either space.
        levels = [[_Level(ids_in(vocabulary, s.vocabulary.terms), len(vocabulary))] for s in pair]
        all_keys = []
        empty = np.empty(0, dtype=np.int64)
        for both_keys in zip_longest(self.keys, other.keys, fillvalue=empty):
            parts = [own[-1].renumbered(keys, own[0]) for own, keys in zip(levels, both_keys)]
            all_keys.append(union_of(*parts))
            for own, part in zip(levels, parts):
                own.append(_Level(np.searchsorted(all_keys[-1], part), len(all_keys[-1])))
        is_column = [np.zeros(n, dtype=np.bool_) for n in (len(vocabulary), *map(len, all_keys))]
        for space, own in zip(pair, levels):
            for whole, level, is_own in zip(is_column, own, space.is_column):
                whole[level.places[is_own]] = True
        union = NgramSpace(
            vocabulary, tuple(all_keys), tuple(is_column), self.ngram_range, self.separator
        )
        ours, theirs = (
            np.concatenate(
                [
                    columns[level.places[is_own]].astype(np.int64)
                    for columns, level, is_own in zip(union._columns, own, space.is_column)
                ]
            )
            for space, own in zip(pair, levels)
        )
        return union, ours, theirs


@dataclass(frozen=True)
class _Level:
    """Where the n-grams of one length stand in another space.

    Attributes
    ----------
    places : ndarray of int64, shape (n_ngrams,)
    n_places : int
        N-grams of that length there.
    """

    places: Int64Array
    n_places: int

    def renumbered(self, keys: Int64Array, terms: "_Level") -> Int64Array:
        """Return the keys in the other space of n-grams that are one term longer."""
        prefix, last = np.divmod(keys, len(terms.places))
        return joined_keys(
            (self.places[prefix], self.n_places), (terms.places[last], terms.n_places)
        )
