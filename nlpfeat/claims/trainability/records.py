"""Finished runs on disk, and what they come to."""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from nlpfeat.claims.trainability.runs import Outcome, Run, seed_of
from nlpfeat.claims.trainability.settings import NOTES, TRAINED, VECTORS, Recipe, Setting
from nlpfeat.errors import InvalidInputError, OutputError
from nlpfeat.io.atomic import atomic_output

ENOUGH_RUNS = 3
"""With fewer a row is not counted: single runs differ from seed to seed."""


class Records:
    """Outcomes in one JSON file, which is written anew after each.

    Raises
    ------
    InvalidInputError
        When the file holds something else.
    OutputError
        When there is no folder for it.
    """

    def __init__(self, path: Path) -> None:
        if path.is_dir() or not path.parent.is_dir():
            raise OutputError(
                f"{path} cannot be written: it must be a file, in a folder that is there."
            )
        self._path = path
        self._outcomes = self._read()

    def __contains__(self, run: Run) -> bool:
        return run.key in self._outcomes

    def __getitem__(self, run: Run) -> Outcome:
        return self._outcomes[run.key]

    @property
    def seeds(self) -> list[int]:
        """Those of all whole runs."""
        return sorted({seed for key in self._outcomes if (seed := seed_of(key)) is not None})

    def add(self, run: Run, outcome: Outcome) -> None:
        """Keep an outcome, at once, beside what others have written meanwhile."""
        self._outcomes = self._read() | {run.key: outcome}
        kept = {key: _plain(each) for key, each in sorted(self._outcomes.items())}
        lines = (f"{json.dumps(key)}: {json.dumps(each)}" for key, each in kept.items())
        with atomic_output(self._path) as file:
            file.write(("{\n" + ",\n".join(lines) + "\n}\n").encode())

    def _read(self) -> dict[str, Outcome]:
        if not self._path.exists():
            return {}
        try:
            kept = json.loads(self._path.read_text("utf-8"))
            for key in kept:
                seed_of(key)
            return {key: Outcome(**_numbers(each)) for key, each in kept.items()}
        except (
            AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError
        ) as error:  # fmt: skip
            raise InvalidInputError(
                f"{self._path} must hold outcomes as this program writes them ({error}). Give the "
                "name of another file, or of one that is not there yet."
            ) from error


@dataclass(frozen=True)
class Summary:
    """What the runs of a setting under a recipe come to.

    Parameters
    ----------
    setting : Setting
    recipe : Recipe
    outcomes : dict of int to Outcome
        By the seed of the run; at least one.
    """

    setting: Setting
    recipe: Recipe
    outcomes: dict[int, Outcome]

    @property
    def training(self) -> tuple[object, ...]:
        """What its runs depend on beside the recipe."""
        return self.recipe.adapted(self.setting).training

    @property
    def has_enough_runs(self) -> bool:
        """Whether it has the three runs that a row needs to be counted."""
        return len(self.outcomes) >= ENOUGH_RUNS

    @property
    def trained(self) -> set[int]:
        """Seeds of the runs that are better than any linear function."""
        return {seed for seed, each in self.outcomes.items() if each.is_trained}

    @property
    def always_trains(self) -> bool:
        """Whether all runs are better than any linear function."""
        return len(self.trained) == len(self.outcomes)

    @property
    def mostly_fails(self) -> bool:
        """Whether most runs are no better than the best linear function."""
        return 2 * len(self.trained) < len(self.outcomes)

    @property
    def is_decided_by_one(self) -> bool:
        """Whether `mostly_fails` would be otherwise if one run had ended on the other side."""
        n_trained, n_runs = len(self.trained), len(self.outcomes)
        return 2 * (n_trained + 1) >= n_runs if self.mostly_fails else 2 * (n_trained - 1) < n_runs

    @property
    def is_half(self) -> bool:
        """Whether as many runs learn as fail."""
        return 2 * len(self.trained) == len(self.outcomes)

    @property
    def is_as_the_notes_say(self) -> bool:
        """Whether most runs end on the side of 1 that the notes print."""
        n_trained, n_runs = len(self.trained), len(self.outcomes)
        return 2 * (n_trained if self.setting.notes_loss < TRAINED else n_runs - n_trained) > n_runs

    @property
    def losses(self) -> list[float]:
        """Of all runs, with dropout on, the lowest first."""
        return sorted(each.loss for each in self.outcomes.values())

    @property
    def median(self) -> float:
        """Median of the losses with dropout on."""
        return median(self.losses)

    @property
    def median_without_dropout(self) -> float:
        """Median of the losses with dropout off."""
        return median(each.loss_without_dropout for each in self.outcomes.values())

    @property
    def steps(self) -> float | None:
        """Median of the steps to a loss below 1 of the runs that end there; None when none does."""
        steps = [
            each.steps_to_trained
            for each in self.outcomes.values()
            if each.is_trained and each.steps_to_trained is not None
        ]
        return median(steps) if steps else None


