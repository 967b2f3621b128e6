"""Scaled dot product of query and key."""

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import torch
from torch import Tensor

from nlpfeat.attention.scores.score import ProductScoreFunction, Score


class DotScoreFunction(ProductScoreFunction):
    """q · k / √D. It has no parameters."""

    def prepare(self, query: Tensor, key: Tensor) -> tuple[Tensor, Tensor]:
        """Return (q / √D, k)."""
        return query / sqrt(query.shape[-1]), key


@dataclass(frozen=True)
class DotScore(Score):
    """Scaled dot product: q · k / √D, of any sign.

    With components of mean 0 and variance 1, q · k has variance D; the root of the width brings it
    back to 1, so that the softmax does not begin saturated (Vaswani and others, 2017, "Attention
    is all you need").

    The score is bilinear in the two tokens, of rank at most D, when the projections have no bias.

    Examples
    --------
    The one query of width 4 scores two keys:

    >>> query, key = torch.ones(1, 1, 1, 4), torch.tensor([[[[1.0, 1, 1, 1], [1, -1, 1, -1]]]])
    >>> DotScore().build(1, 4, torch.Generator())(query, key)
    tensor([[[[2., 0.]]]])
    """

    name: ClassVar[str] = "dot"

    def build(
        self,
        n_heads: int,  # noqa: ARG002
        width: int,  # noqa: ARG002
        generator: torch.Generator,  # noqa: ARG002
    ) -> DotScoreFunction:
        """Return the function, as in `Score.build`; the dot product has no parameters."""
        return DotScoreFunction()
