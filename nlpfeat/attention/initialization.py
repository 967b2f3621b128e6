"""First weights, drawn from a generator of one's own."""

import math

import torch
from torch import Tensor, nn


def empty_linear(n_inputs: int, n_outputs: int, *, bias: bool) -> nn.Linear:
    """Return a linear layer whose weights are still to be drawn; its bias is 0.

    torch's own would draw from the generator that all share.
    """
    layer: nn.Linear = nn.utils.skip_init(nn.Linear, n_inputs, n_outputs, bias=bias)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def xavier_uniform(weight: Tensor, generator: torch.Generator, gain: float = 1.0) -> None:
    """Draw a weight of shape (outputs, inputs) evenly from ±gain·√(6 / (inputs + outputs)).

    Source: Glorot and Bengio (2010).

    Examples
    --------
    >>> weight = torch.empty(2, 4)
    >>> xavier_uniform(weight, torch.Generator().manual_seed(0))
    >>> bool((weight.abs() <= 1.0).all())
    True
    """
    bound = gain * math.sqrt(6.0 / (weight.shape[0] + weight.shape[1]))
    with torch.no_grad():
        weight.uniform_(-bound, bound, generator=generator)
