import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from nlpfeat.compare.explaining.divergence import divergences, uniform_like

weightings = st.integers(1, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.floats(0, 1), min_size=n, max_size=n)] * 2)
)


@given(weightings)
def test_the_same_as_scipy(pair):
    first, second = (np.array(each) for each in pair)
    (found,) = divergences([first], [second])
    if min(first.sum(), second.sum()) < 1e-300:
        assert np.isnan(found) or 0 <= found <= 1
    else:
        # scipy halves its weights, of which the least are 0 then.
        first, second = (np.where(each < 1e-300, 0.0, each) for each in (first, second))
        expected = jensenshannon(first, second, base=2) ** 2
        assert found == pytest.approx(expected, abs=1e-6)


def test_the_least_weight_is_next_to_none():
    (found,) = divergences([np.array([0.0, 1.0, 0.0])], [np.array([0.0, 1.0, 5e-324])])
    assert found == pytest.approx(0.0, abs=1e-15)


def test_by_hand():
    # p = (1, 0), q = (1/2, 1/2), m = (3/4, 1/4): (log2 4/3 + (log2 2/3 + log2 2) / 2) / 2.
    expected = (np.log2(4 / 3) + (np.log2(2 / 3) + 1) / 2) / 2
    pairs = [([1, 0], [1, 1]), ([2, 0], [0, 5]), ([3, 1], [6, 2]), ([0, 0], [1, 0])]
    found = divergences(*([np.array(each, dtype=float) for each in side] for side in zip(*pairs)))
    np.testing.assert_allclose(found, [expected, 1.0, 0.0, np.nan], atol=1e-12)


def test_uniform_weights_are_equal():
    assert [each.tolist() for each in uniform_like([np.array([0.2, 0.8]), np.zeros(0)])] == [
        [1, 1], []
    ]  # fmt: skip
