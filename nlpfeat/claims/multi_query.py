"""Whether multi-query attention speaks against the argument from degrees of freedom."""

from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement
from nlpfeat.claims.degrees_of_freedom import WIDTH
from nlpfeat.claims.figures import Figure, Figures

_LAYOUTS = {
    "one head": (1, 1),
    "8 heads": (8, 8),
    "8 heads on 2 of keys and values": (8, 2),
    "multi-query, 8 heads on one": (8, 1),
}
_ONE, _MANY, _GROUPED, _MULTI_QUERY = _LAYOUTS
_LENGTHS = (2, 3)


def measure(_seeds: Sequence[int]) -> Iterator[Figure]:
    """Take the ranks of four layouts of heads at two lengths."""
    import torch

    from nlpfeat.attention.diagnostics.degrees_of_freedom import attention_degrees_of_freedom
    from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
    from nlpfeat.attention.spec import AttentionSpec

    generator = torch.Generator().manual_seed(0)
    for layout, (n_heads, n_kv_heads) in _LAYOUTS.items():
        for n_tokens in _LENGTHS:
            found = attention_degrees_of_freedom(
                draw_attention(
                    generator, WIDTH, AttentionSpec(n_heads=n_heads, n_kv_heads=n_kv_heads)
                ),
                draw_normal(generator, n_tokens, WIDTH),
                generator=generator,
            )
            yield Figure(_name(layout, n_tokens), (float(found.affine),), "dimensions")


def judge(figures: Figures) -> Judgement:
    """Judge by whose rank multi-query attention has."""
    one, many, grouped, shared = (
        [round(figures[_name(layout, n_tokens)].value) for n_tokens in _LENGTHS]
        for layout in (_ONE, _MANY, _GROUPED, _MULTI_QUERY)
    )
    if shared == one:
        return Judgement(HOLDS, "One set of keys and values leaves the rank of a single head.")
    if shared == many == grouped:
        return Judgement(
            DOES_NOT_HOLD,
            f"Multi-query attention has as many dimensions as 8 full heads, {many[0]} with two "
            f"tokens where one head has {one[0]}. What counts is how many weight vectors there "
            "are, not how many sets of values: that it works as well as full heads is what the "
            "argument says.",
        )
    return Judgement(IN_PART, "Shared keys and values cost some of the dimensions, not all.")


def _name(layout: str, n_tokens: int) -> str:
    return f"{layout}, {n_tokens} tokens: affine rank"


CLAIM = Claim(
    slug="multi-query",
    title="Multi-query attention refutes the argument from degrees of freedom",
    section="Multi-query attention",
    says="Multi-query attention has many queries and one set of keys and values. It is hardly "
    "worse than full heads and better than one, so the degrees of freedom cannot be why heads "
    "help.",
    shown_by="Multi-query attention would have the rank of a single head.",
    measure=measure,
    judge=judge,
    limits="That it is faster and hardly worse in large models is not measured here.",
    is_exact=True,
)
