"""Whether it tells something that a frequent word is missing."""

import math
from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figure, Figures
from nlpfeat.claims.numbers import shown
from nlpfeat.claims.seen_by import accuracies, numbers, sees

_FREQUENT, _RARE, _TOKENS = 0.01, 0.001, 50
_FAMILIES = ("bag", "presence", "surprisal")
_ABSENT, _PRESENT = "1 % against 0.1 %, absent", "1 % against 0.1 %, present"
_EXPECTED = "texts below: how often the word that may be missing is expected"
_NEEDED = "tokens that make an absence significant, rate 1 %"
_DOCUMENTS = "texts a group that tell 1 % from 0.1 %, 80 % power"


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Compute probabilities, and fit three families to texts in which a word may be missing."""
    from nlpfeat.attention.diagnostics import absence

    for rate in (_FREQUENT, _RARE):
        found = absence.absence(rate, _TOKENS)
        name = f"rate {100 * rate:g} %, {_TOKENS} tokens"
        yield Figure(f"{name}: absence", (found.probability,), "probability")
        yield Figure(f"{name}: surprise of absence", (found.bits,), "bits")
    ratios = absence.evidence(_FREQUENT, _RARE, _TOKENS)
    yield Figure(_ABSENT, (ratios.absent,), "likelihood ratio")
    yield Figure(_PRESENT, (ratios.present,), "likelihood ratio")
    yield Figure(_NEEDED, (float(absence.tokens_needed(_FREQUENT)),), "tokens")
    needed = absence.documents_needed(_FREQUENT, _RARE, _TOKENS)
    yield Figure(_DOCUMENTS, (float(needed),), "texts")
    yield Figure(_EXPECTED, (_expected(),), "times", "built")
    yield from accuracies("absence", _FAMILIES)(seeds)


def _expected() -> float:
    """Return how often each of the words that may be missing occurs in a test text, in the mean."""
    from nlpfeat.claims.small_models import texts_of

    cues = [item.cue for item in texts_of("absence", 0).test_items]
    words = {word for cue in cues for word in cue}
    return sum(map(len, cues)) / (len(cues) * len(words))


def judge(figures: Figures) -> Judgement:
    """Judge by what one text of 50 tokens tells, and by what surprisal sees in longer lists."""
    needed, texts = figures[_NEEDED].value, figures[_DOCUMENTS].value
    bag, *seeing = (sees(figures, family) for family in _FAMILIES)
    told = numbers(figures, _FAMILIES)
    if needed <= _TOKENS or texts <= 1:
        return Judgement(DOES_NOT_HOLD, f"One text of {_TOKENS} tokens tells the two rates apart.")
    if bag is not False:
        return open_question(f"These texts do not part counts from absence: {told}.")
    if None in seeing:
        return open_question(f"One of the others is neither right nor at chance: {told}.")
    short = (
        f"At a rate of 1 % absence is significant from {needed:.0f} tokens on, and {texts:.0f} "
        f"texts a group tell 1 % from 0.1 %. An occurrence weighs {_bits(figures[_PRESENT])} bits, "
        f"an absence {_bits(figures[_ABSENT])}"
    )
    expected = f"Where a word is expected {shown(figures[_EXPECTED].value)} times"
    if not all(seeing):
        return Judgement(
            IN_PART,
            f"{short}. {expected}, presence and surprisal do not both see it: {told}.",
        )
    return Judgement(
        HOLDS, f"{short}. {expected}, its absence is a feature that counts miss: {told}."
    )


def _bits(ratio: Figure) -> str:
    return shown(abs(math.log2(ratio.value)))


CLAIM = Claim(
    slug="absence",
    title="That a frequent word is missing may be a feature, but texts are too short for it",
    section="TF-IDF",
    says="It may tell something that a frequent word does not occur at all. But texts are short: "
    "two words of the rates 1 % and 0.1 % cannot be told apart in a text of 50 words.",
    shown_by="The probability of absence, (1 − p)ⁿ, above 5 % for both; and texts where absence "
    "of a word that is expected several times decides, which presence and surprisal see.",
    measure=measure,
    judge=judge,
    limits="Tokens drawn one by one; real words cluster and are absent more often. That counts "
    "are at chance follows from how the texts are written.",
)
