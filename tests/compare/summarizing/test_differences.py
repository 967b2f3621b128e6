"""Who is better, by tests that are computed a second time."""

from dataclasses import replace

import numpy as np
import pytest
from finished_runs import EXPECTED, PROVENANCE, N, folds_of, holdout, right_of, says
from scipy.stats import binom
from scipy.stats import f as f_distribution
from scipy.stats import t as student

from nlpfeat.compare.findings import Difference
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.splits import Split
from nlpfeat.compare.summarizing.differences import _judged, mcnemar_of_runs
from nlpfeat.compare.summarizing.summary import Compared, summarize
from nlpfeat.compare.verdict import verdict


def test_the_difference_is_paired_and_judged_by_mcnemar(compared):
    findings = summarize(compared)
    rows = {
        (row.model, row.reference): row for row in findings.differences if row.metric == "accuracy"
    }
    assert list(rows) == [
        ("word-bow", "nbsvm"), ("attention", "nbsvm"), ("word-bow", "attention")
    ]  # fmt: skip
    row = rows["word-bow", "nbsvm"]
    right = {
        name: np.stack([
            each.logs.argmax(axis=1) == EXPECTED
            for each in compared.runs if each.run.model.name == name
        ])
        for name in ("word-bow", "nbsvm")
    }  # fmt: skip
    assert row.value == pytest.approx(right["word-bow"].mean() - right["nbsvm"].mean())
    assert row.low < row.value < row.high < 0
    assert row.outcome == "worse"
    assert row.test.startswith("mcnemar")
    assert row.p_holm >= row.p_value
    equal = rows["attention", "nbsvm"]
    assert equal.outcome in ("undecided", "equivalent")
    assert equal.low <= 0 <= equal.high
    assert findings.resolution.n_documents == N
    assert findings.resolution.paired == pytest.approx(
        1.959964 * np.sqrt(findings.resolution.disagreement / N), rel=1e-6
    )


def test_two_runs_of_mcnemar_give_twice_the_median():
    ours = np.array([[True] * 10 + [False] * 2, [True] * 9 + [False] * 3])
    theirs = np.array([[False] * 10 + [True] * 2] * 2)

    def mid_p(b, c):
        n, k = b + c, min(b, c)
        return 2 * binom.cdf(k, n, 0.5) - binom.pmf(k, n, 0.5)

    # The second pair: nine of ours alone, two of theirs, one of neither.
    wanted = [mid_p(10, 2), mid_p(9, 2)]
    name, p_value = mcnemar_of_runs(ours, theirs)
    assert p_value == pytest.approx(2 * np.median(wanted))
    assert name == "mcnemar, 2 × median of 2"
    assert mcnemar_of_runs(ours[:1], theirs[:1]) == (
        "mcnemar exact mid-p",
        pytest.approx(wanted[0]),
    )


def test_a_difference_is_of_the_runs_that_both_have(finished):
    """Runs of one side alone change nothing: they may be of any accuracy."""
    given = [
        finished(name, says(right_of(share, place), place), range(N), seed=seed, family=family)
        for place, (name, seed, share, family) in enumerate([
            ("nbsvm", 0, 0.9, "classical"), ("nbsvm", 1, 0.8, "classical"),
            ("attention", 1, 0.5, "attention"), ("attention", 2, 0.1, "attention"),
        ])
    ]  # fmt: skip
    found, wanted = summarize(holdout(given)), summarize(holdout(given[1:3]))
    assert found.differences == wanted.differences
    assert found.resolution.disagreement == wanted.resolution.disagreement
    assert found.notes == []
    row = found.differences[0]
    accuracy = [each.value for each in found.records if each.metric == "accuracy"]
    assert row.value == pytest.approx(accuracy[2] - accuracy[1])
    means = [each.mean for each in found.estimates if each.metric == "accuracy"]
    assert means == pytest.approx([np.mean(accuracy[:2]), np.mean(accuracy[2:])])


def test_documents_needed_are_those_of_the_means_of_runs(finished):
    right = {
        name: [right_of(share, place + 7 * seed) for seed in (0, 1)]
        for place, (name, share) in enumerate([("nbsvm", 0.8), ("attention", 0.75)])
    }
    given = [
        finished(name, says(runs[seed]), range(N), seed=seed)
        for name, runs in right.items() for seed in (0, 1)
    ]  # fmt: skip
    row = summarize(holdout(given)).differences[0]
    each = np.mean(right["attention"], axis=0) - np.mean(right["nbsvm"], axis=0)
    assert row.low <= 0 <= row.high
    assert row.documents_needed == np.ceil(1.959964**2 * each.var() / each.mean() ** 2)


