"""What fewer trials would be expected to reach."""

from collections.abc import Mapping

import numpy as np

from nlpfeat.compare.findings import TuningPoint
from nlpfeat.compare.statistics.expected_maximum import expected_maximum
from nlpfeat.compare.summarizing.finished import FinishedRun, Tested


def tuning_points(models: Mapping[str, Tested]) -> list[TuningPoint]:
    """Return the expected best accuracy on the dev part for each number of trials.

    The default setting is a trial as any other. Trials are drawn without replacement, so that the
    last point is the accuracy of the chosen settings.

    Parameters
    ----------
    models : mapping of str to Tested
        At the full size. Of runs in which settings failed, the first points are means, too.

    Returns
    -------
    list of TuningPoint
    """
    points = []
    for name, model in models.items():
        curves = [
            expected_maximum(accuracies) for each in model.runs if (accuracies := _accuracies(each))
        ]
        for place in range(max(map(len, curves), default=0)):
            values = [float(curve[place]) for curve in curves if place < len(curve)]
            points.append(TuningPoint(name, place + 1, float(np.mean(values))))
    return points


def _accuracies(each: FinishedRun) -> list[float]:
    return [trial.accuracy for trial in each.result.trials if trial.accuracy is not None]
