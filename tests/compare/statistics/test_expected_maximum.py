from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.compare.statistics.expected_maximum import expected_maximum
from nlpfeat.errors import InvalidInputError, InvalidParameterError

SCORES = st.lists(st.floats(-10, 10), min_size=1, max_size=5)


@given(SCORES)
def test_by_drawing_in_all_ways(scores):
    n = len(scores)
    with_replacement, without = expected_maximum(scores), expected_maximum(
        scores, with_replacement=False
    )  # fmt: skip
    for k in range(1, n + 1):
        drawn = [max(each) for each in product(scores, repeat=k)]
        assert with_replacement[k - 1] == pytest.approx(np.mean(drawn), abs=1e-9)
        drawn = [max(each) for each in combinations(scores, k)]
        assert without[k - 1] == pytest.approx(np.mean(drawn), abs=1e-9)


def test_by_hand():
    # The best of two of 1, 2, 3 drawn with replacement: 1 in one case, 2 in three, 3 in five.
    assert expected_maximum([3, 1, 2])[:2].tolist() == pytest.approx([2, (1 + 6 + 15) / 9])
    assert expected_maximum([3, 1, 2], with_replacement=False).tolist() == pytest.approx(
        [2, 8 / 3, 3]
    )


@pytest.mark.parametrize("with_replacement", [True, False])
def test_many_trials(with_replacement):
    scores = np.random.default_rng(0).random(500)
    found = expected_maximum(scores, with_replacement=with_replacement)
    assert found[0] == pytest.approx(scores.mean())
    assert (np.diff(found) >= -1e-12).all()
    assert found[-1] == pytest.approx(scores.max(), abs=0.005 if with_replacement else 1e-9)
    # The best of k of numbers from 0 to 1 is k / (k + 1).
    assert found[9] == pytest.approx(10 / 11, abs=0.02)


def test_scores_that_cannot_be():
    with pytest.raises(InvalidInputError, match="scores must be of at least 1 trial"):
        expected_maximum([])
    with pytest.raises(InvalidInputError, match=r"scores must be finite\. Got nan at index 1"):
        expected_maximum([0.5, float("nan")])
    with pytest.raises(InvalidParameterError, match="with_replacement must be True or False"):
        expected_maximum([0.5], with_replacement=1)
