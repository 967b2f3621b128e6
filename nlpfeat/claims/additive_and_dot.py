"""Additive attention against dot products: which is better, and which is cheaper."""

import time
from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import (
    DOES_NOT_HOLD,
    HOLDS,
    IN_PART,
    QUICK_SEEDS,
    SEEDS,
    Claim,
    Judgement,
    open_question,
)
from nlpfeat.claims.figures import (
    Figure,
    Figures,
    by_name,
    difference,
    is_above,
    is_below,
    is_within,
    over_seeds,
)
from nlpfeat.claims.small_reviews import attention_on_reviews

_DOT, _ADDITIVE, _DIFFERENCE = "dot: accuracy", "additive: accuracy", "additive − dot"
_COST = "seconds of a forward and backward pass, 128 tokens: additive / dot"
_SAME, _CHANCE = 0.02, 0.6
_REPEATS, _WARM_UP = 7, 2


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Train both on the same reviews, and time a layer of each."""
    found = by_name(over_seeds(_accuracies, seeds, "accuracy"))
    yield from found.values()
    yield difference(_DIFFERENCE, found[_ADDITIVE], found[_DOT])
    ratios = _seconds("additive"), _seconds("dot")
    yield Figure(_COST, tuple(a / b for a, b in zip(*ratios)), "ratio", "timed")


def _accuracies(seed: int) -> dict[str, float]:
    dot, additive = (attention_on_reviews(seed, score) for score in ("dot", "additive"))
    return {_DOT: dot, _ADDITIVE: additive}


def _seconds(score: str) -> list[float]:
    import torch

    from nlpfeat.attention.module import Attention
    from nlpfeat.attention.spec import AttentionSpec

    generator = torch.Generator().manual_seed(0)
    layer = Attention(64, AttentionSpec(score=score, n_heads=4), generator=generator)
    tokens = torch.randn(4, 128, 64, generator=generator)
    found = []
    for _ in range(_WARM_UP + _REPEATS):
        start = time.process_time()
        layer(tokens).hidden.sum().backward()
        found.append(time.process_time() - start)
    return found[_WARM_UP:]


def judge(figures: Figures) -> Judgement:
    """Judge by the ratio of seconds, then by the difference of accuracy."""
    dearer, apart = is_above(figures[_COST], 1.0), figures[_DIFFERENCE]
    told = (
        f"Additive attention takes {figures[_COST].value:.1f} times the seconds, and is right for "
        f"{figures[_ADDITIVE].value:.3f} where dot products are for {figures[_DOT].value:.3f}"
    )
    if dearer is None:
        return open_question(f"Seconds do not differ beyond their spread. {told}.")
    if not dearer:
        return Judgement(DOES_NOT_HOLD, f"Additive attention is not dearer. {told}.")
    if apart.bounds is None or not is_above(figures[_DOT], _CHANCE):
        return open_question(f"The accuracies do not decide it. {told}.")
    if is_above(apart, 0.0) or is_below(apart, 0.0):
        return Judgement(IN_PART, f"It is dearer, but which is better is clear here. {told}.")
    if is_within(apart, 0.0, _SAME):
        return Judgement(HOLDS, f"{told}: equal within .02.")
    return Judgement(HOLDS, f"{told}. Which is better stays open: the interval holds 0.")


CLAIM = Claim(
    slug="additive-and-dot",
    title="Additive attention is no worse than dot products, which are cheaper",
    section="点乘注意力与加法注意力",
    says="Which of the two is better is not clear. Additive attention, v·tanh(W[x_i, x_j]), is "
    "the more complex function and costs more, and that is why dot products are used.",
    shown_by="The difference of accuracy of the two in the same network, and the ratio of their "
    "seconds in the same layer.",
    measure=measure,
    judge=judge,
    limits="One layer of width 32 and a thousand reviews. Seconds of one thread of a "
    "CPU; dot products run as torch's fused kernel, and additive attention has none.",
    seeds=SEEDS,
    quick_seeds=QUICK_SEEDS,
)
