"""Additive attention against dot products: which is better, and which is cheaper."""

import time
from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.figures import (
    Figure,
    Figures,
    by_name,
    difference,
    have_learned,
    is_above,
    is_within,
    over_seeds,
)
from nlpfeat.claims.small_reviews import (
    BATCH,
    LENGTH,
    N_HEADS,
    N_TEST,
    SAME,
    WIDTH,
    attention_on_reviews,
    overlap,
)

_DOT, _ADDITIVE, _DIFFERENCE = "dot: accuracy", "additive: accuracy", "additive − dot"
_COST = "seconds of a forward and backward pass, both written out: additive / dot"
_FUSED = "the same, dot products by torch's fused kernel"
_REPEATS, _WARM_UP = 7, 2


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Train both on the same reviews, and time a layer of each."""
    found = by_name(over_seeds(_accuracies, seeds, "accuracy", N_TEST, overlap()))
    yield from found.values()
    yield difference(_DIFFERENCE, found[_ADDITIVE], found[_DOT])
    ratios = _ratios()
    yield Figure(_COST, tuple(explicit for explicit, _ in ratios), "ratio", "timed")
    yield Figure(_FUSED, tuple(fused for _, fused in ratios), "ratio", "timed")


def _accuracies(seed: int) -> dict[str, float]:
    dot, additive = (attention_on_reviews(seed, score) for score in ("dot", "additive"))
    return {_DOT: dot, _ADDITIVE: additive}


def _ratios() -> list[tuple[float, float]]:
    """Return seconds of additive / dot, both explicit and dot fused, of layers like those trained.

    One pass of each in turn, so that what slows the machine down slows all of them.
    """
    import torch

    from nlpfeat.attention.module import Attention
    from nlpfeat.attention.spec import AttentionSpec

    generator = torch.Generator().manual_seed(0)
    additive, dot = (
        Attention(WIDTH, AttentionSpec(score=score, n_heads=N_HEADS), generator=generator)
        for score in ("additive", "dot")
    )
    tokens = torch.randn(BATCH, LENGTH, WIDTH, generator=generator)

    def seconds(layer: Attention, path: str) -> float:
        start = time.process_time()
        layer(tokens, path=path).hidden.sum().backward()
        return time.process_time() - start

    found = []
    for _ in range(_WARM_UP + _REPEATS):
        dear = seconds(additive, "explicit")
        found.append((dear / seconds(dot, "explicit"), dear / seconds(dot, "fused")))
    return found[_WARM_UP:]


def judge(figures: Figures) -> Judgement:
    """Judge by the ratio of seconds and by the difference of accuracy."""
    dearer, apart = is_above(figures[_COST], 1.0), figures[_DIFFERENCE]
    told = (
        f"Additive attention takes {figures[_COST].value:.1f} times the seconds, and is right for "
        f"{figures[_ADDITIVE].value:.3f} where dot products are for {figures[_DOT].value:.3f}"
    )
    if not have_learned([figures[_DOT], figures[_ADDITIVE]]):
        return open_question(f"Not both have learned enough to be compared. {told}.")
    alike = is_within(apart, 0.0, SAME)
    if dearer is None:
        return open_question(f"Seconds do not differ beyond their spread. {told}.")
    if alike is None:
        return open_question(f"Whether they differ by more than {SAME:g} is open. {told}.")
    better = "Additive attention is" if apart.value > 0 else "Dot products are"
    if not (alike or dearer):
        return Judgement(DOES_NOT_HOLD, f"{better} better, and additive is not dearer. {told}.")
    if not alike:
        return Judgement(IN_PART, f"{better} clearly better, and dot products cheaper. {told}.")
    if not dearer:
        return Judgement(IN_PART, f"Neither is better, but additive is not dearer. {told}.")
    return Judgement(HOLDS, f"{told}: within {SAME:g} of each other.")


CLAIM = Claim(
    slug="additive-and-dot",
    title="Additive or dot products: neither is clearly better, and dot products are cheaper",
    section="点乘注意力与加法注意力",
    says="Which of the two is better is not clear. Additive attention, v·tanh(W[x_i, x_j]), is the "
    "more complex function and costs more, and that is why dot products are used.",
    shown_by="The difference of accuracy of the two in the same network, within .01 with its whole "
    "interval; and the ratio of their seconds in a layer of that size, both written out alike.",
    measure=measure,
    judge=judge,
    reads_reviews=True,
    limits="One layer of width 32 and a thousand reviews (each seed draws them, and as many for "
    "test, from the same 17,363), with settings of which it is not on "
    "record whether they were tried on reviews of these seeds. Seconds of one thread of a CPU, "
    "from the least to the greatest of seven. Dot products have a fused kernel besides, additive "
    "attention has none.",
)
