"""The layer under autocast: projections in half precision, weights and tokens in float32."""

import pytest
import torch

from nlpfeat.attention import SCORES, Attention, AttentionSpec

D_MODEL = 32


def drawn(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def built(**parts):
    draw = torch.Generator().manual_seed(0)
    return Attention(D_MODEL, AttentionSpec(n_heads=2, **parts), generator=draw)


@pytest.mark.parametrize("path", ["explicit", "auto", "flex"])
@pytest.mark.parametrize("n_queries", [None, 16])
@pytest.mark.parametrize("score", SCORES)
def test_autocast_is_rounding(score, n_queries, path):
    """Learned queries, raw tokens and the bias follow the projections."""
    attention = built(score=score, n_queries=n_queries)
    tokens, bias = drawn(2, 16, D_MODEL), drawn(2, 1, 16, 16, seed=1)
    mask = torch.arange(16) < torch.tensor([[16], [9]])
    if path == "flex" and not SCORES[score].is_product:
        return
    with torch.no_grad():
        expected = attention(tokens, mask, bias=bias).hidden
        with torch.autocast("cpu", torch.bfloat16):
            output = attention(tokens, mask, bias=bias, path=path)
    assert output.hidden.dtype == torch.bfloat16
    difference = (output.hidden - expected)[mask if n_queries is None else slice(None)]
    assert difference.norm() < 0.05 * expected.norm()


@pytest.mark.parametrize("path", ["explicit", "fused"])
@pytest.mark.parametrize(
    "parts", [{"n_queries": 3}, {"score": "bilinear"}, {"position": "shaw"}], ids=repr
)
def test_gradients_under_autocast_are_those_of_the_weights(parts, path):
    attention = built(**parts)
    with torch.autocast("cpu", torch.bfloat16):
        hidden = attention(drawn(2, 5, D_MODEL), path=path).hidden
    hidden.float().square().sum().backward()
    for parameter in attention.parameters():
        assert parameter.grad.dtype == torch.float32
        assert parameter.grad.any()
        assert parameter.grad.isfinite().all()


def test_decoding_under_autocast_is_the_causal_pass():
    attention = built(causal=True)
    tokens, cache = drawn(1, 6, D_MODEL), attention.new_cache(1, 6)
    with torch.autocast("cpu", torch.bfloat16), torch.no_grad():
        rows = [attention.decode(tokens[:, at : at + 1], cache) for at in range(6)]
        whole = attention(tokens).hidden
    torch.testing.assert_close(torch.cat(rows, dim=1), whole, atol=0.05, rtol=0.05)
