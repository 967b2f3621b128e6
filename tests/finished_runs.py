"""Finished runs of models that are right where a test says so, ready to be summarized."""

import numpy as np

from nlpfeat.compare.findings import Provenance
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.splits import Split
from nlpfeat.compare.summarizing.summary import Compared

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
