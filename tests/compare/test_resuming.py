"""A comparison that was killed goes on, and comes to the same report."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = """
import sys, time
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from nlpfeat import Corpus
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.running import compare_models

class Slow(ClassifierMixin, BaseEstimator):
    def __init__(self, seconds=0.0, random_state=None):
        self.seconds, self.random_state = seconds, random_state

    def fit(self, documents, labels):
        self.label_ = sorted(set(labels))[self.random_state % 2]
        if self.random_state == 1:
            time.sleep(float(open(sys.argv[3]).read()))
        return self

    def predict(self, documents):
        return np.array([self.label_] * len(documents))

if __name__ == "__main__":
    texts = [f"{'好' if row % 2 else '坏'}天{row}" for row in range(40)]
    corpus = Corpus.from_texts(texts, ["坏", "好"] * 20)
    protocol = Protocol(seeds=(0, 1), n_trials=1, n_explained=0, n_resamples=20, segmenter="char")
    report = compare_models([("slow", Slow())], corpus, protocol, cache=sys.argv[1])
    open(sys.argv[2], "w", encoding="utf-8").write(report.to_json())
"""


def start(folder: Path, cache: str, report: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "compare.py", cache, report, "seconds"],
        cwd=folder, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip


def finished(cache: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in cache.glob("runs/*.json")}


def without_costs(report: Path) -> dict:
    found = json.loads(report.read_text("utf-8"))["findings"]
    costs = ("seconds", "memory", "parameters", "per_second")
    for name in ("records", "estimates"):
        found[name] = [
            each for each in found[name] if not any(word in each["metric"] for word in costs)
        ]
    return found


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a signal of POSIX")
def test_a_killed_comparison_goes_on_to_the_same_report(tmp_path):
    (tmp_path / "compare.py").write_text(SCRIPT, "utf-8")
    (tmp_path / "seconds").write_text("600")
    process = start(tmp_path, "cache", "a.json")
    while not finished(tmp_path / "cache"):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = finished(tmp_path / "cache")
    assert len(before) == 1
    assert not (tmp_path / "a.json").exists()
    (tmp_path / "seconds").write_text("0")
    assert start(tmp_path, "cache", "a.json").wait() == 0
    after = finished(tmp_path / "cache")
    assert len(after) == 2
    assert before.items() < after.items()
    assert start(tmp_path, "cache", "again.json").wait() == 0
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "a.json").read_bytes()
    assert start(tmp_path, "fresh", "fresh.json").wait() == 0
    assert without_costs(tmp_path / "fresh.json") == without_costs(tmp_path / "a.json")
