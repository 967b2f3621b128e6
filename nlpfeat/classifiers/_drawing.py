"""What draws while a network is trained: each part from a generator of its own."""

import numpy as np
import torch
from torch import nn


class Drawing(nn.Module):
    """A part of a network that draws in training, from a generator that nothing else has.

    No generator that a process shares is drawn from, seeded or put back: two threads would take
    each other's numbers.
    """

    def __init__(self) -> None:
        super().__init__()
        #: On the device of the network; see ``start_drawing``.
        self.generator = torch.Generator()


def start_drawing(network: nn.Module, seed: int, device: torch.device) -> None:
    """Give each part of a network that draws a generator of its own.

    Parts are told apart by their place: one that is added behind all others changes nothing that
    they draw.

    Parameters
    ----------
    network : Module
    seed : int
        At least 0.
    device : torch.device
        Where the network is.

    Examples
    --------
    >>> first, second = nn.ModuleList([Drawing()]), nn.ModuleList([Drawing(), Drawing()])
    >>> for network in (first, second):
    ...     start_drawing(network, 5, torch.device("cpu"))
    >>> seeds = [part.generator.initial_seed() for part in (*first, *second)]
    >>> seeds[0] == seeds[1], seeds[1] == seeds[2]
    (True, False)
    """
    parts = [part for part in network.modules() if isinstance(part, Drawing)]
    for place, part in enumerate(parts):
        own = np.random.SeedSequence(seed, spawn_key=(place,)).generate_state(1, np.uint64)
        part.generator = torch.Generator(device).manual_seed(int(own[0]))
