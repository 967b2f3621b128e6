"""How many directions the output of a head has, and what lifts that."""

from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement
from nlpfeat.claims.figures import Figure, Figures

WIDTH = 32
_ONE, _LINEAR = "one head, 2 tokens: affine rank", "one head, 2 tokens: linear rank"
_FIVE, _FIVE_LINEAR, _FOUR, _EIGHT = (
    "one head, 5 tokens: affine rank",
    "one head, 5 tokens: linear rank",
    "4 heads, 2 tokens: affine rank",
    "8 heads, 2 tokens: affine rank",
)
_DIMENSIONS = "softmax per dimension, 2 tokens: affine rank"
_LINEAR_RANKS = {_ONE: _LINEAR, _FIVE: _FIVE_LINEAR}


def measure(_seeds: Sequence[int]) -> Iterator[Figure]:
    """Ask 256 random queries of drawn layers of width 32, and take ranks."""
    import torch

    from nlpfeat.attention.diagnostics.degrees_of_freedom import attention_degrees_of_freedom
    from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
    from nlpfeat.attention.spec import AttentionSpec

    generator = torch.Generator().manual_seed(0)
    settings = {
        _ONE: (2, AttentionSpec(n_heads=1)),
        _FIVE: (5, AttentionSpec(n_heads=1)),
        _FOUR: (2, AttentionSpec(n_heads=4)),
        _EIGHT: (2, AttentionSpec(n_heads=8)),
        _DIMENSIONS: (2, AttentionSpec(score="multidim", n_heads=1)),
    }
    for name, (n_tokens, spec) in settings.items():
        found = attention_degrees_of_freedom(
            draw_attention(generator, WIDTH, spec),
            draw_normal(generator, n_tokens, WIDTH),
            generator=generator,
        )
        yield Figure(name, (float(found.affine),), "dimensions")
        if name in _LINEAR_RANKS:
            yield Figure(_LINEAR_RANKS[name], (float(found.linear),), "dimensions")


def judge(figures: Figures) -> Judgement:
    """Judge by the ranks, which are whole numbers."""
    one, five, four, eight, dimensions = (
        round(figures[name].value) for name in (_ONE, _FIVE, _FOUR, _EIGHT, _DIMENSIONS)
    )
    linear = [round(figures[name].value) for name in _LINEAR_RANKS.values()]
    if one > 2 or five > 5 or not one < four < eight <= dimensions:
        return Judgement(DOES_NOT_HOLD, "The length of the text does not limit one head, or heads "
                         "do not lift the limit.")  # fmt: skip
    lifted = (
        f"4 heads have {four}, 8 heads {eight}, a softmax per dimension {dimensions} in layers of "
        f"width {WIDTH}"
    )
    told = f"two tokens leave one head {one}, five tokens {five}"
    if (one, five) == (2, 5):
        return Judgement(HOLDS, f"Of dimensions, {told}; {lifted}.")
    rule = "n − 1, not n" if (one, five) == (1, 4) else "not n"
    rank = (
        " The n of the notes is the linear rank, which also counts where the flat lies."
        if linear == [2, 5]
        else ""
    )
    return Judgement(
        IN_PART,
        f"The length limits one head, and heads lift the limit: {lifted}. But of dimensions, "
        f"{told}: {rule}.{rank}",
    )


CLAIM = Claim(
    slug="degrees-of-freedom",
    title="The length of the text limits what one head can say",
    section="单头注意力到多头的发展历史",
    says="With two tokens, the output H of one head has 2 degrees of freedom, whatever its "
    "weights; with n tokens, n. Weights for each dimension, and several heads between the two, "
    "lift that.",
    shown_by="The dimension of the flat that the outputs of 256 queries span while the tokens "
    f"stay, in drawn layers of width {WIDTH}: n for one head, more with each further head.",
    measure=measure,
    judge=judge,
    limits="What a drawn layer can reach, not what a trained one uses, nor what a task needs.",
    is_exact=True,
)
