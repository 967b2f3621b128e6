"""From finished runs to findings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from nlpfeat._typing import Int64Array
from nlpfeat.compare.findings import (
    CurvePoint,
    Findings,
    ModelFacts,
    PhenomenonScore,
    Provenance,
)
from nlpfeat.compare.models.compared_model import ComparedModel
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.splits import Split
from nlpfeat.compare.summarizing.calibration import calibration_of
from nlpfeat.compare.summarizing.differences import (
    Comparison,
    apart,
    differences_of,
    resolution_of,
)
from nlpfeat.compare.summarizing.estimates import estimates_of
from nlpfeat.compare.summarizing.finished import (
    FinishedRun,
    Tested,
    gathered,
    models_at_full_size,
)
from nlpfeat.compare.summarizing.learning_curve import curve_point
from nlpfeat.compare.summarizing.records import metric_names, records_of
from nlpfeat.compare.summarizing.resamples import resample
from nlpfeat.compare.summarizing.tuning_points import tuning_points

_ATTENTION = "attention"


@dataclass(frozen=True, eq=False)
class Compared:
    """What there is to summarize.

    Parameters
    ----------
    models : list of ComparedModel
    protocol : Protocol
    splits : list of Split
    expected : ndarray of int64
        The place of the class of every document.
    runs : list of FinishedRun
        Of the corpus, in the order of models, sizes, splits and seeds.
    provenance : Provenance
    phenomena : list of PhenomenonScore
    notes : list of str
    """

    models: list[ComparedModel]
    protocol: Protocol
    splits: list[Split]
    expected: Int64Array
    runs: list[FinishedRun]
    provenance: Provenance
    phenomena: list[PhenomenonScore] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def summarize(compared: Compared) -> Findings:
    """Return all that a report shows but what explains single documents.

    Parameters
    ----------
    compared : Compared
        With at least one finished run at the full size.

    Returns
    -------
    Findings
    """
    tested = models_at_full_size(compared.runs, compared.splits, compared.expected)
    full = [each for one in tested.values() for each in one.runs]
    full_records = records_of(full, compared.expected)
    models, notes = _comparable(tested)
    resamples = {
        metric: resample(metric, list(models.values()), compared.protocol.n_resamples)
        for metric in metric_names()
    }
    protocol = compared.protocol
    equivalence = protocol.equivalence_for(len(next(iter(models.values())).documents))
    comparison = Comparison(
        models, full_records, resamples, len(compared.splits), _rho(compared.splits), equivalence,
        is_five_by_two=(protocol.split, protocol.n_folds, protocol.n_repeats) == ("folds", 2, 5),
    )  # fmt: skip
    chosen = references([model for model in compared.models if model.name in models], full)
    return Findings(
        provenance=compared.provenance,
        models=_facts(compared.models, tested),
        records=records_of(compared.runs, compared.expected),
        estimates=estimates_of(tested, full_records, resamples),
        differences=differences_of(comparison, chosen),
        resolution=resolution_of(models, equivalence),
        calibration=calibration_of(models),
        curve=_curve(compared),
        phenomena=compared.phenomena,
        notes=compared.notes + _left_out(compared, full) + notes + apart(models, chosen),
        tuning=tuning_points(tested),
    )


def references(models: Sequence[ComparedModel], runs: Sequence[FinishedRun]) -> list[str]:
    """Return what models are compared with: the best classical one, and attention alone.

    Best is the highest mean accuracy on the dev parts, of equals the first: a reference that was
    chosen on the test part would be there by luck, too.

    Parameters
    ----------
    models : sequence of ComparedModel
        Those that were tested.
    runs : sequence of FinishedRun
        At the full size.

    Returns
    -------
    list of str
        The first model where there is neither.
    """
    accuracy: dict[str, list[float]] = {}
    for each in runs:
        accuracy.setdefault(each.run.model.name, []).append(each.result.dev_accuracy)
    classical = [model.name for model in models if model.family == "classical"]
    found = []
    if classical:
        found.append(max(classical, key=lambda name: float(np.mean(accuracy[name]))))
    if any(model.name == _ATTENTION for model in models):
        found.append(_ATTENTION)
    return found or [model.name for model in models[:1]]


def _left_out(compared: Compared, taken: Sequence[FinishedRun]) -> list[str]:
    """Return what is to be said of finished runs at the full size that no figure is made of."""
    finished = Counter(each.run.model.name for each in compared.runs if each.run.is_full)
    lost = finished - Counter(each.run.model.name for each in taken)
    return [
        f"{name}: {count:,} of {finished[name]:,} finished runs are in no figure, since other "
        "folds of their seed are missing."
        for name, count in lost.items()
    ]


def _comparable(found: Mapping[str, Tested]) -> tuple[dict[str, Tested], list[str]]:
    """Return the models that were tested on all documents, and what is to be said of the others."""
    most = max(len(each.documents) for each in found.values())
    notes = [
        f"{name} was tested on {len(each.documents):,} of {most:,} documents and has no intervals "
        "and no differences."
        for name, each in found.items()
        if len(each.documents) < most
    ]
    whole = {name: each for name, each in found.items() if len(each.documents) == most}
    documents = next(iter(whole.values())).documents
    # Two models may have lost different folds.
    same = {name: each for name, each in whole.items() if np.array_equal(each.documents, documents)}
    notes += [
        f"{name} was tested on other documents than the first model and has no intervals and no "
        "differences."
        for name in whole
        if name not in same
    ]
    return same, notes


def _rho(splits: Sequence[Split]) -> float:
    """Return the share of the documents that a split tests on."""
    shares = [len(split.test) / (len(split.test) + len(split.train)) for split in splits]
    return float(np.mean(shares))


def _facts(models: Sequence[ComparedModel], tested: Mapping[str, Tested]) -> list[ModelFacts]:
    facts = []
    for model in models:
        if model.name not in tested:
            continue
        results = [each.result for each in tested[model.name].runs]
        facts.append(
            ModelFacts(
                model.name, model.family, model.description, model.all_settings,
                max(len(each.trials) for each in results),
                [each.trials[each.chosen].setting for each in results],
            )
        )  # fmt: skip
    return facts


def _curve(compared: Compared) -> list[CurvePoint]:
    """Return the learning curves; none where there is one size."""
    splits = {split.number: split for split in compared.splits}
    points = []
    for model in compared.models:
        mine = [each for each in compared.runs if each.run.model.name == model.name]
        sizes: dict[int | None, list[FinishedRun]] = {}
        for each in mine:
            sizes.setdefault(None if each.run.is_full else each.run.size, []).append(each)
        for size in sorted(sizes, key=lambda size: float("inf") if size is None else size):
            one = gathered(model.name, sizes[size], splits, compared.expected)
            if one is not None and compared.protocol.train_sizes:
                points.append(curve_point(one, compared.protocol.n_resamples))
    return points
