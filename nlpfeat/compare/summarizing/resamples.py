"""Metrics of all runs of all models on the same resampled documents."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.compare.metrics import METRICS
from nlpfeat.compare.statistics.interval import Interval, percentile_interval
from nlpfeat.compare.statistics.resampled_figures import observed_figures, resampled_figures
from nlpfeat.compare.statistics.resampling import mean_of_drawn_runs
from nlpfeat.compare.summarizing.finished import Tested
from nlpfeat.compare.summarizing.records import SCALED

_SEED = 0
_MOST_SLOW = 200
"""Resamples of a metric that is no sum over documents: each one computes it anew for each run."""


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
    rows: dict[str, list[tuple[int, int]]]

    def interval(self, model: str) -> Interval:
        """Return the mean of a model over its runs, with its interval.

        Resampled documents and resampled runs; the percentiles are moved so that the mean of the
        resamples is what was observed, as in ``bootstrap_statistic``.
        """
        value = float(self.observed[model].mean())
        drawn = mean_of_drawn_runs(self.resampled[model], _generator())
        low, high = METRICS[self.metric.removesuffix(SCALED)].bounds
        found = _centered(value, drawn)
        return Interval(value, max(found.low, low), min(found.high, high))

    def difference(self, model: str, reference: str) -> tuple[Interval, float]:
        """Return a model minus another one with the interval, and the p-value of the resamples.

        Runs of the same repeat and seed are drawn together where both models have them all.

        Returns
        -------
        interval : Interval
        p_value : float
            Twice the smaller share of resamples on one side of 0, itself one of them.
        """
        ours, theirs = self.resampled[model], self.resampled[reference]
        value = float(self.observed[model].mean() - self.observed[reference].mean())
        random = _generator()
        if self.rows[model] == self.rows[reference]:
            drawn = mean_of_drawn_runs(ours - theirs, random)
        else:
            drawn = mean_of_drawn_runs(ours, random) - mean_of_drawn_runs(theirs, random)
        drawn = drawn + (value - drawn.mean())
        below, above = int((drawn <= 0).sum()), int((drawn >= 0).sum())
        p_value = min(1.0, 2 * (min(below, above) + 1) / (len(drawn) + 1))
        return percentile_interval(value, drawn), p_value


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
    name = metric.removesuffix(SCALED)
    if METRICS[name].sums is None:
        n_resamples = min(n_resamples, _MOST_SLOW)
    runs = np.concatenate([
        each.scaled_logs if metric.endswith(SCALED) else each.logs for each in models
    ])  # fmt: skip
    expected = models[0].expected
    ends = np.cumsum([len(each.rows) for each in models])[:-1]
    names = [each.model for each in models]
    figures = resampled_figures(name, expected, runs, n_resamples=n_resamples, random_state=_SEED)
    return Resamples(
        metric,
        dict(zip(names, np.split(observed_figures(name, expected, runs), ends))),
        dict(zip(names, np.split(figures, ends, axis=1))),
        {each.model: each.rows for each in models},
    )


def common(models: Sequence[Tested]) -> list[Tested]:
    """Return models on the documents that all of them were tested on."""
    documents = models[0].documents
    for each in models[1:]:
        documents = np.intersect1d(documents, each.documents)
    return [each.on(documents) for each in models]


def _centered(value: float, drawn: Float64Array) -> Interval:
    return percentile_interval(value, drawn + (value - drawn.mean()))


def _generator() -> np.random.Generator:
    """Return what draws runs: the same for all models, and not what draws documents."""
    return np.random.default_rng(_SEED).spawn(1)[0]
