"""What classical features add to attention, at three sizes of training text, with the statistics.

Usage: python benchmarks/bench_bridge.py train.tsv dev.tsv --cache FILE.json
           [--sizes 1000 5000 45000] [--seeds 0 1 …] [--rows NAME…] [--jobs 2] [--list] [--table]

Both files hold a text, a tab and a label in each line, UTF-8. headline_subsets.json says which
training texts the smaller sizes are: drawn once, each class by its share. Dev texts that stand in
the training file are left out. Each run (a row, a size, a seed) is a process of its own with one
thread. A finished run is kept: its figures in FILE.json, its predictions and log-probabilities of
the dev texts beside it in FILE.runs/. Its key holds the settings, so a changed setting is a new run
(changed code is not: delete the runs then). A run that was broken off is done again, others are
not. --table prints what is there and fits nothing.

A classical row is a family of models: cross-validation on the training part alone says which of its
settings is fitted on all of that part, and tried on the dev texts once. The best classical model of
a size is the row with the best cross-validation, too, and is the expert of the rows with one. Its
log loss is that of decisions divided by a temperature that was learned out of fold.

RECIPES, the settings of attention at each size, were chosen on other texts than dev: a test part of
5,000 training texts, with models that were trained on the other 40,000, or on 1,000 and 5,000 drawn
from those. Three families (ONLY_SMALL in bridge_classical.py) are not tried on all 45,000 texts:
at fewer they are not the best, or they would take hours.

Text is cut once, and experts' decisions are kept in FILE.cache/: seconds are those of the fit
without what others left there.
"""

import argparse
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, fields, is_dataclass, replace
from hashlib import sha256
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
from bridge_classical import (
    FAMILIES,
    FEATURES,
    FOLDS,
    ONLY_SMALL,
    THREE,
    KeptExpert,
    best_setting,
    pipeline,
    scores_of,
)
from bridge_data import ALL, Data, Labels, Logs, Results, Tokens, cut
from bridge_table import NOTE, Row, table
from joblib import Memory
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.metrics import accuracy_score, f1_score, log_loss

from nlpfeat import AttentionClassifier
from nlpfeat.priors import Prior
from nlpfeat.priors.embedding import EmbeddingPrior
from nlpfeat.priors.expert import ExpertPrior
from nlpfeat.priors.key import KeyPrior
from nlpfeat.priors.pmi import PmiPrior
from nlpfeat.priors.topic import TopicPrior
from nlpfeat.priors.wide import WidePrior

SEEDS = {1_000: range(5), 5_000: range(5), ALL: range(3)}
ALONE = "attention alone"
SHARE = 0.2  # of attention in a plain mix
PLACEBO = ", placebo"

RECIPES: dict[int, dict[str, Any]] = {
    1_000: {"max_epochs": 20, "batch_size": 32, "learning_rate": 2e-3},
    5_000: {"max_epochs": 12, "learning_rate": 2e-3},
    ALL: {"max_epochs": 8, "token_dropout": 0.25},
}
"""How attention is trained at each size, with every prior alike."""


@dataclass(frozen=True)
class Setting:
    """What a row gives to AttentionClassifier beside the recipe; an expert is put in later."""

    priors: tuple[Prior, ...] = ()
    arguments: dict[str, Any] = field(default_factory=dict)
    main: bool = False  # whether it runs at all sizes


EXPERT = ExpertPrior()
PRIORS = {
    "wide": Setting((WidePrior(),), main=True),
    "expert": Setting((EXPERT,), main=True),
    "three experts": Setting((EXPERT,) * len(THREE), main=True),
    "embedding": Setting((EmbeddingPrior(),)),
    "embedding, query and key": Setting((EmbeddingPrior(use="query_key"),)),
    "key: idf": Setting((KeyPrior(weight="idf"),)),
    "key: naive Bayes": Setting((KeyPrior(weight="nb"),)),
    "PMI, exact": Setting((PmiPrior(),)),
    "PMI, rank 16": Setting((PmiPrior(rank=16),)),
    "topic: lift": Setting((TopicPrior(form="lift"),)),
    "topic: gate": Setting((TopicPrior(form="gate"),)),
}
ROWS: dict[str, Setting] = {ALONE: Setting(main=True)} | {
    name + ending: setting for name, setting in PRIORS.items() for ending in ("", PLACEBO)
}


