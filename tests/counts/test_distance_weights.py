import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.counts.distance_weights import WEIGHTINGS, distance_weights
from nlpfeat.errors import InvalidParameterError


@pytest.mark.parametrize(
    ("weighting", "expected"),
    [
        ("flat", [1, 1, 1, 1]),
        ("harmonic", [1, 1 / 2, 1 / 3, 1 / 4]),
        ("linear", [1, 3 / 4, 2 / 4, 1 / 4]),
        (lambda distance: 1 / distance**2, [1, 1 / 4, 1 / 9, 1 / 16]),
        ([4, 3, 0, 1], [4, 3, 0, 1]),
        (np.array([1, 0.5, 0.5, 0]), [1, 0.5, 0.5, 0]),
    ],
)
def test_weights_of_four_distances(weighting, expected):
    weights = distance_weights(weighting, 4)
    assert weights.dtype == np.float64
    assert weights.tolist() == expected


@given(st.sampled_from(sorted(WEIGHTINGS)), st.integers(1, 50))
def test_named_weightings_start_at_1_and_never_rise(name, window):
    weights = distance_weights(name, window)
    assert weights.shape == (window,)
    assert weights[0] == 1
    assert (np.diff(weights) <= 0).all()
    assert (weights > 0).all()


@pytest.mark.parametrize(
    ("weighting", "message"),
    [
        ("harmonc", r"weighting must be one of .*'harmonc'\. Did you mean 'harmonic'\?"),
        ([1.0, 0.5], r"one weight for each of the 3 distances of the window\. Got 2"),
        ([], r"one weight for each of the 3 distances of the window\. Got 0"),
        ([1, -0.5, 1], r"not negative.*Got \[1\.0, -0\.5, 1\.0\] for the distances 1 to 3"),
        ([1, float("nan"), 1], r"finite number.*Got \[1\.0, nan, 1\.0\]"),
        (lambda distance: float("inf"), r"finite number.*Got \[inf, inf, inf\]"),
        ([0, 0, 0], r"not 0 for all.*Got \[0\.0, 0\.0, 0\.0\]"),
        (5, r"a function from the distance.*or a sequence of weights\. Got 5"),
        (None, r"a function from the distance.*or a sequence of weights\. Got None"),
        (["1", "x", "1"], r"a sequence of weights\. Got \['1', 'x', '1'\]"),
        (lambda distance: None, r"a function from the distance to its weight"),
    ],
)
def test_weights_that_cannot_be(weighting, message):
    with pytest.raises(InvalidParameterError, match=message):
        distance_weights(weighting, 3)
