"""The two halves of a score: small settings, and the function that they build."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from nlpfeat.errors import InvalidInputError


def check_heads(query: Tensor, n_heads: int, width: int) -> None:
    """Raise when queries are not those that a score was built for; one head serves all.

    Parameters
    ----------
    query : Tensor of shape (B, H, Q, D)
    n_heads, width : int
        What the score was built with.

    Raises
    ------
    InvalidInputError

    Examples
    --------
    >>> check_heads(torch.zeros(1, 4, 3, 8), n_heads=4, width=8)
    """
    if n_heads not in (1, query.shape[1]) or width != query.shape[-1]:
        raise InvalidInputError(
            f"query must have the heads and the width that the score was built for, {n_heads} and "
            f"{width}. Got {query.shape[1]} and {query.shape[-1]}. "
            f"Build it with build({query.shape[1]}, {query.shape[-1]}, generator)."
        )


class ScoreFunction(nn.Module, ABC):
    """How well each query fits each key: one number a pair and head."""

    def prepare(self, query: Tensor, key: Tensor) -> tuple[Tensor, Tensor] | None:  # noqa: ARG002
        """Return (q', k') when the score is the product q' k'ᵀ, else None.

        Fused kernels take such a pair with a scale of 1: every factor is already inside q'.

        Parameters
        ----------
        query : Tensor of shape (B, H, Q, D)
            Projected queries.
        key : Tensor of shape (B, H, K, D)
            Projected keys, repeated to the heads of the queries.
        """
        return None

    @abstractmethod
    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """Return the scores.

        Parameters
        ----------
        query : Tensor of shape (B, H, Q, D)
            Projected queries.
        key : Tensor of shape (B, H, K, D)
            Projected keys, repeated to the heads of the queries.

        Returns
        -------
        Tensor of shape (B, H, Q, K)
            In the dtype of the queries. Scores with ``per_dimension`` give (B, H * D, Q, K): a
            softmax a dimension is a head a dimension.
        """


class ProductScoreFunction(ScoreFunction):
    """A score that is a product of what `prepare` gives; subclasses write `prepare`."""

    @abstractmethod
    def prepare(self, query: Tensor, key: Tensor) -> tuple[Tensor, Tensor]:
        """Return (q', k'), as in `ScoreFunction.prepare`; never None."""

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """Return q' k'ᵀ, as in `ScoreFunction.forward`."""
        prepared_query, prepared_key = self.prepare(query, key)
        return prepared_query @ prepared_key.mT


@dataclass(frozen=True)
class Score(ABC):
    """Settings of a score. They are stored as given; `validate` checks them."""

    name: ClassVar[str]
    #: Whether keys are projected to the width of a head. If not, all heads see the raw tokens.
    projects_keys: ClassVar[bool] = True
    #: Whether it is a product of what queries and keys are: what fused kernels and rope need.
    is_product: ClassVar[bool] = True
    #: Whether each dimension of a head has its own scores, and so its own weights.
    per_dimension: ClassVar[bool] = False

    def validate(self) -> None:
        """Check the settings.

        Raises
        ------
        InvalidParameterError
            For a setting that is out of its range.
        """
        return

    def query_width(self, d_model: int, d_head: int) -> int:  # noqa: ARG002
        """Return the width of a projected query: ``d_head``, unless the score needs another."""
        return d_head

    @abstractmethod
    def build(self, n_heads: int, width: int, generator: torch.Generator) -> ScoreFunction:
        """Return the function, with its initial parameters.

        Parameters
        ----------
        n_heads : int
            H, at least 1.
        width : int
            D, the width of a projected query: what `query_width` returned.
        generator : torch.Generator
            Where the parameters are drawn, on the CPU. A score without random parameters draws
            nothing.

        Raises
        ------
        InvalidParameterError
            As `validate`.
        """
