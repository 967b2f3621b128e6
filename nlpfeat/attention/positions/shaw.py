"""A learned vector for each distance, which the query is asked about (Shaw and others, 2018)."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from nlpfeat._validation import check_int
from nlpfeat.attention.positions.position import Position, PositionFunction, offsets_between

# Small beside a query of unit variance: attention starts almost without position.
_SPREAD = 0.02


@dataclass(frozen=True)
class ShawPosition(Position):
    """q_i . a[clip(j - i, -k, k)] / sqrt(D) is added to the score of query i and key j.

    Unlike a plain bias, what a distance is worth depends on the word that asks. The vectors are
    shared by all heads, as in the paper. (The paper's second table, added to the values, is not
    built here.) They start normal with standard deviation 0.02.

    Parameters
    ----------
    max_distance : int, default 16
        The k of the formula: keys that are farther count as if they stood there.

    Examples
    --------
    >>> shaw = ShawPosition(max_distance=2).build(1, 4, 4, torch.Generator().manual_seed(0))
    >>> shaw.table.shape
    torch.Size([5, 4])
    >>> query = torch.ones(1, 1, 6, 4)
    >>> row = shaw.query_bias(query, torch.arange(6), torch.arange(6))[0, 0, 0]
    >>> bool((row[2:] == row[2]).all())
    True
    """

    name: ClassVar[str] = "shaw"
    relative: ClassVar[bool] = True

    max_distance: int = 16

    def validate(self, query_width: int) -> None:  # noqa: ARG002
        """Refuse a distance below 1."""
        check_int(self.max_distance, "max_distance of ShawPosition", minimum=1)

    def build(
        self,
        n_heads: int,  # noqa: ARG002
        query_width: int,
        d_model: int,  # noqa: ARG002
        generator: torch.Generator,
    ) -> PositionFunction:
        """Return the vectors, drawn from ``generator``."""
        self.validate(query_width)
        return DistanceVectors(self.max_distance, query_width, generator)


class DistanceVectors(PositionFunction):
    """A learned vector for each offset from ``-max_distance`` to ``max_distance``."""

    def __init__(self, max_distance: int, width: int, generator: torch.Generator) -> None:
        super().__init__()
        self.max_distance = max_distance
        table = torch.empty(2 * max_distance + 1, width)
        self.table = nn.Parameter(table.normal_(std=_SPREAD, generator=generator))

    def query_bias(self, query: Tensor, query_positions: Tensor, key_positions: Tensor) -> Tensor:
        """Return the score of each query with the vector of each offset, shape (B, H, Q, K)."""
        offsets = offsets_between(query_positions, key_positions).to(query.device)
        places = offsets.clamp(-self.max_distance, self.max_distance) + self.max_distance
        # Each query meets the 2k + 1 vectors once; the K keys then only look the product up.
        products = (query * query.shape[-1] ** -0.5) @ self.table.to(query).T
        bias: Tensor = products.gather(-1, places.expand(*query.shape[:2], *places.shape))
        return bias
