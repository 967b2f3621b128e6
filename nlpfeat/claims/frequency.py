"""How often a keyword comes adds to whether it comes."""

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figures
from nlpfeat.claims.seen_by import ATTENTION, NAMES, SEEN, accuracies, numbers, sees

_FAMILIES = ("presence", "bag", ATTENTION)


def judge(figures: Figures) -> Judgement:
    """Judge by counts: that presence is at chance is built into the texts."""
    counts = sees(figures, "bag")
    told = numbers(figures, _FAMILIES)
    if counts is None:
        return open_question(f"Counts are neither right nor at chance: {told}.")
    if not counts:
        return Judgement(DOES_NOT_HOLD, f"Counts do not see the majority either: {told}.")
    values = figures[NAMES[ATTENTION]].values
    n_right = sum(value > SEEN for value in values)
    state = {
        True: "and attention does",
        False: "attention does not",
        None: f"attention is above {SEEN:g} with {n_right} of {len(values)} seeds",
    }
    return Judgement(
        HOLDS,
        f"Where presence cannot tell, counts do; {state[sees(figures, ATTENTION)]}: {told}.",
    )


CLAIM = Claim(
    slug="frequency",
    title="How often a keyword comes adds to whether it comes",
    section="Bag of Words",
    says="If 好 comes five times and 坏 once, 好 ought to weigh more: the frequency (频率) of "
    "keywords extends a bag that only knows which words a text has.",
    shown_by="Votes in which 赞成 and 反对 both occur, and the one that comes more often wins: "
    "presence is at chance, counts are right. Beside them attention, which takes means.",
    measure=accuracies("frequency", _FAMILIES),
    judge=judge,
    limits="That presence is at chance follows from how the texts are written: both texts of a "
    "group hold the same words; and so does that counts can be right, since the majority decides "
    "and nothing else. What is judged is that counts learn it. In real texts a keyword that is "
    "said again may say no more.",
)
