"""What all models lose without one token over splits and seeds, with intervals."""

from collections.abc import Mapping, Sequence

import numpy as np

from nlpfeat.compare.explaining.document_means import mean_intervals, over_runs, ratio_intervals
from nlpfeat.compare.explaining.explain_run import RunExplanation
from nlpfeat.compare.explaining.explained_texts import ExplainedTexts
from nlpfeat.compare.explaining.findings import Omission
from nlpfeat.compare.explaining.omission import KINDS


def omission_rows(
    models: Mapping[str, Sequence[RunExplanation]],
    texts: Mapping[int, ExplainedTexts],
    *,
    n_resamples: int = 10_000,
    random_state: int = 0,
) -> list[Omission]:
    """Return a row for each model and kind of token.

    Parameters
    ----------
    models : mapping of str to sequence of RunExplanation
        The runs of each model.
    texts : mapping of int to ExplainedTexts
        Of each split.
    n_resamples : int, default 10,000
        Of the documents; the same ones for all rows.
    random_state : int, default 0

    Returns
    -------
    list of Omission
        Means over documents, of each the mean over the seeds. A model has no row where no document
        has a token of each kind, and no robustness where it was never right.
    """
    n_documents = {split: sum(place >= 0 for place in each.alike) for split, each in texts.items()}
    keys = [(model, kind) for model in models for kind in KINDS]
    if not keys:
        return []
    before, after, delta = (
        np.stack([
            over_runs(n_documents, (
                (run.split, np.asarray(getattr(run.omission[kind], name), dtype=np.float64))
                for run in models[model]
            ))
            for model, kind in keys
        ], axis=1)
        for name in ("right_before", "right_after", "delta")
    )  # fmt: skip
    deltas = mean_intervals(delta, n_resamples, random_state)
    ratios = ratio_intervals(
        np.nan_to_num(after, nan=0.0), np.nan_to_num(before, nan=0.0), n_resamples, random_state
    )
    rows = []
    for column, (model, kind) in enumerate(keys):
        change, ratio = deltas[column], ratios[column]
        if change is None:
            continue
        rows.append(
            Omission(
                model,
                kind,
                accuracy_before=float(np.nanmean(before[:, column])),
                accuracy_after=float(np.nanmean(after[:, column])),
                robustness=None if ratio is None else ratio.value,
                robustness_low=None if ratio is None else ratio.low,
                robustness_high=None if ratio is None else ratio.high,
                delta=change.value,
                delta_low=change.low,
                delta_high=change.high,
                n_documents=int((~np.isnan(delta[:, column])).sum()),
            )
        )
    return rows
