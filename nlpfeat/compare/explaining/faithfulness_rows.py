"""Faithfulness of all models in all orders over splits and seeds, with intervals."""

from collections.abc import Mapping, Sequence

import numpy as np

from nlpfeat.compare.explaining.aopc import FIGURES
from nlpfeat.compare.explaining.document_means import mean_intervals, over_runs
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts
from nlpfeat.compare.explaining.findings import Faithfulness, NormalizedFigure
from nlpfeat.compare.explaining.orders import ORDERS
from nlpfeat.compare.explaining.run_explanation import RunExplanation


def faithfulness_rows(
    models: Mapping[str, Sequence[RunExplanation]],
    texts: Mapping[int, ExplainedTexts],
    *,
    n_resamples: int = 10_000,
    random_state: int = 0,
) -> list[Faithfulness]:
    """Return a row for each model and order of deletion.

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
    list of Faithfulness
        A figure of a document is the mean over the seeds, and of a row the mean over the documents
        of all splits. Documents whose bounds are equal take no part in the normalized ones, which
        are None where that holds for all.
    """
    n_documents = {split: len(each.documents) for split, each in texts.items()}
    keys = [(model, order, figure) for model in models for order in ORDERS for figure in FIGURES]
    if not keys:
        return []
    raw, normalized = (
        np.stack([
            over_runs(n_documents, (
                (run.split, getattr(run.faithfulness[order], kind)[figure]) for run in models[model]
            ))
            for model, order, figure in keys
        ], axis=1)
        for kind in ("raw", "normalized")
    )  # fmt: skip
    is_told = ~np.isnan(normalized)
    intervals = mean_intervals(normalized, n_resamples, random_state)
    figures = {
        key: None if found is None else NormalizedFigure(found.value, found.low, found.high, n)
        for key, found, n in zip(keys, intervals, is_told.sum(axis=0).tolist())
    }
    means = dict(zip(keys, np.nanmean(raw, axis=0).tolist()))
    n_explained = dict(zip(keys, (~np.isnan(raw)).sum(axis=0).tolist()))
    return [
        Faithfulness(
            model,
            order,
            comprehensiveness=means[model, order, "comprehensiveness"],
            sufficiency=means[model, order, "sufficiency"],
            normalized_comprehensiveness=figures[model, order, "comprehensiveness"],
            normalized_sufficiency=figures[model, order, "sufficiency"],
            n_documents=n_explained[model, order, "comprehensiveness"],
            n_runs=len(models[model]),
        )
        for model in models
        for order in ORDERS
    ]