def test_models_without_a_run_in_common_have_no_difference(finished):
    given = [
        finished("nbsvm", says(right_of(0.9, 0)), range(N), seed=0),
        finished("mine", says(right_of(0.2, 1)), range(N), seed=1, family="given"),
    ]
    findings = summarize(holdout(given))
    assert findings.differences == []
    assert findings.notes == [
        "mine and nbsvm have no finished run of the same repeat and seed, and no difference."
    ]
    accuracy = max(each.mean for each in findings.estimates if each.metric == "accuracy")
    assert findings.resolution.disagreement == pytest.approx(2 * accuracy * (1 - accuracy))
    assert verdict(findings)[0].startswith("No winner: no two models were")


def test_folds_are_put_together_and_compared_by_the_corrected_t(finished):
    compared = folds_of(finished)
    findings = summarize(compared)
    (row,) = [row for row in findings.differences if row.metric == "accuracy"]
    accuracy = {
        (record.model, record.split, record.seed): record.value
        for record in findings.records
        if record.metric == "accuracy"
    }
    differences = [
        np.mean([
            accuracy["word-bow", fold, seed] - accuracy["nbsvm", fold, seed] for seed in (0, 1)
        ])
        for fold in range(5)
    ]  # fmt: skip
    scale = np.std(differences, ddof=1) * np.sqrt(1 / 5 + 0.2 / 0.8)
    assert row.test == "corrected t"
    assert row.p_value == pytest.approx(2 * student.sf(abs(np.mean(differences)) / scale, 4))
    worse = student.cdf((-0.01 - np.mean(differences)) / scale, 4)
    assert row.p_worse == pytest.approx(worse)
    assert row.p_worse + row.p_equivalent + row.p_better == pytest.approx(1)
    assert findings.resolution.n_documents == N


