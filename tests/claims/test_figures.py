"""Figures, their intervals, and what follows from them."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nlpfeat.claims.figures import (
    Figure,
    difference,
    have_learned,
    is_above,
    is_below,
    is_within,
    over_seeds,
    shared_level,
)
from nlpfeat.claims.numbers import ends, shown
from nlpfeat.claims.records import Record, read_records, write_records
from nlpfeat.claims.substitutability import area_interval, pairs_needed
from nlpfeat.compare.statistics.correlated_t import corrected_t_test

numbers = st.floats(-100, 100)
drawn = st.lists(numbers, min_size=3, max_size=6).map(
    lambda values: Figure("词", tuple(values), "", "drawn")
)


def test_an_interval_by_hand():
    # Mean 2, standard deviation 1, n = 3: the 97.5 % quantile of t with 2 degrees is 4.302653.
    low, high = Figure("词", (1.0, 2.0, 3.0), "", "drawn").bounds
    assert low == pytest.approx(2 - 4.302653 / math.sqrt(3), abs=1e-6)
    assert high == pytest.approx(2 + 4.302653 / math.sqrt(3), abs=1e-6)


@pytest.mark.parametrize("kind", ["drawn", "timed"])
def test_two_values_have_no_interval_and_what_is_no_sample_is_known(kind):
    assert Figure("词", (0.5, 0.5), "", kind).bounds is None
    for known in ("exact", "built", "counted"):
        assert Figure("词", (0.5,), "", known).bounds == (0.5, 0.5)


def test_seeds_that_gave_the_same_leave_what_their_texts_leave():
    # Wilson's interval of 0 of 60: from 0 to z² / (60 + z²), z = 1.959964.
    most = 3.841459 / 63.841459
    low, high = Figure("词", (0.0, 0.0, 0.0), "of all pairs", "drawn", 20).bounds
    assert low == pytest.approx(0, abs=1e-12)
    assert high == pytest.approx(most, abs=1e-6)
    low, high = Figure("词", (1.0, 1.0, 1.0), "accuracy", "drawn", 20).bounds
    assert (low, high) == pytest.approx((1 - most, 1), abs=1e-6)
    low, high = Figure("词", (0.25, 0.25, 0.25), "difference", "drawn", 20).bounds
    assert (low, high) == pytest.approx((0.25 - most, 0.25 + most), abs=1e-6)


@given(st.floats(0, 1), st.integers(1, 500), st.integers(3, 6))
def test_equal_shares_have_the_interval_of_another_package(share, trials, n):
    proportion = pytest.importorskip("scipy.stats").binomtest
    count = round(share * n * trials)
    expected = proportion(count, n * trials).proportion_ci(method="wilson")
    value = count / (n * trials)
    found = Figure("词", (value,) * n, "accuracy", "drawn", trials).bounds
    assert found == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_seeds_that_differ_have_the_wider_of_both():
    values = (0.2, 0.5, 0.8)
    wide = Figure("词", values, "accuracy", "drawn").bounds
    assert Figure("词", values, "accuracy", "drawn", 1_000).bounds == wide


def test_splits_of_the_same_texts_are_no_independent_samples():
    # Mean 2, standard deviation 1, n = 3: the error is √(1/3 + 1/2).
    figure = Figure("词", (1.0, 2.0, 3.0), "", "drawn", overlap=0.5)
    width = 4.302653 * math.sqrt(5 / 6)
    assert figure.bounds == pytest.approx((2 - width, 2 + width), abs=1e-6)
    # Draws are worth those of 1/(1/3 + 1/2) splits: 0 of 24, not 0 of 60.
    low, high = Figure("词", (0.0,) * 3, "accuracy", "drawn", 20, overlap=0.5).bounds
    assert (low, high) == pytest.approx((0, 3.841459 / 27.841459), abs=1e-6)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=10), st.floats(0, 2))
def test_at_its_ends_the_corrected_t_test_gives_five_percent(values, overlap):
    assume(max(values) - min(values) > 1e-3)
    for end in Figure("词", tuple(values), "", "drawn", overlap=overlap).bounds:
        differences = [value - end for value in values]
        assert corrected_t_test(differences, overlap / (1 + overlap)) == pytest.approx(0.05)


def test_a_difference_of_splits_overlaps_as_they_do(tmp_path):
    first, second = over_seeds(lambda seed: {"a": seed, "b": 1}, [1, 2, 3], "份", overlap=0.5)
    found = difference("差", first, second)
    assert (first.overlap, found.overlap, found.unit) == (0.5, 0.5, "difference")
    record = Record({"差": found}, (1, 2, 3), "2025-01-31", "2 cores", {})
    write_records(tmp_path / "claims.json", {"词": record})
    assert read_records(tmp_path / "claims.json") == {"词": record}


def test_one_of_four_intervals_is_wider():
    figure = Figure("词", (1.0, 2.0, 3.0), "", "drawn")
    # The 99.375 % quantile of t with 2 degrees of freedom is 8.860200.
    low, high = figure.bounds_at(shared_level(4))
    assert (low, high) == pytest.approx((2 - 8.8602 / 3**0.5, 2 + 8.8602 / 3**0.5), abs=1e-5)
    assert is_above(figure, -1.0) is is_below(figure, 5.0) is True
    assert is_above(figure, -1.0, shared_level(4)) is is_below(figure, 5.0, shared_level(4)) is None
    listed = Figure("词", (0.5,), "AUC", "listed", interval=(0.4, 0.7))
    assert listed.bounds_at(0.99) is is_above(listed, 0.1, 0.99) is None
    assert Figure("词", (0.5,)).bounds_at(0.99) == (0.5, 0.5)


def test_a_list_has_its_interval_and_seconds_their_range():
    assert Figure("词", (0.5,), "AUC", "listed", interval=(0.4, 0.7)).bounds == (0.4, 0.7)
    assert Figure("词", (2.0, 9.0, 3.0), "ratio", "timed").bounds == (2.0, 9.0)


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_ends_of_an_area_are_where_it_is_just_not_apart(n_first, n_second, data):
    halves = 2 * n_first * n_second  # pairs that are equal count half
    area = data.draw(st.integers(0, halves)) / halves
    low, high = area_interval(area, n_first, n_second)
    assert 0 <= low <= area <= high <= 1
    assert high - low > 0.01
    for end in (low, high):
        if 0 < end < 1:
            # Hanley and McNeil's variance, both lists as long as their mean, written otherwise.
            mean = (n_first + n_second) / 2
            first, second = end / (2 - end), 2 * end**2 / (1 + end)
            variance = end * (1 - end) + (mean - 1) * (first + second - 2 * end**2)
            error = math.sqrt(variance / (n_first * n_second))
            assert abs(end - area) == pytest.approx(1.959964 * error, rel=1e-4)
    turned = area_interval(1 - area, n_second, n_first)
    assert turned == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(st.floats(0, 1))
def test_as_many_pairs_are_needed_as_just_tell(area):
    def is_told(n):
        low, high = area_interval(area, n, n)
        return high < 0.35 or low > 0.65 or (low >= 0.35 and high <= 0.65)

    n = pairs_needed(area)
    assert n == 10_000 or is_told(n)
    assert n == 1 or not is_told(n - 1)


def test_who_is_at_chance_has_learned_nothing():
    right, chance = (Figure("词", (each,) * 3, "accuracy", "drawn", 100) for each in (0.9, 0.5))
    assert have_learned([right, right])
    assert not have_learned([right, chance])


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


def test_nothing_is_told_from_two_seeds():
    figure = Figure("词", (0.99, 0.99), "", "drawn")
    assert is_above(figure, 0.5) is is_below(figure, 0.5) is is_within(figure, 1, 1) is None


def test_seeds_are_measured_once_each_in_their_order():
    asked = []

    def measured(seed):
        asked.append(seed)
        return {"a": seed, "b": -seed}

    first, second = over_seeds(measured, [3, 1], "份", 50)
    assert asked == [3, 1]
    assert first.trials == second.trials == difference("差", first, second).trials == 50
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
    assert ends(Figure("词", (0.5,), "", "built")) == "by construction"
    assert ends(Figure("词", (3.0,), "of 8 rows", "counted")) == "count"
    assert ends(Figure("词", (0.5, 0.5), "", "timed")) == "too few"
    assert ends(Figure("词", (0.5, 2.5, 1.0), "", "timed")) == "0.500 … 2.50"
    assert ends(Figure("词", (0.5,), "AUC", "listed", interval=(0.25, 1.0))) == "[0.250, 1]"


def test_shares_stay_between_0_and_1_and_differences_do_not():
    values = (0.9, 1.0, 1.0)
    low, high = Figure("词", values, "accuracy", "drawn").bounds
    assert low < 0.9 < high == 1.0
    first = Figure("词", values, "accuracy", "drawn")
    found = difference("差", first, Figure("词", (0.9, 0.9, 1.0), "accuracy", "drawn"))
    assert found.values == pytest.approx((0.0, 0.1, 0.0))
    assert found.bounds[0] < 0
