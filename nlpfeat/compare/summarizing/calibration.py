"""How far confidence is accuracy, over all runs of a model."""

from collections.abc import Mapping

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.compare.findings import Calibration, CalibrationBin
from nlpfeat.compare.metrics.calibration_error import calibration_bins
from nlpfeat.compare.summarizing.finished import Tested


def calibration_of(models: Mapping[str, Tested]) -> list[Calibration]:
    """Return the calibration of each model.

    Parameters
    ----------
    models : mapping of str to Tested
        At the full size.

    Returns
    -------
    list of Calibration
        The temperature is the geometric mean over runs; each run is scaled by its own.
    """
    found = []
    for name, model in models.items():
        temperatures = [each.result.temperature for each in model.runs]
        found.append(
            Calibration(
                name,
                float(np.exp(np.mean(np.log(temperatures)))),
                _bins(model, model.logs),
                _bins(model, model.scaled_logs),
            )
        )
    return found


def _bins(model: Tested, logs: Float64Array) -> list[CalibrationBin]:
    expected = np.tile(model.expected, len(logs))
    return [CalibrationBin(*each) for each in calibration_bins(expected, np.concatenate(logs))]
