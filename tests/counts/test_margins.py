import numpy as np
from cooccurrence_oracle import presence
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.counts.margins import Margins, presence_margins


def test_margins_of_two_texts_add_up():
    first = Margins(np.array([1, 0]), np.array([0, 1]), 1)
    second = Margins(np.array([2, 3]), np.array([4, 1]), 5)
    both = first + second
    assert (both.x.tolist(), both.y.tolist(), both.total) == ([3, 3], [4, 2], 6)
    assert first.x.tolist() == [1, 0]  # neither part changes


def test_units_with_a_term_by_hand():
    # Units: 0 1 0 | gap | 1 gap: term 0 in one, term 1 in two, term 2 in none, of three.
    ids = np.array([0, 1, 0, -1, 1, -1], np.int32)
    margins = presence_margins(ids, np.array([0, 3, 4, 6]), 3)
    assert margins.x.tolist() == margins.y.tolist() == [1, 2, 0]
    assert margins.total == 3


@given(st.lists(st.lists(st.integers(-1, 3), min_size=1, max_size=6), max_size=6))
def test_units_with_a_term_equal_the_oracle(units):
    ids = np.array([term for unit in units for term in unit], np.int32)
    bounds = np.cumsum([0, *map(len, units)])
    margins = presence_margins(ids, bounds, 4)
    truth = presence([[None if term < 0 else term for term in unit] for unit in units])
    assert margins.x.dtype == np.int64
    assert margins.x.tolist() == margins.y.tolist() == [truth.n_x[term] for term in range(4)]
    assert margins.total == truth.total
