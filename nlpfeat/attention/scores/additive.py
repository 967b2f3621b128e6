"""Additive score: a small network over the sum of query and key."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from nlpfeat._validation import check_int
from nlpfeat.attention.initialization import drawn_parameter
from nlpfeat.attention.scores.score import Score, ScoreFunction, check_heads

#: How many numbers of (B, H, Q, K, D) may stand in memory at once.
MAX_ELEMENTS = 64_000_000


class AdditiveScoreFunction(ScoreFunction):
    """vᵀ tanh(W_q q + W_k k + b), with further layers tanh(W h + b) before v; all of them a head.

    Parameters
    ----------
    n_heads : int
        H.
    width : int
        D, of queries, keys and all hidden layers.
    n_layers : int
        Number of hidden layers, at least 1.
    generator : torch.Generator
        Where the weights are drawn; biases begin at 0.
    """

    def __init__(self, n_heads: int, width: int, n_layers: int, generator: torch.Generator) -> None:
        super().__init__()

        def square() -> nn.Parameter:
            return drawn_parameter(n_heads, width, width, generator=generator)

        self.query_weight = square()
        self.key_weight = square()
        self.bias = nn.Parameter(torch.zeros(n_heads, 1, width))
        self.deep_weights = nn.ParameterList([square() for _ in range(n_layers - 1)])
        self.deep_biases = nn.ParameterList(
            [nn.Parameter(torch.zeros(n_heads, 1, width)) for _ in range(n_layers - 1)]
        )
        #: v, of shape (H, D, 1).
        self.vector = drawn_parameter(n_heads, width, 1, generator=generator)

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """Return the scores, as in `ScoreFunction.forward`."""
        check_heads(query, *self.query_weight.shape[:2])
        # W [q; k] = W_q q + W_k k: the pairs are summed, never concatenated.
        left = query @ self.query_weight
        right = key @ self.key_weight + self.bias
        n_rows = left.shape[-2]
        numbers_a_row = left.shape[0] * left.shape[1] * right.shape[-2] * left.shape[-1]
        step = max(MAX_ELEMENTS // max(numbers_a_row, 1), 1)
        if step >= n_rows:
            return self._scores(left, right)
        # The hidden layers of a block of queries are computed again for the gradient: kept, all
        # blocks together would fill the memory that they were meant to save.
        return torch.cat(
            [
                checkpoint(self._scores, rows, right, use_reentrant=False, preserve_rng_state=False)
                for rows in torch.split(left, step, dim=-2)
            ],
            dim=-2,
        )

    def _scores(self, left: Tensor, right: Tensor) -> Tensor:
        """Return the scores of some queries (B, H, Q, D) with all keys (B, H, K, D)."""
        hidden = torch.tanh(left[..., :, None, :] + right[..., None, :, :])
        for weight, bias in zip(self.deep_weights, self.deep_biases):
            hidden = torch.tanh(hidden @ weight[:, None] + bias[:, None])
        return (hidden @ self.vector[:, None]).squeeze(-1)


@dataclass(frozen=True)
class AdditiveScore(Score):
    """Additive score: vᵀ tanh(W_q q + W_k k + b), between -|v|₁ and |v|₁.

    Not bilinear: what a key adds to the score depends on the query (Bahdanau, Cho and Bengio, 2015,
    "Neural machine translation by jointly learning to align and translate"). It takes B · H · Q · K
    · D numbers; where these are more than 64 million, the queries are worked off in blocks, with
    the same results.

    Parameters
    ----------
    n_layers : int, default 1
        Number of hidden layers, at least 1. Each beyond the first is tanh(W h + b) before v.

    Examples
    --------
    >>> function = AdditiveScore(n_layers=2).build(2, 3, torch.Generator().manual_seed(0))
    >>> function(torch.ones(1, 2, 4, 3), torch.ones(1, 2, 5, 3)).shape
    torch.Size([1, 2, 4, 5])
    """

    name: ClassVar[str] = "additive"
    is_product: ClassVar[bool] = False
    n_layers: int = 1

    def validate(self) -> None:
        """Check the settings, as in `Score.validate`."""
        check_int(self.n_layers, "n_layers", minimum=1)

    def build(self, n_heads: int, width: int, generator: torch.Generator) -> AdditiveScoreFunction:
        """Return the function, as in `Score.build`."""
        self.validate()
        return AdditiveScoreFunction(n_heads, width, self.n_layers, generator)
