"""From runs to figures, each by a second way."""

import re
from dataclasses import replace

import numpy as np
import pytest
from finished_runs import EXPECTED, N, folds_of, holdout, right_of, says
from sklearn.metrics import f1_score
from sklearn.metrics import log_loss as sklearn_log_loss

from nlpfeat.compare.costs import COSTS
from nlpfeat.compare.models import ComparedModel
from nlpfeat.compare.statistics.bootstrap import bootstrap_mean, bootstrap_statistic
from nlpfeat.compare.summarizing.finished import gathered
from nlpfeat.compare.summarizing.resamples import resample
from nlpfeat.compare.summarizing.summary import references, summarize
from nlpfeat.compare.verdict import verdict


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
    assert (seconds.mean, seconds.low, seconds.high) == (1.5, None, None)
    assert seconds.spread == pytest.approx(np.std([1, 2], ddof=1))


def test_the_spread_is_that_of_whole_rows(finished):
    """Mean, spread and number are of the same things: with folds, all folds of a seed together."""
    compared = folds_of(finished)
    found = next(each for each in summarize(compared).estimates if each.metric == "accuracy")
    right = np.array([
        np.concatenate([
            each.logs.argmax(axis=1) == EXPECTED[each.run.parts.test]
            for each in compared.runs
            if (each.run.model.name, each.run.seed) == (found.model, seed)
        ])
        for seed in (0, 1)
    ])  # fmt: skip
    assert found.mean == pytest.approx(right.mean())
    assert found.spread == pytest.approx(np.std(right.mean(axis=1), ddof=1))
    assert found.n_runs == 2


def test_rows_with_a_missing_fold_give_way_to_whole_ones(finished):
    compared = folds_of(finished)
    splits = {split.number: split for split in compared.splits}
    mine = [each for each in compared.runs if each.run.model.name == "nbsvm"]
    found = gathered("nbsvm", mine[:-1], splits, EXPECTED)
    assert found.rows == [(0, 0)]
    assert found.runs == mine[:5]
    assert found.documents.tolist() == list(range(N))
    np.testing.assert_allclose(found.logs[0][mine[0].run.parts.test], mine[0].logs)
    assert gathered("nbsvm", [], splits, EXPECTED) is None
    part = gathered("nbsvm", [mine[0]], splits, EXPECTED)
    assert part.documents.tolist() == mine[0].run.parts.test.tolist()
    # Seed 0 has the folds 0 and 1, seed 1 has 2 and 3: as many documents, but not the same.
    torn = [mine[place] for place in (0, 1, 7, 8)]
    found = gathered("nbsvm", torn, splits, EXPECTED)
    assert (found.rows, found.runs) == ([(0, 0)], torn[:2])
    np.testing.assert_allclose(found.logs[0], np.concatenate([each.logs for each in torn[:2]])[
        np.argsort(np.concatenate([each.run.parts.test for each in torn[:2]]))
    ])  # fmt: skip


def test_all_figures_of_a_model_are_of_the_same_runs(finished):
    """What is left out leaves no trace but records and a note: as if it had never been done."""
    compared = folds_of(finished)
    lost = next(
        row
        for row, each in enumerate(compared.runs)
        if each.run.model.name == "word-bow" and (each.run.split, each.run.seed) == (3, 1)
    )
    del compared.runs[lost]
    whole = [each for each in compared.runs
             if each.run.model.name == "nbsvm" or each.run.seed == 0]  # fmt: skip
    assert len(compared.runs) - len(whole) == 4
    protocol = replace(compared.protocol, train_sizes=(10,))
    found = summarize(replace(compared, protocol=protocol))
    wanted = summarize(replace(compared, protocol=protocol, runs=whole))
    assert replace(found, records=[], notes=[]) == replace(wanted, records=[], notes=[])
    assert len(found.curve) == 2
    (row,) = [row for row in found.differences if row.metric == "accuracy"]
    assert row.test == "corrected t"
    mine = [each for each in found.estimates if each.model == "word-bow"]
    assert {(each.metric, each.n_runs) for each in mine if each.metric in COSTS} == {
        ("training_seconds", 5)
    }
    assert {(each.n_runs, each.spread) for each in mine if each.metric not in COSTS} == {(1, None)}
    assert found.notes == [
        "word-bow: 4 of 9 finished runs are in no figure, since other folds of their seed are "
        "missing."
    ]
    assert len(found.records) > len(wanted.records)


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
    assert (partial.metric, partial.low, partial.high) == ("accuracy", None, None)
    # The figure is that of all its documents together, as of every other model.
    tested = np.concatenate([np.arange(fold, N, 5) for fold in (0, 1)])
    predicted = np.concatenate([
        each.logs.argmax(axis=1) for each in compared.runs
        if each.run.model.name == "word-bow" and each.run.seed == 0
    ])  # fmt: skip
    others = np.concatenate([
        each.logs.argmax(axis=1) for each in compared.runs
        if each.run.model.name == "word-bow" and each.run.seed == 1
    ])  # fmt: skip
    f1 = [f1_score(EXPECTED[tested], each, average="macro") for each in (predicted, others)]
    found = {each.metric: each.mean for each in findings.estimates if each.model == "word-bow"}
    assert found["macro_f1"] == pytest.approx(np.mean(f1))


def test_the_reference_is_chosen_on_the_dev_part_and_not_on_the_test_part(finished):
    runs = [
        finished("good-on-test", says(np.ones(N, bool)), range(N), dev=0.7),
        finished("good-on-dev", says(np.zeros(N, bool)), range(N), dev=0.8),
        finished("mine", says(np.ones(N, bool)), range(N), dev=0.9, family="given"),
    ]
    models = [each.run.model for each in runs]
    assert references(models, runs) == ["good-on-dev"]
    assert references(models[2:], runs) == ["mine"]


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
    assert {(each.n_runs, each.spread) for each in estimates} == {(1, None)}
    assert [point.seconds for point in points] == [1.0, 1.0, 1.0]
    for each in runs[:2]:
        each.result.costs.clear()
    points = summarize(holdout(runs, train_sizes=(10, 20))).curve
    assert [point.seconds for point in points] == [None, 1.0, None]


def test_resampled_documents_are_the_same_for_all_models(compared):
    splits = {split.number: split for split in compared.splits}
    models = []
    for name in ("nbsvm", "attention"):
        mine = [each for each in compared.runs if each.run.model.name == name]
        models.append(gathered(name, mine, splits, EXPECTED))
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
    start = "mine has the highest accuracy, 100.0 % [94.0, 100.0], and is ahead of nbsvm by "
    assert said[0].startswith(start)
    assert re.search(r"by \d\d\.\d points \[\d\d\.\d, \d\d\.\d\], p < \.001\.$", said[0])
    turned = [
        finished("nbsvm", says(np.ones(N, bool)), range(N), dev=0.9),
        finished("mine", says(right_of(0.4, 0)), range(N), family="given"),
    ]
    said = verdict(summarize(holdout(turned)))
    assert said[0].startswith(
        "nbsvm has the highest accuracy, 100.0 % [94.0, 100.0], and is ahead of mine by "
    )


def test_one_model_alone_has_no_difference(finished):
    model = ComparedModel(name="x", estimator=finished("x", says([True]), [0]).run.model.estimator)
    runs = [finished("x", says(right_of(0.5, 1)), range(N))]
    findings = summarize(holdout(runs))
    assert findings.differences == []
    assert "nothing was compared with it" in verdict(findings)[0]
    assert findings.models[0].name == model.name
