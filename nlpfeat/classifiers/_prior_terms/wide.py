"""A wide part in a network: n-grams of the whole document, beside the attention."""

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpfeat.classifiers._dropout import RowDropout
from nlpfeat.classifiers._prior_terms.term import PriorTerm, TermReading, TermSizes
from nlpfeat.classifiers._text_network import parameter_group

if TYPE_CHECKING:
    from nlpfeat.priors.wide import FittedWidePrior, WidePrior


class WideTerm(PriorTerm):
    """Log-scores + sum over the n-grams f of a document of r_cf · W_cf.

    In training the whole wide part of a document is left out with the probability ``dropout``, so
    that the attention learns what it would else leave to the n-grams. The others do not grow to
    make up for it: a document is read either with its n-grams, as in prediction, or without.

    Notes
    -----
    Source: naive Bayes ratios: Wang and Manning (2012); wide and deep: Cheng et al. (2016).
    """

    ratios: Tensor

    adds_logits = True

    def __init__(self, prior: "WidePrior", fitted: "FittedWidePrior") -> None:
        super().__init__()
        # (F, C): what one n-gram says stands together in memory.
        ratios = torch.from_numpy(fitted.ratios.T.copy())
        self.register_buffer("ratios", ratios, persistent=False)
        self.weight = nn.Parameter(
            torch.full_like(ratios, prior.strength if prior.start == "nb" else 0.0)
        )
        self.l2, self.learning_rate_factor = prior.l2, prior.learning_rate_factor
        self.dropout = RowDropout(prior.dropout)

    def logits(self, reading: TermReading) -> Tensor | None:
        """Return (B, C)."""
        indices, offsets = reading.inputs.indices, reading.inputs.offsets
        if indices is None or offsets is None:
            return None
        # Only the rows that occur are weighed: r ∘ W as a whole would cost F · C a step.
        weighed = functional.embedding(indices, self.ratios) * functional.embedding(
            indices, self.weight
        )
        places = torch.arange(len(indices), device=indices.device)
        summed: Tensor = self.dropout(
            functional.embedding_bag(places, weighed, offsets, mode="sum")
        )
        return summed

    def parameter_groups(self, learning_rate: float, weight_decay: float) -> list[dict[str, Any]]:  # noqa: ARG002
        """Return one group with a rate and a decay of its own."""
        return parameter_group(
            list(self.parameters()), learning_rate * self.learning_rate_factor, self.l2
        )


def build_wide(
    prior: "WidePrior",
    fitted: "FittedWidePrior",
    sizes: TermSizes,  # noqa: ARG001
    generator: torch.Generator,  # noqa: ARG001
) -> PriorTerm:
    """Return the term; it draws nothing."""
    return WideTerm(prior, fitted)
