"""Accuracy on controlled corpora, beside what the features of a model can reach at best."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import BoolArray, Float64Array, Int64Array
from nlpfeat.compare.findings import PhenomenonScore
from nlpfeat.compare.models.compared_model import ComparedModel
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.runs.plan import Plan, make_plan
from nlpfeat.compare.runs.store import RunStore
from nlpfeat.compare.statistics.bootstrap import bootstrap_mean
from nlpfeat.compare.statistics.interval import exact_at_the_ends
from nlpfeat.compare.summarizing.finished import FinishedRun, gathered
from nlpfeat.errors import InvalidParameterError

if TYPE_CHECKING:
    from nlpfeat.datasets.phenomena.phenomenon import Phenomenon

SEED_STEP = 1
"""From ``Protocol.split_seed`` to the seed of the texts. What networks take on phenomena was chosen
on texts of seed 0, which are never drawn so."""


def chosen_phenomena(phenomena: str | Iterable[str]) -> list[str]:
    """Return the names of phenomena.

    Parameters
    ----------
    phenomena : "all", or iterable of str
        Names of ``nlpfeat.datasets.phenomena.PHENOMENA``.

    Returns
    -------
    list of str
        Each once.

    Raises
    ------
    InvalidParameterError
        For an unknown one.

    Examples
    --------
    >>> chosen_phenomena(["order"]), chosen_phenomena(())
    (['order'], [])
    """
    from nlpfeat.datasets.phenomena import PHENOMENA

    if phenomena == "all":
        return list(PHENOMENA)
    if isinstance(phenomena, str) or not isinstance(phenomena, Iterable):
        raise InvalidParameterError(
            "phenomena must be 'all', or a list of names, such as ['order', 'negation']. "
            f"Got {phenomena!r}."
        )
    names = list(dict.fromkeys(phenomena))
    for name in names:
        lookup(PHENOMENA, name, "phenomena")
    return names


def phenomenon_plan(name: str, protocol: Protocol, store: RunStore) -> Plan:
    """Return the documents of a phenomenon, with the seeds and the segmenter of a protocol.

    The texts are those of the seed ``split_seed + SEED_STEP``, and no part tears one of their
    groups. There is one trial: the dev part is so small that chance would choose.

    Parameters
    ----------
    name : str
    protocol : Protocol
    store : RunStore

    Returns
    -------
    Plan

    Raises
    ------
    InvalidInputError
        When a text cannot take part: its group would be torn.
    """
    from nlpfeat.datasets.phenomena import make_phenomenon

    parts = make_phenomenon(name, random_state=protocol.split_seed + SEED_STEP)
    groups = np.append(parts.train_groups, parts.test_groups + parts.train_groups.max() + 1)
    given = replace(protocol, split="given", n_trials=1, n_explained=0, train_sizes=())
    return make_plan(parts.train, given, store, test=parts.test, phenomenon=name, groups=groups)


def phenomenon_scores(
    plan: Plan,
    models: Sequence[ComparedModel],
    runs: Mapping[str, Sequence[FinishedRun]],
) -> list[PhenomenonScore]:
    """Return the accuracy of each model on a phenomenon.

    The texts of a group depend on each other, so its interval is drawn over groups.

    Parameters
    ----------
    plan : Plan
    models : sequence of ComparedModel
    runs : mapping of str to sequence of FinishedRun
        By the name of the model; one without a run has no score.

    Returns
    -------
    list of PhenomenonScore
    """
    from nlpfeat.datasets.phenomena import PHENOMENA

    phenomenon = PHENOMENA[plan.phenomenon]
    splits = {split.number: split for split in plan.splits}
    scores = []
    for model in models:
        mine = runs.get(model.name, [])
        one = gathered(model.name, mine, splits, plan.expected)
        if one is None:
            continue
        groups = None if plan.groups is None else plan.groups[one.documents]
        right = _mean_by_group(one.right, groups)
        drawn = bootstrap_mean(right, n_resamples=plan.protocol.n_resamples)
        interval = exact_at_the_ends(drawn.within(0.0, 1.0), right.shape[1])
        scores.append(
            PhenomenonScore(
                phenomenon.name, phenomenon.title, model.name, interval.value, interval.low,
                interval.high, _ceiling(phenomenon, model.sees), len(one.runs),
            )
        )  # fmt: skip
    return scores


def _mean_by_group(right: BoolArray, groups: Int64Array | None) -> BoolArray | Float64Array:
    """Return the share of each group that is right, in each run; all groups are equally large."""
    if groups is None:
        return right
    _, places = np.unique(groups, return_inverse=True)
    sums = np.stack([np.bincount(places, weights=run) for run in right])
    return sums / np.bincount(places)


def _ceiling(phenomenon: "Phenomenon", sees: str | None) -> float | None:
    return None if sees is None else phenomenon.ceiling(sees).accuracy
