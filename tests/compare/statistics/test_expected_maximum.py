from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.compare.statistics.expected_maximum import expected_maximum
from nlpfeat.errors import InvalidInputError

SCORES = st.lists(st.floats(-10, 10), min_size=1, max_size=5)


@given(SCORES)
def test_by_drawing_in_all_ways(scores):
    found = expected_maximum(scores)
    for k in range(1, len(scores) + 1):
        drawn = [max(each) for each in combinations(scores, k)]
        assert found[k - 1] == pytest.approx(np.mean(drawn), abs=1e-9)


@given(SCORES, st.floats(-10, 10))
def test_a_first_trial_that_is_always_there(scores, first):
    found = expected_maximum(scores, first=first)
    assert found[0] == first
    for k in range(1, len(scores) + 1):
        drawn = [max(first, *each) for each in combinations(scores, k)]
        assert found[k] == pytest.approx(np.mean(drawn), abs=1e-9)


def test_a_first_trial_alone():
    assert expected_maximum([], first=0.5).tolist() == [0.5]
    with pytest.raises(InvalidInputError, match=r"first must be finite\. Got inf"):
        expected_maximum([1.0], first=float("inf"))


def test_by_hand():
    # The best of two of 1, 2, 3: 2 of one pair, 3 of the other two.
    assert expected_maximum([3, 1, 2]).tolist() == pytest.approx([2, 8 / 3, 3])


def test_many_trials():
    scores = np.random.default_rng(0).random(500)
    found = expected_maximum(scores)
    assert found[0] == pytest.approx(scores.mean())
    assert (np.diff(found) >= -1e-12).all()
    assert found[-1] == pytest.approx(scores.max(), abs=1e-9)
    # The best of k of numbers from 0 to 1 is k / (k + 1).
    assert found[9] == pytest.approx(10 / 11, abs=0.02)


def test_scores_that_cannot_be():
    with pytest.raises(InvalidInputError, match="scores must be of at least 1 trial"):
        expected_maximum([])
    with pytest.raises(InvalidInputError, match=r"scores must be finite\. Got nan at index 1"):
        expected_maximum([0.5, float("nan")])
