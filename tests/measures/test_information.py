import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.association import BigramAssocMeasures

from nlpfeat.measures.information import npmi_scores, pmi_scores, ppmi_scores

CORPORA = st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=12), min_size=1, max_size=4)
WINDOWS = st.integers(1, 4)
DIRECTIONS = st.sampled_from(["both", "right", "left"])

# 茶 叶 茶 水 茶 杯 水 杯 with 茶 0, 叶 1, 水 2, 杯 3
TEA = [[0, 1, 0, 2, 0, 3, 2, 3]]


def test_hand_computed_window_of_one(count):
    table = count(TEA, 1, "right")
    # Seven pairs: 茶叶 叶茶 茶水 水茶 茶杯 杯水 水杯.
    assert table.dense.tolist() == [[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]]
    # Row sums 3 1 2 1, column sums 2 1 2 2, N = 7.
    expected = [
        math.log2(7 / 3),  # 茶叶  1 * 7 / (3 * 1)
        math.log2(7 / 6),  # 茶水  1 * 7 / (3 * 2)
        math.log2(7 / 6),  # 茶杯  1 * 7 / (3 * 2)
        math.log2(7 / 2),  # 叶茶  1 * 7 / (1 * 2)
        math.log2(7 / 4),  # 水茶  1 * 7 / (2 * 2)
        math.log2(7 / 4),  # 水杯  1 * 7 / (2 * 2)
        math.log2(7 / 2),  # 杯水  1 * 7 / (1 * 2)
    ]
    assert pmi_scores(table.cells()) == pytest.approx(expected, abs=1e-14)
    # -log2 p(x,y) = log2 7 in every cell.
    npmi = npmi_scores(table.cells())
    assert npmi == pytest.approx(np.array(expected) / math.log2(7), abs=1e-14)


@pytest.mark.parametrize(
    ("window", "n_xy", "n_x", "n_y", "total"),
    [
        (1, 1, 3, 2, 7),  # the one 茶杯 at positions 4 5; 7/6
        (2, 1, 6, 4, 13),  # 4 5 again; three 茶 with 2 tokens after each; 13/24
        (3, 3, 9, 6, 18),  # 2 5, 4 5, 4 7; 18 = 7 + 6 + 5; exactly 1
        (7, 6, 15, 12, 28),  # all 3 * 2; 15 = 7 + 5 + 3, 12 = 5 + 7; 28 = 8 * 7 / 2; 14/15
    ],
)
def test_hand_computed_tea_cup(count, window, n_xy, n_x, n_y, total):
    table = count(TEA, window, "right")
    rows, columns = np.nonzero(table.dense)
    tea_cup = (rows == 0) & (columns == 3)
    cells = table.cells()
    counted = [array[tea_cup].item() for array in (cells.n_xy, cells.n_x, cells.n_y)]
    assert [*counted, cells.total] == [n_xy, n_x, n_y, total]
    pmi = pmi_scores(cells)[tea_cup].item()
    assert pmi == pytest.approx(math.log2(n_xy * total / (n_x * n_y)), abs=1e-14)
    assert (pmi > 0, pmi == 0) == (window == 1, window == 3)


def test_smoothing_by_hand(one_cell):
    # y_margin is 4 and 16; at 1/2 it becomes 2 and 4, so p(y) = 2/6; p(y|x) = 2/5.
    cells = one_cell(2, 5, 4, 20)
    assert pmi_scores(cells, smoothing=0.5) == pytest.approx([math.log2(0.4 * 6 / 2)])
    assert ppmi_scores(cells, smoothing=0.5) == pytest.approx([math.log2(1.2)])
    assert ppmi_scores(cells) == [1.0]  # 2 * 20 / (5 * 4) = 2


def test_shift_by_hand(one_cell):
    cells = one_cell(8, 8, 8, 128)  # PMI = log2 16 = 4
    assert ppmi_scores(cells, shift=2) == [3.0]
    assert ppmi_scores(cells, shift=16) == [0.0]
    assert ppmi_scores(cells, shift=64) == [0.0]
    assert ppmi_scores(cells, shift=0.5) == [5.0]
    assert ppmi_scores(cells, shift=4, base=4) == pytest.approx([1.0])


