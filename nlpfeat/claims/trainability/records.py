"""Finished runs on disk, and what they come to."""

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from nlpfeat.claims.trainability.experiment import N_TEST, Outcome
from nlpfeat.claims.trainability.settings import N_STEPS, Recipe, Setting
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.atomic import atomic_output


@dataclass(frozen=True)
class Run:
    """A setting under a recipe with a seed. Rows of the notes that are the same share their runs.

    Examples
    --------
    >>> from nlpfeat.claims.trainability.settings import NOTES, SETTINGS
    >>> Run(SETTINGS[0], NOTES, seed=2).key
    'lr 0.001, warm-up 0, default, 6 layers, batch 16 | notes | 2'
    """

    setting: Setting
    recipe: Recipe
    seed: int
    n_steps: int = N_STEPS
    n_test: int = N_TEST

    @property
    def key(self) -> str:
        """Its name among the records."""
        given = self.setting
        spread = f" {given.spread:g}" if given.spread else ""
        parts = [
            f"lr {given.learning_rate:g}, warm-up {given.warmup}, {given.initialization}{spread}, "
            f"{given.n_layers} layers, batch {given.batch_size}",
            self.recipe.name,
            str(self.seed),
        ]
        if (self.n_steps, self.n_test) != (N_STEPS, N_TEST):
            parts.append(f"{self.n_steps} steps, {self.n_test} test batches")
        return " | ".join(parts)


class Records:
    """Outcomes in one JSON file, which is written anew after each.

    Raises
    ------
    InvalidInputError
        When the file holds something else.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._outcomes: dict[str, Outcome] = {}
        if path.exists():
            try:
                kept = json.loads(path.read_text("utf-8"))
                self._outcomes = {key: Outcome(**_numbers(each)) for key, each in kept.items()}
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                raise InvalidInputError(
                    f"{path} must hold outcomes as this program writes them ({error}). Give the "
                    "name of another file, or of one that is not there yet."
                ) from error

    def __contains__(self, run: Run) -> bool:
        return run.key in self._outcomes

    def __getitem__(self, run: Run) -> Outcome:
        return self._outcomes[run.key]

    def add(self, run: Run, outcome: Outcome) -> None:
        """Keep an outcome, at once."""
        self._outcomes[run.key] = outcome
        kept = {key: _plain(each) for key, each in sorted(self._outcomes.items())}
        lines = (f"{json.dumps(key)}: {json.dumps(each)}" for key, each in kept.items())
        with atomic_output(self._path) as file:
            file.write(("{\n" + ",\n".join(lines) + "\n}\n").encode())


@dataclass(frozen=True)
class Summary:
    """What the runs of a setting under a recipe come to.

    Parameters
    ----------
    setting : Setting
    recipe : Recipe
    seeds : tuple of int
        Those of the runs.
    trained : tuple of int
        Those of the runs that are better than any linear function.
    median, low, high : float
        Of the loss with dropout on.
    median_without_dropout : float
    steps : float or None
        Median of the steps that those took that trained.
    """

    setting: Setting
    recipe: Recipe
    seeds: tuple[int, ...]
    trained: tuple[int, ...]
    median: float
    low: float
    high: float
    median_without_dropout: float
    steps: float | None

    @property
    def n_runs(self) -> int:
        """How many runs there are."""
        return len(self.seeds)

    @property
    def n_trained(self) -> int:
        """How many of them are better than any linear function."""
        return len(self.trained)


def summaries(runs: list[Run], records: Records) -> Iterator[Summary]:
    """Yield a summary of each setting and recipe of which a run is there, in the order of runs."""
    found: dict[tuple[Setting, Recipe], dict[int, Outcome]] = defaultdict(dict)
    for run in runs:
        if run in records:
            found[run.setting, run.recipe][run.seed] = records[run]
    for (setting, recipe), by_seed in found.items():
        outcomes = list(by_seed.values())
        losses = [each.loss for each in outcomes]
        steps = [each.steps_to_trained for each in outcomes if each.steps_to_trained is not None]
        yield Summary(
            setting=setting,
            recipe=recipe,
            seeds=tuple(by_seed),
            trained=tuple(seed for seed, each in by_seed.items() if each.is_trained),
            median=median(losses),
            low=min(losses),
            high=max(losses),
            median_without_dropout=median(each.loss_without_dropout for each in outcomes),
            steps=median(steps) if steps else None,
        )


def _plain(outcome: Outcome) -> dict[str, Any]:
    """Return what JSON can hold: four digits, and a loss that is not finite as null."""
    found = {
        key: round(each, 4) if isinstance(each, float) and math.isfinite(each) else each
        for key, each in asdict(outcome).items()
    }
    found["curve"] = [round(each, 3) for each in outcome.curve]
    return {key: _finite(each) for key, each in found.items()}


def _finite(value: Any) -> Any:
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _numbers(kept: dict[str, Any]) -> dict[str, Any]:
    """Undo ``_plain``: what is null is no longer finite."""
    losses = {
        key: math.inf if kept[key] is None else float(kept[key])
        for key in ("loss", "loss_without_dropout")
    }
    curve = [math.inf if each is None else float(each) for each in kept["curve"]]
    return {**kept, **losses, "curve": curve}
