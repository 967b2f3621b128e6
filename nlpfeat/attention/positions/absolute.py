"""Absolute positions: a vector for each place, added to the token (Vaswani and others, 2017)."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from nlpfeat._validation import check_bool, check_int
from nlpfeat.attention.positions.position import (
    Position,
    PositionFunction,
    checked_positions,
    exact_dtype,
)
from nlpfeat.errors import InvalidInputError

# The standard deviation that BERT and GPT draw their tables with.
_SPREAD = 0.02


@dataclass(frozen=True)
class AbsolutePosition(Position):
    """A vector p_i is added to the token at position i, before the first layer.

    The dot product of x_i + p_i and x_j + p_j has four terms: content with content, content with
    position, position with content, position with position. A pair sees (x_i, x_j, i, j), and a
    document that is shifted as a whole gets other scores.

    Parameters
    ----------
    max_length : int, default 512
        Number of rows of the learned table; unused by sinusoids, which have no last position.
    learned : bool, default True
        True: a table drawn from a normal distribution with standard deviation 0.02, and learned.
        False: the sinusoids of the paper, p[i, 2k] = sin(i / 10000^(2k/d)) and p[i, 2k+1] = cos of
        the same angle, fixed; each component is between -1 and 1.

    Examples
    --------
    >>> waves = AbsolutePosition(learned=False).build(1, 4, 4, torch.Generator())
    >>> waves.embed(torch.arange(2))
    tensor([[0.0000, 1.0000, 0.0000, 1.0000],
            [0.8415, 0.5403, 0.0100, 0.9999]])
    """

    name: ClassVar[str] = "absolute"
    relative: ClassVar[bool] = False

    max_length: int = 512
    learned: bool = True

    def validate(self, query_width: int) -> None:  # noqa: ARG002
        """Refuse a table without rows, and a ``learned`` that is no truth value."""
        check_int(self.max_length, "max_length of AbsolutePosition", minimum=1)
        check_bool(self.learned, "learned of AbsolutePosition")

    def build(
        self,
        n_heads: int,  # noqa: ARG002
        query_width: int,
        d_model: int,
        generator: torch.Generator,
    ) -> PositionFunction:
        """Return the table, drawn from ``generator``, or the sinusoids, which draw nothing."""
        self.validate(query_width)
        if self.learned:
            return LearnedPositions(self.max_length, d_model, generator)
        return SinusoidalPositions(d_model)


class LearnedPositions(PositionFunction):
    """A learned vector for each of ``max_length`` positions."""

    def __init__(self, max_length: int, d_model: int, generator: torch.Generator) -> None:
        super().__init__()
        table = torch.empty(max_length, d_model).normal_(std=_SPREAD, generator=generator)
        self.table = nn.Parameter(table)

    def embed(self, positions: Tensor) -> Tensor:
        """Return the rows of the table, shape (T, d_model).

        Positions on a GPU are no longer than the table, and count up from 0: to read them would
        wait for it in every step. Others may be any that the table has.

        Raises
        ------
        InvalidInputError
            When a position is negative or past the last row; on a GPU, when there are more
            positions than rows.
        """
        positions = checked_positions(positions, "positions")
        n_rows = len(self.table)
        wrong = _outside(positions, n_rows)
        if wrong is not None:
            raise InvalidInputError(
                f"positions must be between 0 and {n_rows - 1}: AbsolutePosition has "
                f"max_length={n_rows} learned vectors. Got {wrong}. "
                "Cut the documents, raise max_length, or take a relative position."
            )
        return self.table[positions.to(self.table.device)]


def _outside(positions: Tensor, n_rows: int) -> int | None:
    """Return a position that a table has no row for, if there is one."""
    if positions.device.type != "cpu":
        return len(positions) - 1 if len(positions) > n_rows else None
    if not len(positions):
        return None
    first, last = (int(each) for each in torch.aminmax(positions))
    if first < 0:
        return first
    return last if last >= n_rows else None


class SinusoidalPositions(PositionFunction):
    """Sines and cosines whose wavelengths grow from 2 pi to 10000 * 2 pi."""

    like: Tensor

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.d_model = d_model
        # Empty: it tells the dtype and the device that the module was moved to.
        self.register_buffer("like", torch.empty(0), persistent=False)

    def embed(self, positions: Tensor) -> Tensor:
        """Return the sinusoids at these positions, shape (T, d_model)."""
        positions = checked_positions(positions, "positions").to(self.like.device)
        dtype = exact_dtype(positions.device)
        steps = torch.arange(0, self.d_model, 2, dtype=dtype, device=positions.device)
        angles = positions.to(dtype)[:, None] * 10000.0 ** (-steps / self.d_model)
        waves = torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
        # An odd width has one sine more than cosines.
        return waves[:, : self.d_model].to(self.like)
