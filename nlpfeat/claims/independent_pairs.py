"""Scores treat pairs of tokens one by one, until they are normalized."""

from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement
from nlpfeat.claims.figures import Figure, Figures, is_above, is_within

_DOT = "dot product: bilinear defect"
_ROPE = "dot product, turned places (rope): bilinear defect"
_BIASED = "dot product of projections with a bias: bilinear defect"
_ADDITIVE = "additive: affine defect"
_OTHERS = "another token changed: scores of the other pairs"
_WEIGHTS = "another token changed: weights of the other pairs"
_HALVES = "text as the sum of its halves: scores"
_ROUNDING = 1e-9


def measure(_seeds: Sequence[int]) -> Iterator[Figure]:
    """Draw layers of width 32, and measure how far they are from additive."""
    import torch

    from nlpfeat.attention.diagnostics.bilinearity import attention_bilinearity, split_defect
    from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
    from nlpfeat.attention.diagnostics.pair_scores import pair_scores
    from nlpfeat.attention.spec import AttentionSpec

    generator = torch.Generator().manual_seed(0)
    layers = {
        _DOT: AttentionSpec(),
        _ROPE: AttentionSpec(position="rope"),
        _BIASED: AttentionSpec(projection_bias=True),
    }
    for name, spec in layers.items():
        found, _ = attention_bilinearity(draw_attention(generator, 32, spec), generator=generator)
        yield Figure(name, (found.bilinear,), "share")
    additive = draw_attention(generator, 32, AttentionSpec(score="additive", n_heads=1))
    found, _ = attention_bilinearity(additive, generator=generator)
    yield Figure(_ADDITIVE, (found.affine,), "share")
    layer = draw_attention(generator, 32, AttentionSpec())
    tokens = draw_normal(generator, 6, 32)
    changed = tokens.clone()
    changed[5] = draw_normal(generator, 32)
    with torch.no_grad():
        moved = [
            pair_scores(each, changed, changed) - pair_scores(each, tokens, tokens)
            for each in (layer, additive)
        ]
        before, after = (layer(each[None], return_weights=True) for each in (tokens, changed))
    others = max(float(each[:, :5, :5].abs().max()) for each in moved)
    yield Figure(_OTHERS, (others,), "greatest change")
    assert before.weights is not None
    assert after.weights is not None
    weights = (after.weights - before.weights)[..., :5, :5].abs().max()
    yield Figure(_WEIGHTS, (float(weights),), "greatest change")
    yield Figure(_HALVES, (split_defect(layer, tokens, cut=3).scores,), "greatest defect")


def judge(figures: Figures) -> Judgement:
    """Judge by the scores of other pairs, and by what adds up."""
    if not is_within(figures[_OTHERS], 0.0, _ROUNDING):
        return Judgement(DOES_NOT_HOLD, "The score of a pair changes with tokens outside it.")
    if not is_above(figures[_WEIGHTS], 1e-3):
        return Judgement(DOES_NOT_HOLD, "Normalized weights do not depend on other pairs either.")
    is_bilinear = all(is_within(figures[name], 0.0, _ROUNDING) for name in (_DOT, _ROPE, _HALVES))
    if not is_bilinear:
        return Judgement(IN_PART, "Pairs are independent, but their scores are not bilinear.")
    biased = (
        " With a bias the projections are not bilinear." if is_above(figures[_BIASED], 1e-3) else ""
    )
    return Judgement(
        HOLDS,
        "No score changes with tokens outside its pair, whether of dot products or of additive "
        f"attention; dot products add up exactly; the weights depend on all tokens.{biased}",
    )


CLAIM = Claim(
    slug="independent-pairs",
    title="Pairs are independent until they are normalized",
    section="独立的二元关系",
    says="The score of a dot product, x W yᵀ, is a bilinear form: the scores of a text are the sum "
    "of those of its parts, and no pair of tokens knows of any other, also when places are turned "
    "into the product. Only the normalizer ties them.",
    shown_by="The defect |s(x, a+b) − s(x, a) − s(x, b)|, as a share of the sizes, is 0 up to "
    "rounding; the scores of pairs do not change with a token outside them, their weights do.",
    measure=measure,
    judge=judge,
    limits="One layer: a second one sees what the first has mixed.",
    is_exact=True,
)
