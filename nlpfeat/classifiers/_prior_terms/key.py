"""Key priors in a network: tokens that matter more, whoever asks."""

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from nlpfeat.classifiers._prior_terms.term import (
    POOLING,
    PriorTerm,
    Strengths,
    TermReading,
    TermSizes,
)

if TYPE_CHECKING:
    from nlpfeat.priors.key import FittedKeyPrior, KeyPrior


class TokenBias(PriorTerm):
    """mu_h · w(x_j), added to the scores of each key: the same for every query.

    A token that is masked in training keeps its weight: a weight says little of which token it
    is, and a 0 would say that it is an unusual one.

    Parameters
    ----------
    sizes : TermSizes
    strength : float
        mu_h at the start; 0 is the base model.
    learned : bool
        Whether mu_h is learned.
    share_layers : bool
        Whether all layers have the same mu_h.
    where : {"all", "layers", "pooling"}
        Which scores it is added to.
    """

    def __init__(
        self, sizes: TermSizes, strength: float, *, learned: bool, share_layers: bool, where: str
    ) -> None:
        super().__init__()
        self.share_layers = share_layers
        self.in_layers, self.in_pooling = where != "pooling", where != "layers"
        self.strength = Strengths(
            sizes,
            strength,
            learned=learned,
            share_layers=share_layers,
            layers=self.in_layers,
            pooling=self.in_pooling,
        )

    def bias(self, reading: TermReading, layer: int) -> Tensor | None:
        """Return (B, H, 1, L)."""
        weights = reading.inputs.tokens
        if weights is None or not (self.in_pooling if layer == POOLING else self.in_layers):
            return None
        strength = self.strength.of(layer)
        return strength * weights[:, None, None, :].to(strength.dtype)


def build_key(
    prior: "KeyPrior",
    fitted: "FittedKeyPrior",  # noqa: ARG001
    sizes: TermSizes,
    generator: torch.Generator,  # noqa: ARG001
) -> PriorTerm:
    """Return the term; the weights come with each batch."""
    return TokenBias(
        sizes,
        prior.strength,
        learned=prior.learned,
        share_layers=prior.share_layers,
        where=prior.where,
    )