def distinct(found: Iterable[Summary]) -> list[Summary]:
    """Return each training once: two rows of the notes may be one."""
    return list({(each.training, each.recipe): each for each in found}.values())


def beside(
    rows: Iterable[Summary], found: Iterable[Summary], recipe: Recipe
) -> Iterator[tuple[Summary, Summary]]:
    """Yield each of the rows that is there under another recipe, and what it comes to there.

    Parameters
    ----------
    rows, found : iterable of Summary
    recipe : Recipe
        The other one.
    """
    others = {each.training: each for each in found if each.recipe == recipe}
    for row in rows:
        other = others.get(recipe.adapted(row.setting).training)
        if other is not None:
            yield row, other


def in_common(
    rows: Iterable[Summary], found: Iterable[Summary], recipe: Recipe
) -> list[tuple[Summary, Summary, set[int]]]:
    """Return rows beside another recipe, with the seeds of both: of such as have three of these."""
    return [
        (row, other, seeds)
        for row, other in beside(rows, found, recipe)
        if len(seeds := row.outcomes.keys() & other.outcomes.keys()) >= ENOUGH_RUNS
    ]


def under(
    recipe: Recipe, rows: Sequence[Summary], found: Sequence[Summary], *, draws_vectors: bool
) -> list[Summary]:
    """Return what rows come to under a recipe, where that is known.

    It is known with three runs, and that a row does not learn in every run with one that fails.

    Parameters
    ----------
    recipe : Recipe
    rows, found : sequence of Summary
    draws_vectors : bool
        Whether rows that can draw vectors, too, stand for their runs that did.
    """
    plain, drawn = (
        {row.training: other for row, other in beside(rows, found, each)}
        for each in (recipe, recipe.with_vectors)
    )
    others = [
        (drawn if draws_vectors and each.setting.draws else plain).get(each.training)
        for each in rows
    ]
    return [
        each
        for each in others
        if each is not None and (each.has_enough_runs or not each.always_trains)
    ]


def readings(found: Sequence[Summary]) -> list[list[Summary]]:
    """Return the rows under the recipe of the notes, with three runs each, in either reading.

    In the second those that can draw biases and gains, too, did. It is left out unless all rows of
    the first that can were run so.
    """
    first = [each for each in found if each.recipe == NOTES and each.has_enough_runs]
    second = [
        each for each in under(NOTES, first, found, draws_vectors=True) if each.has_enough_runs
    ]
    is_whole = len(second) == len(first) and any(each.recipe == VECTORS for each in second)
    return [first, second] if is_whole else [first]


def summaries(runs: Iterable[Run], records: Records) -> Iterator[Summary]:
    """Yield a summary of each setting and recipe of which a run is there, in the order of runs."""
    found: dict[tuple[Setting, Recipe], dict[int, Outcome]] = defaultdict(dict)
    for run in runs:
        if run in records:
            found[run.setting, run.recipe][run.seed] = records[run]
    for (setting, recipe), outcomes in found.items():
        yield Summary(setting, recipe, outcomes)


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
    steps = kept["steps_to_trained"]
    if not curve or any(map(math.isnan, (*losses.values(), *curve))):
        raise ValueError("an outcome without numbers")
    if not (steps is None or type(steps) is int):
        raise TypeError("steps that are no number")
    if not (isinstance(kept["date"], str) and isinstance(kept["machine"], str)):
        raise TypeError("an outcome without date or machine")
    return {**kept, **losses, "curve": curve}
