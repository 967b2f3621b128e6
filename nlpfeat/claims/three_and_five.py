"""Whether heads can tell three tokens from five where one cannot."""

from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figure, Figures, is_above, over_seeds
from nlpfeat.claims.numbers import shown

_THREE, _FIVE = "3 tokens: weight of a beginning token", "5 tokens: weight of a beginning token"
_ALONE = "one head: error of sums"
_BESIDE = "one head that also sees a beginning token: error of sums"
_BOTH = "both heads: error of sums"
_OWN = "one head, beginning token in a dimension of its own: error of sums"


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Measure weights, and the errors of networks fitted behind given heads."""
    from nlpfeat.attention.diagnostics.counting import beginning_weight

    yield Figure(_THREE, (beginning_weight(3),), "weight")
    yield Figure(_FIVE, (beginning_weight(5),), "weight")
    yield from over_seeds(_errors, seeds, "mean squared error")


def _errors(seed: int) -> dict[str, float]:
    import torch

    from nlpfeat.attention.diagnostics.counting import counting_errors

    found = counting_errors(generator=torch.Generator().manual_seed(seed))
    own = counting_errors(own_dimension=True, generator=torch.Generator().manual_seed(seed))
    return {
        _ALONE: found.mean_alone,
        _BESIDE: found.beside_beginning,
        _BOTH: found.two_heads,
        _OWN: own.beside_beginning,
    }


def judge(figures: Figures) -> Judgement:
    """Judge by the errors: 1 is that of the best guess from a mean."""
    fails = is_above(figures[_ALONE], 0.9)
    two = is_above(figures[_BOTH], 0.1)
    one = is_above(figures[_OWN], 0.1)
    if None in (fails, two, one):
        return open_question("The errors of these seeds do not decide it.")
    if not fails or two:
        return Judgement(DOES_NOT_HOLD, "One head counts as well, or two heads do not count.")
    numbers = f"error {figures[_ALONE].value:.2f} of one head, {figures[_BOTH].value:.3f} of two"
    if one:
        return Judgement(HOLDS, f"Only two heads undo the division: {numbers}.")
    return Judgement(
        IN_PART,
        f"Two heads undo the division where one cannot: {numbers}. But one head is enough when it "
        f"also sees a beginning token with a dimension of its own: {shown(figures[_OWN].value)}.",
    )


CLAIM = Claim(
    slug="three-and-five",
    title="Three tokens and five tokens: one head is off by a factor",
    section="拆分建模学说",
    says="Some tokens must look at three others, some at five. One head gives a third and a fifth "
    "of the sums; with several heads and a network behind them the factor is easy to undo.",
    shown_by="Networks behind given heads, fitted to sums of 3 or 5 values: the mean squared error "
    "of one head stays above .9, and that of two heads falls below .1. Values are scaled so that "
    "their mean tells nothing of the size, and the best guess from it has the error 1; a network "
    "fitted to 4,096 texts is a little worse on others. One of the two heads also sees a "
    "beginning token: one before the text, with the same value in each text, which "
    "gets 1/4 of the weight beside three others and 1/6 beside five.",
    measure=measure,
    judge=judge,
    limits="Heads are told where to look; whether training finds that is not measured.",
)
