"""From runs to figures, each by a second way."""

import re

import numpy as np
import pytest
from scipy.stats import binom
from scipy.stats import t as student
from sklearn.metrics import f1_score
from sklearn.metrics import log_loss as sklearn_log_loss

from nlpfeat.compare.findings import Difference, Provenance
from nlpfeat.compare.models import ComparedModel
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.splits import Split
from nlpfeat.compare.statistics.bootstrap import bootstrap_mean, bootstrap_statistic
from nlpfeat.compare.summarizing import finished as finished_runs
from nlpfeat.compare.summarizing.differences import _judged, mcnemar_of_runs
from nlpfeat.compare.summarizing.resamples import resample
from nlpfeat.compare.summarizing.summary import Compared, references, summarize
from nlpfeat.compare.verdict import verdict

N = 60
EXPECTED = np.arange(N) % 3
PROVENANCE = Provenance("", "例", "", "", N, 0, {"甲": 20, "乙": 20, "丙": 20}, {}, {})


def says(right, seed=0, sure=2.0):
    """Return log-probabilities that are right where they should be."""
    random = np.random.default_rng(seed)
    scores = random.normal(size=(len(right), 3)) * 0.1
    answers = np.where(right, EXPECTED[: len(right)], (EXPECTED[: len(right)] + 1) % 3)
    scores[np.arange(len(right)), answers] += sure
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def right_of(share, seed):
    return np.random.default_rng(seed).random(N) < share


def holdout(runs, **settings):
    names = list(dict.fromkeys(each.run.model.name for each in runs))
    models = [
        next(each.run.model for each in runs if each.run.model.name == name) for name in names
    ]
    split = Split(0, 0, np.arange(100, 140), np.arange(N), "")
    protocol = Protocol(seeds=(0, 1), n_resamples=500, n_explained=0, **settings)
    return Compared(models, protocol, [split], EXPECTED, runs, PROVENANCE)


@pytest.fixture
def compared(finished):
    """Two seeds of a good, an equal and a bad model."""
    return holdout([
        finished(name, says(right_of(share, seed + shift), seed), range(N), seed=seed, dev=share,
                 family=family, seconds=1.0 + seed)
        for name, share, shift, family in (
            ("nbsvm", 0.95, 0, "classical"), ("word-bow", 0.4, 7, "classical"),
            ("attention", 0.95, 3, "attention"),
        )
        for seed in (0, 1)
    ])  # fmt: skip


def test_records_are_the_figures_of_each_run(compared):
    records = summarize(compared).records
    logs = compared.runs[0].logs
    found = {record.metric: record.value for record in records[:11]}
    assert found["accuracy"] == np.mean(logs.argmax(axis=1) == EXPECTED)
    predicted = logs.argmax(axis=1)
    assert found["macro_f1"] == pytest.approx(f1_score(EXPECTED, predicted, average="macro"))
    assert found["log_loss"] == pytest.approx(sklearn_log_loss(EXPECTED, np.exp(logs)))
    assert found["log_loss_scaled"] == pytest.approx(found["log_loss"])  # the temperature is 1
    assert found["training_seconds"] == 1.0
    assert len(records) == 6 * 11


def test_estimates_are_means_with_the_intervals_of_the_bootstrap(compared):
    findings = summarize(compared)
    found = {(each.model, each.metric): each for each in findings.estimates}
    right = np.stack([each.logs.argmax(axis=1) == EXPECTED for each in compared.runs[:2]])
    accuracy = found["nbsvm", "accuracy"]
    wanted = bootstrap_mean(right, n_resamples=500)
    assert (accuracy.mean, accuracy.low, accuracy.high) == pytest.approx(
        (wanted.value, wanted.low, wanted.high), abs=0.01
    )
    assert accuracy.spread == pytest.approx(np.std(right.mean(axis=1), ddof=1))
    assert accuracy.n_runs == 2
    f1 = bootstrap_statistic(
        "macro_f1", EXPECTED, right * EXPECTED + ~right * ((EXPECTED + 1) % 3), n_resamples=500
    )
    assert found["nbsvm", "macro_f1"].low == pytest.approx(f1.low, abs=0.01)
    seconds = found["nbsvm", "training_seconds"]
    assert (seconds.mean, seconds.low, seconds.high) == (1.5, 1.5, 1.5)
    assert seconds.spread == pytest.approx(np.std([1, 2], ddof=1))


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
    assert name == "mcnemar exact mid-p"


def folds_of(finished):
    runs = []
    tests = [np.arange(fold, N, 5) for fold in range(5)]
    for name, share, shift in (("nbsvm", 0.95, 0), ("word-bow", 0.5, 3)):
        for seed in (0, 1):
            logs = says(right_of(share, seed + shift), seed)
            runs += [
                finished(name, logs[test], test, split=fold, seed=seed, dev=share)
                for fold, test in enumerate(tests)
            ]
    splits = [
        Split(fold, 0, np.setdiff1d(np.arange(N), test), test, "")
        for fold, test in enumerate(tests)
    ]
    models = [runs[0].run.model, runs[-1].run.model]
    protocol = Protocol(split="folds", seeds=(0, 1), n_resamples=500, n_explained=0)
    return Compared(models, protocol, splits, EXPECTED, runs, PROVENANCE)


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


def test_rows_with_a_missing_fold_give_way_to_whole_ones(finished):
    compared = folds_of(finished)
    splits = {split.number: split for split in compared.splits}
    mine = [each for each in compared.runs if each.run.model.name == "nbsvm"]
    found = finished_runs.gathered("nbsvm", mine[:-1], splits, EXPECTED)
    assert found.rows == [(0, 0)]
    assert found.documents.tolist() == list(range(N))
    np.testing.assert_allclose(found.logs[0][mine[0].run.parts.test], mine[0].logs)
    assert finished_runs.gathered("nbsvm", [], splits, EXPECTED) is None
    part = finished_runs.gathered("nbsvm", [mine[0]], splits, EXPECTED)
    assert part.documents.tolist() == mine[0].run.parts.test.tolist()


