"""One training of a small Transformer on (a + 1)² + b, and how good it became."""

import math
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import torch
from torch import Tensor, nn

from nlpfeat.claims.machine import machine
from nlpfeat.claims.trainability.network import build
from nlpfeat.claims.trainability.optimizers import optimizers
from nlpfeat.claims.trainability.runs import Outcome
from nlpfeat.claims.trainability.settings import (
    D_INPUT,
    LENGTH,
    N_STEPS,
    N_TEST,
    TRAINED,
    Recipe,
    Setting,
)

_N_TEST_WITHOUT_DROPOUT = 200
_WINDOW = 20  # steps whose mean loss tells whether a loss is reached
_CURVE_STEP = 10


def run(
    setting: Setting,
    recipe: Recipe,
    seed: int,
    *,
    device: str = "cpu",
    n_steps: int = N_STEPS,
    n_test: int = N_TEST,
    on_step: Callable[[int], None] | None = None,
) -> Outcome:
    """Train a network, and measure it with dropout on and off.

    Every batch is new. Input and target stand at the same place, so nothing has to be attended to.

    Parameters
    ----------
    setting : Setting
    recipe : Recipe
    seed : int
        What is drawn: weights, data and dropout. torch's global generator is as before afterwards.
    device : str, default "cpu"
    n_steps, n_test : int
    on_step : callable, optional
        Called with the number of steps that are done.

    Returns
    -------
    Outcome

    Raises
    ------
    InvalidParameterError
        For an unknown initialization, residual or optimizer.
    """
    place = torch.device(device)
    with torch.random.fork_rng([place] if place.type == "cuda" else []):
        torch.manual_seed(seed)
        network = build(setting, recipe).to(place).train()
        start = time.perf_counter()
        losses = list(_train(network, setting, recipe, n_steps, on_step or _ignore))
        seconds = time.perf_counter() - start
        with_dropout = _measured(network, setting, n_test)
        without = _measured(network.eval(), setting, min(n_test, _N_TEST_WITHOUT_DROPOUT))
    curve = [_mean(losses[at : at + _CURVE_STEP]) for at in range(0, len(losses), _CURVE_STEP)]
    return Outcome(
        loss=with_dropout,
        loss_without_dropout=without,
        steps_to_trained=steps_to(TRAINED, losses),
        curve=curve,
        seconds=seconds,
        date=datetime.now(UTC).date().isoformat(),
        machine=f"{machine(device)}, torch {torch.__version__}",
    )


def steps_to(loss: float, losses: list[float]) -> int | None:
    """Return after how many steps the mean of the last 20 losses was below ``loss``.

    Examples
    --------
    >>> steps_to(1.0, [3.0] * 20 + [0.5] * 20)
    37
    """
    for end in range(_WINDOW, len(losses) + 1):
        if _mean(losses[end - _WINDOW : end]) < loss:
            return end
    return None


def _train(
    network: nn.Module,
    setting: Setting,
    recipe: Recipe,
    n_steps: int,
    on_step: Callable[[int], None],
) -> Iterator[float]:
    """Yield the loss of each step; end early where it is no longer finite."""
    movers = optimizers(network, recipe, setting.learning_rate)
    groups = [group for mover in movers for group in mover.param_groups]
    rates = [group["lr"] for group in groups]
    warmup = recipe.adapted(setting).warmup
    for step in range(n_steps):
        for group, rate in zip(groups, rates):
            group["lr"] = rate * min(1.0, (step + 1) / max(1, warmup))
        loss = _loss(network, setting)
        network.zero_grad()
        loss.backward()
        if recipe.clip is not None:
            nn.utils.clip_grad_norm_(network.parameters(), recipe.clip)
        for mover in movers:
            mover.step()
        found = float(loss.detach())
        yield found
        on_step(step + 1)
        if not math.isfinite(found):
            return


def _loss(network: nn.Module, setting: Setting) -> Tensor:
    """Return half the mean squared error on a new batch."""
    device = next(network.parameters()).device
    shape = (setting.batch_size, LENGTH, D_INPUT)
    a, b = torch.randn(shape, device=device), torch.randn(shape, device=device)
    error: Tensor = network(torch.cat([a, b], dim=-1)) - ((a + 1) ** 2 + b)
    return 0.5 * (error**2).mean()


@torch.no_grad()
def _measured(network: nn.Module, setting: Setting, n_batches: int) -> float:
    mean = _mean([float(_loss(network, setting)) for _ in range(n_batches)])
    return mean if math.isfinite(mean) else math.inf


def _mean(losses: list[float]) -> float:
    return math.fsum(losses) / len(losses)


def _ignore(step: int) -> None:
    """Show nothing."""
