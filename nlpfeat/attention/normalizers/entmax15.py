"""1.5-entmax over the keys."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from nlpfeat.attention.normalizers.normalizer import Normalizer, closed


@dataclass(frozen=True)
class Entmax15(Normalizer):
    """1.5-entmax, between softmax and sparsemax. Rows sum to one, some weights are 0.

    A_i = argmax_p p · S_i + H(p) over p ≥ 0 with Σ p = 1, H(p) = Σ (p - p^1.5) / 0.75 (Tsallis
    entropy of order 1.5), which is p_j = max(S_ij / 2 - τ_i, 0)² with the τ that makes the sum one
    (Peters, Niculae and Martins, 2019, "Sparse sequence-to-sequence models"). A score that is 2 or
    more below the highest has weight 0. No gradient reaches a key of weight 0.

    Examples
    --------
    >>> Entmax15()(torch.tensor([[-2.0, 0.0, 0.5]]))
    tensor([[0.0000, 0.3260, 0.6740]])
    """

    name: ClassVar[str] = "entmax15"

    def normalize(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        """Return the weights, as in `Normalizer.normalize`."""
        halves = closed(scores, mask, -1) / 2.0
        # Only differences count, and sums of small numbers keep more digits.
        halves = halves - halves.detach().amax(-1, keepdim=True)
        with torch.no_grad():
            # A half that is 1 or more below the highest has weight 0: cut off, no square overflows.
            support = _support(halves.clamp(min=-2.0))
        # Given the support the threshold has a closed form, which autograd differentiates: the
        # sorting need not be.
        size = support.sum(-1, keepdim=True)
        mean = halves.masked_fill(~support, 0.0).sum(-1, keepdim=True) / size
        away = (halves - mean).masked_fill(~support, 0.0)
        threshold = mean - ((1.0 - away.square().sum(-1, keepdim=True)) / size).sqrt()
        return (halves - threshold).masked_fill(~support, 0.0).clamp(min=0.0).square()


def _support(halves: Tensor) -> Tensor:
    """Return which weights are above 0: the k highest halves, above their own threshold τ(k)."""
    ordered = halves.sort(-1, descending=True).values
    ranks = torch.arange(1, halves.shape[-1] + 1, dtype=halves.dtype, device=halves.device)
    mean = ordered.cumsum(-1) / ranks
    squares = ordered.square().cumsum(-1) - ranks * mean.square()
    threshold = mean - ((1.0 - squares) / ranks).clamp(min=0.0).sqrt()
    size = (ordered > threshold).sum(-1, keepdim=True)
    # Equal halves are in or out together.
    return halves >= ordered.gather(-1, size - 1)
