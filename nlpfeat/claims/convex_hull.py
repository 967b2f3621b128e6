"""Attention puts queries into the convex region of the values."""

from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement
from nlpfeat.claims.figures import Figure, Figures, is_above, is_within

_ONE, _HEADS = "softmax, one head: to the hull", "softmax, four heads: to the hull of each"
_DIMENSIONS = "softmax per dimension: to the hull"
_BOX = "softmax per dimension: to the box"
_DROPPED = "softmax, weights dropped in training: to the hull"
_NEAREST = "query to the nearest point of the hull"
_OUTPUT = "query to its output"
_ROUNDING = 1e-8


def measure(_seeds: Sequence[int]) -> Iterator[Figure]:
    """Draw layers of width 8 and six tokens, and measure distances."""
    import torch

    from nlpfeat.attention.diagnostics.convex_hull import attention_hull, hull_distance
    from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
    from nlpfeat.attention.spec import AttentionSpec

    generator = torch.Generator().manual_seed(0)
    tokens = draw_normal(generator, 6, 8)
    layer = draw_attention(generator, 8, AttentionSpec(n_heads=1))
    heads = draw_attention(generator, 8, AttentionSpec(n_heads=4))
    dimensions = draw_attention(generator, 8, AttentionSpec(score="multidim", n_heads=1))
    dropped = draw_attention(generator, 8, AttentionSpec(n_heads=1, dropout=0.5)).train()
    yield Figure(_ONE, (float(attention_hull(layer, tokens).hull.max()),), "greatest distance")
    yield Figure(_HEADS, (float(attention_hull(heads, tokens).hull.max()),), "greatest distance")
    found = attention_hull(dimensions, tokens)
    yield Figure(_DIMENSIONS, (float(found.hull.max()),), "greatest distance")
    yield Figure(_BOX, (float(found.box.max()),), "greatest distance")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        away = float(attention_hull(dropped, tokens).hull.max())
    yield Figure(_DROPPED, (away,), "greatest distance")
    with torch.no_grad():
        query, _, value = (each[0, 0] for each in layer.project(tokens[None]))
        output = layer(tokens[None], path="explicit").heads[0, 0]
    yield Figure(_NEAREST, (float(hull_distance(query, value).mean()),), "mean distance")
    yield Figure(_OUTPUT, (float((query - output).norm(dim=-1).mean()),), "mean distance")


def judge(figures: Figures) -> Judgement:
    """Judge by whether outputs are the nearest points: that they are in the hull is definition."""
    if not all(is_within(figures[name], 0.0, _ROUNDING) for name in (_ONE, _HEADS)):
        return Judgement(DOES_NOT_HOLD, "Outputs of softmax lie outside the hull of their values.")
    farther = figures[_OUTPUT].value / figures[_NEAREST].value
    outside, dropped = (
        "leaves" if is_above(figures[name], 1e-3) else "keeps to"
        for name in (_DIMENSIONS, _DROPPED)
    )
    inside = (
        f"Each head stays in the hull of its values, by definition of its weights; a softmax per "
        f"dimension {outside} it, dropout of weights {dropped} it"
    )
    if farther > 1 + _ROUNDING:
        return Judgement(
            IN_PART,
            f"{inside}. But attention does not project: outputs are {farther:.2f} times as far "
            "from their queries as the nearest points of the hull.",
        )
    return Judgement(HOLDS, f"{inside}. Outputs are the points of it nearest to their queries.")


CLAIM = Claim(
    slug="convex-hull",
    title="Attention projects queries into the convex region of the values",
    section="投影说",
    says="Weights that are at least 0 and sum to 1 span a convex region, so attention projects "
    "each query into the region that the values span (凸区域).",
    shown_by="The distance of outputs to the convex hull of the values is 0 up to rounding, and "
    "queries are as far from their outputs as from the nearest points of the hull: a projection.",
    measure=measure,
    judge=judge,
    limits="Of one head, before its output matrix and the residual sum. In a layer as it is drawn "
    "queries and values are made by different matrices, and nothing brings the two together. That "
    "a compact region is easier to learn is not measured.",
    is_exact=True,
)
