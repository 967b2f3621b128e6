"""What a dozen runs had led us to expect of the experiment, and what the kept runs say."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import mean, median
from typing import NamedTuple

from nlpfeat.claims.claim import (
    DOES_NOT_HOLD,
    HOLDS,
    NOT_MEASURED,
    Judgement,
    Verdict,
    open_question,
)
from nlpfeat.claims.trainability.records import Summary, distinct
from nlpfeat.claims.trainability.runs import Outcome
from nlpfeat.claims.trainability.settings import NOTES, RECIPES, REFERENCE_LOSSES, TRAINED, Recipe

_INDEPENDENT, _VECTORS = RECIPES["independent layers"], RECIPES["notes, vectors drawn too"]
_CONTROL = RECIPES["without attention"]
_LEVEL = 0.05
_GOOD = 0.2
_STUCK = REFERENCE_LOSSES["mean of the target"]
_NEAR = 0.2
_RATE = 1e-3  # with smaller ones a thousand steps end on the way
_FEWEST, _FEWEST_FOR_MEDIANS, _FEWEST_FOR_MODES = 3, 6, 10
_HALF = (0.4, 0.6)
_MOST_BETWEEN = 0.1
_STILL_FALLS = 0.1


class Pair(NamedTuple):
    """Outcomes of two runs with the same seed."""

    seed: int
    first: Outcome
    second: Outcome


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

    Runs with the same seed may share weights and data, so that shares of runs are compared seed by
    seed: by the exact sign-flip test of the differences.

    Parameters
    ----------
    found : sequence of Summary
    """
    judges: dict[str, Callable[[Sequence[Summary]], Judgement]] = {
        "The outcome has two modes: a run learns, or stays at the mean of the target": _modes,
        "Layers that start as copies of one train less often than layers drawn each on its own":
            _copies,
        "A warm-up of ten steps makes no difference": _warmup,
        "Without attention a network of these layers is as good": _control,
        "About half of a good loss is the dropout that is left on": _dropout,
        "The notes drew biases and the gains of norms, too": _vectors,
        "Runs that fail are stuck with the rate 1e-3, and with smaller ones only slow": _slow,
    }  # fmt: skip
    once = distinct(found)
    for expected, judge in judges.items():
        yield Finding(expected, judge(once))


def _modes(found: Sequence[Summary]) -> Judgement:
    from scipy.stats import binomtest

    rows = [each for each in found if each.recipe == NOTES and each.setting.learning_rate == _RATE]
    losses = [loss for each in rows for loss in each.losses]
    if len(losses) < _FEWEST_FOR_MODES:
        return _unmeasured(_FEWEST_FOR_MODES)
    elsewhere = sum(loss >= TRAINED and abs(loss - _STUCK) > _NEAR for loss in losses)
    both = sum(0 < len(each.trained) < len(each.outcomes) for each in rows)
    told = (
        f"Of {len(losses)} runs with the rate {_RATE:g} under the recipe of the notes {elsewhere} "
        f"end neither below {TRAINED:g} nor near {_STUCK:g}; of {len(rows)} rows {both} have runs "
        "of both kinds."
    )
    share = binomtest(elsewhere, len(losses)).proportion_ci(method="wilson")
    if both and share.high < _MOST_BETWEEN:
        return Judgement(HOLDS, told)
    return Judgement(DOES_NOT_HOLD, told) if share.low > _MOST_BETWEEN else open_question(told)


def _copies(found: Sequence[Summary]) -> Judgement:
    # What a setting draws anew is no copy any more.
    left = [
        each
        for each in found
        if each.setting.initialization == "default" and each.setting.learning_rate == _RATE
    ]
    return _compared(
        _pairs(left, NOTES, _INDEPENDENT), "copies", "layers drawn each on its own", HOLDS
    )