@dataclass(frozen=True)
class Run:
    """A row, a size and a seed; ``experts`` are the family and the setting of each expert."""

    row: str
    size: int
    seed: int
    experts: tuple[tuple[str, str, str], ...] = ()

    def classifier(self, folder: str) -> AttentionClassifier:
        """Return the attention classifier of the run. Placebos are drawn by the seed of the run."""
        setting = ROWS[self.row]
        priors: list[Prior] = []
        experts = iter(self.experts)
        for prior in setting.priors:
            if isinstance(prior, ExpertPrior) and self.experts:
                family, features, name = next(experts)
                kept = KeptExpert(pipeline(family, (features, name)), folder)
                # Together the experts count as much as one.
                prior = replace(prior, expert=kept, strength=1 / len(self.experts))
            priors.append(prior.shuffled(self.seed) if self.row.endswith(PLACEBO) else prior)
        settings = RECIPES[self.size] | setting.arguments
        return AttentionClassifier(
            **settings, priors=tuple(priors), device="cpu", random_state=self.seed
        )

    @property
    def settings(self) -> str:
        """All that the result depends on, as text."""
        if self.row in FAMILIES:
            return described([FOLDS, FEATURES, FAMILIES[self.row]])
        return described(self.classifier(""))

    @property
    def key(self) -> str:
        """Its name among the results."""
        digest = sha256(self.settings.encode()).hexdigest()[:12]
        return f"{self.size} | {self.row} | {self.seed} | {digest}"


