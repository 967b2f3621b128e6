"""More layers of one head against one layer of more heads, at the same total."""

import time
from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, Claim, Judgement, open_question
from nlpfeat.claims.figures import (
    Figure,
    Figures,
    by_name,
    difference,
    have_learned,
    is_above,
    over_seeds,
)
from nlpfeat.claims.small_models import accuracy_of, attention_of, n_groups

_TASK = "far_modifier"
_WIDE = {"n_layers": 1, "n_heads": 4, "d_head": 8}
_DEEP = {"n_layers": 4, "n_heads": 1, "d_head": 8}
_WIDE_NAME, _DEEP_NAME = "1 layer of 4 heads: accuracy", "4 layers of one head: accuracy"
_DIFFERENCE = "deep − wide"
_COST = "seconds of training: deep / wide"
_SAME = 0.05


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Train both with four heads of width 8 in all."""
    attention_of(_TASK, 0, max_epochs=1)  # the first training of a process takes longer
    runs = {seed: _both(seed) for seed in seeds}
    found = by_name(over_seeds(lambda seed: runs[seed][0], seeds, "accuracy", n_groups(_TASK)))
    yield from found.values()
    yield difference(_DIFFERENCE, found[_DEEP_NAME], found[_WIDE_NAME])
    yield Figure(_COST, tuple(ratio for _, ratio in runs.values()), "ratio", "timed")


def _both(seed: int) -> tuple[dict[str, float], float]:
    found, seconds = [], []
    for layout in (_WIDE, _DEEP):
        start = time.process_time()
        model = attention_of(_TASK, seed, **layout)
        seconds.append(time.process_time() - start)
        found.append(accuracy_of(model, _TASK, seed))
    return dict(zip((_WIDE_NAME, _DEEP_NAME), found)), seconds[1] / seconds[0]


def judge(figures: Figures) -> Judgement:
    """Judge by the difference of accuracy; the seconds are a remark."""
    enough = is_above(figures[_DIFFERENCE], -_SAME)
    told = (
        f"{figures[_DEEP_NAME].value:.3f} against {figures[_WIDE_NAME].value:.3f}, in "
        f"{figures[_COST].value:.1f} times the seconds"
    )
    if not have_learned([figures[_WIDE_NAME], figures[_DEEP_NAME]]):
        return open_question(f"Not both have learned enough to be compared: {told}.")
    if enough is None:
        return open_question(f"Whether layers of one head are {_SAME:g} worse is open: {told}.")
    if not enough:
        return Judgement(
            DOES_NOT_HOLD, f"Layers of one head are worse by {_SAME:g} or more: {told}."
        )
    return Judgement(HOLDS, f"Layers of one head are at most {_SAME:g} worse: {told}.")


CLAIM = Claim(
    slug="deep-single-head",
    title="More layers of single heads can do what several heads do",
    section="多头注意力真的必要吗？",
    says="With the same number of heads in all, more layers of one head fit what layers of several "
    "heads fit, though that is no strictly fair comparison.",
    shown_by="The difference of accuracy of four layers of one head and one layer of four, of the "
    "same width, is above −.05 with its whole interval. Beside it the ratio of their seconds.",
    measure=measure,
    judge=judge,
    limits="The deep network has four feed-forward parts, the wide one a single one. One task, "
    "which one layer can do.",
)