def _warmup(found: Sequence[Summary]) -> Judgement:
    by_training = {(each.setting.training, each.recipe): each for each in found}
    pairs = []
    for each in found:
        warmed = by_training.get((replace(each.setting, warmup=10).training, each.recipe))
        if each.setting.warmup == 0 and each.recipe in (NOTES, _INDEPENDENT) and warmed is not None:
            pairs += list(_same_seeds(each, warmed))
    return _compared(pairs, "without", "with it", DOES_NOT_HOLD)


def _control(found: Sequence[Summary]) -> Judgement:
    pairs = _pairs(found, _INDEPENDENT, _CONTROL)
    if len(pairs) < _FEWEST_FOR_MEDIANS:
        return _unmeasured(_FEWEST_FOR_MEDIANS)
    with_it, without = _numbers_trained(pairs)
    ratios = [
        pair.second.loss / pair.first.loss
        for pair in pairs
        if pair.first.is_trained and pair.second.is_trained
    ]
    told = f"Of {len(pairs)} runs each {with_it} train with it, {without} without"
    if len(ratios) < _FEWEST_FOR_MEDIANS:
        return open_question(f"{told}; too few train both ways to compare their losses.")
    low, high = median_interval(ratios)
    told = (
        f"{told}; where both do, the loss without it is {median(ratios):.2f} times the other "
        f"(median, [{low:.2f}, {high:.2f}])."
    )
    if high <= 1 + _NEAR / 2 and without >= with_it:
        return Judgement(HOLDS, told)
    return Judgement(DOES_NOT_HOLD, told) if low > 1 + _NEAR / 2 else open_question(told)


def _dropout(found: Sequence[Summary]) -> Judgement:
    shares = [
        1.0 - each.loss_without_dropout / each.loss
        for summary in found
        if summary.recipe == NOTES
        for each in summary.outcomes.values()
        if each.loss < _GOOD
    ]
    if len(shares) < _FEWEST_FOR_MEDIANS:
        return _unmeasured(_FEWEST_FOR_MEDIANS)
    low, high = median_interval(shares)
    told = (
        f"Of the loss of {len(shares)} runs below {_GOOD:g} under the recipe of the notes, "
        f"{100 * median(shares):.0f} % go when dropout is off (median, [{100 * low:.0f}, "
        f"{100 * high:.0f}]; {100 * min(shares):.0f} to {100 * max(shares):.0f} in single runs)."
    )
    if low > _HALF[1] or high < _HALF[0]:
        return Judgement(DOES_NOT_HOLD, told)
    return Judgement(HOLDS, told) if _HALF[0] <= low and high <= _HALF[1] else open_question(told)


def _vectors(found: Sequence[Summary]) -> Judgement:
    from scipy.stats import binomtest

    drawn = [
        each
        for each in found
        if each.setting.initialization in ("normal", "uniform") and len(each.outcomes) >= _FEWEST
    ]
    alone, both = (
        {each.setting.training: each.is_as_the_notes_say for each in drawn if each.recipe == recipe}
        for recipe in (NOTES, _VECTORS)
    )
    common = alone.keys() & both.keys()
    if not common:
        return _unmeasured(_FEWEST)
    told = (
        f"Of {len(common)} rows of normal and uniform draws most runs end on the side of "
        f"{TRAINED:g} that the notes print in {sum(both[each] for each in common)} with vectors "
        f"drawn, in {sum(alone[each] for each in common)} with matrices alone."
    )
    apart = [both[each] for each in common if both[each] != alone[each]]
    if not apart or binomtest(sum(apart), len(apart)).pvalue >= _LEVEL:
        return open_question(told)
    return Judgement(HOLDS if 2 * sum(apart) > len(apart) else DOES_NOT_HOLD, told)


