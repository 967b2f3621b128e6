"""The statistics of benchmarks/bench_bridge.py, and the committed subsets."""

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from shared_data import HEADLINES

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def modules():
    """The modules of the benchmark, which import one another as scripts do."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        names = "bridge_data", "bridge_table", "bridge_classical", "bench_bridge"
        yield {name: import_module(name) for name in names}
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def statistics(modules):
    return modules["bridge_table"]


def runs(*accuracies, n_documents=4000, seed=0):
    random = np.random.default_rng(seed)
    return np.stack([random.random(n_documents) < accuracy for accuracy in accuracies])


def test_table(statistics):
    def row(name, correct):
        accuracy = correct.mean(axis=1).tolist()
        names = "accuracy", "macro_f1", "log_loss", "epochs", "seconds"
        return statistics.Row(name, dict.fromkeys(names, accuracy), correct)

    base = row("alone", runs(0.8, 0.82))
    same = row("same", runs(0.811, seed=1))
    better = row("better", runs(0.9, 0.91, seed=2))
    lines = statistics.table([base, same, better], "alone", "not there")
    assert len(lines) == 5
    cells = [line.split(" | ") for line in lines[2:]]
    deviation = 100 * base.correct.mean(axis=1).std(ddof=1)
    mean = 100 * base.correct.mean()
    assert cells[0][:3] == ["| alone", "2", f"{mean:.2f} ± {deviation:.2f}"]
    assert cells[0][7] == ""
    assert cells[1][2] == f"{100 * same.correct.mean():.2f}"  # one run has no spread
    assert re.fullmatch(r"[+-]\d\.\d\d \[-\d\.\d\d, \+\d\.\d\d\]; [\d,]+ documents", cells[1][7])
    assert re.fullmatch(r"\+\d\.\d\d \[\+\d\.\d\d, \+\d+\.\d\d\]", cells[2][7])


def test_a_changed_setting_is_a_new_run(modules, monkeypatch):
    bench = modules["bench_bridge"]
    runs_made = [
        bench.Run(name, 1_000, seed)
        for name in ("attention alone", "wide", "wide, placebo")
        for seed in (0, 1)
    ]
    keys = [run.key for run in runs_made]
    assert len(set(keys)) == 6
    assert keys[0].startswith("1000 | attention alone | 0 | ")
    assert keys == [run.key for run in runs_made]
    assert "placebo=1" in runs_made[5].settings
    monkeypatch.setitem(bench.RECIPES, 1_000, bench.RECIPES[1_000] | {"dropout": 0.123})
    assert set(keys).isdisjoint(run.key for run in runs_made)


def test_the_expert_is_a_setting(modules):
    bench = modules["bench_bridge"]
    settings = "words, characters 1–2", "C=0.01, alpha=0.3"
    run = bench.Run("expert", 1_000, 0, (("NBSVM", *settings),))
    (prior,) = run.classifier("folder").priors
    assert prior.expert.model[-1].get_params()["alpha"] == 0.3
    assert prior.strength == 1.0
    three = bench.Run("three experts", 1_000, 0, (("NBSVM", *settings),) * 3)
    assert sum(each.strength for each in three.classifier("folder").priors) == 1.0
    assert run.key != bench.Run("expert", 1_000, 0).key
    assert "with_marks" in run.settings
    assert "folder=''" in run.settings  # where decisions are kept is no setting


def test_finished_runs_are_found_again(modules, tmp_path):
    path = tmp_path / "results.json"
    logs = np.log(np.array([[0.25, 0.75], [0.5, 0.5]], dtype=np.float32))
    modules["bridge_data"].Results(path).add("a run", {"accuracy": 0.5}, logs)
    again = modules["bridge_data"].Results(path)
    assert again.figures == {"a run": {"accuracy": 0.5}}
    predicted, kept = again.predictions("a run")
    assert predicted.tolist() == [1, 0]
    np.testing.assert_allclose(kept, logs, rtol=1e-3)


def test_what_another_process_adds_meanwhile_is_kept(modules, tmp_path, monkeypatch):
    """It comes between the reading and the writing of the first, and has to wait."""
    one, two = (modules["bridge_data"].Results(tmp_path / "results.json") for _ in range(2))
    logs = np.zeros((1, 2), dtype=np.float32)
    other = Thread(target=two.add, args=("theirs", {"accuracy": 0.5}, logs))
    stored = one._stored

    def slow():
        found = stored()
        other.start()
        other.join(timeout=0.3)
        return found

    monkeypatch.setattr(one, "_stored", slow)
    one.add("ours", {"accuracy": 0.25}, logs)
    other.join()
    again = modules["bridge_data"].Results(tmp_path / "results.json")
    assert again.figures == {"ours": {"accuracy": 0.25}, "theirs": {"accuracy": 0.5}}
    assert again.predictions("theirs")[0].tolist() == [0]


def test_kept_decisions_are_those_of_the_model(modules, tmp_path):
    classical = modules["bridge_classical"]
    documents = [["房间", "好"], ["房间", "坏"], ["很", "好"], ["很", "坏"]]
    labels = np.array([1, 0, 1, 0])
    model = classical.pipeline("complement naive Bayes", ("words, characters 1–2", "alpha=1"))
    expected = classical.scores_of(model.fit(documents, labels), documents[:3])
    for _ in range(2):
        kept = classical.KeptExpert(model, str(tmp_path)).fit(documents, labels)
        np.testing.assert_array_equal(kept.decision_function(documents[:3]), expected)
    other = classical.KeptExpert(model, str(tmp_path)).fit(documents, 1 - labels)
    assert not np.array_equal(other.decision_function(documents[:3]), expected)


def test_a_subset_holds_each_class_by_its_share(modules):
    labels = np.repeat([0, 1, 2], [500, 300, 200])
    small, large = (modules["bridge_data"].subset(labels, size) for size in (11, 100))
    assert np.bincount(labels[small]).tolist() == [6, 3, 2]  # of 5.5, 3.3 and 2.2
    assert np.bincount(labels[large]).tolist() == [50, 30, 20]
    assert small == sorted(set(small))
    assert set(small) < set(large)


def test_committed_subsets():
    subsets = json.loads((BENCHMARKS / "headline_subsets.json").read_text("utf-8"))
    for size, places in subsets["indices"].items():
        assert len(set(places)) == len(places) == int(size)
        assert places == sorted(places)
        assert 0 <= places[0] <= places[-1] < subsets["n_lines"]
    assert set(subsets["indices"]["1000"]) < set(subsets["indices"]["5000"])


@pytest.mark.shared
@pytest.mark.skipif(not HEADLINES.exists(), reason="no headlines beside the checkout")
def test_committed_subsets_can_be_drawn_again(modules):
    data = modules["bridge_data"]
    read = data.Data.read(str(HEADLINES / "train.tsv"), str(HEADLINES / "dev.tsv"))
    assert len(read.dev[0]) == 9_952
    assert not set(read.dev[0]) & set(read.train[0])
    for size in (1_000, 5_000):
        assert data.subset(read.train[1], size) == read.places[size]
