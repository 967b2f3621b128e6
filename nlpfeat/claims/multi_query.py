"""Whether multi-query attention speaks against the argument from degrees of freedom."""

from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.degrees_of_freedom import WIDTH
from nlpfeat.claims.figures import (
    Figure,
    Figures,
    by_name,
    difference,
    have_learned,
    is_above,
    over_seeds,
)
from nlpfeat.claims.small_models import attention_accuracy, n_groups

_LAYOUTS = {
    "one head": (1, 1),
    "8 heads": (8, 8),
    "8 heads on 2 of keys and values": (8, 2),
    "multi-query, 8 heads on one": (8, 1),
}
_ONE, _MANY, _GROUPED, _MULTI_QUERY = _LAYOUTS
_TASK, _N_TOKENS = "negation", 3
_LOSS, _GAIN = "multi-query − 8 heads", "multi-query − one head"
_SAME = 0.05


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Take the ranks of four layouts of heads, and train three of them."""
    yield from _ranks()
    found = by_name(over_seeds(_accuracies, seeds, "accuracy", n_groups(_TASK)))
    yield from found.values()
    shared = found[_accuracy(_MULTI_QUERY)]
    yield difference(_LOSS, shared, found[_accuracy(_MANY)])
    yield difference(_GAIN, shared, found[_accuracy(_ONE)])


def _ranks() -> Iterator[Figure]:
    import torch

    from nlpfeat.attention.diagnostics.degrees_of_freedom import attention_degrees_of_freedom
    from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
    from nlpfeat.attention.spec import AttentionSpec

    generator = torch.Generator().manual_seed(0)
    for layout, (n_heads, n_kv_heads) in _LAYOUTS.items():
        spec = AttentionSpec(n_heads=n_heads, n_kv_heads=n_kv_heads)
        found = attention_degrees_of_freedom(
            draw_attention(generator, WIDTH, spec),
            draw_normal(generator, _N_TOKENS, WIDTH),
            generator=generator,
        )
        yield Figure(_rank(layout), (float(found.affine),), "dimensions")


def _accuracies(seed: int) -> dict[str, float]:
    return {
        _accuracy(layout): attention_accuracy(_TASK, seed, n_heads=n_heads, n_kv_heads=n_kv_heads)
        for layout, (n_heads, n_kv_heads) in _LAYOUTS.items()
        if layout != _GROUPED
    }


def judge(figures: Figures) -> Judgement:
    """Judge by whose rank multi-query attention has, then by whether it works as well as said."""
    one, many, shared = (
        round(figures[_rank(layout)].value) for layout in (_ONE, _MANY, _MULTI_QUERY)
    )
    works = _works(figures)
    told = ", ".join(
        f"{layout} {figures[_accuracy(layout)].value:.3f}" for layout in (_ONE, _MANY, _MULTI_QUERY)
    )
    sentence = (
        f"With {_N_TOKENS} tokens multi-query attention has {shared} dimensions, 8 full heads "
        f"{many}, one head {one}. {_WORKS[works]}: {told}."
    )
    if shared >= many:
        return Judgement(
            DOES_NOT_HOLD,
            f"Shared keys and values cost no dimension: what counts is how many weight vectors "
            f"there are, so that the argument lets multi-query attention work as full heads do. "
            f"{sentence}",
        )
    if one < shared:
        return Judgement(IN_PART, f"Shared keys and values cost dimensions, not all. {sentence}")
    if works is None:
        return open_question(f"It has no more than the rank of a single head. {sentence}")
    return Judgement(
        HOLDS if works else DOES_NOT_HOLD,
        f"It has no more than the rank of a single head. {sentence}",
    )


_WORKS = {
    True: "It works as full heads do, within .05, and better than one head",
    False: "It does not work as well as is said",
    None: "Whether it works as full heads do and better than one is open",
}


def _works(figures: Figures) -> bool | None:
    """Tell whether multi-query attention is hardly worse than full heads and better than one."""
    if not have_learned([figures[_accuracy(_MANY)]]):
        return None
    found = is_above(figures[_LOSS], -_SAME), is_above(figures[_GAIN], 0.0)
    if False in found:
        return False
    return None if None in found else True


def _rank(layout: str) -> str:
    return f"{layout}, {_N_TOKENS} tokens: affine rank"


def _accuracy(layout: str) -> str:
    return f"{layout}: accuracy"


CLAIM = Claim(
    slug="multi-query",
    title="Multi-query attention refutes the argument from degrees of freedom",
    section="Multi-query attention",
    says="Multi-query attention has many queries and one set of keys and values. It is hardly "
    "worse than full heads and better than one, so the degrees of freedom cannot be why heads "
    "help.",
    shown_by="Multi-query attention would have the rank of a single head, and all the same be "
    "right as often as full heads, within .05, and more often than one: one layer of each, of the "
    "same width, trained to see negation.",
    measure=measure,
    judge=judge,
    limits="Ranks are exact and are those of attention as it is drawn. Accuracies are of a layer "
    "of width 16; negation was taken because on texts of other seeds one head often fails at it, "
    "so that the other half of the premise can show. That multi-query attention decodes faster, "
    "and what it loses in large models, is not measured here.",
)
