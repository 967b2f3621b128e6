"""Cosine of query and key, times a learned scale."""

from dataclasses import dataclass
from math import log
from typing import ClassVar

import torch
from torch import Tensor, nn

from nlpfeat._validation import check_real
from nlpfeat.attention.scores.score import ProductScoreFunction, Score, check_heads


class CosineScoreFunction(ProductScoreFunction):
    """g_h cos(q, k), with a positive scale g_h a head.

    Parameters
    ----------
    n_heads : int
        H.
    scale : float
        Initial value of every g_h, above 0.
    """

    def __init__(self, n_heads: int, scale: float) -> None:
        super().__init__()
        #: ln g_h, of shape (H,): the scale stays positive whatever the optimizer does.
        self.log_scale = nn.Parameter(torch.full((n_heads,), log(scale)))

    def prepare(self, query: Tensor, key: Tensor) -> tuple[Tensor, Tensor]:
        """Return (g_h q / |q|, k / |k|)."""
        check_heads(query, len(self.log_scale), query.shape[-1])
        scale = self.log_scale.exp().to(query.dtype)[:, None, None]
        return scale * _unit(query), _unit(key)


@dataclass(frozen=True)
class CosineScore(Score):
    """Cosine: g_h cos(q, k), between -g_h and g_h, with a learned scale g_h > 0 a head.

    The lengths of the tokens do not matter, so that no token draws attention by its norm alone,
    and the scores are bounded (Henry and others, 2020, "Query-key normalization for transformers").
    A zero vector has cosine 0 with everything.

    Parameters
    ----------
    scale : float, optional
        Initial g_h, above 0. By default √D: the cosine of random vectors has variance 1 / D, so
        that the scores begin with variance 1, as those of `DotScore` do.

    Examples
    --------
    >>> query, key = torch.tensor([[[[3.0, 4.0]]]]), torch.tensor([[[[30.0, 40.0], [-4.0, 3.0]]]])
    >>> function = CosineScore(scale=10.0).build(1, 2, torch.Generator())
    >>> function(query, key).detach().round(decimals=4)
    tensor([[[[10., 0.]]]])
    """

    name: ClassVar[str] = "cosine"
    scale: float | None = None

    def validate(self) -> None:
        """Check the settings, as in `Score.validate`."""
        if self.scale is not None:
            check_real(self.scale, "scale", above=0.0)

    def build(
        self,
        n_heads: int,
        width: int,
        generator: torch.Generator,  # noqa: ARG002
    ) -> CosineScoreFunction:
        """Return the function, as in `Score.build`; nothing is drawn."""
        self.validate()
        return CosineScoreFunction(n_heads, width**0.5 if self.scale is None else self.scale)


def _unit(vectors: Tensor) -> Tensor:
    """Divide vectors by their lengths; a zero vector stays, with the gradient of the identity."""
    length: Tensor = torch.linalg.vector_norm(vectors, dim=-1, keepdim=True)
    return vectors / length.masked_fill(length == 0.0, 1.0)
