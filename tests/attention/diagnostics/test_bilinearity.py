"""D3: scores treat pairs, and parts of tokens, one by one; weights do not."""

import pytest
import torch

from nlpfeat.attention import AttentionSpec
from nlpfeat.attention.diagnostics.bilinearity import (
    Bilinearity,
    attention_bilinearity,
    bilinearity,
    split_defect,
)
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.errors import InvalidParameterError


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)


def defects(generator, **spec):
    layer = draw_attention(generator, 32, AttentionSpec(**spec))
    return attention_bilinearity(layer, generator=generator)


def test_by_hand() -> None:
    x, a, b = (torch.tensor(each) for each in (2.0, 1.0, 3.0))
    # x (a+b)² = 32, x a² = 2, x b² = 18.
    expected = Bilinearity(bilinear=12 / 52, affine=12 / 52)
    found = bilinearity(lambda x, y: x * y**2, x, a, b)
    assert found.bilinear == pytest.approx(expected.bilinear)
    assert found.affine == pytest.approx(expected.affine)
    zero = bilinearity(lambda x, y: 0 * x * y, x, a, b)
    assert zero == Bilinearity(0.0, 0.0)


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"n_heads": 8, "n_kv_heads": 2},
        {"position": "rope"},
        {"score": "bilinear"},
    ],
    ids=str,
)
def test_products_are_bilinear_on_both_sides(generator, spec) -> None:
    for found in defects(generator, **spec):
        assert found.bilinear < 1e-14
        assert found.affine < 1e-14


def test_a_matrix_is_the_same_score(generator) -> None:
    """W_Q W_Kᵀ / √D of one head, written out."""
    layer = draw_attention(generator, 8, AttentionSpec(n_heads=1))
    x, y = draw_normal(generator, 2, 3, 8)
    matrix = layer.query_weight.T @ layer.key_weight / 8**0.5
    weights = layer(torch.cat([x, y])[None], return_weights=True).weights[0, 0, :3, 3:]
    expected = (x @ matrix @ y.T).exp()
    ratio = weights / expected
    torch.testing.assert_close(ratio, ratio[:, :1].expand(-1, 3), rtol=1e-12, atol=0)


@pytest.mark.parametrize("spec", [{"projection_bias": True}, {"position": "t5"}], ids=str)
def test_a_bias_makes_it_affine(generator, spec) -> None:
    for found in defects(generator, **spec):
        assert found.bilinear > 1e-3
        assert found.affine < 1e-13


@pytest.mark.parametrize("score", ["additive", "multidim", "cosine"])
def test_other_scores_are_neither(generator, score) -> None:
    found, _ = defects(generator, score=score, n_heads=1)
    assert found.affine > 1e-2


def test_halves_of_a_text(generator) -> None:
    tokens = draw_normal(generator, 7, 32)
    for cut in (1, 3, 6):
        layer = draw_attention(generator, 32, AttentionSpec())
        found = split_defect(layer, tokens, cut)
        assert found.scores < 1e-12
        assert found.weights > 1e-2
    additive = draw_attention(generator, 32, AttentionSpec(score="additive", n_heads=1))
    assert split_defect(additive, tokens, 3).scores > 1e-2


def test_a_text_is_cut_inside(generator) -> None:
    layer = draw_attention(generator, 32, AttentionSpec())
    for cut in (0, 7):
        with pytest.raises(InvalidParameterError, match=r"from 1 to 6\. Got"):
            split_defect(layer, draw_normal(generator, 7, 32), cut)
