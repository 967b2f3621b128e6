"""The text laid over itself, shifted by each distance: SciPy adds up equal pairs."""

import numpy as np
from scipy.sparse import csr_array

from nlpfeat._typing import BoolArray, Int32Array, Int64Array
from nlpfeat.counts._kernels.interface import Block, Rows
from nlpfeat.counts.margins import Margins


def pair_margins(
    ids: Int32Array, bounds: Int64Array, n_terms: int, nearest: int, farthest: int
) -> Margins:
    """Count the partners of each position by differences of running sums."""
    known = ids >= 0
    places = np.flatnonzero(known)
    unit = np.searchsorted(bounds, places, side="right") - 1
    start, end = bounds[unit], bounds[unit + 1]
    n_before = np.concatenate([[0], np.cumsum(known)])
    right = n_before[np.minimum(places + farthest + 1, end)]
    right -= n_before[np.minimum(places + nearest, end)]
    left = n_before[np.maximum(places - nearest + 1, start)]
    left -= n_before[np.maximum(places - farthest, start)]
    terms = ids[places]
    return Margins(_sums(terms, right, n_terms), _sums(terms, left, n_terms), int(right.sum()))


def _sums(terms: Int32Array, amounts: Int64Array, n_terms: int) -> Int64Array:
    # bincount adds in float64, exact as long as a block's sums stay below 2^53: always.
    sums: Int64Array = np.bincount(terms, weights=amounts, minlength=n_terms).astype(np.int64)
    return sums


def count_pairs(block: Block, nearest: int, farthest: int, ordered: bool) -> Rows:
    """Add the pairs of each distance to the table."""
    units = _unit_of_each_token(block)
    table = _empty(block)
    for distance in range(nearest, _reach(block, farthest) + 1):
        first, second = block.ids[:-distance], block.ids[distance:]
        together = _in_one_unit(units, distance) & (first >= 0) & (second >= 0)
        x, y = first[together], second[together]
        if not ordered:
            x, y = np.minimum(x, y), np.maximum(x, y)
        table = table + _table(block, x, y, np.ones(len(x), dtype=np.int64))
    return _rows(block, table)


def count_windows(block: Block, first: Int64Array, last: Int64Array, window: int) -> Rows:
    """Add, at each distance, the windows for which the pairs stand."""
    units = _unit_of_each_token(block)
    table = _empty(block)
    for distance in range(1, _reach(block, window - 1) + 1):
        x, y = block.ids[:-distance], block.ids[distance:]
        n_windows = np.minimum(last[:-distance], last[distance:]) - first[distance:] + 1
        together = _in_one_unit(units, distance) & (x >= 0) & (y >= 0) & (x != y) & (n_windows > 0)
        x, y = x[together], y[together]
        table = table + _table(block, np.minimum(x, y), np.maximum(x, y), n_windows[together])
    return _rows(block, table)


def count_presence(block: Block) -> Rows:
    """Multiply the transposed unit-term matrix by itself."""
    known = block.ids >= 0
    n_units = len(block.bounds) - 1
    indptr = np.concatenate([[0], np.cumsum(known)])[block.bounds]
    presence = csr_array(
        (np.ones(int(known.sum()), dtype=np.int64), block.ids[known], indptr),
        shape=(n_units, block.n_terms),
    )
    presence.sum_duplicates()
    presence.data[:] = 1
    table = presence[:, block.first_row : block.last_row].T.tocsr() @ presence
    rows = np.repeat(np.arange(block.first_row, block.last_row), np.diff(table.indptr))
    table.data[table.indices <= rows] = 0
    table.eliminate_zeros()
    return _rows(block, table)


def _unit_of_each_token(block: Block) -> Int64Array:
    return np.repeat(np.arange(len(block.bounds) - 1), np.diff(block.bounds))


def _in_one_unit(units: Int64Array, distance: int) -> BoolArray:
    together: BoolArray = units[:-distance] == units[distance:]
    return together


def _reach(block: Block, farthest: int) -> int:
    """Return the greatest distance that any unit has room for."""
    longest = int(np.diff(block.bounds).max(initial=0))
    return min(farthest, longest - 1)


def _empty(block: Block) -> csr_array:
    return csr_array((block.last_row - block.first_row, block.n_terms), dtype=np.int64)


def _table(block: Block, x: Int32Array, y: Int32Array, counts: Int64Array) -> csr_array:
    if block.first_row > 0 or block.last_row < block.n_terms:
        wanted = (x >= block.first_row) & (x < block.last_row)
        x, y, counts = x[wanted] - block.first_row, y[wanted], counts[wanted]
    return csr_array((counts, (x, y)), shape=(block.last_row - block.first_row, block.n_terms))


def _rows(block: Block, table: csr_array) -> Rows:
    table.sum_duplicates()
    highest = int(table.data.max(initial=0))
    if block.min_count > 1:
        table.data[table.data < block.min_count] = 0
        table.eliminate_zeros()
    return Rows(table.indptr.astype(np.int64), table.indices.astype(np.int32), table.data, highest)