def test_a_model_that_misses_documents_has_no_interval_and_is_named(finished):
    compared = folds_of(finished)
    compared.runs[:] = [
        each for each in compared.runs
        if each.run.model.name == "nbsvm" or each.run.split < 2
    ]  # fmt: skip
    findings = summarize(compared)
    assert findings.differences == []
    assert findings.notes == [
        "word-bow was tested on 24 of 60 documents and has no intervals and no differences."
    ]
    partial = next(each for each in findings.estimates if each.model == "word-bow")
    assert partial.low == partial.mean == partial.high


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
        (row(0.001, -0.009, 0.01, 0.9), "equivalent"),
        (row(0.001, -0.02, 0.02, 0.9, p_equivalent=0.96), "equivalent"),
        (row(0.001, -0.009, 0.01, 0.9, p_equivalent=0.9), "undecided"),
        (row(-0.05, -0.08, -0.02, 0.01, metric="calibration_error_scaled"), "better"),
    ],
)
def test_a_winner_needs_the_interval_the_test_and_the_resolution(given, outcome):
    assert _judged(given, 0.01, 0.03).outcome == outcome


def test_the_reference_is_chosen_on_the_dev_part_and_not_on_the_test_part(finished):
    runs = [
        finished("good-on-test", says(np.ones(N, bool)), range(N), dev=0.7),
        finished("good-on-dev", says(np.zeros(N, bool)), range(N), dev=0.8),
        finished("mine", says(np.ones(N, bool)), range(N), dev=0.9, family="given"),
    ]
    models = [each.run.model for each in runs]
    assert references(models, runs) == ["good-on-dev"]
    assert references(models[2:], runs) == ["mine"]


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


def test_calibration_counts_every_run_and_scales_it_by_its_own_temperature(finished):
    logs = says(right_of(0.7, 0), sure=6.0)
    compared = holdout([
        finished("nbsvm", logs, range(N), seed=seed, temperature=temperature)
        for seed, temperature in ((0, 2.0), (1, 8.0))
    ])  # fmt: skip
    (found,) = summarize(compared).calibration
    assert found.temperature == pytest.approx(4.0)
    assert sum(each.n_documents for each in found.before) == 2 * N
    assert sum(each.n_documents for each in found.after) == 2 * N

    def confidence(bins):
        return sum(each.n_documents * each.confidence for each in bins) / (2 * N)

    assert confidence(found.after) < confidence(found.before)


def test_the_learning_curve_holds_each_size_and_all_documents(finished):
    runs = [
        finished("nbsvm", says(right_of(share, 1)), range(N), size=size, is_full=size == 40)
        for size, share in ((40, 0.9), (10, 0.5), (20, 0.7))
    ]
    points = summarize(holdout(runs, train_sizes=(10, 20))).curve
    assert [point.size for point in points] == [10, 20, 40]
    assert [point.mean for point in points] == sorted(point.mean for point in points)
    estimates = summarize(holdout(runs, train_sizes=(10, 20))).estimates
    assert {each.n_runs for each in estimates} == {1}


def test_resampled_documents_are_the_same_for_all_models(compared):
    splits = {split.number: split for split in compared.splits}
    models = []
    for name in ("nbsvm", "attention"):
        mine = [each for each in compared.runs if each.run.model.name == name]
        models.append(finished_runs.gathered(name, mine, splits, EXPECTED))
    both = resample("accuracy", models, 300)
    alone = resample("accuracy", models[1:], 300)
    np.testing.assert_array_equal(both.resampled["attention"], alone.resampled["attention"])


def test_the_verdict_names_no_winner_below_the_resolution(compared):
    said = verdict(summarize(compared))
    assert re.match(r"No winner: nbsvm, .*, and attention, .*, lie within what 60 doc", said[0])
    assert said[1].startswith("Against nbsvm (the best classical model on the dev parts), not told")
    assert said[1].endswith("; behind: word-bow.")
    assert said[2].startswith("Attention alone is not told apart from nbsvm: −")
    assert any("test documents can tell differences" in each for each in said)
    assert "pretrained model" in said[-1]


def test_the_verdict_names_who_is_better_with_the_interval(finished):
    runs = [
        finished("nbsvm", says(right_of(0.4, 0)), range(N), dev=0.9),
        finished("mine", says(np.ones(N, bool)), range(N), family="given"),
    ]
    said = verdict(summarize(holdout(runs)))
    start = "mine has the highest accuracy, 100.0 % [100.0, 100.0], and is ahead of nbsvm by "
    assert said[0].startswith(start)
    assert re.search(r"by \d\d\.\d points \[\d\d\.\d, \d\d\.\d\], p < \.001\.$", said[0])
    turned = [
        finished("nbsvm", says(np.ones(N, bool)), range(N), dev=0.9),
        finished("mine", says(right_of(0.4, 0)), range(N), family="given"),
    ]
    said = verdict(summarize(holdout(turned)))
    assert said[0].startswith(
        "nbsvm has the highest accuracy, 100.0 % [100.0, 100.0], and is ahead of mine by "
    )


def test_one_model_alone_has_no_difference(finished):
    model = ComparedModel(name="x", estimator=finished("x", says([True]), [0]).run.model.estimator)
    runs = [finished("x", says(right_of(0.5, 1)), range(N))]
    findings = summarize(holdout(runs))
    assert findings.differences == []
    assert "nothing was compared with it" in verdict(findings)[0]
    assert findings.models[0].name == model.name
