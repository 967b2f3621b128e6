"""The curve of tuning, of trials that a test sets."""

import numpy as np
import pytest
from finished_runs import EXPECTED, N, holdout, right_of, says

from nlpfeat.compare.runs.store import Trial
from nlpfeat.compare.summarizing.finished import models_at_full_size
from nlpfeat.compare.summarizing.tuning_points import tuning_points


@pytest.fixture
def points_of(finished):
    """Points of runs with these accuracies on the dev part."""

    def make(*runs):
        given = [
            finished("nbsvm", says(right_of(0.5, seed)), range(N), seed=seed)
            for seed in range(len(runs))
        ]
        for each, accuracies in zip(given, runs):
            each.result.trials[:] = [Trial({}, accuracy, 1.0) for accuracy in accuracies]
        compared = holdout(given)
        points = tuning_points(models_at_full_size(given, compared.splits, EXPECTED))
        assert [each.n_trials for each in points] == list(range(1, len(points) + 1))
        assert {each.model for each in points} == {"nbsvm"}
        return [each.accuracy for each in points]

    return make


def test_the_default_setting_is_always_the_first_trial(points_of):
    # With one more trial: .5 or .9. The mean of all three is no point of it.
    assert points_of([0.6, 0.5, 0.9]) == pytest.approx([0.6, 0.75, 0.9])
    assert points_of([0.9, 0.5, 0.6]) == pytest.approx([0.9, 0.9, 0.9])


def test_a_setting_that_failed_is_a_trial_and_no_point_falls(points_of):
    # Of the first run the second trial is the failed one or .9: .6 or .9.
    found = points_of([0.6, None, 0.9], [0.2, 0.3, 0.4])
    assert found == pytest.approx([0.4, (0.75 + 0.35) / 2, (0.9 + 0.4) / 2])
    assert (np.diff(found) >= 0).all()
    assert points_of([None, 0.5]) == pytest.approx([0.0, 0.5])


def test_a_run_without_more_settings_stays_at_its_best(points_of):
    assert points_of([0.5, 0.9], [0.5]) == pytest.approx([0.5, 0.7])
