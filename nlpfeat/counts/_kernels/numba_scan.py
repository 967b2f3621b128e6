"""An inverted index walked term by term, with a dense accumulator: compiled, in threads.

Where a term stands is read off an index of the text; its neighbors are added up in an array with
one place a term; then the touched places become the row. Rows do not depend on one another, so
threads share them, and each row is pruned before it is sorted and stored.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np

from nlpfeat._compiled import compiled
from nlpfeat._typing import Int32Array, Int64Array
from nlpfeat.counts._kernels.interface import Block, Rows
from nlpfeat.counts._kernels.prefetch import prefetch
from nlpfeat.counts.margins import Margins

RawRows: TypeAlias = tuple[Int64Array, Int32Array, Int64Array, int]

_BREAK = -2  # ends a unit; takes no place
_AHEAD = 8  # places; enough for memory to answer
_RANGES_PER_THREAD = 8  # threads that are done early take another range
_NEIGHBORS_PER_RANGE = 50_000_000  # half a second: Ctrl-C waits for no more than a range


def warm_up() -> None:
    """Load the compiled code, or compile it, on a text of two tokens."""
    ids, bounds = np.zeros(2, dtype=np.int32), np.array([0, 2])
    pair_margins(ids, bounds, 1, 1, 1)
    count_pairs(Block(ids, bounds, 1, 0, 1), 1, 1, ordered=False)


def pair_margins(
    ids: Int32Array, bounds: Int64Array, n_terms: int, nearest: int, farthest: int
) -> Margins:
    """Slide over each unit with the number of terms in reach on either side."""
    right, left = _partners(ids, bounds, n_terms, nearest, farthest)
    return Margins(right, left, int(right.sum()))


def count_pairs(block: Block, nearest: int, farthest: int, ordered: bool) -> Rows:
    """Walk the neighbors of each term: those behind it, and without order those before it too."""
    stream = _with_breaks(block.ids, block.bounds, _BREAK)

    def scan(indptr: Int64Array, positions: Int32Array, first: int, last: int) -> RawRows:
        rows: RawRows = _scan_pairs(
            stream, indptr, positions, first, last, block.n_terms, nearest,
            min(farthest, len(stream)), ordered, block.min_count,
        )  # fmt: skip
        return rows

    return _in_threads(block, stream, scan, farthest)


def count_windows(block: Block, first: Int64Array, last: Int64Array, window: int) -> Rows:
    """Walk the neighbors of each term less than a window away."""
    stream = _with_breaks(block.ids, block.bounds, _BREAK)
    first_end = _with_breaks(first, block.bounds, 0)
    last_end = _with_breaks(last, block.bounds, 0)

    def scan(indptr: Int64Array, positions: Int32Array, start: int, stop: int) -> RawRows:
        rows: RawRows = _scan_windows(
            stream, indptr, positions, start, stop, block.n_terms, min(window, len(stream)),
            first_end, last_end, block.min_count,
        )  # fmt: skip
        return rows

    return _in_threads(block, stream, scan, window)


def count_presence(block: Block) -> Rows:
    """Walk the units of each term: pairs at any distance, once each term stands once a unit."""
    units = np.repeat(np.arange(len(block.bounds) - 1), np.diff(block.bounds))
    known = block.ids >= 0
    keys = np.unique(units[known] * block.n_terms + block.ids[known])
    in_unit = np.bincount(keys // block.n_terms, minlength=len(block.bounds) - 1)
    once = Block(
        ids=(keys % block.n_terms).astype(np.int32),
        bounds=np.concatenate([[0], np.cumsum(in_unit)]),
        n_terms=block.n_terms, first_row=block.first_row, last_row=block.last_row,
        min_count=block.min_count, n_threads=block.n_threads,
    )  # fmt: skip
    return count_pairs(once, 1, max(len(keys), 1), ordered=False)


def _in_threads(
    block: Block,
    stream: Int32Array,
    scan: Callable[[Int64Array, Int32Array, int, int], RawRows],
    reach: int,
) -> Rows:
    """Share the rows among threads, in ranges of about equal work, and put the answers together.

    Each range has an index of its own, so that there is never one of the whole text. It is made by
    a walk over the text, which must not take longer than the neighbors do: with few rows there are
    few ranges.
    """
    n_before = _occurrences(stream, block.first_row, block.last_row)
    longest = int(np.diff(block.bounds).max(initial=0))
    n_neighbors = 2 * min(reach, longest) * int(n_before[-1])
    n_walks = min(_RANGES_PER_THREAD * block.n_threads, n_neighbors // max(len(stream), 1))
    n_ranges = max(n_walks, block.n_threads, n_neighbors // _NEIGHBORS_PER_RANGE)
    shares = np.linspace(0, n_before[-1], n_ranges + 1)[1:-1]
    cuts = [0, *np.searchsorted(n_before[1:], shares).tolist(), len(n_before) - 1]
    place_type = np.int32 if len(stream) < 1 << 31 else np.int64

    def one(first: int, last: int) -> RawRows:
        indptr = n_before[first : last + 1] - n_before[first]
        positions = np.empty(indptr[-1], dtype=place_type)
        rows = (block.first_row + first, block.first_row + last)
        _find_places(stream, *rows, indptr, positions)
        return scan(indptr, positions, *rows)

    with ThreadPoolExecutor(block.n_threads) as pool:
        parts = list(pool.map(one, cuts[:-1], cuts[1:]))
    lengths = np.concatenate([part[0] for part in parts])
    return Rows(
        indptr=np.concatenate([[0], np.cumsum(lengths)]),
        columns=np.concatenate([part[1] for part in parts]),
        counts=np.concatenate([part[2] for part in parts]),
        highest=max(part[3] for part in parts),
    )


@compiled
def _partners(ids: Any, bounds: Any, n_terms: int, nearest: int, farthest: int) -> Any:
    """Return how many tokens stand right, and left, of the occurrences of each term."""
    right = np.zeros(n_terms, np.int64)
    left = np.zeros(n_terms, np.int64)
    for unit in range(len(bounds) - 1):
        start, end = bounds[unit], bounds[unit + 1]
        n_right = 0  # terms from place + nearest to place + farthest
        for near in range(start + nearest, min(start + farthest + 1, end)):
            n_right += ids[near] >= 0
        n_left = 0  # terms from place - farthest to place - nearest
        for place in range(start, end):
            if ids[place] >= 0:
                right[ids[place]] += n_right
                left[ids[place]] += n_left
            if place + nearest < end:
                n_right -= ids[place + nearest] >= 0
            if place + farthest + 1 < end:
                n_right += ids[place + farthest + 1] >= 0
            if place - nearest + 1 >= start:
                n_left += ids[place - nearest + 1] >= 0
            if place - farthest >= start:
                n_left -= ids[place - farthest] >= 0
    return right, left


@compiled
def _with_breaks(values: Any, bounds: Any, mark: int) -> Any:
    """Return the values with a mark behind each unit."""
    marked = np.empty(len(values) + len(bounds) - 1, values.dtype)
    done = 0
    for unit in range(len(bounds) - 1):
        for place in range(bounds[unit], bounds[unit + 1]):
            marked[done] = values[place]
            done += 1
        marked[done] = mark
        done += 1
    return marked


@compiled
def _occurrences(stream: Any, first_row: int, last_row: int) -> Any:
    """Return how often the terms of the rows before each row occur."""
    n_before = np.zeros(last_row - first_row + 1, np.int64)
    for term in stream:
        if first_row <= term < last_row:
            n_before[term - first_row + 1] += 1
    for row in range(last_row - first_row):
        n_before[row + 1] += n_before[row]
    return n_before


@compiled
def _find_places(stream: Any, first_row: int, last_row: int, indptr: Any, positions: Any) -> None:
    """Write where the term of each row stands, one row behind the other."""
    free = indptr[:-1].copy()
    for place in range(len(stream)):
        term = stream[place]
        if first_row <= term < last_row:
            positions[free[term - first_row]] = place
            free[term - first_row] += 1


@compiled
def _prefetch_around(stream: Any, positions: Any, at: int, reach: int) -> None:
    """Ask for both ends of the neighborhood of a place that is soon to come."""
    if at < len(positions):
        prefetch(stream, max(positions[at] - reach, 0))
        prefetch(stream, min(positions[at] + reach, len(stream) - 1))


@compiled
def _scan_pairs(
    stream: Any, indptr: Any, positions: Any, first_row: int, last_row: int, n_terms: int,
    nearest: int, farthest: int, ordered: bool, min_count: int,
) -> Any:  # fmt: skip
    sums = np.zeros(n_terms, np.int64)
    touched = np.empty(n_terms, np.int32)
    lengths = np.zeros(last_row - first_row, np.int64)
    columns = np.empty(1024, np.int32)
    counts = np.empty(1024, np.int64)
    n_cells = 0
    highest = 0
    for row in range(first_row, last_row):
        n_touched = 0
        for at in range(indptr[row - first_row], indptr[row - first_row + 1]):
            _prefetch_around(stream, positions, at + _AHEAD, farthest)
            place = positions[at]
            for near in range(place + 1, min(place + farthest + 1, len(stream))):
                term = stream[near]
                if term == _BREAK:
                    break
                if near - place >= nearest and (term >= row or (ordered and term >= 0)):
                    if sums[term] == 0:
                        touched[n_touched] = term
                        n_touched += 1
                    sums[term] += 1
            if ordered:
                continue
            for near in range(place - 1, max(place - farthest - 1, -1), -1):
                term = stream[near]
                if term == _BREAK:
                    break
                if place - near >= nearest and term > row:
                    if sums[term] == 0:
                        touched[n_touched] = term
                        n_touched += 1
                    sums[term] += 1
        columns, counts, n_new, top = _emit(
            sums, touched, n_touched, min_count, columns, counts, n_cells
        )
        lengths[row - first_row] = n_new
        n_cells += n_new
        highest = max(highest, top)
    return lengths, columns[:n_cells].copy(), counts[:n_cells].copy(), highest


@compiled
def _scan_windows(
    stream: Any, indptr: Any, positions: Any, first_row: int, last_row: int, n_terms: int,
    window: int, first_end: Any, last_end: Any, min_count: int,
) -> Any:  # fmt: skip
    sums = np.zeros(n_terms, np.int64)
    touched = np.empty(n_terms, np.int32)
    lengths = np.zeros(last_row - first_row, np.int64)
    columns = np.empty(1024, np.int32)
    counts = np.empty(1024, np.int64)
    n_cells = 0
    highest = 0
    for row in range(first_row, last_row):
        n_touched = 0
        for at in range(indptr[row - first_row], indptr[row - first_row + 1]):
            _prefetch_around(stream, positions, at + _AHEAD, window)
            place = positions[at]
            for step in (1, -1):
                near = place + step
                while 0 <= near < len(stream) and abs(near - place) < window:
                    term = stream[near]
                    if term == _BREAK:
                        break
                    if term > row:
                        later = max(place, near)
                        n_windows = min(last_end[place], last_end[near]) - first_end[later] + 1
                        if n_windows > 0:
                            if sums[term] == 0:
                                touched[n_touched] = term
                                n_touched += 1
                            sums[term] += n_windows
                    near += step
        columns, counts, n_new, top = _emit(
            sums, touched, n_touched, min_count, columns, counts, n_cells
        )
        lengths[row - first_row] = n_new
        n_cells += n_new
        highest = max(highest, top)
    return lengths, columns[:n_cells].copy(), counts[:n_cells].copy(), highest


@compiled
def _emit(
    sums: Any, touched: Any, n_touched: int, min_count: int, columns: Any, counts: Any, n_cells: int
) -> Any:
    """Move a row from the accumulator to the end of the table, and clear the accumulator."""
    n_kept = 0
    highest = 0
    for at in range(n_touched):
        term = touched[at]
        highest = max(highest, sums[term])
        if sums[term] >= min_count:
            touched[n_kept] = term
            n_kept += 1
        else:
            sums[term] = 0
    if n_kept > 1:
        touched[:n_kept].sort()
    if n_cells + n_kept > len(columns):
        room = 2 * (n_cells + n_kept)
        more_columns = np.empty(room, np.int32)
        more_counts = np.empty(room, np.int64)
        more_columns[:n_cells] = columns[:n_cells]
        more_counts[:n_cells] = counts[:n_cells]
        columns, counts = more_columns, more_counts
    for at in range(n_kept):
        term = touched[at]
        columns[n_cells + at] = term
        counts[n_cells + at] = sums[term]
        sums[term] = 0
    return columns, counts, n_kept, highest
