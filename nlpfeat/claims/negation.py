"""Keywords are not enough where one is negated."""

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

_FAMILIES = ("bag", "bigrams", ATTENTION)


def judge(figures: Figures) -> Judgement:
    """Judge by the bag of words, then by what sees neighbors."""
    bag, pairs, _ = (sees(figures, family) for family in _FAMILIES)
    told = numbers(figures, _FAMILIES)
    if None in (bag, pairs):
        return open_question(f"One of them is neither right nor at chance: {told}.")
    if bag:
        return Judgement(DOES_NOT_HOLD, f"A bag of words sees the negation: {told}.")
    if not pairs:
        return Judgement(IN_PART, f"Counts miss it, and pairs of neighbors too: {told}.")
    return Judgement(HOLDS, f"Counts are at chance, pairs of neighbors see it: {told}.")


CLAIM = Claim(
    slug="negation",
    title="Keywords are not enough: 不好 has the keyword 好",
    section="Bag of Words",
    says="Keywords alone are not enough: 不好 holds 好 too. Combinations of neighbors, n-grams, "
    "extend a bag of words by that.",
    shown_by="Texts with the same words, of which 不 stands before the one or the other: counts "
    "are at chance, words and pairs are right.",
    measure=accuracies("negation", _FAMILIES),
    judge=judge,
    limits="The negation stands beside its word here. Farther away pairs miss it as well; see "
    "distance.",
    seeds=SEEDS,
    quick_seeds=QUICK_SEEDS,
)
