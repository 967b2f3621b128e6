"""Softmax over the keys."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from nlpfeat.attention.normalizers.normalizer import Normalizer, closed


@dataclass(frozen=True)
class Softmax(Normalizer):
    """Softmax over the keys: A_ij = exp S_ij / Σ_j' exp S_ij'. Rows sum to one.

    The weights of a query depend on its own scores alone (Bahdanau, Cho and Bengio, 2015; Vaswani
    and others, 2017). A number added to all scores of a query changes nothing.

    Examples
    --------
    >>> Softmax()(torch.tensor([[0.0, 0.0, 9.0]]), torch.tensor([[True, True, False]]))
    tensor([[0.5000, 0.5000, 0.0000]])
    """

    name: ClassVar[str] = "softmax"

    def normalize(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        """Return the weights, as in `Normalizer.normalize`."""
        return torch.softmax(closed(scores, mask, -1), -1)
