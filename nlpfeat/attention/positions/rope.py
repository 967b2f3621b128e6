"""Queries and keys turned by their positions (RoPE: Su and others, 2021)."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from nlpfeat._validation import check_real
from nlpfeat.attention.positions.position import (
    Position,
    PositionFunction,
    checked_positions,
    exact_dtype,
)
from nlpfeat.errors import InvalidParameterError


@dataclass(frozen=True)
class RopePosition(Position):
    """Components (2k, 2k + 1) of query and key are turned by the angle p * base^(-2k / D).

    The dot product of a query turned by i and a key turned by j depends on j - i only, and stays
    bilinear in the two contents. Lengths of queries and keys do not change; nothing is learned.

    Parameters
    ----------
    base : float, default 10000.0
        Above 0; a greater base turns slower.

    Examples
    --------
    >>> rope = RopePosition().build(1, 2, 2, torch.Generator())
    >>> east = torch.tensor([[[[1.0, 0.0]]]])
    >>> query, key = rope.rotate(east, east, torch.tensor([1]), torch.tensor([3]))
    >>> round(float(query.flatten() @ key.flatten()), 4)  # the cosine of 3 - 1 radians
    -0.4161
    """

    name: ClassVar[str] = "rope"
    relative: ClassVar[bool] = True

    base: float = 10000.0

    def validate(self, query_width: int) -> None:
        """Refuse a base at or below 0, and a width that does not fall into pairs."""
        check_real(self.base, "base of RopePosition", above=0.0)
        if query_width % 2:
            raise InvalidParameterError(
                "RopePosition turns components in pairs, so the width of a query must be even. "
                f"Got {query_width}. Choose an even d_head, or position='alibi'."
            )

    def build(
        self,
        n_heads: int,  # noqa: ARG002
        query_width: int,
        d_model: int,  # noqa: ARG002
        generator: torch.Generator,  # noqa: ARG002
    ) -> PositionFunction:
        """Return the rotation; nothing is drawn, nothing learned."""
        self.validate(query_width)
        return Rotation(float(self.base))


class Rotation(PositionFunction):
    """A rotation of each pair of components, by an angle that grows with the position."""

    def __init__(self, base: float) -> None:
        super().__init__()
        self.base = base

    def rotate(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return query and key, each turned by its own positions; dtypes and shapes stay."""
        query_positions = checked_positions(query_positions, "query_positions")
        key_positions = checked_positions(key_positions, "key_positions")
        return self._turned(query, query_positions), self._turned(key, key_positions)

    def _turned(self, x: Tensor, positions: Tensor) -> Tensor:
        # Angles are computed anew, in float64: a table of frequencies that moves with the model
        # would be rounded to its dtype, and the error grows with the position.
        dtype = exact_dtype(x.device)
        steps = torch.arange(0, x.shape[-1], 2, dtype=dtype, device=x.device)
        frequencies = self.base ** (-steps / x.shape[-1])
        angles = positions.to(device=x.device, dtype=dtype)[:, None] * frequencies
        # A pair as one complex number is turned by one product, a third of the time of four real
        # ones. There are no complex numbers of less than 32 bits a part.
        wide = x if x.dtype in (torch.float32, torch.float64) else x.float()
        turn = torch.complex(angles.cos().to(wide), angles.sin().to(wide))
        wide = wide.contiguous()
        if wide.storage_offset() % 2:  # part of another tensor, so that its pairs lie across
            wide = wide.clone()
        pairs = torch.view_as_complex(wide.unflatten(-1, (-1, 2)))
        return torch.view_as_real(pairs * turn).flatten(-2).to(x.dtype)
