"""Initial values of the parameters of scores."""

from math import sqrt

import torch
from torch import nn


def xavier_uniform(
    *shape: int, fan_in: int, fan_out: int, generator: torch.Generator | None
) -> nn.Parameter:
    """Return a parameter drawn from the uniform distribution on ±√(6 / (fan_in + fan_out)).

    torch's own function would read the axis of heads as part of the fans (Glorot and Bengio, 2010,
    "Understanding the difficulty of training deep feedforward neural networks").

    Examples
    --------
    >>> weight = xavier_uniform(
    ...     2, 3, 3, fan_in=3, fan_out=3, generator=torch.Generator().manual_seed(0)
    ... )
    >>> weight.shape, bool(weight.abs().max() <= 1)
    (torch.Size([2, 3, 3]), True)
    """
    bound = sqrt(6.0 / (fan_in + fan_out))
    return nn.Parameter(torch.empty(shape).uniform_(-bound, bound, generator=generator))
