"""Which features see a phenomenon: the accuracies that several claims are judged by."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Judgement, open_question
from nlpfeat.claims.figures import Figure, Figures, is_above, is_within, over_seeds
from nlpfeat.claims.numbers import shown
from nlpfeat.claims.small_models import attention_accuracy, linear_accuracy, n_groups
from nlpfeat.datasets.phenomena import PHENOMENA
from nlpfeat.datasets.phenomena.phenomenon import FAMILIES

ATTENTION = "attention"
NAMES = {
    "bag": "bag of words",
    "positional": "words with their places",
    "bigrams": "words and pairs",
    "trigrams": "words, pairs and triples",
    "pairs": "words, and pairs at their distance",
    "surprisal": "surprisal",
    "vectors": "mean of word vectors",
    "presence": "presence of words",
    ATTENTION: "attention",
}
#: Above it a family is said to see what decides; so near to chance, not to.
SEEN, _CHANCE, CHANCE_MARGIN = 0.9, 0.5, 0.06
#: Both texts of a group hold the same words there, so that their rows of presence are twins.
_SAME_WORDS = ("frequency",)


def accuracies(
    phenomenon: str, families: Sequence[str], **settings: Any
) -> Callable[[Sequence[int]], Iterator[Figure]]:
    """Return what measures the accuracy of families of features on a phenomenon.

    Parameters
    ----------
    phenomenon : str
    families : sequence of str
        Keys of ``NAMES``. Of one that the grammar leaves at chance the figure is built.
    settings : Any
        Of attention, in place of those that all share.
    """

    def one(seed: int) -> Mapping[str, float]:
        return {
            NAMES[family]: attention_accuracy(phenomenon, seed, **settings)
            if family == ATTENTION
            else linear_accuracy(phenomenon, family, seed)
            for family in families
        }

    def measure(seeds: Sequence[int]) -> Iterator[Figure]:
        built = {NAMES[family] for family in families if is_at_chance(phenomenon, family)}
        for figure in over_seeds(one, seeds, "accuracy", n_groups(phenomenon)):
            yield (
                replace(figure, values=(figure.value,), kind="built", trials=0)
                if figure.name in built
                else figure
            )

    return measure


def is_at_chance(phenomenon: str, family: str) -> bool:
    """Tell whether a grammar keeps linear models of a family of features at chance.

    Of presence that is said of the vote alone, where it follows from the same words in both texts.

    Examples
    --------
    >>> is_at_chance("order", "bag"), is_at_chance("order", "bigrams")
    (True, False)
    >>> is_at_chance("frequency", "presence"), is_at_chance("absence", "presence")
    (True, False)
    """
    if family == "presence":
        return phenomenon in _SAME_WORDS
    return family in FAMILIES and PHENOMENA[phenomenon].ceiling(family).accuracy == _CHANCE


def sees(figures: Figures, family: str) -> bool | None:
    """Tell whether a family sees what decides: True above .9, False within .06 of chance.

    Examples
    --------
    >>> sees({"bag of words": Figure("bag of words", (0.5,), "accuracy", "built")}, "bag")
    False
    """
    return is_seen(figures[NAMES[family]])


def is_seen(accuracy: Figure) -> bool | None:
    """Tell whether an accuracy is that of a model that sees what decides; see `sees`.

    Examples
    --------
    >>> is_seen(Figure("词", (0.95,))), is_seen(Figure("词", (0.7,))), is_seen(Figure("词", (0.5,)))
    (True, None, False)
    """
    if is_above(accuracy, SEEN):
        return True
    return False if is_within(accuracy, _CHANCE, CHANCE_MARGIN) else None


def judged_beyond_places(figures: Figures, told: str) -> Judgement:
    """Judge two halves: relative places are not enough, and attention learns it.

    Places from the beginning, and neighbors, are at chance in these texts by construction. Pairs of
    words at their distance are what is left of places.

    Parameters
    ----------
    figures : mapping of str to Figure
        With those of "pairs" and of attention.
    told : str
        The numbers, which end the sentence.
    """
    pairs, attention = is_above(figures[NAMES["pairs"]], SEEN), sees(figures, ATTENTION)
    if attention is None or pairs is None:
        return open_question(f"{_halves(figures)}: {told}.")
    if pairs and not attention:
        return Judgement(
            DOES_NOT_HOLD,
            f"Two words and their relative place are enough, and attention misses it: {told}.",
        )
    if pairs:
        return Judgement(
            IN_PART,
            "Where places and neighbors cannot tell, attention does. But so do pairs at their "
            f"relative distance: two words and their relative place are enough here: {told}.",
        )
    if not attention:
        return Judgement(
            IN_PART,
            f"Pairs at their relative distance stay below {SEEN:g}, where places and neighbors "
            f"cannot tell either; but attention, with these settings, does not learn it: {told}.",
        )
    return Judgement(
        HOLDS,
        "Where places and neighbors cannot tell, and pairs at their relative distance stay below "
        f"{SEEN:g}, attention is right: {told}.",
    )


def _halves(figures: Figures) -> str:
    """Return how far both halves are known, and what can still come of them."""
    attention, of_pairs = figures[NAMES[ATTENTION]], figures[NAMES["pairs"]]
    found = sees(figures, ATTENTION)
    state = {
        True: "is right",
        False: "is at chance",
        None: "is not known to be right or at chance",
    }[found]
    if found is None and is_above(attention, _CHANCE):
        known = "but not" if is_above(attention, SEEN) is False else "but not known to be"
        state = f"is above chance, {known} above {SEEN:g}"
    pairs = {
        True: "Pairs at their relative distance are right, so that this half of the criterion has "
        "failed already, and it can hold in part at most",
        False: f"Pairs at their relative distance stay below {SEEN:g}, which is one half of the "
        "criterion",
        None: "Whether pairs at their relative distance are right is open",
    }
    return f"Attention {state}. {pairs[is_above(of_pairs, SEEN)]}"


def numbers(figures: Figures, families: Sequence[str]) -> str:
    """Return the accuracies in words.

    Examples
    --------
    >>> numbers({"attention": Figure("attention", (0.5,))}, ["attention"])
    'attention 0.500'
    """
    return ", ".join(f"{NAMES[each]} {shown(figures[NAMES[each]].value)}" for each in families)
