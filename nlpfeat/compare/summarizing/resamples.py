"""Metrics of all runs of all models on the same resampled documents."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.compare.metrics import METRICS
from nlpfeat.compare.statistics.bootstrap import difference_interval, figure_interval
from nlpfeat.compare.statistics.interval import DifferenceInterval, Interval
from nlpfeat.compare.statistics.resampled_figures import observed_figures, resampled_figures
from nlpfeat.compare.summarizing.finished import Row, Tested
from nlpfeat.compare.summarizing.records import SCALED


@dataclass(frozen=True, eq=False)
class Resamples:
    """A metric of each model in each run, as observed and on resampled documents.

    Parameters
    ----------
    metric : str
    observed : dict of str to ndarray of float64, shape (R,)
        By the name of the model.
    resampled : dict of str to ndarray of float64, shape (n_resamples, R)
    rows : dict of str to list
        Repeat and seed of each run.
    """

    metric: str
    observed: dict[str, Float64Array]
    resampled: dict[str, Float64Array]
    rows: dict[str, list[Row]]

    def interval(self, model: str) -> Interval:
        """Return the mean of a model over its runs, with its interval."""
        found = figure_interval(self.observed[model], self.resampled[model])
        return found.within(*METRICS[self.metric.removesuffix(SCALED)].bounds)

    def difference(self, model: str, reference: str) -> DifferenceInterval:
        """Return a model minus another one with the interval, and the p-value of the resamples.

        Of the runs of the same repeat and seed that both have, at least one; they are drawn
        together.
        """
        low, high = METRICS[self.metric.removesuffix(SCALED)].bounds
        both = [row for row in self.rows[model] if row in self.rows[reference]]
        ours, theirs = ([self.rows[name].index(row) for row in both] for name in (model, reference))
        return difference_interval(
            self.observed[model][ours], self.observed[reference][theirs],
            self.resampled[model][:, ours], self.resampled[reference][:, theirs],
            paired=True,
        ).within(low - high, high - low)  # fmt: skip


def resample(metric: str, models: Sequence[Tested], n_resamples: int) -> Resamples:
    """Compute a metric of all models on the same resampled documents.

    Parameters
    ----------
    metric : str
        A name of ``METRICS``, or one with the end of those after temperature scaling.
    models : sequence of Tested
        Of the same documents, at least two.
    n_resamples : int

    Returns
    -------
    Resamples
    """
    runs = np.concatenate([_logs(metric, each) for each in models])
    ends = np.cumsum([len(each.rows) for each in models])[:-1]
    names = [each.model for each in models]
    figures = resampled_figures(
        metric.removesuffix(SCALED), models[0].expected, runs, n_resamples=n_resamples
    )
    return Resamples(
        metric,
        {each.model: observed(metric, each) for each in models},
        dict(zip(names, np.split(figures, ends, axis=1))),
        {each.model: each.rows for each in models},
    )


def observed(metric: str, model: Tested) -> Float64Array:
    """Return a metric of a model in each row, on all its documents, shape (R,)."""
    return observed_figures(metric.removesuffix(SCALED), model.expected, _logs(metric, model))


def _logs(metric: str, model: Tested) -> Float64Array:
    return model.scaled_logs if metric.endswith(SCALED) else model.logs
