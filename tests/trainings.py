"""Outcomes of trainings that nobody had to wait for."""

from nlpfeat.claims.trainability.records import Summary, summaries
from nlpfeat.claims.trainability.runs import Outcome, Run
from nlpfeat.claims.trainability.settings import RECIPES, SETTINGS, Recipe


def outcome(loss: float, steps: int | None = None) -> Outcome:
    """A run that ended with a loss, half of which is dropout."""
    return Outcome(
        loss=loss, loss_without_dropout=loss / 2, steps_to_trained=steps, curve=[4.0, loss],
        seconds=1.5, date="2025-01-31", machine="2 cores, CPU, one thread, torch 2",
    )  # fmt: skip


class MadeRuns:
    """Runs in memory, where `Records` has them on disk."""

    def __init__(self) -> None:
        self._outcomes: dict[str, Outcome] = {}
        self._seeds: set[int] = set()

    def __contains__(self, run: Run) -> bool:
        return run.key in self._outcomes

    def __getitem__(self, run: Run) -> Outcome:
        return self._outcomes[run.key]

    def add(self, run: Run, outcome: Outcome) -> None:
        """Keep an outcome."""
        self._outcomes[run.key] = outcome
        self._seeds.add(run.seed)

    def summaries(self, *recipes: Recipe) -> list[Summary]:
        """What they come to under some recipes, ours when none is given."""
        runs = [
            Run(setting, recipe, seed)
            for setting in SETTINGS
            for recipe in recipes or RECIPES.values()
            for seed in sorted(self._seeds)
        ]
        return list(summaries(runs, self))
