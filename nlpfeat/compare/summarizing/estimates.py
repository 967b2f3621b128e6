"""Means over runs, with their intervals."""

from collections.abc import Mapping, Sequence

import numpy as np

from nlpfeat.compare.costs import COSTS
from nlpfeat.compare.findings import Estimate, Record
from nlpfeat.compare.statistics.interval import exact_at_the_ends
from nlpfeat.compare.summarizing.finished import Tested
from nlpfeat.compare.summarizing.records import metric_names
from nlpfeat.compare.summarizing.resamples import Resamples, observed


def estimates_of(
    models: Mapping[str, Tested], records: Sequence[Record], resamples: Mapping[str, Resamples]
) -> list[Estimate]:
    """Return the mean of each metric and cost of each model at the full size.

    Parameters
    ----------
    models : mapping of str to Tested
    records : sequence of Record
        Of the runs of ``models``.
    resamples : mapping of str to Resamples
        By the name of the metric; of models that were tested on all documents.

    Returns
    -------
    list of Estimate
        Model by model. A metric is that of all documents of a row (a repeat and a seed) together;
        mean, standard deviation and number are over rows. Where all documents are right, or none
        is, the interval of accuracy is the exact one. Those of a cost are over runs, without an
        interval.
    """
    costs: dict[tuple[str, str], list[float]] = {}
    for record in records:
        if record.metric in COSTS:
            costs.setdefault((record.model, record.metric), []).append(record.value)
    estimates = []
    for name, model in models.items():
        for metric in (*metric_names(), *COSTS):
            is_cost = metric in COSTS
            found = costs.get((name, metric), []) if is_cost else observed(metric, model).tolist()
            if not found:
                continue
            mean = float(np.mean(found))
            low = high = None
            if metric in resamples and name in resamples[metric].observed:
                interval = resamples[metric].interval(name)
                if metric == "accuracy":
                    interval = exact_at_the_ends(interval, len(model.documents))
                low, high = interval.low, interval.high
            estimates.append(Estimate(name, metric, mean, _spread(found), low, high, len(found)))
    return estimates


def _spread(values: Sequence[float]) -> float | None:
    return float(np.std(values, ddof=1)) if len(values) > 1 else None
