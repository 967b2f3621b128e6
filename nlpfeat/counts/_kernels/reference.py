"""The definitions in plain loops: slow, and the truth that the other kernels are held to."""

from collections import Counter
from itertools import combinations, pairwise

import numpy as np

from nlpfeat._typing import Int32Array, Int64Array
from nlpfeat.counts._kernels.interface import Block, Rows
from nlpfeat.counts.margins import Margins

Cells = Counter[tuple[int, int]]


def pair_margins(
    ids: Int32Array, bounds: Int64Array, n_terms: int, nearest: int, farthest: int
) -> Margins:
    """Look at every pair of positions."""
    right, left = np.zeros((2, n_terms), dtype=np.int64)
    for unit in _units(ids, bounds):
        for i, x in enumerate(unit):
            for y in unit[i + nearest : i + farthest + 1]:
                if x >= 0 and y >= 0:
                    right[x] += 1
                    left[y] += 1
    return Margins(right, left, int(right.sum()))


def count_pairs(block: Block, nearest: int, farthest: int, ordered: bool) -> Rows:
    """Look at every pair of positions."""
    cells: Cells = Counter()
    for unit in _units(block.ids, block.bounds):
        for i, x in enumerate(unit):
            for j in range(i + nearest, min(i + farthest, len(unit) - 1) + 1):
                y = unit[j]
                if x >= 0 and y >= 0:
                    cells[(x, y) if ordered else (min(x, y), max(x, y))] += 1
    return _rows(cells, block)


def count_windows(block: Block, first: Int64Array, last: Int64Array, window: int) -> Rows:
    """Add up, for every pair of positions, the windows for which it stands."""
    cells: Cells = Counter()
    start = int(block.bounds[0])
    for unit in _units(block.ids, block.bounds):
        for i, x in enumerate(unit):
            for j in range(i + 1, min(i + window, len(unit))):
                y = unit[j]
                n_windows = min(last[start + i], last[start + j]) - first[start + j] + 1
                if x >= 0 and y >= 0 and x != y and n_windows > 0:
                    cells[min(x, y), max(x, y)] += int(n_windows)
        start += len(unit)
    return _rows(cells, block)


def count_presence(block: Block) -> Rows:
    """Look at every pair of different terms of every unit."""
    cells: Cells = Counter()
    for unit in _units(block.ids, block.bounds):
        cells.update(combinations(sorted({term for term in unit if term >= 0}), 2))
    return _rows(cells, block)


def _units(ids: Int32Array, bounds: Int64Array) -> list[list[int]]:
    tokens = ids.tolist()
    return [tokens[start:stop] for start, stop in pairwise(bounds.tolist())]


def _rows(cells: Cells, block: Block) -> Rows:
    wanted = sorted((x, y, n) for (x, y), n in cells.items()
                    if block.first_row <= x < block.last_row)  # fmt: skip
    kept = [cell for cell in wanted if cell[2] >= block.min_count]
    in_row = Counter(x for x, _, _ in kept)
    lengths = [0] + [in_row[row] for row in range(block.first_row, block.last_row)]
    return Rows(
        indptr=np.cumsum(np.array(lengths, dtype=np.int64)),
        columns=np.array([y for _, y, _ in kept], dtype=np.int32),
        counts=np.array([n for _, _, n in kept], dtype=np.int64),
        highest=max((n for _, _, n in wanted), default=0),
    )
