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
    """Draw a weight evenly from ±gain·√(6 / (inputs + outputs)).

    Parameters
    ----------
    weight : Tensor of shape (..., outputs, inputs) or (..., inputs, outputs)
        Changed in place. What stands before is heads, each a weight of its own: torch's function
        would read that axis as part of the inputs.
    generator : torch.Generator
        Of the CPU.
    gain : float, default 1.0
        Above 0.

    Notes
    -----
    Source: Glorot and Bengio (2010).

    Examples
    --------
    >>> weight = torch.empty(2, 4)
    >>> xavier_uniform(weight, torch.Generator().manual_seed(0))
    >>> bool((weight.abs() <= 1.0).all())
    True
    """
    bound = gain * math.sqrt(6.0 / (weight.shape[-2] + weight.shape[-1]))
    with torch.no_grad():
        weight.uniform_(-bound, bound, generator=generator)


def drawn_parameter(*shape: int, generator: torch.Generator) -> nn.Parameter:
    """Return a parameter that :func:`xavier_uniform` has drawn."""
    weight = torch.empty(shape)
    xavier_uniform(weight, generator)
    return nn.Parameter(weight)
