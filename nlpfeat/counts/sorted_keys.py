"""Things that are known by numbers: grouped, counted, looked up and put into a matrix.

A thing (a term at a position, an n-gram) is one 64-bit key made of its numbers, so that a family of
features is a sorted array and no text is stored or hashed for what occurs.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from nlpfeat._typing import BoolArray, Int64Array
from nlpfeat.counts import indices
from nlpfeat.counts.feature_space import FeatureFrequencies
from nlpfeat.counts.indices import with_fitting_indices
from nlpfeat.errors import InvalidInputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

IntArray: TypeAlias = NDArray[np.integer]

KEY_LIMIT = int(np.iinfo(np.int64).max)

# A counting sort goes through all values that a number can have, a comparison sort does not: it is
# the quicker one where there are more than so many values for each thing (as measured).
_VALUES_PER_THING = 8


@dataclass(frozen=True, eq=False)
class Groups:
    """Things of one kind after the other.

    Attributes
    ----------
    keys : ndarray of int64, shape (n_groups,)
        Of the kinds that occur, ascending.
    order : ndarray of int, shape (n_things,)
        Places of the things, kind by kind, ascending within a kind.
    bounds : ndarray of int64, shape (n_groups + 1,)
        Group g is ``order[bounds[g]:bounds[g + 1]]``.
    """

    keys: Int64Array
    order: IntArray
    bounds: Int64Array

    @classmethod
    def of(cls, *numbers: tuple[IntArray, int]) -> "Groups":
        """Group things by their numbers.

        Parameters
        ----------
        *numbers : tuple of (ndarray of int, shape (n_things,), int)
            A number of each thing, at least 0, and how many values it can have; the numbers that
            count most come first.

        Raises
        ------
        InvalidInputError
            When a key would not fit into 64 bits.

        Examples
        --------
        >>> groups = Groups.of((np.array([1, 0, 1]), 2), (np.array([4, 2, 4]), 5))
        >>> groups.keys.tolist(), groups.order.tolist(), groups.bounds.tolist()
        ([2, 9], [1, 0, 2], [0, 1, 3])
        """
        keys = joined_keys(*numbers)
        if len(keys) * _VALUES_PER_THING <= sum(n_values for _, n_values in numbers):
            order: IntArray = np.argsort(keys, kind="stable")
        else:
            order = _counting_order(numbers)
        keys = keys[order]
        firsts = np.flatnonzero(_firsts(keys))
        return cls(keys[firsts], order, np.append(firsts, len(keys)))

    @property
    def sizes(self) -> Int64Array:
        """Number of things in each group."""
        return np.diff(self.bounds)

    def cells(self, documents: IntArray) -> tuple[Int64Array, IntArray, IntArray]:
        """Count the things of each group in each document.

        Parameters
        ----------
        documents : ndarray of int, shape (n_things,)
            The document of each thing, ascending.

        Returns
        -------
        bounds : ndarray of int64, shape (n_groups + 1,)
            Where the cells of each group begin and end.
        rows : ndarray of int, shape (n_cells,)
            Documents, ascending within a group.
        counts : ndarray of int, shape (n_cells,)
            At least 1.
        """
        rows = documents[self.order]
        is_first = _firsts(rows)
        is_first[self.bounds[:-1]] = True
        firsts = np.flatnonzero(is_first)
        counts = np.diff(firsts, append=len(rows)).astype(self.order.dtype, copy=False)
        return np.searchsorted(firsts, self.bounds), rows[firsts], counts

    def counted(self, documents: IntArray) -> "CountedKeys":
        """Return how frequent each kind is, over documents as :meth:`cells` takes them."""
        bounds, _, _ = self.cells(documents)
        return CountedKeys(self.keys, FeatureFrequencies(self.sizes, np.diff(bounds)))


@dataclass(frozen=True, eq=False)
class CountedKeys:
    """Keys in order, and how frequent each is."""

    keys: Int64Array
    frequencies: FeatureFrequencies

    @classmethod
    def none(cls) -> "CountedKeys":
        """Return no key at all."""
        empty = np.empty(0, dtype=np.int64)
        return cls(empty, FeatureFrequencies(empty, empty))

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self.keys)

    def take(self, places: Int64Array) -> "CountedKeys":
        """Return some of the keys, given in order."""
        return CountedKeys(self.keys[places], self.frequencies.take(places))

    def plus(self, other: "CountedKeys") -> "CountedKeys":
        """Return the keys of both; documents of the two are different ones."""
        keys = union_of(self.keys, other.keys)
        ours, theirs = (
            part.frequencies.reindexed(np.searchsorted(keys, part.keys), len(keys))
            for part in (self, other)
        )
        return CountedKeys(keys, ours + theirs)


class KeyCounter:
    """Adds up the keys of many blocks; what was added is merged with its like in size.

    So a key is moved a few times in all, with the logarithm of the number of blocks, and not once
    a block; and what is held is at most twice as long as the result.
    """

    def __init__(self) -> None:
        self._parts: list[CountedKeys] = []

    def add(self, part: CountedKeys) -> None:
        """Add the keys of one more block."""
        parts = self._parts
        parts.append(part)
        while len(parts) > 1 and len(parts[-2]) <= 2 * len(parts[-1]):
            last = parts.pop()
            parts.append(parts.pop().plus(last))

    def total(self) -> CountedKeys:
        """Return the keys of all blocks."""
        parts = self._parts
        while len(parts) > 1:
            last = parts.pop()
            parts.append(parts.pop().plus(last))
        return parts[0] if parts else CountedKeys.none()


class Cells:
    """Cells of a document matrix, added column after column."""

    def __init__(self) -> None:
        self._rows: list[IntArray] = []
        self._columns: list[IntArray] = []
        self._counts: list[IntArray] = []

    def add(self, groups: Groups, columns: IntArray, documents: IntArray) -> None:
        """Add the counts of some groups.

        Parameters
        ----------
        groups : Groups
        columns : ndarray of int, shape (n_groups,)
            The column of each group, ascending and behind those of earlier calls; -1 where it has
            none.
        documents : ndarray of int, shape (n_things,)
            As :meth:`Groups.cells` takes them.
        """
        bounds, rows, counts = groups.cells(documents)
        columns = np.repeat(columns, np.diff(bounds))
        is_kept = columns >= 0
        if not is_kept.all():
            rows, columns, counts = rows[is_kept], columns[is_kept], counts[is_kept]
        self._rows.append(rows)
        self._columns.append(columns)
        self._counts.append(counts)

    def matrix(self, shape: tuple[int, int]) -> "csr_array":
        """Return the matrix of int64 and forget the cells."""
        from scipy.sparse import coo_array, csr_array

        if not self._rows:
            return csr_array(shape, dtype=np.int64)
        rows, columns, counts = map(_joined, (self._rows, self._columns, self._counts))
        # By row, and within a row as they came: that is by column.
        table = coo_array((counts, (rows, columns)), shape=shape).tocsr()
        del rows, columns, counts
        table.data = table.data.astype(np.int64)
        return with_fitting_indices(table)


def joined_keys(*numbers: tuple[IntArray, int]) -> Int64Array:
    """Return one key for the numbers of each thing; keys are ordered as the numbers are.

    Raises
    ------
    InvalidInputError
        When a key would not fit into 64 bits.

    Examples
    --------
    >>> joined_keys((np.array([0, 3]), 4), (np.array([7, 2]), 10)).tolist()
    [7, 32]
    """
    n_keys = 1
    for _, n_values in numbers:
        n_keys *= max(n_values, 1)
    if n_keys > KEY_LIMIT:
        sizes = " by ".join(f"{n_values:,}" for _, n_values in numbers)
        raise InvalidInputError(
            f"Columns are told apart by numbers below {KEY_LIMIT:,}. Got {sizes} possible ones. "
            "Leave out rare terms (min_df) or ask for shorter n-grams or fewer positions."
        )
    keys = numbers[0][0].astype(np.int64)
    for values, n_values in numbers[1:]:
        keys *= n_values
        keys += values
    return keys


def find(keys: Int64Array, wanted: Int64Array) -> Int64Array:
    """Return the place of each wanted key among sorted keys, -1 where it is not there.

    Examples
    --------
    >>> find(np.array([2, 5, 9]), np.array([1, 5, 9, 10])).tolist()
    [-1, 1, 2, -1]
    """
    if not len(keys):
        return np.full(len(wanted), -1, dtype=np.int64)
    places = np.searchsorted(keys, wanted)
    places[places == len(keys)] = 0
    places[keys[places] != wanted] = -1
    return places


def union_of(keys: Int64Array, others: Int64Array) -> Int64Array:
    """Return the keys that are among either, each once.

    ``np.union1d`` hashes integers before it sorts them; two sorted runs only have to be merged.

    Examples
    --------
    >>> union_of(np.array([1, 5]), np.array([1, 2])).tolist()
    [1, 2, 5]
    """
    both = np.sort(np.concatenate([keys, others]), kind="stable")
    return both[_firsts(both)]


def fitting_dtype(maximum: int) -> DTypeLike:
    """Return int32, or int64 for numbers beyond it."""
    return np.int32 if maximum <= indices.INT32_LIMIT else np.int64


def _firsts(values: IntArray) -> BoolArray:
    """Tell which values differ from the one before."""
    is_first = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=is_first[1:])
    return is_first


def _counting_order(numbers: tuple[tuple[IntArray, int], ...]) -> IntArray:
    """Return the places of things in the order of their keys, ties in the order of places.

    A counting sort by each number, the one that counts least first: it takes time in proportion to
    the number of things, where a comparison sort took five times as long. To turn a matrix of one
    row from rows to columns is SciPy's counting sort.
    """
    from scipy.sparse import csr_array

    n_things = len(numbers[0][0])
    order: IntArray = np.arange(n_things, dtype=fitting_dtype(n_things))
    for number, (values, n_values) in enumerate(reversed(numbers)):
        here = values if number == 0 else values[order]
        row = csr_array((order, here, np.array([0, n_things])), shape=(1, n_values))
        order = row.tocsc().data
    return order


def _joined(parts: list[IntArray]) -> IntArray:
    """Return the parts as one array and let go of them, since all of them are large."""
    whole = parts[0] if len(parts) == 1 else np.concatenate(parts)
    parts.clear()
    return whole
