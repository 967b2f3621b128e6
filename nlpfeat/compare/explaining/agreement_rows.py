"""Agreement of all models with all scores over splits and seeds, with intervals."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.compare.explaining.agreement import agreement_of_weights, expected_top_overlap
from nlpfeat.compare.explaining.classical_scores import SCORES
from nlpfeat.compare.explaining.document_means import mean_intervals, mean_of_told, over_runs
from nlpfeat.compare.explaining.explain_run import RunExplanation
from nlpfeat.compare.explaining.explained_texts import ExplainedTexts
from nlpfeat.compare.explaining.findings import Agreement


def agreement_rows(
    models: Mapping[str, Sequence[RunExplanation]],
    texts: Mapping[int, ExplainedTexts],
    *,
    n_resamples: int = 10_000,
    random_state: int = 0,
) -> list[Agreement]:
    """Return a row for each model and score.

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
    list of Agreement
        Tau of a document is the mean over the seeds, and of a row the mean over the documents of
        all splits where it is defined; there is no row where it is in none. ``other_seed`` is the
        mean tau between each two seeds of a split.
    """
    keys = [(model, score) for model in models for score in SCORES]
    taus = {key: _over_runs(models[key[0]], texts, key[1], "tau") for key in keys}
    if not keys:
        return []
    intervals = mean_intervals(
        np.stack([taus[key] for key in keys], axis=1), n_resamples, random_state
    )
    chance = np.array([
        expected_top_overlap(len(set(document)))
        for each in texts.values()
        for document in each.documents
    ])  # fmt: skip
    between_seeds = {model: _between_seeds(runs, texts) for model, runs in models.items()}
    rows = []
    for (model, score), interval in zip(keys, intervals):
        if interval is None:
            continue
        is_told = ~np.isnan(taus[model, score])
        tops, shuffled, before = (
            _over_runs(models[model], texts, score, name)
            for name in ("top_three", "permutation", "initial")
        )
        rows.append(
            Agreement(
                model,
                score,
                tau=interval.value,
                low=interval.low,
                high=interval.high,
                top_three=float(tops[is_told].mean()),
                top_three_permutation=float(chance[is_told].mean()),
                permutation=float(shuffled[is_told].mean()),
                other_seed=between_seeds[model],
                initial=mean_of_told(before),
                n_documents=int(is_told.sum()),
            )
        )
    return rows


def _over_runs(
    runs: Sequence[RunExplanation], texts: Mapping[int, ExplainedTexts], score: str, name: str
) -> Float64Array:
    """Return the mean over seeds for each document of each split; NaN where there is none."""
    n_documents = {split: len(each.documents) for split, each in texts.items()}
    values = (
        (run.split, getattr(run.agreement[score], name)) for run in runs if score in run.agreement
    )
    return over_runs(n_documents, values)


def _between_seeds(
    runs: Sequence[RunExplanation], texts: Mapping[int, ExplainedTexts]
) -> float | None:
    pairs = [
        agreement_of_weights(texts[one.split].documents, one.weights, other.weights)
        for one, other in combinations(runs, 2)
        if one.split == other.split
    ]
    return mean_of_told(np.concatenate(pairs)) if pairs else None
