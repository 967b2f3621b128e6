"""What is particular to a kind of network: all kinds are fitted, stored and loaded alike."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from torch import nn

from nlpfeat._validation import check_int, check_real
from nlpfeat.classifiers._text_network import TextNetwork
from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors import FittedPrior, Prior

if TYPE_CHECKING:
    from nlpfeat.classifiers._text_network import NetworkSizes

Fitted: TypeAlias = Sequence[tuple[Prior, FittedPrior]]

Parts: TypeAlias = dict[str, Any]
"""The settings of a network as a flat dict of plain values: what a classifier keeps of them."""


def _check_nothing(parts: Parts, priors: Sequence[Prior]) -> None:
    pass


@dataclass(frozen=True)
class Architecture:
    """A kind of network.

    Parameters
    ----------
    settings_of : callable
        Parts → settings, checked: parts may come from a file that was made to do harm.
    numbers_of : callable
        Settings and priors → how many numbers each part of the network learns, before any is made.
    build : callable
        Settings, priors and a generator of the CPU → the network.
    check : callable
        Refuses parts and priors that mean nothing together, before any text is read.
    """

    settings_of: Callable[[Parts], "NetworkSizes"]
    numbers_of: Callable[[Any, Fitted], Iterator[int]]
    build: Callable[[Any, Fitted, torch.Generator], TextNetwork]
    check: Callable[[Parts, Sequence[Prior]], None] = _check_nothing


def checked_numbers(
    parts: Parts, sizes: Mapping[str, int], shares: Collection[str], others: Collection[str] = ()
) -> dict[str, Any]:
    """Return sizes and shares of a network, once all parts are known to be there.

    Parameters
    ----------
    parts : dict
    sizes : mapping of str to int
        The whole numbers, with the least that each may be.
    shares : collection of str
    others : collection of str
        What else must be there.

    Raises
    ------
    InvalidParameterError
        For a part that is missing, unknown, or cannot be.

    Examples
    --------
    >>> checked_numbers({"d_model": 8, "dropout": 0.5}, {"d_model": 1}, ["dropout"])
    {'d_model': 8, 'dropout': 0.5}
    """
    known = {*others, *sizes, *shares}
    if parts.keys() != known:
        raise InvalidParameterError(
            f"A network has the parts {sorted(known)}. Got {sorted(parts)}."
        )
    numbers: dict[str, Any] = {
        name: check_int(parts[name], name, minimum=least) for name, least in sizes.items()
    }
    return numbers | {name: check_real(parts[name], name) for name in shares}


def n_numbers(module: nn.Module) -> int:
    """Return how many numbers a module learns."""
    return sum(each.numel() for each in module.parameters())
