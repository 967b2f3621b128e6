"""A bag of words finds keywords."""

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figures
from nlpfeat.claims.seen_by import ATTENTION, accuracies, numbers, sees

_FAMILIES = ("bag", ATTENTION)


def judge(figures: Figures) -> Judgement:
    """Judge by whether a bag of words sees the keyword."""
    found = sees(figures, "bag")
    told = numbers(figures, _FAMILIES)
    if found is None:
        return open_question(f"The bag is neither right nor at chance: {told}.")
    if not found:
        return Judgement(DOES_NOT_HOLD, f"A bag of words does not find the keyword: {told}.")
    return Judgement(HOLDS, f"Where one word decides, counting words is enough: {told}.")


CLAIM = Claim(
    slug="keywords",
    title="Where a keyword decides, a bag of words finds it",
    section="Bag of Words",
    says="A bag of words describes which keywords (关键字) a text has, and decides by them: who "
    "sees 好 or 不错 takes it for praise.",
    shown_by="Texts in which one of sixteen words decides, whatever stands around it: a logistic "
    "regression of counts is right.",
    measure=accuracies("keyword", _FAMILIES),
    judge=judge,
    limits="That counts can be right follows from the grammar, in which one word decides; what is "
    "judged is that they learn it from 800 texts. In real texts keywords decide much, not all; see "
    "negation and order. That keywords are the simplest pattern of language is not tested.",
)
