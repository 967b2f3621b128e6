"""A comparison that was killed goes on, and comes to the same report."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MODEL = """
import time
from pathlib import Path
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from nlpfeat import Corpus
from nlpfeat.compare.comparison import compare_models
from nlpfeat.compare.protocol import Protocol

class Slow(ClassifierMixin, BaseEstimator):
    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, documents, labels):
        self.label_ = sorted(set(labels))[self.random_state % 2]
        if self.random_state == 1:
            time.sleep(float(Path(__file__).with_name("seconds").read_text()))
        return self

    def predict(self, documents):
        return np.array([self.label_] * len(documents))

def compare(cache):
    texts = [f"{'好' if row % 2 else '坏'}天{row}" for row in range(40)]
    corpus = Corpus.from_texts(texts, ["坏", "好"] * 20)
    protocol = Protocol(seeds=(0, 1), n_trials=1, n_explained=0, n_resamples=20, segmenter="char")
    return compare_models([("slow", Slow())], corpus, protocol, cache=cache)
"""
SCRIPT = """
import sys
from slow_model import compare

if __name__ == "__main__":
    compare(sys.argv[1])
    raise SystemExit("it was not killed")
"""


def finished(cache: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (cache / "runs").glob("*.npz")}


def without_costs(report: str) -> dict:
    found = json.loads(report)["findings"]
    costs = ("seconds", "memory", "parameters", "per_second")
    for name in ("records", "estimates"):
        found[name] = [
            each for each in found[name] if not any(word in each["metric"] for word in costs)
        ]
    return found


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a signal of POSIX")
def test_a_killed_comparison_goes_on_to_the_same_report(tmp_path, monkeypatch, in_this_process):
    """Killed as a process with processes of its own; it goes on here, where that takes no time."""
    (tmp_path / "slow_model.py").write_text(MODEL, "utf-8")
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    (tmp_path / "seconds").write_text("600")
    cache = tmp_path / "cache"
    process = subprocess.Popen([sys.executable, "script.py", str(cache)], cwd=tmp_path)
    while not finished(cache):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = finished(cache)
    assert len(before) == 1
    (tmp_path / "seconds").write_text("0")
    monkeypatch.syspath_prepend(tmp_path)
    from slow_model import compare

    report = compare(cache).to_json()
    assert [run.seed for run in in_this_process] == [1]
    after = finished(cache)
    assert len(after) == 2
    assert before.items() < after.items()
    assert compare(cache).to_json() == report
    assert len(in_this_process) == 1
    assert without_costs(compare(tmp_path / "fresh").to_json()) == without_costs(report)
    assert [run.seed for run in in_this_process] == [1, 0, 1]
