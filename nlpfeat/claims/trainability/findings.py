"""What two dozen runs had led us to expect of the experiment, and what the kept runs say."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import mean, median
from typing import NamedTuple

from nlpfeat.claims.claim import (
    DOES_NOT_HOLD,
    HOLDS,
    IN_PART,
    NOT_MEASURED,
    Judgement,
    Verdict,
    open_question,
)
from nlpfeat.claims.figures import Figures
from nlpfeat.claims.trainability.explanations import INDEPENDENT
from nlpfeat.claims.trainability.records import Summary, distinct, readings
from nlpfeat.claims.trainability.runs import Outcome
from nlpfeat.claims.trainability.samples import judge_samples
from nlpfeat.claims.trainability.settings import (
    NOTES,
    RECIPES,
    REFERENCE_LOSSES,
    TRAINED,
    Recipe,
)

_CONTROL = RECIPES["without attention"]
_LEVEL = 0.05
_GOOD = 0.2
_STUCK = REFERENCE_LOSSES["mean of the target"]
_NEAR = 0.2
_AS_GOOD = 1.1
_RATE = 1e-3  # with smaller ones a thousand steps end on the way
_FEWEST, _FEWEST_FOR_MEDIANS, _FEWEST_FOR_MODES = 3, 6, 10
_HALF = (0.4, 0.6)
_MOST_BETWEEN = 0.1
_STILL_FALLS = 0.1
_READINGS = ("Where matrices alone are drawn", "Where biases and gains are drawn, too")


class Pair(NamedTuple):
    """Outcomes of two runs of a row with the same seed."""

    row: str
    seed: int
    first: Outcome
    second: Outcome


@dataclass(frozen=True)
class Finding:
    """Something that was expected, and whether the kept runs confirm it.

    Parameters
    ----------
    expected : str
    shown_by : str
        What would show it.
    judgement : Judgement
    """

    expected: str
    shown_by: str
    judgement: Judgement


def findings(found: Sequence[Summary], figures: Figures | None = None) -> Iterator[Finding]:
    """Yield what the runs say of each expectation.

    Runs with the same seed may share weights and data, so that shares of runs are compared seed by
    seed: by the exact sign-flip test of the differences.

    Parameters
    ----------
    found : sequence of Summary
    figures : mapping of str to Figure, optional
        Those that are measured beside the runs.
    """
    once = distinct(found)
    for expected, shown_by, judge in _EXPECTATIONS:
        yield Finding(expected, shown_by, judge(once))
    yield Finding(
        "Fed as the notes do, with batch_first=False, the network attends across samples",
        "Answers of a network as it is drawn change with another sample of the batch, and do not "
        "where tokens stand before samples",
        judge_samples(figures or {}),
    )


def _modes(found: Sequence[Summary]) -> Judgement:
    given = [
        [each for each in reading if each.setting.learning_rate == _RATE]
        for reading in readings(found)
    ]
    if sum(len(each.outcomes) for each in given[0]) < _FEWEST_FOR_MODES:
        return _unmeasured(_FEWEST_FOR_MODES)
    judged = [_modes_of(rows) for rows in given]
    told = " ".join(f"{start}, {each.sentence}" for start, each in zip(_READINGS, judged))
    verdicts = [each.verdict for each in judged]
    if HOLDS in verdicts and len(verdicts) == len(_READINGS):
        return Judgement(HOLDS if set(verdicts) == {HOLDS} else IN_PART, told)
    if verdicts == [DOES_NOT_HOLD] * len(_READINGS):
        return Judgement(DOES_NOT_HOLD, told)
    missing = "" if len(verdicts) == len(_READINGS) else " The other reading is not complete."
    return open_question(f"{told}{missing}")


def _modes_of(rows: Sequence[Summary]) -> Judgement:
    """Judge the rows of one reading; the sentence begins small."""
    from scipy.stats import binomtest

    losses = [loss for each in rows for loss in each.losses]
    between = sum(map(_is_between, losses))
    mixed = [
        each
        for each in rows
        if each.trained and any(abs(loss - _STUCK) <= _NEAR for loss in each.losses)
    ]
    told = (
        f"{len(losses) - between} of {len(losses)} runs end below {TRAINED:g} or near {_STUCK:g}; "
        f"{len(mixed)} of {len(rows)} rows have runs of both kinds{_in_mixed(mixed)}."
    )
    share = binomtest(between, len(losses)).proportion_ci(method="wilson")
    if mixed and share.high < _MOST_BETWEEN:
        return Judgement(HOLDS, told)
    return Judgement(DOES_NOT_HOLD, told) if share.low > _MOST_BETWEEN else open_question(told)


def _is_between(loss: float) -> bool:
    return loss >= TRAINED and abs(loss - _STUCK) > _NEAR


def _in_mixed(rows: Sequence[Summary]) -> str:
    losses = [loss for each in rows for loss in each.losses]
    between = sum(map(_is_between, losses))
    return f", and {between} of their {len(losses)} runs ends between" if rows else ""


def _copies(found: Sequence[Summary]) -> Judgement:
    # What a setting draws anew is no copy any more.
    left = [
        each
        for each in found
        if each.setting.initialization == "default" and each.setting.learning_rate == _RATE
    ]
    return _compared(
        _pairs(left, NOTES, INDEPENDENT), "With copies", "with layers of their own", HOLDS
    )


def _warmup(found: Sequence[Summary]) -> Judgement:
    by_training = {(each.setting.training, each.recipe): each for each in found}
    pairs = []
    for each in found:
        warmed = by_training.get((replace(each.setting, warmup=10).training, each.recipe))
        if each.setting.warmup == 0 and each.recipe in (NOTES, INDEPENDENT) and warmed is not None:
            pairs += list(_same_seeds(each, warmed))
    return _compared(pairs, "Without it", "with it", DOES_NOT_HOLD)


def _control(found: Sequence[Summary]) -> Judgement:
    pairs = _pairs(found, INDEPENDENT, _CONTROL)
    if len(pairs) < _FEWEST_FOR_MEDIANS:
        return _unmeasured(_FEWEST_FOR_MEDIANS)
    with_it, without = _numbers_trained(pairs)
    ratios = [
        pair.second.loss / pair.first.loss
        for pair in pairs
        if pair.first.is_trained and pair.second.is_trained
    ]
    told = (
        f"Under “{INDEPENDENT.name}” {with_it} of {len(pairs)} runs learn, without attention "
        f"{without} ({_rows(pairs)})"
    )
    if len(ratios) < _FEWEST_FOR_MEDIANS:
        return open_question(f"{told}; too few learn both ways to compare their losses.")
    told = (
        f"{told}; where both do, the loss without it is {min(ratios):.2f} to {max(ratios):.2f} "
        "times the other."
    )
    if max(ratios) <= _AS_GOOD and without >= with_it:
        return Judgement(HOLDS, told)
    return Judgement(DOES_NOT_HOLD, told) if min(ratios) > _AS_GOOD else open_question(told)


def _dropout(found: Sequence[Summary]) -> Judgement:
    shares = [
        median(1.0 - each.loss_without_dropout / each.loss for each in good)
        for summary in found
        if summary.recipe == NOTES
        and (good := [each for each in summary.outcomes.values() if each.loss < _GOOD])
    ]
    if len(shares) < _FEWEST_FOR_MEDIANS:
        return _unmeasured(_FEWEST_FOR_MEDIANS, "rows")
    low, high = median_interval(shares)
    told = (
        f"In {len(shares)} rows with runs below {_GOOD:g} under the recipe of the notes, "
        f"{100 * median(shares):.0f} % of their loss go when dropout is off (median of the rows, "
        f"[{100 * low:.0f}, {100 * high:.0f}]; {100 * min(shares):.0f} to "
        f"{100 * max(shares):.0f} in single rows)."
    )
    if low > _HALF[1] or high < _HALF[0]:
        return Judgement(DOES_NOT_HOLD, told)
    return Judgement(HOLDS, told) if _HALF[0] <= low and high <= _HALF[1] else open_question(told)


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
    n_stuck = sum(fall < _STILL_FALLS for fall in fast)
    n_slow = sum(fall > _STILL_FALLS for fall in slow)
    told = (
        f"From the third quarter of the steps to the last, the training loss of {n_stuck} of the "
        f"{len(fast)} runs with {_RATE:g} that fail with a finite loss falls by less than "
        f"{_STILL_FALLS:g}, of all by at most {max(fast):.2f}; that of {n_slow} of the "
        f"{len(slow)} with smaller rates by more, of all by at least {min(slow):.2f}."
    )
    if n_stuck == len(fast) and n_slow == len(slow):
        return Judgement(HOLDS, told)
    most = 2 * n_stuck > len(fast) and 2 * n_slow > len(slow)
    return Judgement(IN_PART if most else DOES_NOT_HOLD, told)


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
        yield Pair(first.setting.name, seed, first.outcomes[seed], second.outcomes[seed])


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
        f"{first} {one} of {len(pairs)} runs learn, {second} {other} of the same rows and seeds "
        f"({_rows(pairs)}; {len(by_seed)} seeds, p = {probability:.2g})."
    )
    if probability >= _LEVEL:
        return open_question(told)
    return Judgement(when_more if other > one else DOES_NOT_HOLD, told)


def _rows(pairs: Sequence[Pair]) -> str:
    return ", ".join(f"“{name}”" for name in dict.fromkeys(pair.row for pair in pairs))


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
    given = list(differences)
    ways = Counter({0: 1})  # in how many ways signs give each sum
    for each in given:
        totals = {before + sign * each for before in ways for sign in (1, -1)}
        ways = Counter({total: ways[total - each] + ways[total + each] for total in totals})
    as_far = sum(n for total, n in ways.items() if abs(total) >= abs(sum(given)))
    return as_far / ways.total()


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


def _unmeasured(fewest: int, what: str = "runs") -> Judgement:
    return Judgement(NOT_MEASURED, f"Fewer than {fewest} {what} to judge by.")


#: What was expected, what would show it, and who judges it.
_EXPECTATIONS: tuple[tuple[str, str, Callable[[Sequence[Summary]], Judgement]], ...] = (
    (
        "The outcome has two modes: a run learns, or stays at the mean of the target",
        f"With the rate {_RATE:g}, at most one run of ten ends elsewhere than below {TRAINED:g} or "
        f"within {_NEAR:g} of {_STUCK:g} (Wilson's interval), and some row has runs of both kinds, "
        "in both readings of the notes; in part: in one",
        _modes,
    ),
    (
        "Layers that start as copies of one train less often than layers drawn each on its own",
        f"More runs learn with layers of their own, p below {_LEVEL:g}, in the rows with the rate "
        f"{_RATE:g} that draw no matrix anew",
        _copies,
    ),
    (
        "A warm-up of ten steps makes no difference",
        f"It cannot be shown; refuted with p below {_LEVEL:g}. Rows without it and the same with "
        f"it, under “{NOTES.name}” and “{INDEPENDENT.name}”",
        _warmup,
    ),
    (
        "Without attention a network of these layers is as good",
        f"As many runs learn, and where both do no loss is above {_AS_GOOD:g} times the other",
        _control,
    ),
    (
        "About half of a good loss is the dropout that is left on",
        f"The median of the rows lies within {_HALF[0]:g} and {_HALF[1]:g} with its interval",
        _dropout,
    ),
    (
        "Runs that fail are stuck with the rate 1e-3, and with smaller ones only slow",
        f"From the third quarter of the steps to the last the training loss falls by less than "
        f"{_STILL_FALLS:g} with 1e-3, by more with smaller rates: in all runs that fail; in part: "
        "in most of each",
        _slow,
    ),
)