def test_certain_pair(one_cell):
    for cells in (one_cell(5, 5, 5, 5), one_cell(0.3, 0.3, 0.3, 0.1 + 0.2)):
        assert npmi_scores(cells) == [1.0]
        assert pmi_scores(cells) == pytest.approx([0.0], abs=1e-15)


def test_independent_pair_is_exactly_zero_beyond_int64_products(one_cell):
    # n_xy N = n_x n_y = 3e29, far above 2^63.
    cells = one_cell(3 * 10**14, 5 * 10**14, 6 * 10**14, 10**15)
    assert pmi_scores(cells).tolist() == npmi_scores(cells).tolist() == [0.0]


@pytest.mark.parametrize(
    ("n_xy", "n_x", "n_y", "total"),
    [
        (3, 17, 29, 1_000),
        (7, 10**9, 10**7, 10**15),
        (10**14, 4 * 10**14, 3 * 10**14, 10**15),
        (10**15 - 3, 10**15 - 1, 10**15 - 1, 10**15),  # p(x,y) a hair below 1
        (10**15 - 3, 10**15 - 3, 10**15 - 1, 10**15),
        (1, 1, 1, 10**15),
    ],
)
def test_against_fifty_digits(one_cell, n_xy, n_x, n_y, total):
    cells = one_cell(n_xy, n_x, n_y, total)
    with mpmath.workdps(50):
        exact = mpmath.log(mpmath.mpf(n_xy) * total / (mpmath.mpf(n_x) * n_y), 2)
        normalized = exact / -mpmath.log(mpmath.mpf(n_xy) / total, 2)
    assert pmi_scores(cells) == pytest.approx([float(exact)], rel=1e-13, abs=1e-15)
    assert npmi_scores(cells) == pytest.approx([float(normalized)], rel=1e-12)


def test_npmi_near_certainty(one_cell):
    # All pairs but three: one with x alone, one with y alone, one with neither. As log(1 - e) = -e
    # here, NPMI is (2 + 2) / 3 - 1; the plain logarithms of numbers so close to 1 are noise.
    total = 610 * 10**12
    cells = one_cell(total - 3, total - 2, total - 2, total)
    assert npmi_scores(cells) == pytest.approx([1 / 3], rel=1e-12)
    naive = 2 * math.log((total - 2) / total) / math.log((total - 3) / total) - 1
    assert abs(naive - 1 / 3) > 0.01


@given(corpus=CORPORA, window=WINDOWS, direction=DIRECTIONS)
def test_nltk_agrees(count, corpus, window, direction):
    cells = count(corpus, window, direction).cells()
    theirs = [
        BigramAssocMeasures.pmi(n_xy, (n_x, n_y), cells.total)
        for n_xy, n_x, n_y in zip(cells.n_xy.tolist(), cells.n_x.tolist(), cells.n_y.tolist())
    ]
    assert pmi_scores(cells) == pytest.approx(theirs, abs=1e-12)


@given(corpus=CORPORA, window=WINDOWS, direction=DIRECTIONS, harmonic=st.booleans())
def test_ranges(count, corpus, window, direction, harmonic):
    cells = count(corpus, window, direction, harmonic).cells()
    p = cells.n_xy / cells.total
    assert p.sum() == pytest.approx(1.0)
    pmi, npmi, ppmi = pmi_scores(cells), npmi_scores(cells), ppmi_scores(cells)
    assert np.all(pmi <= -np.log2(p) + 1e-12)
    assert np.all(np.abs(npmi) <= 1 + 1e-12)
    assert np.all(ppmi >= 0)
    assert np.array_equal(ppmi, np.maximum(pmi, 0))
    certain = p > 1 - 1e-12
    assert np.all(npmi[certain] == 1)
    bound = -np.log2(p[~certain])
    assert npmi[~certain] == pytest.approx(pmi[~certain] / bound, abs=1e-12)