def described(value: Any) -> str:
    """Return settings as text that is the same in every process."""
    name = type(value).__name__
    if isinstance(value, BaseEstimator):
        return f"{name}({described(value.get_params(deep=False))})"
    if is_dataclass(value) and not isinstance(value, type):
        return (
            f"{name}({described({each.name: getattr(value, each.name) for each in fields(value)})})"
        )
    if isinstance(value, dict):
        return ", ".join(f"{key}={described(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(described, value))}]"
    return str(getattr(value, "__qualname__", repr(value)))


def done(run: Run, train: str, dev: str, folder: str) -> tuple[dict[str, Any], Logs]:
    """Do a run, in its own process: return its figures, and its log-probabilities."""
    import torch

    torch.set_num_threads(1)
    data = Data.read(train, dev)
    cut_once = Memory(folder, verbose=0).cache(cut)
    places = data.places[run.size]
    learn = cut_once([data.train[0][place] for place in places]), data.train[1][places]
    dev_tokens, expected = cut_once(data.dev[0]), data.dev[1]
    if run.row in FAMILIES:
        logs, more = _classical(run, learn, dev_tokens)
    else:
        logs, more = _attention(run, learn, dev_tokens, folder)
    predicted = logs.argmax(axis=1)
    return {
        "accuracy": float(accuracy_score(expected, predicted)),
        "macro_f1": float(f1_score(expected, predicted, average="macro")),
        "log_loss": float(log_loss(expected, _normalized(np.exp(logs.astype(np.float64))))),
        **more,
        "settings": run.settings,
    }, logs


def _normalized(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _classical(run: Run, learn: tuple[Tokens, Labels], dev: Tokens) -> tuple[Logs, dict[str, Any]]:
    setting, accuracy, decisions = best_setting(run.row, *learn)
    calibration = ExpertPrior().fit_logits(decisions, learn[1])
    start = time.perf_counter()
    fitted = pipeline(run.row, setting).fit(*learn)
    seconds = time.perf_counter() - start
    logs = calibration.calibrated(scores_of(fitted, dev))
    return logs, {
        "seconds": seconds, "epochs": 0, "cross_validation": accuracy, "setting": list(setting),
        "temperature": calibration.temperature,
    }  # fmt: skip


def _attention(
    run: Run, learn: tuple[Tokens, Labels], dev: Tokens, folder: str
) -> tuple[Logs, dict[str, Any]]:
    start = time.perf_counter()
    classifier = run.classifier(folder).fit(*learn)
    seconds = time.perf_counter() - start
    probabilities = np.maximum(classifier.predict_proba(dev), 1e-30)
    return np.log(probabilities).astype(np.float32), {
        "seconds": seconds,
        "epochs": classifier.n_iter_,
        "best_epoch": classifier.best_epoch_,
        "training_loss": [epoch["training_loss"] for epoch in classifier.history_],
    }


def classical_runs(size: int) -> list[Run]:
    return [Run(name, size, 0) for name in FAMILIES if size < ALL or name not in ONLY_SMALL]


def best_classical(size: int, results: Results) -> Run | None:
    """Return the run with the best cross-validation, once all are there."""
    runs = classical_runs(size)
    if not all(run.key in results.figures for run in runs):
        return None
    return max(runs, key=lambda run: results.figures[run.key]["cross_validation"])


def attention_runs(
    size: int, rows: list[str] | None, seeds: list[int] | None, results: Results
) -> Iterator[Run]:
    """Yield the runs of a size, seed by seed; those with an expert once it is known."""
    best = best_classical(size, results)
    families = {run.row: run for run in classical_runs(size)}
    for seed in SEEDS[size] if seeds is None else seeds:
        for name, setting in ROWS.items():
            if not ((name in rows) if rows else (setting.main or size < ALL)):
                continue
            n_experts = sum(isinstance(prior, ExpertPrior) for prior in setting.priors)
            if n_experts and best is None:
                continue
            chosen = [best.row] if n_experts == 1 and best is not None else THREE[:n_experts]
            settings = [results.figures[families[each].key]["setting"] for each in chosen]
            experts = tuple((each, one, two) for each, (one, two) in zip(chosen, settings))
            yield Run(name, size, seed, experts)


def _watch() -> None:
    """End this process when the one that started it has been killed."""

    def end() -> None:
        parent = parent_process()
        if parent is not None:
            wait([parent.sentinel])
            os._exit(1)

    Thread(target=end, daemon=True).start()


def do_all(runs: list[Run], results: Results, arguments: argparse.Namespace) -> bool:
    """Do the runs that are not there yet; tell whether none failed."""
    missing = [run for run in runs if run.key not in results.figures]
    names = "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"
    os.environ.update(dict.fromkeys(names, "1"))  # read by the processes that start now
    folder = str(arguments.cache.with_suffix(".cache"))
    n_failed = 0
    with ProcessPoolExecutor(
        arguments.jobs,
        mp_context=get_context("spawn"),
        initializer=_watch,
        max_tasks_per_child=1,
    ) as pool:
        started = {
            pool.submit(done, run, arguments.train, arguments.dev, folder): run for run in missing
        }
        try:
            for number, future in enumerate(as_completed(started), start=1):
                run = started[future]
                place = f"[{number}/{len(missing)}] {run.size:,} {run.row}, seed {run.seed}:"
                if (error := future.exception()) is not None:
                    n_failed += 1
                    print(f"{place} {type(error).__name__}: {error}", flush=True)
                    continue
                figures, logs = future.result()
                results.add(run.key, figures, logs)
                print(f"{place} {figures['accuracy']:.2%}, {figures['seconds']:.0f} s", flush=True)
        finally:
            pool.shutdown(cancel_futures=True)
    return not n_failed


def row_of(name: str, runs: list[Run], results: Results, expected: Labels) -> Row:
    names = "accuracy", "macro_f1", "log_loss", "epochs", "seconds"
    figures = {each: [results.figures[run.key][each] for run in runs] for each in names}
    correct = np.stack([results.predictions(run.key)[0] == expected for run in runs])
    return Row(name, figures, correct)


def mixed(name: str, runs: list[NDArray[np.float64]], expected: Labels) -> Row:
    """Return the row of log-probabilities that were mixed without learning."""
    figures: dict[str, list[float]] = {"accuracy": [], "macro_f1": [], "log_loss": []}
    correct = []
    for logs in runs:
        predicted = logs.argmax(axis=1)
        correct.append(predicted == expected)
        figures["accuracy"].append(float(np.mean(correct[-1])))
        figures["macro_f1"].append(float(f1_score(expected, predicted, average="macro")))
        figures["log_loss"].append(float(log_loss(expected, _normalized(np.exp(logs)))))
    return Row(name, figures | {"epochs": [0.0], "seconds": [0.0]}, np.stack(correct))


def mixtures(
    alone: list[Run], classical: list[Run], best: Run, results: Results, expected: Labels
) -> Iterator[Row]:
    """Yield what costs nothing to try: the mean of the classical models, and with attention."""
    found = {run: results.predictions(run.key)[1] for run in [*classical, *alone]}
    logs = {run: each for run, each in found.items() if each is not None}
    if len(logs) < len(found):
        return
    mean = np.mean([logs[run] for run in classical], axis=0)
    yield mixed("mean log-probabilities of all classical rows", [mean], expected)
    for name, theirs in (("the best classical model", logs[best]), ("their mean", mean)):
        runs = [SHARE * logs[run] + (1 - SHARE) * theirs for run in alone]
        if runs:
            yield mixed(f"{ALONE} and {name}, mixed 20 to 80", runs, expected)


def print_table(size: int, results: Results, arguments: argparse.Namespace) -> None:
    expected = Data.read(arguments.train, arguments.dev).dev[1]
    best = best_classical(size, results)
    classical = [run for run in classical_runs(size) if run.key in results.figures]
    rows = [row_of(run.row, [run], results, expected) for run in classical]
    by_row: dict[str, list[Run]] = {}
    for run in attention_runs(size, arguments.rows, arguments.seeds, results):
        if run.key in results.figures:
            by_row.setdefault(run.row, []).append(run)
    rows += [row_of(name, by_row[name], results, expected) for name in ROWS if name in by_row]
    if best is not None:
        rows += mixtures(by_row.get(ALONE, []), classical, best, results, expected)
    print(f"\n## {size:,} training texts, {len(expected):,} dev texts\n")
    if best is not None:
        chosen = results.figures[best.key]
        print(f"Best classical model, by cross-validation ({chosen['cross_validation']:.2%}): "
              f"{best.row}, {', '.join(chosen['setting'])}.\n")  # fmt: skip
    if rows:
        print("\n".join(table(rows, ALONE, "" if best is None else best.row)))
        print(f"\n{NOTE}", flush=True)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train")
    parser.add_argument("dev")
    parser.add_argument("--cache", type=Path, required=True, help="a JSON file")
    parser.add_argument("--sizes", type=int, nargs="+", choices=SEEDS, default=list(SEEDS))
    parser.add_argument("--seeds", type=int, nargs="+")
    parser.add_argument("--rows", nargs="+", choices=ROWS, metavar="NAME")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print the rows and what is done")
    parser.add_argument("--table", action="store_true", help="print the tables, and fit nothing")
    return parser.parse_args()


def main() -> None:
    arguments = parsed()
    results = Results(arguments.cache)
    is_well = True
    for size in arguments.sizes:
        if not (arguments.table or arguments.list):
            is_well &= do_all(classical_runs(size), results, arguments)
        runs = list(attention_runs(size, arguments.rows, arguments.seeds, results))
        if arguments.list:
            for run in [*classical_runs(size), *runs]:
                print(f"{'done' if run.key in results.figures else '    '} {run.key}")
        elif arguments.table:
            print_table(size, results, arguments)
        else:
            is_well &= do_all(runs, results, arguments)
    raise SystemExit(not is_well)


if __name__ == "__main__":
    main()
