"""A learned bias for each distance, in buckets that grow with it (T5: Raffel and others, 2020)."""

from bisect import bisect_left
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from nlpfeat._validation import check_int
from nlpfeat.attention.positions.position import Position, PositionFunction, offsets_between
from nlpfeat.errors import InvalidParameterError


@dataclass(frozen=True)
class T5Position(Position):
    """b[h, bucket(j - i)] is added to the score of query i and key j in head h.

    Half of the buckets are for keys at or before the query, half for keys after it. Of each half,
    the first half holds one distance each, the rest grow by a constant factor up to
    ``max_distance``; all that is farther falls into the last one. The biases start at 0, which is
    attention without position; their gradient is not 0 there.

    Parameters
    ----------
    n_buckets : int, default 32
        Even, at least 4.
    max_distance : int, default 128
        Distance at which the last bucket would end; greater than ``n_buckets // 4``.

    Examples
    --------
    >>> distances = torch.tensor([0, 1, 7, 8, 11, 12, 127, 5000])
    >>> buckets_of(-distances, 32, 128)
    tensor([ 0,  1,  7,  8,  8,  9, 15, 15])
    >>> t5 = T5Position().build(4, 16, 64, torch.Generator())
    >>> t5.bias(torch.arange(3), torch.arange(3)).shape
    torch.Size([4, 3, 3])
    """

    name: ClassVar[str] = "t5"
    relative: ClassVar[bool] = True

    n_buckets: int = 32
    max_distance: int = 128

    def validate(self, query_width: int) -> None:  # noqa: ARG002
        """Refuse buckets that cannot be halved, and a distance that the exact buckets cover."""
        check_int(self.n_buckets, "n_buckets of T5Position", minimum=4)
        if self.n_buckets % 2:
            raise InvalidParameterError(
                "n_buckets of T5Position must be even: one half is for keys before the query, one "
                f"for keys after it. Got {self.n_buckets!r}."
            )
        least = self.n_buckets // 4 + 1
        check_int(self.max_distance, "max_distance of T5Position", minimum=least)

    def build(
        self,
        n_heads: int,
        query_width: int,
        d_model: int,  # noqa: ARG002
        generator: torch.Generator,  # noqa: ARG002
    ) -> PositionFunction:
        """Return the biases, all 0; nothing is drawn."""
        self.validate(query_width)
        return BucketBias(n_heads, self.n_buckets, self.max_distance)


class BucketBias(PositionFunction):
    """One learned number for each head and bucket."""

    buckets: Tensor

    def __init__(self, n_heads: int, n_buckets: int, max_distance: int) -> None:
        super().__init__()
        self.max_distance = max_distance
        self.table = nn.Parameter(torch.zeros(n_heads, n_buckets))
        # The bucket of every offset is looked up, never computed again, whatever the lengths of
        # the documents: beyond max_distance all offsets share a bucket, so the list is short.
        offsets = torch.arange(-max_distance, max_distance + 1)
        buckets = buckets_of(offsets, n_buckets, max_distance)
        self.register_buffer("buckets", buckets, persistent=False)

    def bias(self, query_positions: Tensor, key_positions: Tensor) -> Tensor:
        """Return the bias of each pair, shape (H, Q, K), in the dtype of the table."""
        offsets = offsets_between(query_positions, key_positions).to(self.buckets.device)
        places = offsets.clamp(-self.max_distance, self.max_distance) + self.max_distance
        return self.table[:, self.buckets[places]]


def buckets_of(offsets: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    """Return the bucket of each offset j - i.

    Parameters
    ----------
    offsets : Tensor of int64, any shape
        How far the key stands to the right of the query.
    n_buckets : int
        Even, at least 4; the upper half is for keys after the query.
    max_distance : int
        Where the last bucket would end.

    Returns
    -------
    Tensor of int64, the same shape
        From 0 to ``n_buckets - 1``.

    Notes
    -----
    With N buckets on one side, E = N // 2 of them exact, distance n >= E falls into bucket
    E + floor((N - E) log(n / E) / log(max_distance / E)), and never past N - 1. Where buckets begin
    is found with whole numbers here, so that no rounded logarithm decides a border.

    Examples
    --------
    >>> buckets_of(torch.tensor([-2, -1, 0, 1, 2]), 32, 128)
    tensor([ 2,  1,  0, 17, 18])
    """
    n_side = n_buckets // 2
    begins = torch.tensor(_bucket_begins(n_side, max_distance), device=offsets.device)
    bucket = torch.bucketize(offsets.abs(), begins, right=True)
    return bucket + n_side * (offsets > 0)


def _bucket_begins(n_side: int, max_distance: int) -> list[int]:
    """Return the least distance of bucket 1, 2, ..., n_side - 1."""
    exact = n_side // 2
    n_wide = n_side - exact
    begins = list(range(1, exact + 1))
    for step in range(1, n_wide):
        # log(n / E) / log(M / E) >= step / n_wide, without logarithms.
        border = exact ** (n_wide - step) * max_distance**step
        begins.append(bisect_left(range(max_distance), border, key=lambda n: n**n_wide))
    return begins
