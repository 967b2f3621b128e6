"""One run of the experiment, and what became of it."""

from dataclasses import dataclass

from nlpfeat.claims.trainability.settings import N_STEPS, N_TEST, TRAINED, Recipe, Setting


@dataclass(frozen=True)
class Run:
    """A setting under a recipe with a seed. Rows that are one training share their runs.

    The device is no part of it: a run counts alike wherever it was made, and its outcome tells
    where.

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
        given = self.recipe.adapted(self.setting)
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


def seed_of(key: str) -> int | None:
    """Return the seed in the key of a whole run; None for a shorter run.

    Examples
    --------
    >>> seed_of("lr 0.001, warm-up 0, default, 6 layers, batch 16 | notes | 2")
    2
    """
    _, _, seed, *shorter = key.split(" | ")
    return None if shorter else int(seed)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one run. Losses are half the mean squared error.

    Parameters
    ----------
    loss : float
        Over 1,000 new batches with dropout on, as the notes measure it; ``inf`` where it is no
        longer finite.
    loss_without_dropout : float
        Over 200 new batches in evaluation mode.
    steps_to_trained : int or None
        After how many steps the mean of the last 20 training losses was below 1.
    curve : list of float
        Mean training loss of each 10 steps.
    seconds : float
        Of the training.
    date : str
        Year, month and day.
    machine : str
        In general words, with the version of torch.
    """

    loss: float
    loss_without_dropout: float
    steps_to_trained: int | None
    curve: list[float]
    seconds: float
    date: str
    machine: str

    @property
    def is_trained(self) -> bool:
        """Whether it is better than any linear function."""
        return self.loss < TRAINED
