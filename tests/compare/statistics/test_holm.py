from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.compare.statistics.holm import holm
from nlpfeat.errors import InvalidInputError


def closed(p_values):
    """Holm's procedure as what it is: the closure of Bonferroni's.

    A test is rejected when every set of tests that it is in is, and a set is when the smallest of
    its p-values times their number is small enough.
    """
    numbers = range(len(p_values))
    sets = [s for size in numbers for s in combinations(numbers, size + 1)]
    return [
        min(1.0, max(len(s) * min(p_values[i] for i in s) for s in sets if number in s))
        for number in numbers
    ]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_it_is_the_closure_of_bonferroni(p_values):
    assert holm(p_values).tolist() == pytest.approx(closed(p_values))


def test_by_hand():
    # 4 · .005, 3 · .01, 2 · .03, 1 · .04: the last is raised to the one before.
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.6]).tolist() == [1.0, 1.0]
    assert holm([0.2]).tolist() == [0.2]
    assert holm([0, 1]).tolist() == [0.0, 1.0]
    assert holm([]).shape == (0,)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.randoms())
def test_the_order_of_the_tests_does_not_matter(p_values, random):
    order = list(range(len(p_values)))
    random.shuffle(order)
    found = holm(p_values)
    assert holm([p_values[i] for i in order]).tolist() == found[order].tolist()
    assert (found >= np.array(p_values)).all()
    assert (found <= np.minimum(1, len(p_values) * np.array(p_values))).all()


@pytest.mark.parametrize(
    ("p_values", "message"),
    [
        ([0.1, 1.5], "p_values must be from 0 to 1. Got 1.5 at index 1"),
        ([-0.1], "p_values must be from 0 to 1. Got -0.1 at index 0"),
        ([0.1, float("nan")], "p_values must be finite. Got nan at index 1"),
        ([[0.1, 0.2]], r"p_values must be an array \(tests\)"),
    ],
)
def test_what_is_no_p_value(p_values, message):
    with pytest.raises(InvalidInputError, match=message):
        holm(p_values)
