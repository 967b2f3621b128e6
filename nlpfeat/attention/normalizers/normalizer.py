"""From scores to weights: what all normalizers share, which is above all the mask.

Masks are boolean, True = a real pair. They are laid over the scores by ``masked_fill``, never
added: no value that stands at a masked place, be it NaN or infinite, reaches a weight or a
gradient.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf
from typing import ClassVar

import torch
from torch import Tensor

from nlpfeat.errors import InvalidInputError

_HALF = (torch.float16, torch.bfloat16)


def closed(scores: Tensor, mask: Tensor | None, dim: int) -> Tensor:
    """Return the scores with -inf off the mask, ready for a softmax along ``dim``.

    A line along ``dim`` without any real place is 0 throughout: a softmax of it is finite, and so
    is its gradient. Whoever calls sets its weights to 0 afterwards.

    Parameters
    ----------
    scores : Tensor of shape (..., Q, K)
        Any values; those off the mask do not matter.
    mask : bool Tensor that broadcasts to the scores, or None
        True = a real pair. It has as many dimensions as the scores.
    dim : int
        -1 (a line is a query's) or -2 (a line is a key's).

    Examples
    --------
    >>> mask = torch.tensor([[True, True, False], [False, False, False]])
    >>> closed(torch.ones(2, 3), mask, -1)
    tensor([[1., 1., -inf],
            [0., 0., 0.]])
    """
    if mask is None:
        return scores
    nowhere = ~mask.any(dim, keepdim=True)
    return scores.masked_fill(~mask, -inf).masked_fill(nowhere, 0.0)


@dataclass(frozen=True)
class Normalizer(ABC):
    """Settings of a normalizer, which is called with scores and gives weights.

    The settings are stored as given; `validate` checks them, and every call does.
    """

    name: ClassVar[str]
    #: Whether the weights of one query depend on the scores of the others. Masks must then exclude
    #: padded queries as well as padded keys.
    couples_queries: ClassVar[bool] = False

    def validate(self) -> None:
        """Check the settings.

        Raises
        ------
        InvalidParameterError
            For a setting that is out of its range.
        """
        return

    def __call__(self, scores: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the weights of all pairs.

        Parameters
        ----------
        scores : Tensor of shape (..., Q, K), floating point
            Finite at real places; off the mask anything, NaN and infinities included.
        mask : bool Tensor that broadcasts to the scores, optional
            True = a real pair; all pairs are real by default.

        Returns
        -------
        Tensor of shape (..., Q, K)
            In the dtype of the scores, at least 0, and exactly 0 off the mask. A query or key
            without any real pair has weights 0 and gradients 0.

        Raises
        ------
        InvalidParameterError
            As `validate`.
        InvalidInputError
            For a mask that is not boolean or does not broadcast to the scores.
        """
        self.validate()
        if mask is not None:
            mask = _checked(mask, scores)
        if scores.numel() == 0:
            return scores.clone()
        # Exponentials, sums and roots of half-precision scores would lose what few digits there
        # are.
        weights = self.normalize(scores.float() if scores.dtype in _HALF else scores, mask)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        return weights.to(scores.dtype)

    @abstractmethod
    def normalize(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        """Return the weights; those off the mask need only be finite, the caller sets them to 0.

        Parameters
        ----------
        scores : Tensor of shape (..., Q, K), float32 or float64
            As in `__call__`, and not empty.
        mask : bool Tensor that broadcasts to the scores, or None
            With as many dimensions as the scores.
        """

    def route(
        self,
        scores: Tensor,
        value: Tensor,  # noqa: ARG002
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return the weights of all pairs, where the values that they are for are known.

        Here those of a call; a normalizer whose weights depend on the values themselves (`Capsule`
        with several iterations) has its own.

        Parameters
        ----------
        scores, mask :
            As in `__call__`.
        value : Tensor of shape (..., K, N)
            Finite everywhere.

        Returns
        -------
        Tensor of shape (..., Q, K)
            As in `__call__`; the result of the attention is ``weights @ value``.
        """
        return self(scores, mask)


def _checked(mask: Tensor, scores: Tensor) -> Tensor:
    """Return the mask with as many dimensions as the scores."""
    if mask.dtype is not torch.bool:
        raise InvalidInputError(
            f"mask must be boolean, True = a real pair. Got {mask.dtype}. "
            "Pass mask.bool(), or add a finite bias to the scores instead."
        )
    shape, wanted = tuple(mask.shape), tuple(scores.shape)
    aligned = (1,) * (len(wanted) - len(shape)) + shape
    if len(aligned) != len(wanted) or any(n not in (1, m) for n, m in zip(aligned, wanted)):
        raise InvalidInputError(
            f"mask must broadcast to the scores, of shape {wanted}. Got {shape}. "
            "A mask of keys (B, K) is mask[:, None, None, :]."
        )
    return mask.reshape(aligned)
