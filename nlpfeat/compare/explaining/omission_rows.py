"""What all models lose without one token, or the weights of attention, with intervals."""

from collections.abc import Mapping, Sequence

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.compare.explaining.document_means import mean_intervals, over_runs, ratio_intervals
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts
from nlpfeat.compare.explaining.findings import Omission, Recovery
from nlpfeat.compare.explaining.omission import (
    FITTED_TWICE,
    KINDS,
    WITHOUT_WEIGHTS,
    OmissionEffect,
)
from nlpfeat.compare.explaining.recovery import RecoveryEffect
from nlpfeat.compare.explaining.run_explanation import RunExplanation, omitted_places


def omission_rows(
    models: Mapping[str, Sequence[RunExplanation]],
    texts: Mapping[int, ExplainedTexts],
    *,
    n_resamples: int = 10_000,
    random_state: int = 0,
) -> list[Omission]:
    """Return a row for each model and kind of token, and for each kind of weights.

    Parameters
    ----------
    models : mapping of str to sequence of RunExplanation
        The runs of each model.
    texts : mapping of int to ExplainedTexts
        Of each split.
    n_resamples : int, default 10,000
        Of the documents; the same ones for all rows of tokens, and for all rows of weights.
    random_state : int, default 0

    Returns
    -------
    list of Omission
        Model by model. Means over documents, of each the mean over the seeds; recovery is a ratio
        of sums over documents. A model has no row where no document has a token of each kind, none
        of weights where it is no attention, and no robustness where it was never right.
    """
    tokens = _rows(
        {(model, kind): [(run.split, run.omission[kind]) for run in runs]
         for model, runs in models.items() for kind in KINDS},
        {split: len(each.rows_of_omission) for split, each in texts.items()},
        n_resamples, random_state,
        _recoveries(models, texts, n_resamples, random_state),
    )  # fmt: skip
    weights = _rows(
        {(model, kind): [(run.split, run.attention.controls[kind]) for run in runs
                         if run.attention is not None and kind in run.attention.controls]
         for model, runs in models.items() for kind in WITHOUT_WEIGHTS},
        {split: len(each.controls.test) for split, each in texts.items()},
        n_resamples, random_state, {},
    )  # fmt: skip
    return [row for model in models for row in (*tokens, *weights) if row.model == model]


def _rows(
    effects: Mapping[tuple[str, str], Sequence[tuple[int, OmissionEffect]]],
    n_documents: Mapping[int, int],
    n_resamples: int,
    random_state: int,
    recoveries: Mapping[tuple[str, str], Recovery],
) -> list[Omission]:
    """Return the rows of effects on the same documents, by model and kind."""
    if not effects:
        return []
    before, after, delta = (
        np.stack([
            over_runs(n_documents, (
                (split, np.asarray(getattr(effect, name), dtype=np.float64))
                for split, effect in found
            ))
            for found in effects.values()
        ], axis=1)
        for name in ("right_before", "right_after", "delta")
    )  # fmt: skip
    deltas = mean_intervals(delta, n_resamples, random_state)
    ratios = ratio_intervals(
        np.nan_to_num(after, nan=0.0), np.nan_to_num(before, nan=0.0), n_resamples, random_state
    )
    rows = []
    for column, (model, kind) in enumerate(effects):
        change, ratio = deltas[column], ratios[column]
        if change is None:
            continue
        if kind == FITTED_TWICE:
            change = None
        rows.append(
            Omission(
                model,
                kind,
                accuracy_before=float(np.nanmean(before[:, column])),
                accuracy_after=float(np.nanmean(after[:, column])),
                robustness=None if ratio is None else ratio.value,
                robustness_low=None if ratio is None else ratio.low,
                robustness_high=None if ratio is None else ratio.high,
                delta=None if change is None else change.value,
                delta_low=None if change is None else change.low,
                delta_high=None if change is None else change.high,
                n_documents=int((~np.isnan(delta[:, column])).sum()),
                recovery=recoveries.get((model, kind)),
                n_runs=len(effects[model, kind]),
            )
        )
    return rows


def _recoveries(
    models: Mapping[str, Sequence[RunExplanation]],
    texts: Mapping[int, ExplainedTexts],
    n_resamples: int,
    random_state: int,
) -> dict[tuple[str, str], Recovery]:
    """Return where lost weights went, by model and kind, where that is known.

    Of all the weight that was lost: in a mean of the shares of single documents a hardly weighed
    token, whose share can be of any size, would count as much as the strongest one.
    """
    n_documents = {split: len(each.rows_of_omission) for split, each in texts.items()}
    keys = [(model, kind) for model in models for kind in KINDS]
    if not keys:
        return {}
    moved = {
        (model, kind): [
            (run.split, _moved(run.attention.recovery[kind], run, texts[run.split], kind))
            for run in models[model]
            if run.attention is not None
        ]
        for model, kind in keys
    }
    gained, proportional, lost = (
        np.stack([
            over_runs(n_documents, ((split, each[row]) for split, each in moved[key]))
            for key in keys
        ], axis=1)
        for row in range(3)
    )  # fmt: skip
    n_told = (~np.isnan(lost)).sum(axis=0).tolist()
    gained, proportional, lost = (np.nan_to_num(each) for each in (gained, proportional, lost))
    intervals = ratio_intervals(gained, lost, n_resamples, random_state)
    return {
        key: Recovery(
            interval.value,
            interval.low,
            interval.high,
            proportional=float(proportional[:, column].sum() / lost[:, column].sum()),
            n_documents=n_told[column],
        )
        for column, (key, interval) in enumerate(zip(keys, intervals))
        if interval is not None
    }


def _moved(
    effect: RecoveryEffect, run: RunExplanation, texts: ExplainedTexts, kind: str
) -> Float64Array:
    """Return what neighbors gained, what they would gain in proportion, and what was lost."""
    places = omitted_places(texts, run.weights)[kind]
    lost = np.array([run.weights[row][at] for row, at in zip(texts.rows_of_omission, places)])
    moved: Float64Array = np.stack([effect.share * lost, effect.proportional * lost, lost])
    moved[:, np.isnan(effect.share)] = np.nan
    return moved
