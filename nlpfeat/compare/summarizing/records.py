"""One figure of one run at a time."""

from collections.abc import Sequence

import numpy as np

from nlpfeat._typing import Int64Array
from nlpfeat.compare.costs import COSTS
from nlpfeat.compare.findings import Record
from nlpfeat.compare.metrics import METRICS
from nlpfeat.compare.summarizing.finished import FinishedRun

SCALED = "_scaled"
"""The end of the name of a metric after temperature scaling."""


def metric_names() -> list[str]:
    """Return the metrics of a report, those of probabilities twice.

    Examples
    --------
    >>> metric_names()[:4]
    ['accuracy', 'macro_f1', 'log_loss', 'log_loss_scaled']
    """
    return [
        name + ending
        for name, metric in METRICS.items()
        for ending in ("", SCALED)
        if not ending or metric.reads_probabilities
    ]


def records_of(runs: Sequence[FinishedRun], expected: Int64Array) -> list[Record]:
    """Return all figures of all runs, in the order of the runs.

    Parameters
    ----------
    runs : sequence of FinishedRun
    expected : ndarray of int64
        The place of the class of every document of the comparison.

    Returns
    -------
    list of Record
    """
    records = []
    for each in runs:
        run = each.run
        figures = _figures(each, expected[run.parts.test])
        for name, value in figures.items():
            records.append(
                Record(run.model.name, run.model.family, run.split, run.seed, run.size, name, value)
            )
    return records


def _figures(each: FinishedRun, expected: Int64Array) -> dict[str, float]:
    logs = {"": each.logs, SCALED: each.scaled_logs}
    figures = {
        name: METRICS[name.removesuffix(SCALED)].compute(
            expected, logs[SCALED if name.endswith(SCALED) else ""]
        )
        for name in metric_names()
    }
    figures |= {name: each.result.costs[name] for name in COSTS if name in each.result.costs}
    return {name: float(value) for name, value in figures.items() if np.isfinite(value)}
