"""Which features see a phenomenon: the accuracies that four claims are judged by."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

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
    "surprisal": "surprisal",
    "presence": "presence of words",
    ATTENTION: "attention",
}
#: Above it a family is said to see what decides; so near to chance, not to.
SEEN, _CHANCE, _MARGIN = 0.9, 0.5, 0.06


def accuracies(
    phenomenon: str, families: Sequence[str]
) -> Callable[[Sequence[int]], Iterator[Figure]]:
    """Return what measures the accuracy of families of features on a phenomenon.

    Parameters
    ----------
    phenomenon : str
    families : sequence of str
        Keys of ``NAMES``. Of one that the grammar leaves at chance the figure is built.
    """

    def one(seed: int) -> Mapping[str, float]:
        return {
            NAMES[family]: attention_accuracy(phenomenon, seed)
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

    Examples
    --------
    >>> is_at_chance("order", "bag"), is_at_chance("order", "bigrams")
    (True, False)
    """
    return family in FAMILIES and PHENOMENA[phenomenon].ceiling(family).accuracy == _CHANCE


def sees(figures: Figures, family: str) -> bool | None:
    """Tell whether a family sees what decides: True above .9, False within .06 of chance.

    Examples
    --------
    >>> sees({"bag of words": Figure("bag of words", (0.5,), "accuracy", "built")}, "bag")
    False
    """
    figure = figures[NAMES[family]]
    if is_above(figure, SEEN):
        return True
    return False if is_within(figure, _CHANCE, _MARGIN) else None


def numbers(figures: Figures, families: Sequence[str]) -> str:
    """Return the accuracies in words.

    Examples
    --------
    >>> numbers({"attention": Figure("attention", (0.5,))}, ["attention"])
    'attention 0.500'
    """
    return ", ".join(f"{NAMES[each]} {shown(figures[NAMES[each]].value)}" for each in families)
