"""D13: strength 0 is none, and can be learned."""

import pytest
import torch

from nlpfeat.attention import NORMALIZERS, POSITIONS, SCORES, AttentionSpec
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.diagnostics.neutrality import (
    neutrality,
    prior_neutrality,
    query_bias_effect,
)

SPECS = {
    **{f"score-{name}": {"score": name} for name in SCORES},
    **{f"position-{name}": {"position": name} for name in POSITIONS},
    **{f"normalizer-{name}": {"normalizer": name} for name in NORMALIZERS},
    "grouped": {"n_kv_heads": 2},
    "causal": {"causal": True},
}


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("given", ["bias", "columns", "both"])
def test_strength_zero(generator, name, given) -> None:
    layer = draw_attention(generator, 16, AttentionSpec(n_heads=4, **SPECS[name]))
    tokens, mask = draw_normal(generator, 2, 5, 16), torch.ones(2, 5, dtype=torch.bool)
    mask[1, 3:] = False
    prior = {
        "bias": draw_normal(generator, 2, 4, 5, 5),
        "columns": (draw_normal(generator, 2, 1, 5, 3), draw_normal(generator, 2, 1, 5, 3)),
    }
    if given != "both":
        prior = {given: prior[given]}
    found = prior_neutrality(layer, tokens, mask, **prior, generator=generator)
    assert found.difference == 0.0
    assert found.gradient > 1e-6


@pytest.mark.parametrize("given", ["bias", "columns"])
def test_the_fast_path_is_near(generator, given) -> None:
    layer = draw_attention(generator, 16, AttentionSpec()).float()
    prior = {
        "bias": torch.randn(2, 4, 5, 5, generator=generator),
        "columns": tuple(torch.randn(2, 2, 1, 5, 3, generator=generator)),
    }
    tokens = torch.randn(2, 5, 16, generator=generator)
    found = prior_neutrality(
        layer, tokens, **{given: prior[given]}, path="fused", generator=generator
    )
    assert found.difference < 1e-6
    assert found.gradient > 1e-6


def test_gradient_by_small_steps(generator) -> None:
    layer = draw_attention(generator, 16, AttentionSpec())
    tokens, bias = draw_normal(generator, 1, 5, 16), draw_normal(generator, 1, 4, 5, 5)
    state, step = generator.get_state(), 1e-6
    found = prior_neutrality(layer, tokens, bias=bias, generator=generator).gradient
    generator.set_state(state)
    probe = draw_normal(generator, 1, 5, 16)
    more, less = (layer(tokens, bias=each * bias).hidden for each in (step, -step))
    expected = abs(float((probe * (more - less)).sum().detach())) / (2 * step)
    assert found == pytest.approx(expected, rel=1e-6)


def test_a_prior_that_is_not_neutral_and_one_that_cannot_be_learned(generator) -> None:
    base = draw_normal(generator, 3)
    found = neutrality(lambda strength: base + strength + 0.25, base, generator=generator)
    assert found.difference == 0.25
    squared = neutrality(lambda strength: base + strength**2, base, generator=generator)
    assert (squared.difference, squared.gradient) == (0.0, 0.0)
    unused = neutrality(lambda strength: base.clone().requires_grad_(), base, generator=generator)
    assert (unused.difference, unused.gradient) == (0.0, 0.0)


def test_a_bias_that_says_the_same_of_all_keys(generator) -> None:
    tokens, shift = draw_normal(generator, 5, 16), draw_normal(generator, 5)
    for name in ("softmax", "sparsemax", "entmax15", "sinkhorn"):
        layer = draw_attention(generator, 16, AttentionSpec(normalizer=name))
        assert query_bias_effect(layer, tokens, shift) < 1e-12
    for name in ("capsule", "dual"):
        layer = draw_attention(generator, 16, AttentionSpec(normalizer=name))
        assert query_bias_effect(layer, tokens, shift) > 1e-3
