"""Accuracy over the number of training documents."""

import numpy as np

from nlpfeat.compare.findings import CurvePoint
from nlpfeat.compare.statistics.bootstrap import bootstrap_mean
from nlpfeat.compare.summarizing.finished import Tested

_SECONDS = "training_seconds"


def curve_point(tested: Tested, n_resamples: int) -> CurvePoint:
    """Return a point of a learning curve.

    Parameters
    ----------
    tested : Tested
        Of runs that are all of about one size.
    n_resamples : int

    Returns
    -------
    CurvePoint
        Its size is the mean one: folds may differ by a document. Seconds are None where no run
        has measured them.
    """
    interval = bootstrap_mean(tested.right, n_resamples=n_resamples)
    costs = [each.result.costs for each in tested.runs]
    seconds = [each[_SECONDS] for each in costs if _SECONDS in each]
    return CurvePoint(
        tested.model, round(float(np.mean([each.run.size for each in tested.runs]))),
        interval.value, interval.low, interval.high, len(tested.runs),
        float(np.mean(seconds)) if seconds else None,
    )  # fmt: skip
