"""Finished runs that were never done, and runs that are done in this process."""

from pathlib import Path

import numpy as np
import pytest

from nlpfeat.compare import comparison, costs
from nlpfeat.compare.models import ComparedModel
from nlpfeat.compare.runs import workers
from nlpfeat.compare.runs.run import Run
from nlpfeat.compare.runs.store import RunResult, Trial
from nlpfeat.compare.runs.workers import LATE
from nlpfeat.compare.splits import Parts
from nlpfeat.compare.summarizing.finished import FinishedRun


class Guess:
    """Takes part where nothing is fitted."""

    def fit(self, documents, labels):
        """Learn nothing."""
        return self

    def predict(self, documents):
        """Know nothing."""
        return np.array(["甲"] * len(documents))


@pytest.fixture
def finished():
    """Make a finished run of what a model said."""

    def make(model, logs, test, *, split=0, seed=0, dev=0.5, family="classical", **settings):
        empty = np.empty(0, dtype=np.int64)
        run = Run(
            model=ComparedModel(name=model, estimator=Guess(), family=family),
            phenomenon="", split=split, seed=seed, split_hash="",
            parts=Parts(np.arange(settings.get("size", 10)), empty, np.asarray(test)),
            n_classes=np.shape(logs)[-1],
            is_full=settings.get("is_full", True), n_trials=1, dev_fraction=0.1,
            explained_texts=None, measures_costs=True, tokens=Path(),
        )  # fmt: skip
        result = RunResult(
            np.asarray(logs, dtype=np.float32), settings.get("temperature", 1.0),
            [Trial({}, dev, 1.0)], 0, {"training_seconds": settings.get("seconds", 1.0)},
        )  # fmt: skip
        return FinishedRun(run, result)

    return make


@pytest.fixture
def in_this_process(monkeypatch):
    """Do runs here, and measure speeds once: a process for each takes seconds.

    Returns the runs that were done.
    """
    done = []
    monkeypatch.setattr(costs, "_ROUNDS", 1)

    def do_runs(batches, store, *, n_jobs, deadline, on_run):
        for run in [run for batch in batches for run in batch]:
            late = workers._is_late(deadline)
            on_run(run, LATE if late else workers._done(run, store))
            if not late:
                done.append(run)

    monkeypatch.setattr(comparison, "do_runs", do_runs)
    return done
