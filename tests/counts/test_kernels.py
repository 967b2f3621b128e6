"""All kernels against windows and pairs that are really looked at, and against one another."""

from collections import Counter

import numpy as np
import pytest
from cooccurrence_oracle import pairs, presence, textgcn, windows
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.counts._kernels import KERNELS, NUMBA_FROM_TOKENS, load_kernel
from nlpfeat.counts._kernels.interface import Block
from nlpfeat.counts.sliding_windows import window_ends
from nlpfeat.errors import InvalidParameterError

N_TERMS = 5
# Few terms and many gaps, so that terms repeat within reach; the last term never occurs.
UNITS = st.lists(st.lists(st.integers(-1, N_TERMS - 2), min_size=1, max_size=9), max_size=5)
ROWS = st.tuples(st.integers(0, N_TERMS), st.integers(0, N_TERMS)).map(sorted)


@pytest.fixture(scope="module", params=sorted(KERNELS))
def kernel(request):
    return load_kernel(request.param, 0)


def arrays(units):
    ids = np.array([term for unit in units for term in unit], np.int32)
    return ids, np.cumsum([0, *map(len, units)])


def with_gaps(units):
    return [[None if term < 0 else term for term in unit] for unit in units]


def upper(table):
    """Return each pair once, the lower term first; a pair of equal terms counts half its cell."""
    return Counter({(x, y): n // 2 if x == y else n for (x, y), n in table.items() if x <= y})


def check(rows, cells, block):
    """Compare rows with cells, and see that they are rows of a CSR table in order."""
    n_rows = block.last_row - block.first_row
    assert (rows.indptr.dtype, rows.columns.dtype, rows.counts.dtype) == ("i8", "i4", "i8")
    assert rows.indptr.shape == (n_rows + 1,)
    assert rows.indptr[0] == 0
    assert rows.indptr[-1] == len(rows.columns) == len(rows.counts)
    wanted = {
        (x, y): n for (x, y), n in cells.items() if n and block.first_row <= x < block.last_row
    }
    assert rows.highest == max(wanted.values(), default=0)
    for row in range(n_rows):
        inside = slice(rows.indptr[row], rows.indptr[row + 1])
        found = list(zip(rows.columns[inside].tolist(), rows.counts[inside].tolist()))
        x = block.first_row + row
        assert found == sorted(
            (y, n) for (first, y), n in wanted.items() if first == x and n >= block.min_count
        )


BLOCKS = st.builds(
    lambda units, rows, min_count, n_threads: (
        units,
        Block(*arrays(units), N_TERMS, *rows, min_count, n_threads),
    ),
    UNITS,
    ROWS,
    st.integers(1, 4),
    st.integers(1, 3),
)


@settings(deadline=None)
@given(BLOCKS, st.integers(1, 4), st.integers(0, 6), st.booleans())
def test_pairs(kernel, drawn, nearest, more, ordered):
    units, block = drawn
    farthest = nearest + more
    truth = pairs(with_gaps(units), farthest, "right" if ordered else "both",
                  lambda distance: int(distance >= nearest))  # fmt: skip
    cells = truth.n_xy if ordered else upper(truth.n_xy)
    check(kernel.count_pairs(block, nearest, farthest, ordered), cells, block)


@settings(deadline=None)
@given(UNITS, st.integers(1, 4), st.integers(0, 6))
def test_margins_of_pairs(kernel, units, nearest, more):
    ids, bounds = arrays(units)
    margins = kernel.pair_margins(ids, bounds, N_TERMS, nearest, nearest + more)
    truth = pairs(with_gaps(units), nearest + more, "right",
                  lambda distance: int(distance >= nearest))  # fmt: skip
    assert margins.x.dtype == margins.y.dtype == np.int64
    assert margins.x.tolist() == [truth.n_x[term] for term in range(N_TERMS)]
    assert margins.y.tolist() == [truth.n_y[term] for term in range(N_TERMS)]
    assert margins.total == truth.total


@settings(deadline=None)
@given(BLOCKS, st.integers(1, 10))
def test_windows(kernel, drawn, window):
    units, block = drawn
    ends = window_ends(block.ids, block.bounds, window)
    truth = windows(with_gaps(units), window)
    check(kernel.count_windows(block, ends.first, ends.last, window), upper(truth.n_xy), block)


@settings(deadline=None)
@given(BLOCKS, st.integers(1, 10))
def test_text_gcn(kernel, drawn, window):
    units, block = drawn
    ends = window_ends(block.ids, block.bounds, window)
    rows = kernel.count_windows(block, ends.first, ends.last_holding, window)
    check(rows, upper(textgcn(with_gaps(units), window).n_xy), block)


@settings(deadline=None)
@given(BLOCKS)
def test_presence(kernel, drawn):
    units, block = drawn
    truth = presence(with_gaps(units))
    check(kernel.count_presence(block), upper(truth.n_xy), block)


def _rows_of_all(count):
    return {
        name: (rows.indptr.tolist(), rows.columns.tolist(), rows.counts.tolist(), rows.highest)
        for name, rows in ((name, count(load_kernel(name, 0))) for name in KERNELS)
    }


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_kernels_agree_on_a_longer_text(n_threads):
    # Rows longer than numba's first buffer of 1024 cells, units of 1 to 400 tokens.
    generator = np.random.default_rng(7)
    ids = generator.integers(-1, 100, 6_000).astype(np.int32)
    cuts = np.sort(generator.choice(np.arange(1, 6_000), 60, replace=False))
    bounds = np.concatenate([[0], cuts, [6_000]])
    block = Block(ids, bounds, 100, 3, 97, 2, n_threads)
    ends = window_ends(ids, bounds, 7)
    counts = {
        "right": lambda kernel: kernel.count_pairs(block, 1, 6, True),
        "both": lambda kernel: kernel.count_pairs(block, 1, 6, False),
        "windows": lambda kernel: kernel.count_windows(block, ends.first, ends.last, 7),
        "textgcn": lambda kernel: kernel.count_windows(block, ends.first, ends.last_holding, 7),
        "presence": lambda kernel: kernel.count_presence(block),
    }
    for name, count in counts.items():
        found = _rows_of_all(count)
        assert found["numba_scan"] == found["reference"], name
        assert found["scipy_shift"] == found["reference"], name
        assert len(found["reference"][1]) > 1_100, name


def test_auto_chooses_by_size():
    assert load_kernel("auto", NUMBA_FROM_TOKENS - 1) is load_kernel("scipy_shift", 0)
    assert load_kernel("auto", NUMBA_FROM_TOKENS) is load_kernel("numba_scan", 0)


@pytest.mark.parametrize("name", ["numba", None, 3])
def test_unknown_kernels_are_told_the_known_ones(name):
    message = r"kernel \(or 'auto'\) must be one of 'reference', 'scipy_shift', 'numba_scan'"
    with pytest.raises(InvalidParameterError, match=message):
        load_kernel(name, 0)


def test_unknown_kernels_are_told_the_closest():
    with pytest.raises(InvalidParameterError, match=r"Got 'numba_scann'\. Did you mean 'numba_sc"):
        load_kernel("numba_scann", 0)


def test_a_wide_window_on_a_small_text_goes_to_numba():
    few = NUMBA_FROM_TOKENS // 100
    assert load_kernel("auto", few, 5) is load_kernel("scipy_shift", 0)
    assert load_kernel("auto", few, 500) is load_kernel("numba_scan", 0)
