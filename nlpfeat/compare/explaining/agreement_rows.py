"""Agreement of all models with all scores over splits and seeds, with intervals."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import numpy as np

from nlpfeat._typing import BoolArray, Float64Array
from nlpfeat.compare.explaining.agreement import (
    DocumentAgreement,
    agreement_of_weights,
    expected_top_overlap,
)
from nlpfeat.compare.explaining.classical_scores import SCORES
from nlpfeat.compare.explaining.divergence import divergences, uniform_like
from nlpfeat.compare.explaining.document_means import mean_intervals, mean_of_told, over_runs
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts
from nlpfeat.compare.explaining.findings import Agreement
from nlpfeat.compare.explaining.pair_agreement import PAIR_SCORE, agreement_of_pairs
from nlpfeat.compare.explaining.run_explanation import RunExplanation
from nlpfeat.compare.statistics.interval import Interval


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
        all splits where it is defined; there is no row where it is in none. The references and
        divergences are means over the same documents, of each the mean over the seeds, or over each
        two seeds of its split.
    """
    keys = [(model, score) for model in models for score in (*SCORES, PAIR_SCORE)]
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
    beside = {model: _Beside(runs, texts) for model, runs in models.items()}
    return [
        _row(model, score, interval, ~np.isnan(taus[model, score]), chance, beside[model])
        for (model, score), interval in zip(keys, intervals)
        if interval is not None
    ]


def _row(
    model: str,
    score: str,
    interval: Interval,
    is_told: BoolArray,
    chance: Float64Array,
    beside: "_Beside",
) -> Agreement:
    """Return a row: all its means are over the documents that are told."""
    is_pairs = score == PAIR_SCORE
    tops, shuffled, before = (
        _over_runs(beside.runs, beside.texts, score, name)
        for name in ("top_three", "permutation", "initial")
    )

    def of_tokens(values: Float64Array) -> float | None:
        return None if is_pairs else mean_of_told(values[is_told])

    seeds = beside.tau_of_pairs if is_pairs else beside.tau_of_weights
    return Agreement(
        model,
        score,
        tau=interval.value,
        low=interval.low,
        high=interval.high,
        top_three=of_tokens(tops),
        top_three_permutation=of_tokens(chance),
        permutation=float(shuffled[is_told].mean()),
        other_seed=mean_of_told(seeds[is_told]),
        initial=mean_of_told(before[is_told]),
        n_documents=int(is_told.sum()),
        seed_divergence=of_tokens(beside.seed_divergence),
        uniform_divergence=of_tokens(beside.uniform_divergence),
        n_runs=len(beside.runs),
    )


def _over_runs(
    runs: Sequence[RunExplanation], texts: Mapping[int, ExplainedTexts], score: str, name: str
) -> Float64Array:
    """Return the mean over seeds for each document of each split; NaN where there is none."""
    n_documents = {split: len(each.documents) for split, each in texts.items()}
    found = ((run.split, _agreement(run, score)) for run in runs)
    return over_runs(
        n_documents,
        ((split, getattr(each, name)) for split, each in found if each is not None),
    )


def _agreement(run: RunExplanation, score: str) -> DocumentAgreement | None:
    if score == PAIR_SCORE:
        return None if run.attention is None else run.attention.pair_agreement
    return run.agreement.get(score)


class _Beside:
    """What the weights of a model are held against: its other seeds, and uniform ones.

    Of each figure one for each document of each split, NaN where there is none.
    """

    def __init__(self, runs: Sequence[RunExplanation], texts: Mapping[int, ExplainedTexts]) -> None:
        self.runs, self.texts = runs, texts
        self._n_documents = {split: len(each.documents) for split, each in texts.items()}
        self.tau_of_weights = self._between_seeds(_tau_of_weights)
        self.tau_of_pairs = self._between_seeds(_tau_of_pairs)
        self.seed_divergence = self._between_seeds(_divergence)
        self.uniform_divergence = over_runs(
            self._n_documents,
            (
                (run.split, divergences(run.weights, uniform_like(run.weights)))
                for run in runs
                if run.attention is not None
            ),
        )

    def _between_seeds(
        self,
        compared: Callable[[ExplainedTexts, RunExplanation, RunExplanation], Float64Array | None],
    ) -> Float64Array:
        """Return the mean over each two seeds of a split."""
        return over_runs(
            self._n_documents,
            (
                (one.split, compared(self.texts[one.split], one, other))
                for one, other in combinations(self.runs, 2)
                if one.split == other.split
            ),
        )


def _tau_of_weights(
    texts: ExplainedTexts, one: RunExplanation, other: RunExplanation
) -> Float64Array | None:
    return agreement_of_weights(texts.documents, one.weights, other.weights)


def _tau_of_pairs(
    texts: ExplainedTexts, one: RunExplanation, other: RunExplanation
) -> Float64Array | None:
    pairs = [None if each.attention is None else each.attention.pairs for each in (one, other)]
    if pairs[0] is None or pairs[1] is None:
        return None
    return agreement_of_pairs(texts.documents, pairs[0], pairs[1])


def _divergence(
    _: ExplainedTexts, one: RunExplanation, other: RunExplanation
) -> Float64Array | None:
    if one.attention is None or other.attention is None:
        return None
    return divergences(one.weights, other.weights)
