"""What single runs had led us to expect of the experiment, and what many runs say."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from nlpfeat.claims.claim import (
    DOES_NOT_HOLD,
    HOLDS,
    NOT_MEASURED,
    Judgement,
    Verdict,
    open_question,
)
from nlpfeat.claims.trainability.records import ENOUGH_SEEDS, Summary
from nlpfeat.claims.trainability.runs import Outcome
from nlpfeat.claims.trainability.settings import NOTES, RECIPES, REFERENCE_LOSSES, TRAINED, Recipe

_INDEPENDENT, _VECTORS = RECIPES["independent layers"], RECIPES["notes, vectors drawn too"]
_CONTROL = RECIPES["without attention"]
_LEVEL = 0.05
_RATE = 1e-3  # with a hundredth of it no thousand steps are enough
#: A loss is good when half of it may be dropout, and stuck when it is near that of the mean.
_GOOD, _STUCK = 0.2, REFERENCE_LOSSES["mean of the target"] - 0.2


@dataclass(frozen=True)
class Finding:
    """Something that was expected, and whether the kept runs confirm it.

    Parameters
    ----------
    expected : str
    judgement : Judgement
    """

    expected: str
    judgement: Judgement


def findings(found: Sequence[Summary]) -> Iterator[Finding]:
    """Yield what the runs say of each expectation.

    Parameters
    ----------
    found : sequence of Summary
    """
    distinct = list({(each.setting.training, each.recipe): each for each in found}.values())
    judges: dict[str, Callable[[Sequence[Summary]], Judgement]] = {
        "The outcome has two modes: a run learns, or stays at the mean of the target": _modes,
        "Layers that start as copies of one train less often than layers drawn each on its own":
            _copies,
        "A warm-up of ten steps makes no difference": _warmup,
        "Without attention a network of these layers is as good": _control,
        "About half of a good loss is the dropout that is left on": _dropout,
        "The notes drew biases and the gains of norms, too": _vectors,
    }  # fmt: skip
    for expected, judge in judges.items():
        yield Finding(expected, judge(distinct))


def _modes(found: Sequence[Summary]) -> Judgement:
    rows = [each for each in found if each.recipe == NOTES and each.setting.learning_rate == _RATE]
    losses = [loss for each in rows for loss in each.losses]
    if len(losses) < ENOUGH_SEEDS:
        return _unmeasured()
    between = sum(TRAINED <= loss < _STUCK for loss in losses)
    both = sum(0 < len(each.trained) < len(each.outcomes) for each in rows)
    told = (
        f"Of {len(losses)} runs with the rate {_RATE:g} under the recipe of the notes {between} "
        f"end between {TRAINED:g} and {_STUCK:.1f}; of {len(rows)} rows {both} have runs on both "
        f"sides of {TRAINED:g}."
    )
    return Judgement(HOLDS if both and between <= _LEVEL * len(losses) else DOES_NOT_HOLD, told)


def _copies(found: Sequence[Summary]) -> Judgement:
    pairs = _pairs(found, NOTES, _INDEPENDENT)
    return _compared(pairs, "copies", "layers drawn each on its own", HOLDS)


def _warmup(found: Sequence[Summary]) -> Judgement:
    by_training = {(each.setting.training, each.recipe): each for each in found}
    pairs = []
    for each in found:
        warmed = by_training.get((replace(each.setting, warmup=10).training, each.recipe))
        if each.setting.warmup == 0 and each.recipe.warmup is None and warmed is not None:
            pairs += list(_same_seeds(each, warmed))
    return _compared(pairs, "without", "with it", DOES_NOT_HOLD)


def _control(found: Sequence[Summary]) -> Judgement:
    pairs = _pairs(found, _INDEPENDENT, _CONTROL)
    if len(pairs) < ENOUGH_SEEDS:
        return _unmeasured()
    trained = [sum(each.is_trained for each in side) for side in zip(*pairs)]
    ratios = [other.loss / one.loss for one, other in pairs if one.is_trained and other.is_trained]
    told = f"Of {len(pairs)} pairs of runs {trained[0]} train with it, {trained[1]} without"
    if len(ratios) < ENOUGH_SEEDS:
        return open_question(f"{told}; too few train both ways to compare their losses.")
    ratio = median(ratios)
    told = f"{told}; where both do, the loss without it is {ratio:.2f} times the other (median)."
    return Judgement(HOLDS if trained[1] >= trained[0] and ratio <= 1.1 else DOES_NOT_HOLD, told)


def _dropout(found: Sequence[Summary]) -> Judgement:
    shares = [
        1.0 - each.loss_without_dropout / each.loss
        for summary in found
        if summary.recipe == NOTES
        for each in summary.outcomes.values()
        if each.loss < _GOOD
    ]
    if len(shares) < ENOUGH_SEEDS:
        return _unmeasured()
    told = (
        f"Of {len(shares)} runs below {_GOOD:g} under the recipe of the notes, "
        f"{100 * min(shares):.0f} to {100 * max(shares):.0f} % of the loss go when dropout is off "
        f"(median {100 * median(shares):.0f} %)."
    )
    return Judgement(HOLDS if 0.4 <= median(shares) <= 0.6 else DOES_NOT_HOLD, told)


def _vectors(found: Sequence[Summary]) -> Judgement:
    rows = {}
    for recipe in (NOTES, _VECTORS):
        rows[recipe] = {
            each.setting: each.is_as_the_notes_say
            for each in found
            if each.recipe == recipe
            and each.setting.initialization in ("normal", "uniform")
            and len(each.outcomes) >= ENOUGH_SEEDS
        }
    common = rows[NOTES].keys() & rows[_VECTORS].keys()
    if not common:
        return _unmeasured()
    alone, both = (sum(rows[recipe][each] for each in common) for recipe in (NOTES, _VECTORS))
    told = (
        f"Of {len(common)} rows of normal and uniform draws most runs end on the side of "
        f"{TRAINED:g} that the notes print in {both} with vectors drawn, in {alone} with matrices "
        "alone."
    )
    if both == alone:
        return open_question(told)
    return Judgement(HOLDS if both > alone else DOES_NOT_HOLD, told)


def _pairs(
    found: Sequence[Summary], first: Recipe, second: Recipe
) -> list[tuple[Outcome, Outcome]]:
    """Return outcomes of two recipes with the same setting and seed."""
    seconds = {each.setting: each for each in found if each.recipe == second}
    return [
        pair
        for each in found
        if each.recipe == first and each.setting in seconds
        for pair in _same_seeds(each, seconds[each.setting])
    ]


def _same_seeds(first: Summary, second: Summary) -> Iterator[tuple[Outcome, Outcome]]:
    for seed in sorted(first.outcomes.keys() & second.outcomes.keys()):
        yield first.outcomes[seed], second.outcomes[seed]


def _compared(
    pairs: Sequence[tuple[Outcome, Outcome]], first: str, second: str, when_apart: Verdict
) -> Judgement:
    """Judge by how many runs train on either side, and Fisher's exact test of the two shares."""
    from scipy.stats import fisher_exact

    if len(pairs) < ENOUGH_SEEDS:
        return _unmeasured()
    one, other = (sum(each.is_trained for each in side) for side in zip(*pairs))
    n = len(pairs)
    probability = float(fisher_exact([[one, n - one], [other, n - other]]).pvalue)
    told = (
        f"{one} of {n} runs train {first}, {other} of {n} with the same settings and seeds "
        f"{second} (Fisher's exact test, two-sided: p = {probability:.2g})."
    )
    if probability >= _LEVEL:
        return open_question(told)
    return Judgement(when_apart if other > one else DOES_NOT_HOLD, told)


def _unmeasured() -> Judgement:
    return Judgement(NOT_MEASURED, f"Fewer than {ENOUGH_SEEDS} runs to judge by.")