def test_five_times_two_folds_are_compared_by_the_combined_f(finished):
    random = np.random.default_rng(0)
    runs, splits = [], []
    for number in range(10):
        if number % 2 == 0:
            halves = random.permutation(N).reshape(2, -1)
        test = np.sort(halves[number % 2])
        splits.append(Split(number, number // 2, np.setdiff1d(np.arange(N), test), test, ""))
        for name, share in (("nbsvm", 0.9), ("word-bow", 0.7)):
            right = random.random(N) < share
            runs.append(finished(name, says(right, number)[test], test, split=number, dev=share))
    models = [runs[0].run.model, runs[1].run.model]
    protocol = Protocol(
        split="folds", n_folds=2, n_repeats=5, seeds=(0,), n_resamples=200, n_explained=0
    )
    compared = Compared(models, protocol, splits, EXPECTED, runs, PROVENANCE)
    findings = summarize(compared)
    (row,) = [row for row in findings.differences if row.metric == "accuracy"]
    accuracy = {(record.model, record.split): record.value for record in findings.records
                if record.metric == "accuracy"}  # fmt: skip
    table = np.array([
        [accuracy["word-bow", 2 * repeat + fold] - accuracy["nbsvm", 2 * repeat + fold]
         for fold in (0, 1)]
        for repeat in range(5)
    ])  # fmt: skip
    f = (table**2).sum() / (2 * table.var(axis=1, ddof=1).sum())
    assert row.test == "5x2cv F"
    assert row.p_value == pytest.approx(f_distribution.sf(f, 10, 5))
    # The posterior beside it is that of the correlated t, with half of the documents tested.
    scale = table.std(ddof=1) * np.sqrt(1 / 10 + 1)
    assert row.p_worse == pytest.approx(student.cdf((-0.01 - table.mean()) / scale, 9))
    once = replace(compared, protocol=replace(protocol, n_repeats=1), splits=splits[:2],
                   runs=[each for each in runs if each.run.split < 2])  # fmt: skip
    assert summarize(once).differences[0].test == "corrected t"


def test_models_that_say_the_same(finished):
    logs = says(right_of(0.8, 0))
    sharper = says(right_of(0.8, 0), sure=4.0)
    assert (logs.argmax(axis=1) == sharper.argmax(axis=1)).all()
    findings = summarize(holdout([
        finished(name, each, range(N), family=family)
        for name, each, family in (
            ("nbsvm", logs, "classical"), ("twin", logs, "given"), ("sharper", sharper, "given"),
            ("other", says(right_of(0.8, 1)), "given"),
        )
    ]))  # fmt: skip
    same = {(row.model, row.metric): row.says_the_same for row in findings.differences}
    metrics = ("accuracy", "macro_f1", "calibration_error_scaled")
    assert [same["twin", metric] for metric in metrics] == [True, True, True]
    assert [same["sharper", metric] for metric in metrics] == [True, True, False]
    assert [same["other", metric] for metric in metrics] == [False, False, False]
    for row in findings.differences:
        if row.says_the_same:
            assert (row.value, row.low, row.high) == (0.0, 0.0, 0.0)
            assert row.outcome == "undecided"  # 60 documents are too few to say more


def test_the_region_of_equivalence_is_that_of_the_number_of_documents(compared):
    assert summarize(compared).resolution.equivalence == 0.01
    protocol = replace(compared.protocol, equivalence=0.9)
    wide = summarize(replace(compared, protocol=protocol))
    assert wide.resolution.equivalence == 0.9
    row = next(each for each in wide.differences
               if (each.model, each.metric) == ("attention", "accuracy"))  # fmt: skip
    assert row.outcome == "equivalent"


def row(value, low, high, p_holm, *, p_equivalent=None, metric="accuracy"):
    return Difference(
        "a", "b", metric, value, low, high, "", p_holm, p_holm, None, p_equivalent, None, "", None
    )


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        (row(0.05, 0.02, 0.08, 0.01), "better"),
        (row(-0.05, -0.08, -0.02, 0.01), "worse"),
        (row(0.05, 0.02, 0.08, 0.06), "undecided"),  # Holm does not agree
        (row(0.05, -0.01, 0.08, 0.01), "undecided"),  # the interval does not
        (row(0.02, 0.015, 0.03, 0.01), "undecided"),  # below the resolution
        (row(0.001, -0.009, 0.01, 0.9), "undecided"),  # so few documents cannot say that
        (row(0.001, -0.02, 0.02, 0.9, p_equivalent=0.96), "equivalent"),
        (row(0.001, -0.009, 0.01, 0.9, p_equivalent=0.9), "undecided"),
        (row(-0.05, -0.08, -0.02, 0.01, metric="calibration_error_scaled"), "better"),
    ],
)
def test_a_winner_needs_the_interval_the_test_and_the_resolution(given, outcome):
    assert _judged(given, 0.01, 0.03).outcome == outcome


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        (row(0.001, -0.009, 0.01, 0.9), "equivalent"),
        (row(0.001, -0.009, 0.011, 0.9), "undecided"),
        (row(1e-10, 1e-10, 1e-10, 0.01, metric="calibration_error_scaled"), "undecided"),
    ],
)
def test_many_documents_can_say_that_there_is_no_difference(given, outcome):
    assert _judged(given, 0.01, 0.01).outcome == outcome


@pytest.mark.parametrize(("equivalence", "outcome"), [(0.056, "undecided"), (0.057, "equivalent")])
def test_models_that_agree_on_all_documents_may_differ_on_others(finished, equivalence, outcome):
    logs = says(right_of(0.8, 0))
    twins = [
        finished(name, logs, range(N), family=family)
        for name, family in (("nbsvm", "classical"), ("twin", "given"))
    ]
    # By the rule of three on 3 of 60: 1.96 √(.05 / 60) = .0566.
    found = summarize(holdout(twins, equivalence=equivalence)).differences[0]
    assert (found.metric, found.says_the_same, found.outcome) == ("accuracy", True, outcome)


def test_prior_and_placebo_are_compared(finished):
    compared = holdout([
        finished(name, says(right_of(0.8, seed)), range(N), dev=0.5, family=family)
        for seed, (name, family) in enumerate([
            ("attention", "attention"), ("attention+pmi", "prior"),
            ("attention+pmi-placebo", "placebo"),
        ])
    ])  # fmt: skip
    findings = summarize(compared)
    pairs = [(each.model, each.reference) for each in findings.differences]
    assert ("attention+pmi", "attention+pmi-placebo") in pairs
    assert any("the same prior of the wrong words" in each for each in verdict(findings))
