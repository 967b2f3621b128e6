"""Rows of a report from runs that a test sets: which documents they are means of."""

from dataclasses import replace

import numpy as np
import pytest

from nlpfeat.compare.explaining.agreement import agreement, agreement_of_weights
from nlpfeat.compare.explaining.agreement_rows import agreement_rows
from nlpfeat.compare.explaining.attention_figures import AttentionFigures
from nlpfeat.compare.explaining.divergence import divergences, uniform_like
from nlpfeat.compare.explaining.documents_to_explain import explain_texts
from nlpfeat.compare.explaining.omission import KINDS, WITHOUT_WEIGHTS, effect_of
from nlpfeat.compare.explaining.omission_rows import omission_rows
from nlpfeat.compare.explaining.recovery import RecoveryEffect
from nlpfeat.compare.explaining.run_explanation import RunExplanation

WORDS = ["房间", "早餐", "服务", "位置", "前台", "晚上", "也", "很"]
N = 6


@pytest.fixture(scope="module")
def texts():
    generator = np.random.default_rng(0)
    labels = ["好评", "差评"] * 20
    documents = [
        generator.permutation([*generator.choice(WORDS, 6, replace=False), label]).tolist()
        for label in labels
    ]
    return explain_texts(documents[:30], labels[:30], documents[30:], labels[30:], n_explained=N)


def _run(texts, seed, weights=None):
    """A run of an attention with drawn weights, or with these."""
    generator = np.random.default_rng(seed)
    drawn = [generator.dirichlet(np.ones(len(each))) for each in texts.documents]
    weights = drawn if weights is None else weights
    scores = [each.of_class(0) for each in texts.scores]
    n = len(texts.rows_of_omission)
    nothing = effect_of(np.log(np.full((n, 2), 0.5)), np.log(np.full((n, 2), 0.5)), np.zeros(n))
    n_controls = len(texts.controls.test)
    controls = effect_of(*np.log(np.full((2, n_controls, 2), 0.5)), np.zeros(n_controls))
    return RunExplanation(
        "attention", texts.split, seed, "attention", [0] * N, weights, {},
        agreement(texts.documents, weights, scores, initial=drawn[::-1]),
        dict.fromkeys(KINDS, nothing), 0,
        AttentionFigures(
            None, None,
            dict.fromkeys(KINDS, RecoveryEffect(np.full(n, 0.5), np.full(n, 0.25))),
            dict.fromkeys(WITHOUT_WEIGHTS, controls),
        ),
    )  # fmt: skip


def _rows(texts, runs):
    return {row.score: row for row in agreement_rows(
        {"attention": runs}, {each.split: each for each in texts}, n_resamples=50
    )}  # fmt: skip


def test_references_are_of_the_documents_of_tau(texts):
    runs = [_run(texts, seed) for seed in (0, 1)]
    taus = [run.agreement["idf"].tau for run in runs]
    assert not np.isnan(taus).any()
    # The first document is told by no run, the second by one of them.
    taus[0][:2] = taus[1][0] = np.nan
    rows = _rows([texts], runs)
    row, whole = rows["idf"], rows["tfidf"]
    assert (row.n_documents, whole.n_documents) == (N - 1, N)
    between = divergences(runs[0].weights, runs[1].weights)
    assert row.seed_divergence == pytest.approx(between[1:].mean())
    assert whole.seed_divergence == pytest.approx(between.mean())
    seeds = agreement_of_weights(texts.documents, runs[0].weights, runs[1].weights)
    assert row.other_seed == pytest.approx(seeds[1:].mean())
    assert whole.other_seed == pytest.approx(seeds.mean())
    even = np.mean([divergences(run.weights, uniform_like(run.weights)) for run in runs], axis=0)
    assert row.uniform_divergence == pytest.approx(even[1:].mean())
    initial = np.mean([run.agreement["idf"].initial for run in runs], axis=0)
    assert row.initial == pytest.approx(initial[1:].mean())


def test_a_document_counts_once_whatever_the_number_of_its_runs(texts):
    other = replace(texts, split=1)
    ascending = [np.arange(len(each)) + 1.0 for each in texts.documents]
    descending = [each[::-1] for each in ascending]
    peaked = [np.eye(len(each))[0] + 1e-9 * np.arange(len(each)) for each in texts.documents]
    runs = [_run(texts, seed, ascending) for seed in range(3)]
    runs += [_run(other, 0, peaked), _run(other, 1, descending)]
    row = _rows([texts, other], runs)["idf"]
    even = [
        divergences(ascending, uniform_like(ascending)).mean(),
        divergences(peaked, uniform_like(peaked)).mean(),
        divergences(descending, uniform_like(descending)).mean(),
    ]
    assert row.uniform_divergence == pytest.approx((even[0] + (even[1] + even[2]) / 2) / 2)
    # Three pairs of equal seeds in the first split, and one pair in the second.
    pair = divergences(peaked, descending).mean()
    assert row.seed_divergence == pytest.approx((0 + pair) / 2)
    pair = agreement_of_weights(texts.documents, peaked, descending).mean()
    assert row.other_seed == pytest.approx((1 + pair) / 2)
    assert (row.n_documents, row.n_runs) == (2 * N, 5)


def test_a_token_that_is_hardly_weighed_does_not_decide_where_weights_go(texts):
    run = _run(texts, 0)
    rows = texts.rows_of_omission
    for number, row in enumerate(rows):
        run.weights[row][texts.alike[row]] = 0.25 if number else 1e-4
    run.attention.recovery["random"] = RecoveryEffect(
        np.array([-50.0, *[0.5] * (len(rows) - 1)]), np.full(len(rows), 0.25)
    )
    (recovery,) = [
        row.recovery
        for row in omission_rows({"attention": [run]}, {0: texts}, n_resamples=200)
        if row.kind == "random"
    ]
    weight = 0.25 * (len(rows) - 1)
    assert recovery.share == pytest.approx((0.5 * weight - 50 * 1e-4) / (weight + 1e-4))
    assert recovery.proportional == pytest.approx(0.25)
    assert recovery.n_documents == len(rows)
    assert recovery.low > 0.4


def test_of_a_bag_accuracies_are_shown_and_no_log_odds(texts):
    """Two models that know nothing: what the first one says, it says too surely, by selection."""
    generator = np.random.default_rng(0)
    odds, columns = generator.normal(size=(2, 2000)), generator.integers(0, 2, 2000)
    first, second = (
        np.stack([-np.logaddexp(0, each), -np.logaddexp(0, -each)], 1) for each in odds
    )
    effect = effect_of(first, second, columns)
    assert effect.delta.mean() < -0.5
    run = _run(texts, 0)
    wide = replace(texts, controls=replace(texts.controls, test=[["好"]] * 2000))
    run.attention.controls.update(dict.fromkeys(WITHOUT_WEIGHTS, effect))
    found = omission_rows({"attention": [run]}, {0: wide}, n_resamples=200)
    rows = {row.kind: row for row in found}
    bag = rows["weights of a bag"]
    assert bag.delta is bag.delta_low is bag.delta_high is None
    assert (bag.n_documents, bag.n_runs) == (2000, 1)
    assert bag.accuracy_before == np.mean(first.argmax(axis=1) == columns)
    assert bag.robustness_low < 1 < bag.robustness_high
    assert rows["all weights"].delta == pytest.approx(effect.delta.mean())
