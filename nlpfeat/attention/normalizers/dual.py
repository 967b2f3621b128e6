"""Softmax over the keys times softmax over the queries."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from nlpfeat.attention.normalizers.normalizer import Normalizer, closed


@dataclass(frozen=True)
class Dual(Normalizer):
    """Dual softmax: the softmax over the keys times the softmax over the queries.

    A pair is heavy when each of the two prefers the other. Neither rows nor columns sum to one: a
    row sums to at most one, so the output is shrunk towards 0 where no preference is mutual (Sun
    and others, 2021, "LoFTR: detector-free local feature matching with transformers").

    `AttentionSpec` refuses it with one query, where it is the softmax over the keys, and under a
    causal mask, where the softmax over the queries would let a token see what comes after it.

    Examples
    --------
    >>> Dual()(torch.zeros(2, 2))
    tensor([[0.2500, 0.2500],
            [0.2500, 0.2500]])
    """

    name: ClassVar[str] = "dual"
    couples_queries: ClassVar[bool] = True

    def normalize(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        """Return the weights, as in `Normalizer.normalize`."""
        over_keys = torch.softmax(closed(scores, mask, -1), -1)
        return over_keys * torch.softmax(closed(scores, mask, -2), -2)
