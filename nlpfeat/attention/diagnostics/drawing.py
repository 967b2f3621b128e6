"""Small attentions and tokens, drawn anew from a generator of one's own."""

import torch
from torch import Tensor

from nlpfeat.attention.module import Attention
from nlpfeat.attention.spec import AttentionSpec


def draw_normal(generator: torch.Generator, *shape: int) -> Tensor:
    """Return standard normal numbers in float64."""
    return torch.randn(shape, generator=generator, dtype=torch.float64)


@torch.no_grad()
def draw_attention(generator: torch.Generator, d_model: int, spec: AttentionSpec) -> Attention:
    """Return a layer in float64, its biases and positions drawn as well.

    Those that begin at 0 would hide what they do.
    """
    attention = Attention(d_model, spec, generator=generator).double()
    drawn = [*attention.position.parameters()]
    if attention.projection.bias is not None:
        drawn.append(attention.projection.bias)
    for parameter in drawn:
        parameter.copy_(draw_normal(generator, *parameter.shape))
    return attention
