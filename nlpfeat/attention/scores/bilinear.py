"""Bilinear form of two tokens, with a matrix of full rank."""

from dataclasses import dataclass
from typing import ClassVar

import torch

from nlpfeat.attention.scores.dot import DotScoreFunction
from nlpfeat.attention.scores.score import Score


@dataclass(frozen=True)
class BilinearScore(Score):
    """Bilinear form: x_i W x_jᵀ / √d_model, of any sign.

    The query x_i W has the width of the model and meets the raw token x_j: keys are not projected,
    and all heads share them. So W = W_Q W_Kᵀ is not held to the rank of a head, as it is with
    `DotScore` (Luong, Pham and Manning, 2015, "general"). The matrix W of each head is the
    projection of the queries; the function itself has no parameters. Luong's form has no root,
    which W could absorb; it keeps the scores of new networks at variance 1.

    Examples
    --------
    >>> BilinearScore().query_width(d_model=8, d_head=2)
    8
    >>> query, key = torch.ones(1, 1, 1, 4), torch.tensor([[[[1.0, 1, 1, 1], [1, -1, 1, -1]]]])
    >>> BilinearScore().build(1, 4, torch.Generator())(query, key)
    tensor([[[[2., 0.]]]])
    """

    name: ClassVar[str] = "bilinear"
    projects_keys: ClassVar[bool] = False

    def query_width(self, d_model: int, d_head: int) -> int:  # noqa: ARG002
        """Return ``d_model``: queries meet raw tokens."""
        return d_model

    def build(
        self,
        n_heads: int,  # noqa: ARG002
        width: int,  # noqa: ARG002
        generator: torch.Generator,  # noqa: ARG002
    ) -> DotScoreFunction:
        """Return the function, as in `Score.build`: the scaled dot product over ``width``."""
        return DotScoreFunction()
