"""Multi-dimensional score: a vector a pair."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from nlpfeat.attention.initialization import drawn_parameter
from nlpfeat.attention.scores.score import Score, ScoreFunction, check_heads


class MultiDimScoreFunction(ScoreFunction):
    """Wᵀ tanh(W_q q + W_k k + b), a vector of D scores a pair and head.

    Parameters
    ----------
    n_heads : int
        H.
    width : int
        D.
    generator : torch.Generator
        Where the weights are drawn; the bias begins at 0.
    """

    def __init__(self, n_heads: int, width: int, generator: torch.Generator) -> None:
        super().__init__()

        def square() -> nn.Parameter:
            return drawn_parameter(n_heads, width, width, generator=generator)

        self.query_weight = square()
        self.key_weight = square()
        self.bias = nn.Parameter(torch.zeros(n_heads, 1, width))
        self.output_weight = square()

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """Return the scores, of shape (B, H * D, Q, K); dimension d of head h is row h * D + d."""
        check_heads(query, *self.query_weight.shape[:2])
        left = query @ self.query_weight
        right = key @ self.key_weight + self.bias
        hidden = torch.tanh(left[..., :, None, :] + right[..., None, :, :])
        scores = hidden @ self.output_weight[:, None]
        return scores.movedim(-1, 2).flatten(1, 2)


@dataclass(frozen=True)
class MultiDimScore(Score):
    """Multi-dimensional score: z = Wᵀ tanh(W_q q + W_k k + b), with D numbers of any sign a pair.

    Each dimension of a head has its own softmax over the keys, and so its own weights: the output
    leaves the convex hull of the values, but not their bounding box (Shen and others, 2018,
    "DiSAN: directional self-attention network"). Their last bias is left out: added to all scores
    of a dimension alike, it changes no weight.

    It takes B · H · Q · K · D numbers, and as many weights come out; with few queries (pooling) it
    is cheap.

    Examples
    --------
    >>> function = MultiDimScore().build(2, 3, torch.Generator().manual_seed(0))
    >>> function(torch.ones(1, 2, 4, 3), torch.ones(1, 2, 5, 3)).shape
    torch.Size([1, 6, 4, 5])
    """

    name: ClassVar[str] = "multidim"
    is_product: ClassVar[bool] = False
    per_dimension: ClassVar[bool] = True

    def build(self, n_heads: int, width: int, generator: torch.Generator) -> MultiDimScoreFunction:
        """Return the function, as in `Score.build`."""
        return MultiDimScoreFunction(n_heads, width, generator)
