"""Accuracy over the number of training documents."""

from collections.abc import Sequence

import numpy as np

from nlpfeat.compare.findings import CurvePoint
from nlpfeat.compare.statistics.bootstrap import bootstrap_mean
from nlpfeat.compare.summarizing.finished import FinishedRun, Tested


def curve_point(tested: Tested, runs: Sequence[FinishedRun], n_resamples: int) -> CurvePoint:
    """Return a point of a learning curve.

    Parameters
    ----------
    tested : Tested
    runs : sequence of FinishedRun
        Its runs, all of about one size.
    n_resamples : int

    Returns
    -------
    CurvePoint
        Its size is the mean one: folds may differ by a document.
    """
    interval = bootstrap_mean(tested.right, n_resamples=n_resamples)
    seconds = [each.result.costs.get("training_seconds", 0.0) for each in runs]
    return CurvePoint(
        tested.model, round(float(np.mean([each.run.size for each in runs]))), interval.value,
        interval.low, interval.high, len(runs), float(np.mean(seconds)),
    )  # fmt: skip
