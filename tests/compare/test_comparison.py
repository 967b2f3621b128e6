"""A comparison as a whole: what is done, kept, told, and continued."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from nlpfeat import BagOfWordsVectorizer, Corpus
from nlpfeat.compare import comparison
from nlpfeat.compare.comparison import compare_models
from nlpfeat.compare.models import ComparedModel
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.report import ComparisonReport
from nlpfeat.compare.runs import workers
from nlpfeat.compare.runs.store import RunStore
from nlpfeat.errors import (
    InvalidInputError,
    InvalidParameterError,
    MissingDependencyError,
    WorkerError,
)

BAYES = ComparedModel(
    name="bayes",
    estimator=make_pipeline(BagOfWordsVectorizer(), MultinomialNB()),
    grid={"multinomialnb__alpha": (0.1, 1.0)},
    sees="bag",
)
QUICK = {"n_trials": 1, "n_explained": 0, "n_resamples": 20, "segmenter": "char"}


class Constant(ClassifierMixin, BaseEstimator):
    """Says one class; with "boom" it fails, with "end" its process dies."""

    def __init__(self, how="well"):
        self.how = how

    def fit(self, documents, labels):
        if self.how == "boom":
            raise ValueError(f"cannot learn from {''.join(documents[0])}")
        if self.how == "end":
            sys.exit(3) if "pytest" in sys.modules else __import__("os")._exit(3)
        self.label_ = labels[0]
        return self

    def predict(self, documents):
        return np.array([self.label_] * len(documents))


def corpus(n=60) -> Corpus:
    random = np.random.default_rng(0)
    words = {"好": "香甜美新", "坏": "臭烂脏旧"}
    labels = [("好", "坏")[row % 2] for row in range(n)]
    texts = [
        "".join(random.choice(list(words[label] + "天地人你我他"), 8)) + str(row)
        for row, label in enumerate(labels)
    ]
    return Corpus.from_texts(texts, labels, name="例")


def test_a_report_holds_every_run_and_is_the_same_again(tmp_path, in_this_process):
    protocol = Protocol(seeds=(0, 1), train_sizes=(10, 9999), **{**QUICK, "n_trials": 2})
    steps = []
    report = compare_models(
        [BAYES, ("constant", Constant())], corpus(), protocol, cache=tmp_path / "c",
        on_progress=lambda *step: steps.append(step), command="nlpfeat compare 例",
    )  # fmt: skip
    assert len(in_this_process) == 2 * 2 * 2
    assert steps[0] == ("running", 0, 8)
    assert steps[-1] == ("running", 8, 8)
    findings = report.findings
    assert {(each.model, each.seed, each.size) for each in findings.records} == {
        (model, seed, size) for model in ("bayes", "constant") for seed in (0, 1)
        for size in (10, 43)
    }  # fmt: skip
    assert findings.models[0].n_trials == 2
    assert len(findings.models[0].chosen) == 2
    tuning = [point for point in findings.tuning if point.model == "bayes"]
    results = [RunStore(tmp_path / "c").load(run.key, run.shape) for run in in_this_process]
    tried = [
        [trial.accuracy for trial in result.trials]
        for run, result in zip(in_this_process, results)
        if run.model.name == "bayes" and run.is_full
    ]
    assert [point.accuracy for point in tuning] == pytest.approx(
        [np.mean(tried, axis=0)[0], np.mean(np.max(tried, axis=1))]
    )
    assert findings.provenance.n_documents == 60
    assert findings.provenance.classes == {"坏": 30, "好": 30}
    assert findings.provenance.command == "nlpfeat compare 例"
    assert findings.provenance.corpus_hash != findings.provenance.split_hash
    assert [point.size for point in findings.curve] == [10, 43, 10, 43]
    assert any("9,999 are left out of the learning curve" in note for note in findings.notes)
    assert any(
        note.startswith("constant has 1 settings, fewer than the 2 trials")
        for note in findings.notes
    )
    again = compare_models(
        [BAYES, ("constant", Constant())], corpus(), protocol, cache=tmp_path / "c",
        command="nlpfeat compare 例",
    )  # fmt: skip
    assert len(in_this_process) == 8
    assert again.to_json() == report.to_json()
    assert ComparisonReport.from_json(report.to_json()) == report


@pytest.mark.parametrize(
    "change",
    [
        {"seeds": (5,)}, {"n_trials": 2}, {"dev_fraction": 0.3}, {"split_seed": 1},
        {"segmenter": "whitespace"}, {"test_fraction": 0.4},
    ],
)  # fmt: skip
def test_what_a_run_depends_on_is_in_its_key(tmp_path, in_this_process, change):
    compare_models([BAYES], corpus(), Protocol(seeds=(0,), **QUICK), cache=tmp_path)
    compare_models(
        [BAYES], corpus(), Protocol(**{"seeds": (0,), **QUICK, **change}), cache=tmp_path
    )
    assert len(in_this_process) == 2
    compare_models(
        [BAYES], corpus(), Protocol(seeds=(0,), **{**QUICK, "n_resamples": 90}), cache=tmp_path
    )
    assert len(in_this_process) == 2


def test_folds_and_given_test_documents(in_this_process):
    folds = Protocol(split="folds", n_folds=3, seeds=(0,), **QUICK)
    findings = compare_models([BAYES, ("constant", Constant())], corpus(), folds).findings
    assert {record.split for record in findings.records} == {0, 1, 2}
    assert findings.differences[0].test == "corrected t"
    assert findings.resolution.n_documents == 60
    train, test = corpus(60), corpus(80)
    given = compare_models(
        [BAYES], train, Protocol(split="given", seeds=(0,), **QUICK), test=test
    ).findings
    assert given.resolution.n_documents == 20
    assert given.provenance.n_duplicates == 60
    assert (
        "60 documents of the test corpus have a text that stands in the training part and "
        in (given.notes[0])
    )


def test_a_run_that_fails_is_told_and_the_others_go_on(in_this_process):
    protocol = Protocol(seeds=(0,), **QUICK)
    models = [BAYES, ("boom", Constant("boom"))]
    told = r"^No run of boom was finished\. The first ended with ValueError"
    ended = []
    with pytest.warns(UserWarning, match=told + ": cannot"):
        findings = compare_models(
            models, corpus(), protocol, on_run=lambda *run: ended.append(run)
        ).findings
    assert ended == [
        ("bayes, split 0, seed 0, 43 documents", 1, 2),
        ("boom, split 0, seed 0, 43 documents: failed with ValueError", 2, 2),
    ]
    (note,) = [note for note in findings.notes if note.startswith("boom")]
    assert note.startswith("boom, split 0, seed 0, 43 documents, failed with ValueError: cannot ")
    assert [model.name for model in findings.models] == ["bayes"]
    with pytest.warns(UserWarning, match=told + r"\.$"):
        bare = compare_models(models, corpus(), protocol, keep_documents=False).findings
    assert "boom, split 0, seed 0, 43 documents, failed with ValueError." in bare.notes


def test_vectorizers_that_cut_texts_themselves_are_told_how_to_take_tokens(in_this_process):
    models = [BAYES, ("mine", make_pipeline(CountVectorizer(), MultinomialNB()))]
    with pytest.warns(UserWarning, match=r"no attribute 'lower'\. Models .* analyzer=list\.$"):
        compare_models(models, corpus(), Protocol(seeds=(0,), **QUICK))


def test_when_all_runs_fail_the_first_error_is_raised(in_this_process):
    with pytest.raises(WorkerError, match=r"No run was finished. The first, boom, .*ValueError"):
        compare_models([("boom", Constant("boom"))], corpus(), Protocol(seeds=(0,), **QUICK))


def test_after_the_time_budget_no_run_begins(in_this_process, monkeypatch):
    clock = SimpleNamespace(now=0.0)
    for module in (workers, comparison):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: clock.now))

    def later(*step):
        clock.now += 40

    protocol = Protocol(seeds=(0, 1), time_budget=100.0, **QUICK)
    models = [BAYES, ("constant", Constant())]
    findings = compare_models(models, corpus(), protocol, on_progress=later).findings
    assert [run.title for run in in_this_process] == [
        "bayes, split 0, seed 0, 43 documents", "constant, split 0, seed 0, 43 documents",
    ]  # fmt: skip
    assert (
        "The time budget of 100 s did not suffice for 2 runs: bayes, split 0, seed 1, 43 "
        "documents; constant, split 0, seed 1, 43 documents."
    ) in findings.notes
    protocol = Protocol(seeds=(0,), time_budget=1.0, **QUICK)
    with pytest.raises(InvalidParameterError, match=r"\(--time-budget\) did not suffice for one"):
        compare_models([BAYES], corpus(), protocol, on_progress=later)


def test_phenomena_are_scored_beside_their_ceilings(in_this_process):
    model = ComparedModel(name="bayes", estimator=BAYES.estimator, sees="bag", family="classical")
    findings = compare_models(
        [model], corpus(), Protocol(seeds=(0,), **{**QUICK, "segmenter": "jieba"}),
        phenomena=["order"],
    ).findings  # fmt: skip
    (score,) = findings.phenomena
    assert (score.phenomenon, score.model, score.ceiling, score.n_runs) == (
        "order",
        "bayes",
        0.5,
        1,
    )
    assert score.low <= score.mean <= score.high
    assert score.mean == pytest.approx(0.5, abs=0.1)
    assert {record.metric for record in findings.records} >= {"accuracy", "training_seconds"}
    assert in_this_process[0].measures_costs
    assert not in_this_process[1].measures_costs


def test_on_phenomena_models_have_one_setting_of_their_own(tmp_path, in_this_process):
    protocol = Protocol(seeds=(0,), **{**QUICK, "n_trials": 2})

    def run(alpha):
        changed = replace(BAYES, on_phenomena={"multinomialnb__alpha": alpha})
        in_this_process.clear()
        report = compare_models(
            [changed, ("constant", Constant())], corpus(), protocol, phenomena=["keyword"],
            cache=tmp_path,
        )  # fmt: skip
        return report.findings

    findings = run(7.0)
    on_corpus, phenomenon = (
        next(run for run in in_this_process if run.phenomenon == name and run.model.name == "bayes")
        for name in ("", "keyword")
    )
    assert on_corpus.model.estimator[-1].alpha == 1.0
    assert phenomenon.model.estimator[-1].alpha == 7.0
    assert (on_corpus.n_trials, phenomenon.n_trials) == (2, 1)
    (trial,) = RunStore(tmp_path).load(phenomenon.key, phenomenon.shape).trials
    assert trial.setting == {}
    assert findings.models[0].settings.endswith(", on phenomena={multinomialnb__alpha=7.0}")
    assert findings.models[0].n_trials == 2
    assert (
        "On phenomena each model has one setting, for bayes another one than on the corpus: see "
        "their parameters."
    ) in findings.notes
    run(8.0)
    assert [run.title for run in in_this_process] == [
        "bayes, phenomenon keyword, seed 0, 720 documents"
    ]


def test_models_are_explained_and_strips_hold_documents(in_this_process):
    protocol = Protocol(seeds=(0, 1), **{**QUICK, "n_explained": 3})
    models = [ComparedModel(name="bayes", estimator=BAYES.estimator), ("constant", Constant())]
    findings = compare_models(models, corpus(), protocol).findings
    assert {row.model for row in findings.faithfulness} == {"bayes", "constant"}
    assert {row.n_documents for row in findings.faithfulness} == {3}
    assert len(findings.strips) == 3
    bare = compare_models(models, corpus(), protocol, keep_documents=False).findings
    assert bare.strips == []
    assert bare.faithfulness == findings.faithfulness


def test_bad_input_is_told_before_anything_runs(in_this_process, monkeypatch):
    with pytest.raises(InvalidInputError, match="must be a Corpus"):
        compare_models([BAYES], ["天"], Protocol(**QUICK))
    with pytest.raises(InvalidParameterError, match=r"phenomena must be one of .*Got 'ordr'"):
        compare_models([BAYES], corpus(), Protocol(**QUICK), phenomena=["ordr"])
    with pytest.raises(InvalidParameterError, match="phenomena must be 'all', or a list"):
        compare_models([BAYES], corpus(), Protocol(**QUICK), phenomena="order")
    monkeypatch.setattr("nlpfeat.compare.comparison.find_spec", lambda name: None)
    with pytest.raises(
        MissingDependencyError, match="the model 'attention' needs the package torch"
    ):
        compare_models([BAYES, "attention"], corpus(), Protocol(**QUICK))
    assert in_this_process == []


@pytest.mark.slow
def test_processes_that_die_harm_no_other_run(tmp_path):
    with pytest.warns(UserWarning, match=r"WorkerError: its process ended with code 3\.$"):
        report = compare_models(
            [BAYES, ("end", Constant("end"))], corpus(), Protocol(seeds=(0,), **QUICK), n_jobs=2,
            cache=tmp_path,
        )  # fmt: skip
    assert [model.name for model in report.findings.models] == ["bayes"]
    (note,) = [note for note in report.findings.notes if note.startswith("end")]
    assert "failed with" in note
    figures = {record.metric: record.value for record in report.findings.records}
    assert figures["peak_memory"] > 10
    assert figures["n_parameters"] > 0
