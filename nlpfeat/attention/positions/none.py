"""No position: tokens are a bag, and attention treats every order of them alike."""

from dataclasses import dataclass
from typing import ClassVar

import torch

from nlpfeat.attention.positions.position import Position, PositionFunction


@dataclass(frozen=True)
class NoPosition(Position):
    """Attention sees which tokens there are, not where they stand.

    Permuting the tokens of a document permutes the outputs and changes nothing else.

    Examples
    --------
    >>> none = NoPosition().build(4, 16, 64, torch.Generator())
    >>> none.bias(torch.arange(3), torch.arange(3)) is None
    True
    """

    name: ClassVar[str] = "none"
    relative: ClassVar[bool] = True

    def build(
        self,
        n_heads: int,  # noqa: ARG002
        query_width: int,
        d_model: int,  # noqa: ARG002
        generator: torch.Generator,  # noqa: ARG002
    ) -> PositionFunction:
        """Return a module whose hooks are all neutral, and that draws nothing."""
        self.validate(query_width)
        return PositionFunction()
