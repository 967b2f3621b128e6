"""Processes that do runs: with one thread each, whatever this process is allowed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.base import BaseEstimator, ClassifierMixin
from threadpoolctl import threadpool_info

from nlpfeat import Corpus
from nlpfeat.compare.models import ComparedModel
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.runs.plan import make_plan, runs_of
from nlpfeat.compare.runs.store import RunStore
from nlpfeat.compare.runs.workers import do_runs


class Telling(ClassifierMixin, BaseEstimator):
    """Writes down how many threads there are where it is fitted."""

    def __init__(self, file):
        self.file = file

    def fit(self, documents, labels):
        pools = {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()}
        torches = {"in": torch.get_num_threads(), "between": torch.get_num_interop_threads()}
        Path(self.file).write_text(json.dumps(pools | torches))
        self.label_ = labels[0]
        return self

    def predict(self, documents):
        return np.array([self.label_] * len(documents))


@pytest.mark.slow
def test_a_process_has_one_thread_and_this_one_keeps_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    corpus = Corpus.from_texts([f"天{row}" for row in range(20)], ["正", "负"] * 10)
    store = RunStore(tmp_path)
    protocol = Protocol(seeds=(0,), n_trials=1, n_explained=0, segmenter="char")
    model = ComparedModel(name="telling", estimator=Telling(str(tmp_path / "told.json")))
    (run,) = runs_of(make_plan(corpus, protocol, store), [model])
    heard = []
    do_runs([[run]], store, n_jobs=1, deadline=None, on_run=lambda *each: heard.append(each[1]))
    assert heard == [None]
    assert store.load(run.key, run.shape) is not None
    told = json.loads((tmp_path / "told.json").read_text())
    assert any("blas" in name for name in told)
    assert set(told.values()) == {1}
    assert os.environ["OMP_NUM_THREADS"] == "2"
    assert "OPENBLAS_NUM_THREADS" not in os.environ


def test_no_batch_is_no_process(tmp_path):
    do_runs([[]], RunStore(tmp_path), n_jobs=2, deadline=None, on_run=pytest.fail)


def test_when_all_is_late_nothing_is_waited_for(tmp_path):
    texts = [f"{word}{at}" for at in "一二三四五" for word in ("好", "坏")]
    corpus = Corpus.from_texts(texts, ["正", "负"] * 5)
    store = RunStore(tmp_path)
    plan = make_plan(corpus, Protocol(seeds=(0, 1), segmenter="char", n_explained=0), store)
    model = ComparedModel(name="telling", estimator=Telling(str(tmp_path / "threads")))
    told = []
    do_runs(
        [[run] for run in runs_of(plan, [model])], store, n_jobs=1, deadline=0.0,
        on_run=lambda run, failure: told.append(failure.is_late),
    )  # fmt: skip
    assert told == [True, True]


SCRIPT = """
from nlpfeat import Corpus, Protocol, compare_models

class Majority:
    def fit(self, documents, labels):
        self.label = labels[0]
        return self

    def predict(self, documents):
        return [self.label] * len(documents)

if __name__ == "__main__":
    texts = [f"{word}房间{at}" for at in "一二三四五" for word in "好脏"]
    corpus = Corpus.from_texts(texts, list("正负") * 5)
    protocol = Protocol(seeds=[0], n_trials=1, n_explained=0, n_resamples=10, segmenter="char")
    report = compare_models([("mine", Majority())], corpus, protocol)
    print(sorted(report.frame()["model"].unique()))
"""


@pytest.mark.slow
def test_a_model_that_the_script_defines_is_found_again(tmp_path):
    # Its module is __main__ here and __mp_main__ in the processes that the script starts.
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.stdout == "['mine']\n", done.stderr
