import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.association import BigramAssocMeasures

from nlpfeat.measures.overlap import delta_p_scores, dice_scores, logdice_scores

CORPORA = st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=12), min_size=1, max_size=4)
WINDOWS = st.integers(1, 4)
DIRECTIONS = st.sampled_from(["both", "right", "left"])


def test_by_hand(one_cell):
    # O11 = 8, O12 = 2, O21 = 12, O22 = 78: p(y|x) = 8/10, p(y|not x) = 12/90.
    cells = one_cell(8, 10, 20, 100)
    assert dice_scores(cells) == pytest.approx([16 / 30], rel=1e-15)
    assert logdice_scores(cells) == pytest.approx([14 + math.log2(16 / 30)], rel=1e-15)
    assert delta_p_scores(cells) == pytest.approx([8 / 10 - 12 / 90], rel=1e-15)


def test_bounds_are_reached(one_cell):
    together = one_cell(5, 5, 5, 50)
    assert dice_scores(together) == [1.0]
    assert logdice_scores(together) == [14.0]
    assert delta_p_scores(together) == [1.0]
    # x is nearly never with y, y nearly everywhere else: 1/1000 - 1.
    assert delta_p_scores(one_cell(1, 1000, 1001, 2000)) == pytest.approx([-0.999])


def test_logdice_gains_one_point_when_dice_doubles(one_cell):
    low, high = one_cell(3, 60, 60, 10**6), one_cell(6, 60, 60, 10**6)
    assert logdice_scores(high) - logdice_scores(low) == pytest.approx([1.0])


def test_the_diagonal_is_used_as_it_stands(one_cell):
    # 好 好 in both directions: the cell holds 2, the margin 2.
    assert dice_scores(one_cell(2, 2, 2, 10, twice=True)) == [1.0]
    assert delta_p_scores(one_cell(2, 4, 4, 10, twice=True)) == pytest.approx([2 / 4 - 2 / 6])


def test_delta_p_is_absent_when_nothing_was_seen_without_x(one_cell):
    assert np.isnan(delta_p_scores(one_cell(3, 10, 3, 10))).tolist() == [True]
    # The weighted margin misses N by rounding alone.
    assert np.isnan(delta_p_scores(one_cell(0.1, 0.3, 0.1, 0.1 + 0.2))).tolist() == [True]


def test_delta_p_has_a_direction(one_cell):
    forward, backward = one_cell(5, 5, 50, 100), one_cell(5, 50, 5, 100)
    assert delta_p_scores(forward) == pytest.approx([1 - 45 / 95])
    assert delta_p_scores(backward) == pytest.approx([5 / 50 - 0])


def test_huge_counts(one_cell):
    n_xy, n_x, n_y, total = 10**14, 2 * 10**14, 3 * 10**14, 10**15
    cells = one_cell(n_xy, n_x, n_y, total)
    assert dice_scores(cells) == pytest.approx([2 / 5])
    assert delta_p_scores(cells) == pytest.approx([1 / 2 - 1 / 4])
    # One pair in 10^15 lacks x, and it has y: p(y|not x) = 1.
    assert delta_p_scores(one_cell(5, total - 1, 6, total)) == pytest.approx([5 / (total - 1) - 1])


@given(corpus=CORPORA, window=WINDOWS, direction=DIRECTIONS)
def test_exact_fractions_and_nltk_agree(count, corpus, window, direction):
    cells = count(corpus, window, direction).cells()
    dice, delta = dice_scores(cells), delta_p_scores(cells)
    for k, (n_xy, n_x, n_y) in enumerate(
        zip(cells.n_xy.tolist(), cells.n_x.tolist(), cells.n_y.tolist())
    ):
        assert dice[k] == pytest.approx(BigramAssocMeasures.dice(n_xy, (n_x, n_y), cells.total))
        if n_x == cells.total:
            assert np.isnan(delta[k])
        else:
            exact = Fraction(n_xy, n_x) - Fraction(n_y - n_xy, cells.total - n_x)
            assert delta[k] == pytest.approx(float(exact), abs=1e-14)


@given(corpus=CORPORA, window=WINDOWS, direction=DIRECTIONS, harmonic=st.booleans())
def test_ranges(count, corpus, window, direction, harmonic):
    cells = count(corpus, window, direction, harmonic).cells()
    dice, delta = dice_scores(cells), delta_p_scores(cells)
    assert np.all((dice > 0) & (dice <= 1 + 1e-12))
    assert np.all(logdice_scores(cells) <= 14 + 1e-12)
    defined = ~np.isnan(delta)
    assert np.all(np.abs(delta[defined]) <= 1 + 1e-12)
    only_x = cells.n_x >= cells.total * (1 - 1e-12)
    assert np.array_equal(~defined, only_x)


@given(corpus=CORPORA, window=WINDOWS, harmonic=st.booleans())
def test_dice_of_a_symmetric_table_is_symmetric(count, corpus, window, harmonic):
    table = count(corpus, window, "both", harmonic)
    dense = np.zeros(table.dense.shape)
    dense[np.nonzero(table.dense)] = dice_scores(table.cells())
    assert dense == pytest.approx(dense.T, abs=1e-12)


@given(corpus=CORPORA, window=WINDOWS, factor=st.integers(2, 1000))
def test_scaling_all_counts_changes_nothing(count, make_table, corpus, window, factor):
    table = count(corpus, window)
    scaled = make_table(table.dense * factor, symmetric=True).cells()
    for function in (dice_scores, logdice_scores, delta_p_scores):
        assert function(scaled) == pytest.approx(function(table.cells()), abs=1e-12, nan_ok=True)
