import numpy as np
import pytest
from scipy import stats

from nlpfeat.compare.statistics.interval import percentile_interval
from nlpfeat.errors import InvalidParameterError


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_percentiles_of_a_normal_distribution(level):
    resampled = stats.norm.ppf((np.arange(100_000) + 0.5) / 100_000)
    found = percentile_interval(0.25, resampled, level)
    assert found.value == 0.25
    assert (found.low, found.high) == pytest.approx(stats.norm.interval(level), abs=1e-3)


@pytest.mark.parametrize("level", [0.0, 1.0, 95, -0.5, float("nan"), "0.95", True])
def test_levels_that_cannot_be(level):
    with pytest.raises(InvalidParameterError, match="level must be a finite number above 0"):
        percentile_interval(0.0, np.zeros(3), level)
