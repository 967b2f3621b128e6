"""What the matrices of a network are drawn from before it is trained."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from nlpfeat._names import lookup

Draw = Callable[[Tensor, float], object]

INITIALIZATIONS: dict[str, Draw] = {
    "default": lambda _matrix, _spread: None,
    "xavier_uniform": lambda matrix, _spread: nn.init.xavier_uniform_(matrix),
    "xavier_normal": lambda matrix, _spread: nn.init.xavier_normal_(matrix),
    "kaiming_uniform": lambda matrix, _spread: nn.init.kaiming_uniform_(matrix),
    "kaiming_normal": lambda matrix, _spread: nn.init.kaiming_normal_(matrix),
    "normal": lambda matrix, spread: nn.init.normal_(matrix, std=spread),
    "uniform": lambda matrix, spread: nn.init.uniform_(matrix, -spread, spread),
}
"""torch's own, and "default", which leaves a matrix as it is; the gain of "kaiming_*" is √2."""


@torch.no_grad()
def initialize(
    network: nn.Module, name: str, spread: float, *, draws_vectors: bool = False
) -> None:
    """Draw every matrix of a network anew, in place; vectors (biases, norms) only if asked.

    Queries, keys and values are one matrix in torch's attention, and are drawn as one, with the
    fan of all three.

    Parameters
    ----------
    network : Module
    name : str
        A key of ``INITIALIZATIONS``.
    spread : float
        Standard deviation of "normal", half width of "uniform".
    draws_vectors : bool, default False
        Whether these two draw vectors as well.

    Raises
    ------
    InvalidParameterError
        For an unknown name.
    """
    draw = lookup(INITIALIZATIONS, name, "initialization")
    least = 1 if draws_vectors and name in ("normal", "uniform") else 2
    for parameter in network.parameters():
        if parameter.dim() >= least:
            draw(parameter, spread)


@torch.no_grad()
def scale(matrices: list[Tensor], factor: float) -> None:
    """Multiply matrices, in place."""
    for matrix in matrices:
        matrix.mul_(factor)


def residual_gain(residual: str, n_layers: int) -> tuple[float, float]:
    """Return what the sum of before is multiplied by, and what projections into it are drawn by.

    Sources: Radford et al. (2019) for "scaled"; Wang et al. (2022) for "deepnorm", an encoder;
    Huang et al. (2020) for "tfixup", an encoder.

    Examples
    --------
    >>> residual_gain("scaled", 8)
    (1.0, 0.25)
    >>> residual_gain("tfixup", 16)
    (1.0, 0.335)
    """
    gains = {
        "plain": (1.0, 1.0),
        "scaled": (1.0, 1.0 / math.sqrt(2.0 * n_layers)),
        "deepnorm": ((2.0 * n_layers) ** 0.25, (8.0 * n_layers) ** -0.25),
        "tfixup": (1.0, 0.67 * n_layers**-0.25),
    }
    return lookup(gains, residual, "residual")
