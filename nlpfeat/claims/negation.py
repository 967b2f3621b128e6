"""Keywords are not enough where one is negated."""

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figures
from nlpfeat.claims.seen_by import ATTENTION, accuracies, numbers, sees

_FAMILIES = ("bag", "bigrams", ATTENTION)


def judge(figures: Figures) -> Judgement:
    """Judge by what sees neighbors: that counts are at chance is built into the texts."""
    pairs = sees(figures, "bigrams")
    told = numbers(figures, _FAMILIES)
    if pairs is None:
        return open_question(f"Pairs of neighbors are neither right nor at chance: {told}.")
    if not pairs:
        return Judgement(DOES_NOT_HOLD, f"Pairs of neighbors do not see it either: {told}.")
    return Judgement(HOLDS, f"Where counts cannot tell, pairs of neighbors do: {told}.")


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
    limits="That counts are at chance follows from how the texts are written, and no model could "
    "refute it. That pairs can be right follows, too: the negation stands beside its word here. "
    "What is judged is that pairs learn it. Farther away pairs of neighbors miss it as well; see "
    "distance.",
)
