"""Places and n-grams add order to a bag of words."""

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figures
from nlpfeat.claims.seen_by import ATTENTION, accuracies, numbers, sees

_FAMILIES = ("bag", "positional", "bigrams", ATTENTION)


def judge(figures: Figures) -> Judgement:
    """Judge by both extensions: that counts are at chance is built into the texts."""
    places, pairs = sees(figures, "positional"), sees(figures, "bigrams")
    told = numbers(figures, _FAMILIES)
    if places is None or pairs is None:
        return open_question(f"One of the two is neither right nor at chance: {told}.")
    if not (places or pairs):
        return Judgement(DOES_NOT_HOLD, f"Places and pairs add nothing to the words: {told}.")
    if not (places and pairs):
        return Judgement(IN_PART, f"Only one of the two extensions sees the order: {told}.")
    return Judgement(
        HOLDS, f"Where counts cannot tell, places see the order, and pairs do: {told}."
    )


CLAIM = Claim(
    slug="order",
    title="A bag of words knows no order; places and n-grams add it",
    section="Bag of Words",
    says="A bag of words has two extensions, places (位置) and frequencies (频率) of keywords, and "
    "n-grams join both: how often keywords stand in a row. Here: what places and n-grams add; "
    "counts are the bag itself.",
    shown_by="Texts that say who did something to whom, in both directions: counts are at chance, "
    "words with places and words with pairs are right.",
    measure=accuracies("order", _FAMILIES),
    judge=judge,
    limits="That counts are at chance follows from how the texts are written, and no model could "
    "refute it. That places and pairs can be right follows, too: who acts comes first here, and "
    "stands right before the verb. What is judged is that they learn it.",
)
