"""A modifier belongs to its head whatever stands between them."""

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
from nlpfeat.claims.figures import Figures
from nlpfeat.claims.seen_by import ATTENTION, accuracies, numbers, sees

_FAMILIES = ("positional", "bigrams", "trigrams", ATTENTION)


def judge(figures: Figures) -> Judgement:
    """Judge by what sees neighbors and places, then by attention."""
    *near, attention = (sees(figures, family) for family in _FAMILIES)
    told = numbers(figures, _FAMILIES)
    if any(near):
        return Judgement(DOES_NOT_HOLD, f"Places or neighbors see the far modifier: {told}.")
    if None in near:
        return open_question(f"One of them is neither right nor at chance: {told}.")
    if attention is None:
        return open_question(f"Attention is neither right nor at chance: {told}.")
    if not attention:
        return Judgement(IN_PART, f"Places and neighbors miss it, and attention too: {told}.")
    return Judgement(HOLDS, f"Places and neighbors are at chance, attention sees it: {told}.")


CLAIM = Claim(
    slug="distance",
    title="Dependency is not distance",
    section="依赖与作用范围",
    says="In 一个方方正正，表面光滑，耐高温，价格便宜的不锈钢盒子 the first modifier is as "
    "important as the last: distance must not decide, and places alone cannot model it.",
    shown_by="Texts with two things and the color of each, up to three clauses away: words with "
    "places, pairs and triples are at chance, attention is right.",
    measure=accuracies("far_modifier", _FAMILIES),
    judge=judge,
    limits="Attention with turned places (rope) and a task that rewards it; real dependencies are "
    "not labeled.",
    seeds=SEEDS,
    quick_seeds=QUICK_SEEDS,
)
