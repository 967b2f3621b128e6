"""How strongly tokens are marked."""

import math

from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.rendering import TokenStrip
from nlpfeat.rendering.strips import N_LEVELS, strip_levels, strip_table


def test_levels_by_hand():
    # 6 levels: .25 / 1 * 6 = 1.5 rounds to 2 (half to even), .4 to 2, .7 to 4
    assert strip_levels([1.0, 0.25, -0.4, 0.7, 0.0]) == [6, 2, -2, 4, 0]


def test_without_numbers():
    assert strip_levels([]) == []
    assert strip_levels([0.0, 0.0]) == [0, 0]
    assert strip_levels([math.nan, math.inf, -math.inf]) == [0, N_LEVELS, -N_LEVELS]


@given(st.lists(st.floats(allow_nan=False)))
def test_levels_have_the_sign_and_the_order_of_the_numbers(values):
    levels = strip_levels(values)
    assert all(abs(level) <= N_LEVELS for level in levels)
    assert [(level > 0) - (level < 0) for level in levels] == [
        (value > 0) - (value < 0) for value in values
    ]
    by_value = [level for _, level in sorted(zip(values, levels))]
    assert by_value == sorted(by_value)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1), st.sampled_from([2.0, 1024.0]))
def test_levels_do_not_depend_on_the_scale_of_a_source(values, factor):
    assert strip_levels([factor * value for value in values]) == strip_levels(values)


def test_table():
    table = strip_table(
        TokenStrip("早餐不好", [], ["早餐", "不", "好"],
                   {"idf": [1.0, 0.5, math.nan], "linear": [-1.0, 0.0, 2.0]})
    )  # fmt: skip
    assert [column.title for column in table.columns] == ["Token", "idf", "linear"]
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["早餐", "1.000", "−1.000"], ["不", "0.500", "0.000"], ["好", "–", "+2.000"]
    ]  # fmt: skip
    assert [row[1].order for row in table.rows][:2] == [1.0, 0.5]
