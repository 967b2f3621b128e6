"""A penalty that grows with distance, nothing learned (ALiBi: Press, Smith and Lewis, 2022)."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from nlpfeat.attention.positions.position import Position, PositionFunction, offsets_between


@dataclass(frozen=True)
class AlibiPosition(Position):
    """-m_h |i - j| is added to the score of query i and key j in head h.

    The paper has it for decoders, where keys stand before their query; the symmetric form serves
    encoders too, and is the same there. With H a power of two, m_h = 2^(-8 h / H) for h = 1 ... H.

    Examples
    --------
    >>> alibi_slopes(4)
    [0.25, 0.0625, 0.015625, 0.00390625]
    >>> alibi = AlibiPosition().build(4, 16, 64, torch.Generator())
    >>> alibi.bias(torch.arange(3), torch.arange(3))[0]
    tensor([[ 0.0000, -0.2500, -0.5000],
            [-0.2500,  0.0000, -0.2500],
            [-0.5000, -0.2500,  0.0000]])
    """

    name: ClassVar[str] = "alibi"
    relative: ClassVar[bool] = True

    def build(
        self,
        n_heads: int,
        query_width: int,
        d_model: int,  # noqa: ARG002
        generator: torch.Generator,  # noqa: ARG002
    ) -> PositionFunction:
        """Return the penalties; nothing is drawn, nothing learned."""
        self.validate(query_width)
        return LinearPenalty(n_heads)


class LinearPenalty(PositionFunction):
    """One slope for each head."""

    slopes: Tensor

    def __init__(self, n_heads: int) -> None:
        super().__init__()
        slopes = torch.tensor(alibi_slopes(n_heads))
        self.register_buffer("slopes", slopes, persistent=False)

    def bias(self, query_positions: Tensor, key_positions: Tensor) -> Tensor:
        """Return the penalty of each pair, shape (H, Q, K), 0 or below."""
        offsets = offsets_between(query_positions, key_positions).to(self.slopes.device)
        return self.slopes[:, None, None] * -offsets.abs()


def alibi_slopes(n_heads: int) -> list[float]:
    """Return the slope of each head, steepest first among the heads of each series.

    A number of heads that is no power of two takes the slopes of the next lower power, then every
    second slope of the next higher one, as the paper's code does.

    Examples
    --------
    >>> alibi_slopes(3)
    [0.0625, 0.00390625, 0.25]
    """
    lower = 2 ** (n_heads.bit_length() - 1)
    higher = [2.0 ** (-8 * head / (2 * lower)) for head in range(1, 2 * lower, 2)]
    slopes = [2.0 ** (-8 * head / lower) for head in range(1, lower + 1)]
    return slopes + higher[: n_heads - lower]