@given(corpus=CORPORA, window=WINDOWS, harmonic=st.booleans())
def test_symmetric_tables_give_symmetric_values(count, make_table, corpus, window, harmonic):
    table = count(corpus, window, "both", harmonic)
    where = np.nonzero(table.dense)
    for function in (pmi_scores, npmi_scores, ppmi_scores):
        dense = np.zeros(table.dense.shape)
        dense[where] = function(table.cells())
        assert dense == pytest.approx(dense.T, abs=1e-12)


@given(corpus=CORPORA, window=WINDOWS)
def test_left_is_the_transpose_of_right(count, corpus, window):
    right, left = count(corpus, window, "right"), count(corpus, window, "left")
    values = {}
    for table in (right, left):
        dense = np.zeros(table.dense.shape)
        dense[np.nonzero(table.dense)] = npmi_scores(table.cells())
        values[id(table)] = dense
    assert values[id(left)] == pytest.approx(values[id(right)].T, abs=1e-12)


@given(corpus=CORPORA, window=WINDOWS, factor=st.integers(2, 1000))
def test_scaling_all_counts_changes_nothing(count, make_table, corpus, window, factor):
    table = count(corpus, window)
    scaled = make_table(table.dense * factor, symmetric=True).cells()
    for function in (pmi_scores, npmi_scores, ppmi_scores):
        assert function(scaled) == pytest.approx(function(table.cells()), abs=1e-12)


@given(corpus=CORPORA, window=WINDOWS, base=st.floats(1.1, 20), smoothing=st.floats(0.1, 1))
def test_another_base_divides_by_its_log2(count, corpus, window, base, smoothing):
    cells = count(corpus, window).cells()
    bits = pmi_scores(cells, smoothing=smoothing)
    assert pmi_scores(cells, base=base, smoothing=smoothing) * math.log2(base) == pytest.approx(
        bits, abs=1e-11
    )
    shifted = np.maximum(bits - math.log2(1.5), 0) / math.log2(base)
    assert ppmi_scores(cells, base=base, shift=1.5, smoothing=smoothing) == pytest.approx(
        shifted, abs=1e-11
    )
    assert np.array_equal(npmi_scores(cells, base=base), npmi_scores(cells))


@given(corpus=CORPORA, window=WINDOWS, direction=DIRECTIONS, smoothing=st.floats(0.1, 1))
def test_smoothing_by_a_loop(count, corpus, window, direction, smoothing):
    dense = count(corpus, window, direction).dense.tolist()
    columns = [sum(row[y] for row in dense) ** smoothing for y in range(len(dense))]
    expected = [
        math.log2((n_xy / sum(row)) / (columns[y] / sum(columns)))
        for row in dense
        for y, n_xy in enumerate(row)
        if n_xy
    ]
    cells = count(corpus, window, direction).cells()
    assert pmi_scores(cells, smoothing=smoothing) == pytest.approx(expected, abs=1e-12)


@given(corpus=CORPORA, window=WINDOWS, direction=DIRECTIONS)
def test_smoothing_of_one_is_none_and_continuous(count, corpus, window, direction):
    cells = count(corpus, window, direction).cells()
    assert np.array_equal(pmi_scores(cells, smoothing=1.0), pmi_scores(cells))
    assert pmi_scores(cells, smoothing=1 - 1e-10) == pytest.approx(pmi_scores(cells), abs=1e-8)


def test_the_tables_are_left_alone(count):
    cells = count(TEA, 2).cells()
    before = replace(cells, n_xy=cells.n_xy.copy(), n_x=cells.n_x.copy(), n_y=cells.n_y.copy())
    for function in (pmi_scores, npmi_scores, ppmi_scores):
        function(cells)
    for name in ("n_xy", "n_x", "n_y"):
        assert np.array_equal(getattr(cells, name), getattr(before, name))
