"""Meaning is not composed linearly: an idiom is not the sum of its words."""

from typing import Any

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figures
from nlpfeat.claims.seen_by import ATTENTION, accuracies, numbers, sees

_FAMILIES = ("bag", "positional", "bigrams", "trigrams", "pairs", ATTENTION)
_ATTENTION: dict[str, Any] = {"learning_rate": 3e-3, "batch_size": 16, "max_epochs": 40}


def judge(figures: Figures) -> Judgement:
    """Judge by the triple: that sums over words are at chance is built, and pairs are a remark."""
    whole = sees(figures, "trigrams")
    told = numbers(figures, _FAMILIES)
    if whole is None:
        return open_question(f"Triples are not known to be right or at chance: {told}.")
    if not whole:
        return Judgement(DOES_NOT_HOLD, f"The three words together say no more: {told}.")
    pairs = {
        True: "are right, too, since the idiom is a relation of two words",
        False: "are at chance, so that two words are not enough",
        None: "lie between, or are not known",
    }
    return Judgement(
        HOLDS,
        "No sum over single words tells an idiom, the three words together do. Pairs at their "
        f"distance {pairs[sees(figures, 'pairs')]}: {told}.",
    )


CLAIM = Claim(
    slug="composition",
    title="Meaning is not composed linearly: an idiom is not the sum of its words",
    section="非独立的二元关系",
    says="Meaning is not compositional (非组合性): f(ABC) ≠ g(f(A), f(B), f(C)) with a linear g.",
    shown_by="Texts in which 炒 了 鱿鱼 is an idiom and 炒 了 花生 is none: linear functions of "
    "words, whatever f makes of each, are at chance; the three words together are right. Beside "
    "them linear functions of all pairs of words with their distance, which are the independent "
    "pairs of the notes.",
    measure=accuracies("idiom", _FAMILIES, **_ATTENTION),
    judge=judge,
    limits="That words, places and neighboring pairs are at chance follows from how the texts are "
    "written, and so does that triples can be right: verb, 了 and noun stand in a row. What is "
    "judged is that triples learn it. The notes conclude that independent pairs are not enough for "
    "language: that is not judged, since an idiom of a verb and a noun is a relation of two words, "
    "and it would take relations of three. Attention has one layer, and 40 epochs of smaller "
    "steps.",
)
