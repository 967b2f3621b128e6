"""Sparsemax over the keys."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from nlpfeat.attention.normalizers.normalizer import Normalizer, closed


@dataclass(frozen=True)
class Sparsemax(Normalizer):
    """Sparsemax: the point of the simplex nearest to the scores. Rows sum to one, many weights 0.

    A_i = argmin_p |p - S_i|² over p ≥ 0 with Σ p = 1, which is p_j = max(S_ij - τ_i, 0) with the τ
    that makes the sum one (Martins and Astudillo, 2016, "From softmax to sparsemax"). A score that
    is 1 or more below the highest has weight 0. No gradient reaches a key of weight 0.

    Examples
    --------
    >>> Sparsemax()(torch.tensor([[-2.0, 0.0, 0.5]]))
    tensor([[0.0000, 0.2500, 0.7500]])
    """

    name: ClassVar[str] = "sparsemax"

    def normalize(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        """Return the weights, as in `Normalizer.normalize`."""
        scores = closed(scores, mask, -1)
        # Only differences count, and sums of small numbers keep more digits.
        scores = scores - scores.detach().amax(-1, keepdim=True)
        with torch.no_grad():
            support = _support(scores)
        # Given the support the threshold is a mean, which autograd differentiates: the sorting
        # need not be.
        inside = scores.masked_fill(~support, 0.0)
        size = support.sum(-1, keepdim=True)
        threshold = (inside.sum(-1, keepdim=True) - 1.0) / size
        return (scores - threshold).masked_fill(~support, 0.0).clamp(min=0.0)


def _support(scores: Tensor) -> Tensor:
    """Return which weights are above 0: the k highest scores with 1 + k S_(k) > Σ_j≤k S_(j)."""
    ordered = scores.sort(-1, descending=True).values
    ranks = torch.arange(1, scores.shape[-1] + 1, dtype=scores.dtype, device=scores.device)
    size = (1.0 + ranks * ordered > ordered.cumsum(-1)).sum(-1, keepdim=True)
    # Equal scores are in or out together.
    return scores >= ordered.gather(-1, size - 1)