def _slow(found: Sequence[Summary]) -> Judgement:
    failed = [
        (each.setting.learning_rate, _fall(outcome.curve))
        for each in found
        for outcome in each.outcomes.values()
        if each.recipe == NOTES and TRAINED <= outcome.loss < math.inf
    ]
    fast = [fall for rate, fall in failed if rate == _RATE]
    slow = [fall for rate, fall in failed if rate < _RATE]
    if min(len(fast), len(slow)) < _FEWEST:
        return _unmeasured(_FEWEST)
    told = (
        f"From the third quarter of the steps to the last, the training loss of the {len(fast)} "
        f"runs with {_RATE:g} that fail falls by at most {max(fast):.2f}, that of the {len(slow)} "
        f"with smaller rates by at least {min(slow):.2f}."
    )
    if max(fast) < _STILL_FALLS < min(slow):
        return Judgement(HOLDS, told)
    return Judgement(DOES_NOT_HOLD, told) if median(fast) > median(slow) else open_question(told)


def _fall(curve: Sequence[float]) -> float:
    """Return by how much the mean loss falls from the third quarter to the last."""
    quarter = max(1, len(curve) // 4)
    third, last = curve[-2 * quarter : -quarter], curve[-quarter:]
    return mean(third) - mean(last)


def _pairs(found: Sequence[Summary], first: Recipe, second: Recipe) -> list[Pair]:
    """Return the outcomes of two recipes in the same rows with the same seeds."""
    seconds = {each.setting: each for each in found if each.recipe == second}
    return [
        pair
        for each in found
        if each.recipe == first and each.setting in seconds
        for pair in _same_seeds(each, seconds[each.setting])
    ]


def _same_seeds(first: Summary, second: Summary) -> Iterator[Pair]:
    for seed in sorted(first.outcomes.keys() & second.outcomes.keys()):
        yield Pair(seed, first.outcomes[seed], second.outcomes[seed])


def _numbers_trained(pairs: Sequence[Pair]) -> tuple[int, int]:
    return sum(each.first.is_trained for each in pairs), sum(
        each.second.is_trained for each in pairs
    )


def _compared(pairs: Sequence[Pair], first: str, second: str, when_more: Verdict) -> Judgement:
    """Judge by how many runs train on either side; ``when_more`` is said where the second does."""
    if len(pairs) < _FEWEST:
        return _unmeasured(_FEWEST)
    one, other = _numbers_trained(pairs)
    by_seed: dict[int, int] = defaultdict(int)
    for pair in pairs:
        by_seed[pair.seed] += pair.second.is_trained - pair.first.is_trained
    probability = sign_flip_probability(by_seed.values())
    told = (
        f"{one} of {len(pairs)} runs train {first}, {other} of {len(pairs)} in the same rows and "
        f"with the same seeds {second} ({len(by_seed)} seeds, p = {probability:.2g})."
    )
    if probability >= _LEVEL:
        return open_question(told)
    return Judgement(when_more if other > one else DOES_NOT_HOLD, told)


def sign_flip_probability(differences: Iterable[int]) -> float:
    """Return how probable a sum as far from 0 is when each difference may have either sign.

    Parameters
    ----------
    differences : iterable of int
        One a seed.

    Examples
    --------
    >>> sign_flip_probability([1, 1, 2])
    0.25
    """
    given = [each for each in differences if each]
    sums = [
        sum(sign * each for sign, each in zip(signs, given))
        for signs in product((1, -1), repeat=len(given))
    ]
    return sum(abs(each) >= abs(sum(given)) for each in sums) / len(sums)


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return two of the values between which the median lies, at 95 %, whatever the distribution.

    Parameters
    ----------
    values : sequence of float
        At least 6: with fewer even the least and the greatest are too near.

    Examples
    --------
    >>> median_interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    (1.0, 6.0)
    """
    from scipy.stats import quantile_test

    found = quantile_test(values, p=0.5).confidence_interval(1 - _LEVEL)
    return float(found.low), float(found.high)


def _unmeasured(fewest: int) -> Judgement:
    return Judgement(NOT_MEASURED, f"Fewer than {fewest} runs to judge by.")
