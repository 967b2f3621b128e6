"""Means over runs, with their intervals."""

from collections.abc import Mapping, Sequence

import numpy as np

from nlpfeat.compare.costs import COSTS
from nlpfeat.compare.findings import Estimate, Record
from nlpfeat.compare.summarizing.records import metric_names
from nlpfeat.compare.summarizing.resamples import Resamples


def estimates_of(records: Sequence[Record], resamples: Mapping[str, Resamples]) -> list[Estimate]:
    """Return the mean of each metric and cost of each model at the full size.

    Parameters
    ----------
    records : sequence of Record
        Of runs at the full size.
    resamples : mapping of str to Resamples
        By the name of the metric. The figure of folds is that of all their documents together.

    Returns
    -------
    list of Estimate
        Model by model, in the order of the records.
    """
    values: dict[tuple[str, str], list[float]] = {}
    for record in records:
        values.setdefault((record.model, record.metric), []).append(record.value)
    models = list(dict.fromkeys(record.model for record in records))
    estimates = []
    for model in models:
        for metric in (*metric_names(), *COSTS):
            found = values.get((model, metric), [])
            if not found:
                continue
            mean, spread = float(np.mean(found)), _spread(found)
            low = high = mean
            if metric in resamples and model in resamples[metric].observed:
                interval = resamples[metric].interval(model)
                mean, low, high = interval.value, interval.low, interval.high
            estimates.append(Estimate(model, metric, mean, spread, low, high, len(found)))
    return estimates


def _spread(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
