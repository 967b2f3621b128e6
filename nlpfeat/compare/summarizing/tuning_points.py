"""What fewer trials would be expected to reach."""

from collections.abc import Mapping

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.compare.findings import TuningPoint
from nlpfeat.compare.statistics.expected_maximum import expected_maximum
from nlpfeat.compare.summarizing.finished import FinishedRun, Tested


def tuning_points(models: Mapping[str, Tested]) -> list[TuningPoint]:
    """Return the expected best accuracy on the dev part for each number of trials.

    The default setting is always the first trial; the others were drawn, without replacement. A
    setting that could not be fitted is a trial that is never right, so that all runs of a model
    have all points, no later one is below an earlier one, and the last is the accuracy of the
    chosen settings.

    Parameters
    ----------
    models : mapping of str to Tested
        At the full size.

    Returns
    -------
    list of TuningPoint
    """
    points = []
    for name, model in models.items():
        curves = [_curve(each) for each in model.runs]
        n_trials = max(map(len, curves))
        # Where a run has no more settings to try, its best one stays.
        values = [np.pad(each, (0, n_trials - len(each)), mode="edge") for each in curves]
        points += [
            TuningPoint(name, place + 1, accuracy)
            for place, accuracy in enumerate(np.mean(values, axis=0).tolist())
        ]
    return points


def _curve(each: FinishedRun) -> Float64Array:
    default, *drawn = (trial.accuracy or 0.0 for trial in each.result.trials)
    return expected_maximum(drawn, first=default)
