"""Figures, their intervals, and what follows from them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.claims.figures import (
    Figure,
    difference,
    is_above,
    is_below,
    is_within,
    over_seeds,
)
from nlpfeat.claims.numbers import ends, shown

numbers = st.floats(-100, 100)
drawn = st.lists(numbers, min_size=2, max_size=6).map(
    lambda values: Figure("词", tuple(values), "", "drawn")
)


def test_an_interval_by_hand():
    # Mean 2, standard deviation 1, n = 3: the 97.5 % quantile of t with 2 degrees is 4.302653.
    low, high = Figure("词", (1.0, 2.0, 3.0), "", "drawn").bounds
    assert low == pytest.approx(2 - 4.302653 / math.sqrt(3), abs=1e-6)
    assert high == pytest.approx(2 + 4.302653 / math.sqrt(3), abs=1e-6)


def test_one_seed_has_no_interval_and_an_exact_figure_is_known():
    assert Figure("词", (0.5,), "", "drawn").bounds is None
    assert Figure("词", (0.5,)).bounds == (0.5, 0.5)


@given(drawn, numbers)
def test_above_and_below_exclude_each_other(figure, threshold):
    above, below = is_above(figure, threshold), is_below(figure, threshold)
    assert not (above and below)
    if above is None:
        low, high = figure.bounds
        assert low <= threshold < high
    if above:
        assert below is False


@given(drawn, numbers, st.floats(0, 50))
def test_within_is_both_sides(figure, center, margin):
    low, high = figure.bounds
    found = is_within(figure, center, margin)
    assert (found is True) == (center - margin <= low and high <= center + margin)
    assert (found is False) == (high < center - margin or low > center + margin)


def test_nothing_is_told_from_one_seed():
    figure = Figure("词", (0.99,), "", "drawn")
    assert is_above(figure, 0.5) is is_below(figure, 0.5) is is_within(figure, 1, 1) is None


def test_seeds_are_measured_once_each_in_their_order():
    asked = []

    def measured(seed):
        asked.append(seed)
        return {"a": seed, "b": -seed}

    first, second = over_seeds(measured, [3, 1], "份")
    assert asked == [3, 1]
    assert (first.name, first.values, first.unit, first.kind) == ("a", (3.0, 1.0), "份", "drawn")
    assert second.values == (-3.0, -1.0)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1 / 6, "0.167"), (0.9999, "1.000"), (32.0, "32"), (-0.0625, "−0.0625"), (1234.5, "1,234"),
        (-3e-15, "< 1e-12"), (0.00002345, "2.3e−05"), (2.5e-7, "2.5e−07"), (8.0951, "8.10"),
    ],
)  # fmt: skip
def test_numbers_by_hand(value, expected):
    assert shown(value) == expected


def test_ends_by_hand():
    assert ends(Figure("词", (0.5,))) == "exact"
    assert ends(Figure("词", (0.5,), "", "timed")) == "one seed"
    assert ends(Figure("词", (1.0, 1.0), "", "drawn")) == "[1, 1]"


def test_shares_stay_between_0_and_1_and_differences_do_not():
    values = (0.9, 1.0, 1.0)
    low, high = Figure("词", values, "accuracy", "drawn").bounds
    assert low < 0.9 < high == 1.0
    first = Figure("词", values, "accuracy", "drawn")
    found = difference("差", first, Figure("词", (0.9, 0.9, 1.0), "accuracy", "drawn"))
    assert found.values == pytest.approx((0.0, 0.1, 0.0))
    assert found.bounds[0] < 0
