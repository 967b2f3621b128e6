"""What moves the parameters."""

import math
from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn

from nlpfeat._optional import missing_dependency
from nlpfeat.claims.trainability.settings import Recipe
from nlpfeat.errors import InvalidParameterError

_BETAS = (0.9, 0.95)
_MOMENTUM, _N_ITERATIONS, _LEAST_NORM = 0.95, 5, 1e-7
#: Of the fifth-degree polynomial that takes singular values toward 1 (Jordan et al., 2024).
_COEFFICIENTS = (3.4445, -4.7750, 2.0315)
#: Gives directions the size that AdamW's have, so that one rate serves both (Liu et al., 2025).
_SIZE = 0.2


def optimizers(network: nn.Module, recipe: Recipe, rate: float) -> list[torch.optim.Optimizer]:
    """Return the optimizers that together move all parameters.

    Parameters
    ----------
    network : Module
        With layers in ``trans``.
    recipe : Recipe
    rate : float
        Prodigy begins with it and raises it; the others stay at it, but for a warm-up.

    Raises
    ------
    InvalidParameterError
        For an unknown optimizer.
    MissingDependencyError
        Without the package of Prodigy.
    """
    everything = list(network.parameters())
    if recipe.optimizer == "adam":
        return [torch.optim.Adam(everything, lr=rate, fused=True)]
    if recipe.optimizer == "adamw":
        return [torch.optim.AdamW(everything, lr=rate, betas=_BETAS, fused=True)]
    if recipe.optimizer == "prodigy":
        return [_prodigy(everything, rate)]
    if recipe.optimizer != "muon":
        raise InvalidParameterError(
            "optimizer must be one of 'adam', 'adamw', 'muon', 'prodigy'. Got "
            f"{recipe.optimizer!r}."
        )
    layers = network.get_submodule("trans")
    hidden = [each for each in layers.parameters() if each.dim() == 2]
    known = {id(each) for each in hidden}
    others = [each for each in everything if id(each) not in known]
    return [Muon(hidden, rate), torch.optim.AdamW(others, lr=rate, betas=_BETAS, fused=True)]


def _prodigy(parameters: list[nn.Parameter], rate: float) -> torch.optim.Optimizer:
    try:
        from prodigyopt import Prodigy
    except ImportError:
        raise missing_dependency("prodigyopt", "attention", "Prodigy") from None
    optimizer: torch.optim.Optimizer = Prodigy(
        parameters, betas=_BETAS, d0=rate, safeguard_warmup=True
    )
    return optimizer


class Muon(torch.optim.Optimizer):
    """Gradients' average, made nearly orthogonal: Muon (Jordan et al., 2024) of 2-D parameters.

    As ``torch.optim.Muon`` without weight decay, but in the precision of the parameters. torch's
    rounds to bfloat16, for which many processors have no fast product.

    Parameters
    ----------
    matrices : iterable of Tensor
        2-D.
    rate : float
    """

    def __init__(self, matrices: Iterable[Tensor], rate: float) -> None:
        super().__init__(matrices, {"lr": rate})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Move each matrix that has a gradient; return what ``closure`` does, called before."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for matrix in group["params"]:
                if matrix.grad is not None:
                    size = _SIZE * math.sqrt(max(matrix.shape))
                    direction = self._direction(matrix, matrix.grad)
                    matrix.sub_(direction, alpha=group["lr"] * size)
        return loss

    def _direction(self, matrix: Tensor, gradient: Tensor) -> Tensor:
        state = self.state[matrix]
        if not state:
            state["average"] = torch.zeros_like(matrix)
        average: Tensor = state["average"].lerp_(gradient, 1 - _MOMENTUM)
        return nearly_orthogonal(gradient.lerp(average, _MOMENTUM))


def nearly_orthogonal(matrix: Tensor) -> Tensor:
    """Return a matrix with the singular vectors of another, and singular values near 1.

    Five Newton-Schulz iterations bring them between about 0.7 and 1.2. They need the products of
    rows alone: those change with each iteration, the matrix itself once at the end.

    Parameters
    ----------
    matrix : Tensor of shape (m, n)

    Examples
    --------
    >>> found = nearly_orthogonal(torch.diag(torch.tensor([3.0, 1.0])))
    >>> bool((torch.linalg.svdvals(found) - 1.0).abs().max() < 0.35)
    True
    """
    is_tall = matrix.shape[0] > matrix.shape[1]
    found = matrix.T if is_tall else matrix
    found = found / found.norm().clamp(min=_LEAST_NORM)
    squares = found @ found.T
    product = change = _polynomial(squares)
    for _ in range(_N_ITERATIONS - 1):
        squares = change @ squares @ change
        change = _polynomial(squares)
        product = change @ product
    directions: Tensor = product @ found
    return directions.T if is_tall else directions


def _polynomial(squares: Tensor) -> Tensor:
    """Return what an iteration multiplies a matrix by, from the products of its rows."""
    first, third, fifth = _COEFFICIENTS
    change = torch.addmm(squares, squares, squares, beta=third, alpha=fifth)
    change.diagonal().add_(first)
    return change
