"""One run: a model, a split, a seed and a size, from the documents to figures."""

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from nlpfeat.compare.costs import peak_memory, sizes, speeds
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts
from nlpfeat.compare.explaining.run_explanation import explain_run
from nlpfeat.compare.metrics.temperature import scaled
from nlpfeat.compare.models.compared_model import ComparedModel
from nlpfeat.compare.runs.store import RunResult
from nlpfeat.compare.runs.token_file import LabeledTokens, read_tokens
from nlpfeat.compare.runs.tuning import LearningPart, Tuned, tune
from nlpfeat.compare.splits import Parts
from nlpfeat.compare.versions import versions

_FORMAT = 2
"""Of what a run keeps: with another one, runs are done again."""
_LONGEST_WARNING = 300


@dataclass(frozen=True, eq=False)
class Run:
    """What is to be done.

    Parameters
    ----------
    model : ComparedModel
    phenomenon : str
        "" for the corpus of the comparison.
    split, seed : int
    split_hash : str
    parts : Parts
    n_classes : int
    is_full : bool
        Whether it is given all training documents.
    n_trials : int
    dev_fraction : float
    explained_texts : path or None
        Where the documents are on which it is measured what the model goes by; None for none.
    measures_costs : bool
        Whether it has a process of its own, of which time and memory tell something.
    tokens : path
        Where the documents are, under a name that tells what they are cut into; see
        `nlpfeat.compare.runs.token_file`.
    made_with : dict of str to str
        Versions, as they are where the run is planned: the process that does it may start later.
    """

    model: ComparedModel
    phenomenon: str
    split: int
    seed: int
    split_hash: str
    parts: Parts
    n_classes: int
    is_full: bool
    n_trials: int
    dev_fraction: float
    explained_texts: Path | None
    measures_costs: bool
    tokens: Path
    made_with: dict[str, str] = field(default_factory=versions)
    key: str = field(init=False)
    """The hash of all that the result depends on.

    Made where the run is planned: classes of the script have another module in the processes that
    it starts.
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", self._key())

    @property
    def size(self) -> int:
        """How many documents the model is fitted on."""
        return len(self.parts.fit)

    @property
    def shape(self) -> tuple[int, int]:
        """How many test documents there are, and how many classes."""
        return len(self.parts.test), self.n_classes

    @property
    def title(self) -> str:
        """What messages call it.

        Examples
        --------
        "nbsvm, split 0, seed 1, 800 documents".
        """
        where = f"phenomenon {self.phenomenon}" if self.phenomenon else f"split {self.split}"
        return f"{self.model.name}, {where}, seed {self.seed}, {self.size:,} documents"

    def _key(self) -> str:
        facts = {
            "format": _FORMAT,
            "versions": self.made_with,
            "model": [self.model.name, self.model.settings],
            "split": [self.split, self.split_hash],
            "tokens": self.tokens.stem,
            "seed": self.seed,
            "size": self.size,
            "n_trials": self.n_trials,
            "dev_fraction": self.dev_fraction,
            "explained": "" if self.explained_texts is None else self.explained_texts.stem,
            "measures_costs": self.measures_costs,
        }
        return sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def perform(run: Run) -> RunResult:
    """Fit, choose, test and measure.

    Parameters
    ----------
    run : Run

    Returns
    -------
    RunResult

    Raises
    ------
    Exception
        Whatever the model raises.
    """
    return result_of(run, read_tokens(run.tokens))


def result_of(run: Run, tokens: LabeledTokens) -> RunResult:
    """Do a run on documents that are read already."""
    with _collected_warnings() as told:
        tuned = fitted_model(run, tokens)
        test = [tokens.documents[row] for row in run.parts.test.tolist()]
        logs = scaled(tuned.scores(test), 1.0)  # those of own models need not sum to 1
        costs = _costs(tuned, test, tokens.segmentation_seconds) if run.measures_costs else {}
        explained = _explained(run, tuned)
    return RunResult(
        log_probabilities=logs.astype(np.float32),
        temperature=tuned.temperature,
        trials=tuned.trials,
        chosen=tuned.chosen,
        costs=costs,
        warnings=told,
        explained=explained,
    )


def fitted_model(run: Run, tokens: LabeledTokens) -> Tuned:
    """Fit the model of a run on its training part, and choose on its dev part.

    No test document is looked at.

    Parameters
    ----------
    run : Run
    tokens : LabeledTokens

    Returns
    -------
    Tuned
    """
    classes = tokens.classes
    fit, dev = run.parts.fit.tolist(), run.parts.dev.tolist()
    part = LearningPart(
        fit_documents=[tokens.documents[row] for row in fit],
        fit_labels=[tokens.labels[row] for row in fit],
        dev_documents=[tokens.documents[row] for row in dev],
        dev_places=np.array([classes.index(tokens.labels[row]) for row in dev], dtype=np.int64),
        classes=classes,
    )
    return tune(run.model, part, n_trials=run.n_trials, seed=run.seed, split=run.split)


def _costs(tuned: Tuned, test: list[list[str]], segmentation_seconds: float) -> dict[str, float]:
    costs = {
        "training_seconds": tuned.times.wall,
        "cpu_seconds": tuned.times.cpu,
        "tuning_seconds": tuned.seconds,
    }
    # Before the speeds: those ask for the same documents again.
    memory = peak_memory()
    if memory is not None:
        costs["peak_memory"] = memory
    costs |= sizes(tuned.scores.estimator, test)
    return costs | speeds(tuned.scores, test, segmentation_seconds)


def _explained(run: Run, tuned: Tuned) -> dict[str, Any]:
    """Return what the model goes by, as JSON holds it; nothing where no document can be explained.

    Where that fails, for example since the model cannot be asked of an empty document, its other
    figures stand, and a warning says so.
    """
    if run.explained_texts is None:
        return {}
    texts = ExplainedTexts.from_dict(json.loads(run.explained_texts.read_text("utf-8")))
    if not texts.documents:
        return {}
    try:
        explanation = explain_run(
            tuned.scores.estimator, tuned.scores, texts, model=run.model.name, seed=run.seed
        )
    except (MemoryError, OSError):  # of the machine, not of the model: the run is done again
        raise
    except Exception as error:  # noqa: BLE001 - of whatever kind, it is told of
        warnings.warn(f"not explained: {type(error).__name__}: {error}", stacklevel=2)
        return {}
    return explanation.to_dict()


@contextmanager
def _collected_warnings() -> Iterator[list[str]]:
    """Give a list that holds what was warned of, each once, at the end of the block."""
    told: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield told
    for each in caught:
        text = f"{each.category.__name__}: {' '.join(str(each.message).split())}"
        if text[:_LONGEST_WARNING] not in told:
            told.append(text[:_LONGEST_WARNING])
