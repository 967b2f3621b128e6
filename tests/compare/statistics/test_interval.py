import numpy as np
import pytest
from scipy import stats

from nlpfeat.compare.statistics.interval import (
    DifferenceInterval,
    difference_of_resamples,
    percentile_interval,
)
from nlpfeat.errors import InvalidParameterError


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_percentiles_of_a_normal_distribution(level):
    resampled = stats.norm.ppf((np.arange(100_000) + 0.5) / 100_000)
    found = percentile_interval(0.25, resampled, level)
    assert found.value == 0.25
    assert (found.low, found.high) == pytest.approx(stats.norm.interval(level), abs=1e-3)


@pytest.mark.parametrize(
    ("resampled", "p_value"),
    [
        ([0.1] * 9, 2 / 10),  # none of nine beyond 0, and itself: never 0
        ([-0.1] * 2 + [0.1] * 7, 2 * 3 / 10),
        ([0.0] * 2 + [0.1] * 7, 2 * 3 / 10),  # at 0 is beyond it
        ([-0.1] * 7 + [0.1] * 2, 2 * 3 / 10),
        ([-0.1] * 4 + [0.1] * 5, 1.0),
        ([0.0] * 9, 1.0),
    ],
)
def test_the_p_value_counts_the_smaller_side(resampled, p_value):
    found = difference_of_resamples(0.1, np.array(resampled))
    assert found.p_value == pytest.approx(p_value)
    plain = percentile_interval(0.1, np.array(resampled))
    assert (found.value, found.low, found.high) == (plain.value, plain.low, plain.high)
    kept = found.within(-0.05, 0.05)
    assert kept == DifferenceInterval(
        0.1, max(plain.low, -0.05), min(plain.high, 0.05), found.p_value
    )


@pytest.mark.parametrize("level", [0.0, 1.0, 95, -0.5, float("nan"), "0.95", True])
def test_levels_that_cannot_be(level):
    with pytest.raises(InvalidParameterError, match="level must be a finite number above 0"):
        percentile_interval(0.0, np.zeros(3), level)
