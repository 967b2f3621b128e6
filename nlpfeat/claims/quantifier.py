"""没有一个人, 有一个人: what a quantifier says, and of whom."""

from typing import Any

from nlpfeat.claims.claim import Claim, Judgement
from nlpfeat.claims.figures import Figures
from nlpfeat.claims.seen_by import ATTENTION, accuracies, judged_beyond_places, numbers

_FAMILIES = ("bag", "positional", "trigrams", "pairs", ATTENTION)
_ATTENTION: dict[str, Any] = {"learning_rate": 3e-3, "batch_size": 16, "max_epochs": 40}


def judge(figures: Figures) -> Judgement:
    """Judge by relative places and by attention: the rest is built into the texts."""
    return judged_beyond_places(figures, numbers(figures, _FAMILIES))


CLAIM = Claim(
    slug="quantifier",
    title="Whom 没有一个 binds, no word and no neighbor says",
    section="省略",
    says="没有一个人是无辜的, 有一个人看到了: such words name nobody. What is said depends on whom "
    "the quantifier binds.",
    shown_by="Texts that say the same of students and of others, of the one with 没有一个: words, "
    "words with places, and triples are at chance; attention finds of whom it is said, above .9, "
    "and a sum over pairs of words at their relative distance does not.",
    measure=accuracies("quantifier", _FAMILIES, **_ATTENTION),
    judge=judge,
    limits="That linear models of words, places and neighbors are at chance follows from how the "
    "texts are written; what is judged is what pairs at their distance and attention learn. Only "
    "whom a quantifier binds is tested. The notes also say that language holds logic, at least "
    "more complex than of first order: that is not measured. Attention takes smaller steps here, "
    "and 40 epochs.",
)
