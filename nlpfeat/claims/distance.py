"""A modifier belongs to its head whatever stands between them."""

from nlpfeat.claims.claim import Claim, Judgement
from nlpfeat.claims.figures import Figures
from nlpfeat.claims.seen_by import ATTENTION, accuracies, judged_beyond_places, numbers

_FAMILIES = ("positional", "bigrams", "trigrams", "pairs", ATTENTION)


def judge(figures: Figures) -> Judgement:
    """Judge by relative places and by attention: the rest is built into the texts."""
    return judged_beyond_places(figures, numbers(figures, _FAMILIES))


CLAIM = Claim(
    slug="distance",
    title="Dependency is not distance",
    section="依赖与作用范围",
    says="In 一个方方正正，表面光滑，耐高温，价格便宜的不锈钢盒子 the first modifier is as "
    "important as the last: distance must not decide, and places alone cannot model it.",
    shown_by="Texts with two things and the color of each, up to three clauses away: words with "
    "places, neighboring pairs and triples are at chance; attention is right, above .9, and a sum "
    "over pairs of words at their relative distance is not.",
    measure=accuracies("far_modifier", _FAMILIES),
    judge=judge,
    limits="That linear models of places, neighboring pairs and triples are at chance follows from "
    "how the texts are written, and no measurement could refute it; what is judged is what pairs "
    "at their distance and attention learn. A color and a thing decide, at distances that all "
    "occur for training, so that a relation of two words with their relative place can be enough; "
    "a dependency that needs more is not tested. Attention has turned places (rope) and a task "
    "that rewards it; real dependencies are not labeled.",
)
