"""A modifier belongs to its head whatever stands between them."""

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figures
from nlpfeat.claims.seen_by import ATTENTION, accuracies, numbers, sees

_FAMILIES = ("positional", "bigrams", "trigrams", ATTENTION)


def judge(figures: Figures) -> Judgement:
    """Judge by attention: that places and neighbors are at chance is built into the texts."""
    attention = sees(figures, ATTENTION)
    told = numbers(figures, _FAMILIES)
    if attention is None:
        return open_question(f"Attention is neither right nor at chance: {told}.")
    if not attention:
        return Judgement(DOES_NOT_HOLD, f"Attention misses the far modifier, too: {told}.")
    return Judgement(HOLDS, f"Where places and neighbors cannot tell, attention does: {told}.")


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
    limits="That linear models of places, pairs and triples are at chance follows from how the "
    "texts are written, and no measurement could refute it; what is judged is that attention "
    "learns it. It has turned places (rope) and a task that rewards it; real dependencies are not "
    "labeled.",
)
