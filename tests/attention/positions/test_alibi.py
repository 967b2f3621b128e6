import math

import pytest
import torch

from nlpfeat.attention.positions import AlibiPosition
from nlpfeat.attention.positions.alibi import alibi_slopes


def slopes_of_the_paper(n_heads):
    """The recursion of the paper's code, in other words."""
    if math.log2(n_heads).is_integer():
        start = 2 ** (-(2 ** -(math.log2(n_heads) - 3)))
        return [start * start**head for head in range(n_heads)]
    lower = 2 ** math.floor(math.log2(n_heads))
    return slopes_of_the_paper(lower) + slopes_of_the_paper(2 * lower)[0::2][: n_heads - lower]


def test_the_published_slopes():
    assert alibi_slopes(8) == [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625]


def test_slopes_by_hand():
    assert alibi_slopes(1) == [2**-8]
    assert alibi_slopes(2) == [2**-4, 2**-8]
    assert alibi_slopes(3) == [2**-4, 2**-8, 2**-2]
    assert alibi_slopes(6) == [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3]
    assert alibi_slopes(12)[:8] == alibi_slopes(8)
    assert alibi_slopes(12)[8:] == [2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5]


@pytest.mark.parametrize("n_heads", range(1, 41))
def test_slopes_of_any_number_of_heads(n_heads):
    assert alibi_slopes(n_heads) == pytest.approx(slopes_of_the_paper(n_heads), rel=1e-12)
    assert len(alibi_slopes(n_heads)) == n_heads


def test_the_bias_by_hand():
    alibi = AlibiPosition().build(2, 4, 8, torch.Generator())
    bias = alibi.bias(torch.tensor([1, 5]), torch.tensor([0, 1, 4]))
    assert bias.tolist() == [
        [[-1 / 16, 0.0, -3 / 16], [-5 / 16, -4 / 16, -1 / 16]],
        [[-1 / 256, 0.0, -3 / 256], [-5 / 256, -4 / 256, -1 / 256]],
    ]


def test_log_weights_of_alike_keys_fall_by_the_slope():
    """D11: with equal contents, the weights fall by exactly m a step."""
    alibi = AlibiPosition().build(8, 4, 8, torch.Generator()).double()
    weights = alibi.bias(torch.tensor([9]), torch.arange(10)).softmax(-1)[:, 0]
    steps = weights.log().diff(dim=-1)
    expected = torch.tensor(alibi_slopes(8), dtype=torch.float64)[:, None].expand(8, 9)
    assert torch.allclose(steps, expected, atol=1e-12)
