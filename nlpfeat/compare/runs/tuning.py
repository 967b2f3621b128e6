"""Choosing the setting of a model on the dev part, with the same number of trials for all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

import numpy as np

from nlpfeat._typing import Int64Array
from nlpfeat.compare.costs import Times, timed
from nlpfeat.compare.findings import Scalar
from nlpfeat.compare.log_scores import ModelScores
from nlpfeat.compare.metrics.log_loss import log_loss
from nlpfeat.compare.metrics.temperature import fit_temperature, scaled
from nlpfeat.compare.models.compared_model import ComparedModel
from nlpfeat.compare.runs.store import Trial
from nlpfeat.compare.settings import described, drawn_settings, seeded


@dataclass(frozen=True, eq=False)
class LearningPart:
    """What a model may see before it is tested.

    Parameters
    ----------
    fit_documents : list of list of str
    fit_labels : sequence of str
    dev_documents : list of list of str
    dev_places : ndarray of int64
        The place of the class of each dev document among ``classes``.
    classes : list of str
        All classes of the comparison, sorted.
    """

    fit_documents: list[list[str]]
    fit_labels: Sequence[str]
    dev_documents: list[list[str]]
    dev_places: Int64Array
    classes: list[str]


@dataclass(frozen=True, eq=False)
class Tuned:
    """The chosen model, fitted.

    Parameters
    ----------
    scores : ModelScores
    temperature : float
    trials : list of Trial
    chosen : int
    times : Times
        Of the fit of the chosen setting.
    seconds : float
        Wall time of all fits.
    """

    scores: ModelScores
    temperature: float
    trials: list[Trial]
    chosen: int
    times: Times
    seconds: float


def tune(
    model: ComparedModel, part: LearningPart, *, n_trials: int, seed: int, split: int
) -> Tuned:
    """Fit a model with several settings, and return the one that is best on the dev part.

    Best is the highest accuracy, of equals the least log loss after temperature scaling, of these
    the first. A setting that cannot be fitted is noted and is not chosen.

    Parameters
    ----------
    model : ComparedModel
    part : LearningPart
    n_trials : int
    seed, split : int
        With the name of the model, what draws the settings.

    Returns
    -------
    Tuned

    Raises
    ------
    Exception
        That of the default setting, when no setting can be fitted.
    """
    default = model.estimator_for(len(part.fit_documents))
    name = int.from_bytes(sha256(model.name.encode()).digest()[:8], "little")
    rng = np.random.default_rng([seed, split, name])
    best: Tuned | None = None
    trials: list[Trial] = []
    first_error: Exception | None = None
    seconds = 0.0
    for setting in drawn_settings(default, model.grid, n_trials, rng):
        shown = {key: _scalar(value) for key, value in setting.items()}
        try:
            tuned = _tried(default, setting, part, seed, shown)
        except (MemoryError, OSError):  # of the machine, not of the setting: the run is done again
            raise
        except Exception as error:  # noqa: BLE001 - whatever a setting does, others are tried
            first_error = first_error or error
            trials.append(Trial(shown, None, None, f"{type(error).__name__}: {error}"))
            continue
        seconds += tuned.times.wall
        trials += tuned.trials
        if best is None or _rank(tuned.trials[0]) > _rank(best.trials[best.chosen]):
            best = Tuned(
                tuned.scores, tuned.temperature, trials, len(trials) - 1, tuned.times, 0.0
            )  # fmt: skip
    if best is None:
        # There is at least the default setting, so one has failed.
        raise cast("Exception", first_error)
    return Tuned(best.scores, best.temperature, trials, best.chosen, best.times, seconds)


def _tried(
    default: Any, setting: dict[str, Any], part: LearningPart, seed: int, shown: dict[str, Scalar]
) -> Tuned:
    estimator = seeded(default, seed)
    if setting:
        estimator.set_params(**setting)
    with timed() as times:
        fitted = estimator.fit(part.fit_documents, np.array(part.fit_labels))
    # Some libraries return nothing from fit.
    scores = ModelScores(estimator if fitted is None else fitted, part.classes)
    logs = scores(part.dev_documents)
    temperature = fit_temperature(logs, part.dev_places)
    accuracy = float(np.mean(logs.argmax(axis=1) == part.dev_places))
    loss = log_loss(part.dev_places, scaled(logs, temperature))
    return Tuned(scores, temperature, [Trial(shown, accuracy, loss)], 0, times, times.wall)


def _rank(trial: Trial) -> tuple[float, float]:
    accuracy, loss = trial.accuracy, trial.log_loss
    return (-1.0 if accuracy is None else accuracy, -float("inf") if loss is None else -loss)


def _scalar(value: Any) -> Scalar:
    if value is None or isinstance(value, str | bool | int | float):
        return value
    plain: Callable[[], Any] | None = getattr(value, "item", None)
    return plain() if plain is not None and np.ndim(value) == 0 else described(value)
