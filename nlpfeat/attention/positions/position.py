"""What every kind of position has in common: settings that build a module, and a module with hooks.

A kind of position enters attention in one of four places, and a hook stands for each: added to the
tokens (``embed``), turning queries and keys (``rotate``), added to the scores (``bias``), or added
to the scores after the query was asked (``query_bias``). A hook that a kind does not use keeps its
neutral default, so that a caller may call all four and ask for no names.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from nlpfeat.errors import InvalidInputError


class PositionFunction(nn.Module):
    """A kind of position, built for one attention; every hook here is neutral.

    Positions are given as vectors of integers, never counted from 0 inside: one query at position
    57 of a decoder gets the same row as in the computation over all 58.
    """

    def embed(self, positions: Tensor) -> Tensor | None:  # noqa: ARG002
        """Return what is added to the tokens, once, before the first layer.

        Parameters
        ----------
        positions : Tensor of int64, shape (T,)

        Returns
        -------
        Tensor of shape (T, d_model), or None
            None where nothing is to be added.
        """
        return None

    def rotate(
        self,
        query: Tensor,
        key: Tensor,
        query_positions: Tensor,  # noqa: ARG002
        key_positions: Tensor,  # noqa: ARG002
    ) -> tuple[Tensor, Tensor]:
        """Return queries and keys, turned by their positions.

        Parameters
        ----------
        query : Tensor of shape (B, H, Q, D)
        key : Tensor of shape (B, G, K, D)
        query_positions, key_positions : Tensor of int64, shapes (Q,) and (K,)

        Returns
        -------
        query, key : Tensor of the same shapes and dtypes
        """
        return query, key

    def bias(
        self,
        query_positions: Tensor,  # noqa: ARG002
        key_positions: Tensor,  # noqa: ARG002
    ) -> Tensor | None:
        """Return what is added to the scores of every document.

        Parameters
        ----------
        query_positions, key_positions : Tensor of int64, shapes (Q,) and (K,)

        Returns
        -------
        Tensor of shape (H, Q, K), or None
            Finite; None where nothing is to be added.
        """
        return None

    def query_bias(
        self,
        query: Tensor,  # noqa: ARG002
        query_positions: Tensor,  # noqa: ARG002
        key_positions: Tensor,  # noqa: ARG002
    ) -> Tensor | None:
        """Return what is added to the scores and depends on the query's content.

        Parameters
        ----------
        query : Tensor of shape (B, H, Q, D)
        query_positions, key_positions : Tensor of int64, shapes (Q,) and (K,)

        Returns
        -------
        Tensor of shape (B, H, Q, K), or None
            None where nothing is to be added.
        """
        return None


@dataclass(frozen=True)
class Position(ABC):
    """The settings of a kind of position: small, frozen, hashable.

    Attributes
    ----------
    name : str
        The row of ``POSITIONS``.
    relative : bool
        True when a pair of tokens sees how far apart they stand and never where: the triple
        (x_i, x_j, i - j), and not the 4-tuple (x_i, x_j, i, j).
    """

    name: ClassVar[str]
    relative: ClassVar[bool]

    def validate(self, query_width: int) -> None:  # noqa: ARG002
        """Refuse settings that mean nothing; ``build`` calls it first.

        Parameters
        ----------
        query_width : int
            Width D of one query of one head.

        Raises
        ------
        InvalidParameterError
            When a setting, or the width that it meets, cannot be.
        """
        return

    @abstractmethod
    def build(
        self, n_heads: int, query_width: int, d_model: int, generator: torch.Generator
    ) -> PositionFunction:
        """Return the module; what is drawn at random is drawn from ``generator``, on the CPU.

        Parameters
        ----------
        n_heads : int
            Number of query heads H.
        query_width : int
            Width D of one query of one head.
        d_model : int
            Width of a token.
        generator : torch.Generator
            A generator of the CPU.

        Raises
        ------
        InvalidParameterError
            As ``validate`` does.
        """


def offsets_between(query_positions: Tensor, key_positions: Tensor) -> Tensor:
    """Return how far each key stands to the right of each query, j - i.

    Parameters
    ----------
    query_positions, key_positions : Tensor of integers, shapes (Q,) and (K,)

    Returns
    -------
    Tensor of int64, shape (Q, K)

    Raises
    ------
    InvalidInputError
        When positions are no vector of integers.

    Examples
    --------
    Three characters, 我 at 0, 爱 at 1 and 你 at 2; the last one asks about all:

    >>> offsets_between(torch.tensor([2]), torch.arange(3))
    tensor([[-2, -1,  0]])
    """
    queries = checked_positions(query_positions, "query_positions")
    keys = checked_positions(key_positions, "key_positions")
    return keys[None, :] - queries[:, None]


def checked_positions(positions: Tensor, parameter: str) -> Tensor:
    """Return ``positions`` as int64.

    Raises
    ------
    InvalidInputError
        When they are no vector of integers.

    Examples
    --------
    >>> checked_positions(torch.arange(3), "positions")
    tensor([0, 1, 2])
    """
    whole = not (
        positions.is_floating_point() or positions.is_complex() or positions.dtype == torch.bool
    )
    if positions.ndim == 1 and whole:
        return positions.long()
    raise InvalidInputError(
        f"{parameter} must be a vector of integers, such as torch.arange(n_tokens). "
        f"Got {positions.dtype} of shape {tuple(positions.shape)}."
    )


def exact_dtype(device: torch.device) -> torch.dtype:
    """Return the dtype in which angles are computed: float64, where the device has it.

    Sines of large angles are lost in half precision, whatever the dtype of the model.

    Examples
    --------
    >>> exact_dtype(torch.device("cpu"))
    torch.float64
    """
    return torch.float32 if device.type == "mps" else torch.float64
