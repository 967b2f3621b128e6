"""Places and n-grams add order to a bag of words."""

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

_FAMILIES = ("bag", "positional", "bigrams", ATTENTION)


def judge(figures: Figures) -> Judgement:
    """Judge by the bag of words, then by both of its extensions."""
    bag, places, pairs, _ = (sees(figures, family) for family in _FAMILIES)
    told = numbers(figures, _FAMILIES)
    if None in (bag, places, pairs):
        return open_question(f"One of them is neither right nor at chance: {told}.")
    if bag or not (places or pairs):
        return Judgement(DOES_NOT_HOLD, f"Places and pairs add nothing to the words: {told}.")
    if not (places and pairs):
        return Judgement(IN_PART, f"Only one of the two extensions sees the order: {told}.")
    return Judgement(HOLDS, f"Counts are at chance; places see the order, and pairs do: {told}.")


CLAIM = Claim(
    slug="order",
    title="A bag of words knows no order; places and n-grams add it",
    section="Bag of Words",
    says="A bag of words has two extensions: keywords with their places (位置), and runs of "
    "keywords (N-gram).",
    shown_by="Texts that say who did something to whom, in both directions: counts are at chance, "
    "words with places and words with pairs are right.",
    measure=accuracies("order", _FAMILIES),
    judge=judge,
    limits="Who acts stands right before the verb here.",
    seeds=SEEDS,
    quick_seeds=QUICK_SEEDS,
)
