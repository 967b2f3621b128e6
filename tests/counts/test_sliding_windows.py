from itertools import pairwise

import numpy as np
import pytest
from cooccurrence_oracle import sliding, windows
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.counts.sliding_windows import window_ends, window_margins

UNITS = st.lists(st.lists(st.integers(-1, 3), min_size=1, max_size=8), max_size=5)


def block_of(units):
    ids = np.array([term for unit in units for term in unit], np.int32)
    return ids, np.cumsum([0, *map(len, units)])


def with_gaps(units):
    return [[None if term < 0 else term for term in unit] for unit in units]


@pytest.mark.parametrize(
    ("n_tokens", "window", "n_windows"),
    [(1, 1, 1), (5, 1, 5), (5, 3, 3), (5, 5, 1), (4, 5, 1), (1, 5, 1), (2, 10**9, 1)],
)
def test_a_document_has_n_minus_w_plus_1_windows_and_at_least_one(n_tokens, window, n_windows):
    ids = np.arange(n_tokens, dtype=np.int32)
    assert window_ends(ids, np.array([0, n_tokens]), window).n_windows == n_windows


def test_no_unit_has_no_window():
    assert window_ends(np.empty(0, np.int32), np.array([0]), 3).n_windows == 0


def test_windows_of_a_repeated_term_by_hand():
    # 0 1 0 2, window 2: 01 10 02 by their last tokens 1 2 3; 0 is held by all, 1 by two, 2 by one.
    ids, bounds = block_of([[0, 1, 0, 2]])
    ends = window_ends(ids, bounds, 2)
    assert ends.first.tolist() == [1, 1, 2, 3]
    assert ends.last.tolist() == [1, 2, 3, 3]
    assert ends.last_holding.tolist() == [1, 2, 3, 3]
    assert window_margins(ids, ends, 3).x.tolist() == [3, 2, 1]


def test_a_copy_right_behind_takes_all_windows():
    # 0 0 1, window 2: the first window holds both copies, and the second one stands for it.
    # For the first copy `last` lies before `first`, which means none.
    ends = window_ends(*block_of([[0, 0, 1]]), 2)
    assert ends.first.tolist() == [1, 1, 2]
    assert ends.last.tolist() == [0, 2, 2]
    assert ends.last_holding.tolist() == [1, 2, 2]


@given(UNITS, st.integers(1, 9))
def test_each_window_is_counted_once_for_a_term(units, window):
    ids, bounds = block_of(units)
    ends = window_ends(ids, bounds, window)
    margins = window_margins(ids, ends, 4)
    truth = windows(with_gaps(units), window)
    assert margins.x.tolist() == margins.y.tolist() == [truth.n_x[term] for term in range(4)]
    assert margins.total == truth.total == ends.n_windows


@given(UNITS, st.integers(1, 9))
def test_positions_know_their_windows(units, window):
    ids, bounds = block_of(units)
    ends = window_ends(ids, bounds, window)
    # The same windows of a text whose tokens are their own positions.
    places = [list(range(start, stop)) for start, stop in pairwise(bounds.tolist())]
    for place in range(len(ids)):
        held_by = [held[-1] for held in sliding(places, window) if place in held]
        assert list(range(ends.first[place], ends.last_holding[place] + 1)) == held_by
        last_in = [
            held[-1]
            for held in sliding(places, window)
            if place in held
            and (ids[place] < 0 or all(ids[later] != ids[place] for later in held if later > place))
        ]
        assert list(range(ends.first[place], ends.last[place] + 1)) == last_in
