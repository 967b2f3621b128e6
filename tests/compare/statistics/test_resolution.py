from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nlpfeat.compare.statistics.resolution import (
    documents_needed,
    documents_needed_of_runs,
    half_width,
    paired_half_width,
)
from nlpfeat.errors import InvalidParameterError


@pytest.mark.parametrize(
    ("n", "accuracy", "disagreement", "single", "paired"),
    [
        (10_000, 0.91, 0.06, 0.56, 0.48),  # headlines
        (2_397, 0.91, 0.08, 1.15, 1.13),  # reviews of food, a fifth
        (1_553, 0.89, 0.10, 1.56, 1.57),  # reviews of hotels, a fifth
        (1_200, 0.95, 0.05, 1.23, 1.27),  # ChnSentiCorp
    ],
)
def test_the_test_parts_that_were_planned(n, accuracy, disagreement, single, paired):
    assert round(100 * half_width(n, accuracy), 2) == single
    assert round(100 * paired_half_width(n, disagreement), 2) == paired


@given(st.integers(1, 10**6), st.floats(0, 1), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_half_widths_are_those_of_the_normal_distribution(n, share, level):
    low, high = stats.norm.interval(level, 0, sqrt(share * (1 - share) / n) or 1e-300)
    assert half_width(n, share, level) == pytest.approx((high - low) / 2, abs=1e-12)
    low, high = stats.norm.interval(level, 0, sqrt(share / n) or 1e-300)
    assert paired_half_width(n, share, level) == pytest.approx((high - low) / 2, abs=1e-12)


def test_drawn_test_parts_differ_by_that_much():
    random = np.random.default_rng(0)
    n_right = random.binomial(500, 0.9, size=20_000) / 500
    inside = np.abs(n_right - 0.9) <= half_width(500, 0.9)
    assert np.mean(inside) == pytest.approx(0.95, abs=0.01)
    ours, theirs, _ = random.multinomial(500, [0.05, 0.05, 0.9], size=20_000).T
    inside = np.abs(ours - theirs) / 500 <= paired_half_width(500, 0.1)
    assert np.mean(inside) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize(
    ("difference", "disagreement"), [(0.02, 0.1), (-0.02, 0.1), (0.1, 0.3), (0.3, 0.3), (0.9, 0.95)]
)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_documents_needed_by_trying(difference, disagreement, level):
    z = stats.norm.ppf(0.5 + level / 2)
    n = 1
    while z * sqrt((disagreement - difference**2) / n) > abs(difference):
        n += 1
    assert documents_needed(difference, disagreement, level) == n


def test_documents_needed_at_its_ends():
    assert documents_needed(0.0, 0.0) is None
    assert documents_needed(0.0, 0.5) is None
    assert documents_needed(1.0, 1.0) == 1
    assert documents_needed(-1, 1) == 1
    # 957: six documents for one model and four for the other, of a hundred.
    assert documents_needed(0.02, 0.1) == 957
    assert documents_needed(0.005, 0.06) > 4 * documents_needed(0.01, 0.06)


def runs(*accuracies, n_documents=4000, seed=0):
    random = np.random.default_rng(seed)
    return np.stack([random.random(n_documents) < accuracy for accuracy in accuracies])


def test_documents_needed_by_hand():
    # Of 100 documents, ours alone has 6 right, theirs alone 4: .02, of variance .1 - .0004.
    ours, theirs = np.zeros((2, 1, 100), bool)
    ours[0, :6] = theirs[0, 6:10] = True
    expected = 1.959964**2 * (0.1 - 0.0004) / 0.02**2
    assert documents_needed_of_runs(ours, theirs) == int(np.ceil(expected)) == 957
    assert documents_needed_of_runs(ours, ours) is None


def test_with_so_many_documents_the_interval_ends_at_0():
    ours, theirs = runs(0.83), runs(0.8, seed=1)
    each = ours[0] * 1.0 - theirs[0]
    needed = documents_needed_of_runs(ours, theirs)
    assert each.mean() == pytest.approx(1.959964 * each.std() / np.sqrt(needed), rel=0.01)


def test_several_runs_are_averaged_first():
    ours, theirs = runs(0.83, 0.84, 0.85), runs(0.8, 0.79, seed=1)
    each = ours.mean(axis=0) - theirs.mean(axis=0)
    expected = 1.959964**2 * each.var() / each.mean() ** 2
    assert documents_needed_of_runs(ours, theirs) == np.ceil(expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: half_width(0, 0.9), "n must be an integer that is at least 1. Got 0"),
        (lambda: half_width(10.0, 0.9), "n must be an integer"),
        (lambda: half_width(10, 91), "accuracy must be a share from 0 to 1. Got 91"),
        (lambda: half_width(10, float("nan")), "accuracy must be a finite number"),
        (lambda: paired_half_width(10, -0.1), "disagreement must be a share from 0 to 1. Got -0.1"),
        (lambda: paired_half_width(10, 0.1, 1.0), "level must be"),
        (lambda: documents_needed(0.5, 0.2), "at least the square of difference.*Got 0.2"),
        (lambda: documents_needed(1.5, 1.0), "difference must be a finite number.*Got 1.5"),
        (lambda: documents_needed(-1.5, 1.0), "disagreement must be at least"),
        (lambda: documents_needed(float("nan"), 1.0), "difference must be a finite number"),
    ],
)
def test_parameters_that_cannot_be(call, message):
    with pytest.raises(InvalidParameterError, match=message):
        call()
