"""A product of experts: attention beside a classical model that is kept as it is."""

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpfeat.attention.initialization import empty_linear
from nlpfeat.attention.module import Attention
from nlpfeat.classifiers._prior_terms.term import PriorTerm, TermReading, TermSizes

if TYPE_CHECKING:
    from nlpfeat.priors.expert import ExpertPrior, FittedExpertPrior


class ExpertTerm(PriorTerm):
    """Log-scores + beta · log p(c) of the expert; with beta 0 the base model.

    With ``head="zero"`` the attention starts as silent, so that the network starts as the expert.
    With ``auxiliary`` above 0 what is pooled also has to tell the classes alone, by a head of its
    own that is used for nothing else: that share of its cross-entropy is added to the loss.

    Notes
    -----
    Source: Hinton (2002), products of experts; Clark et al. (2019) for a frozen expert.
    """

    adds_logits = True

    def __init__(self, sizes: TermSizes, prior: "ExpertPrior") -> None:
        super().__init__()
        self.zero_head = prior.head == "zero"
        self.auxiliary = prior.auxiliary
        beta = torch.full((sizes.n_classes if prior.learned == "class" else 1,), prior.strength)
        self.beta = nn.Parameter(beta, requires_grad=prior.learned != "no")
        self.alone: nn.Linear | None = None
        if prior.auxiliary:
            width = sizes.n_queries * sizes.d_model
            self.alone = empty_linear(width, sizes.n_classes, bias=True)
            nn.init.zeros_(self.alone.weight)

    def change_base(
        self,
        embedding: nn.Embedding,  # noqa: ARG002
        layers: list[Attention],  # noqa: ARG002
        head: nn.Linear,
    ) -> None:
        """Silence the head of the attention, when so asked."""
        if self.zero_head:
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def logits(self, reading: TermReading) -> Tensor | None:
        """Return (B, C)."""
        rows = reading.inputs.rows
        return None if rows is None else self.beta * rows.to(self.beta.dtype)

    def loss(self, pooled: Tensor, targets: Tensor, weights: Tensor | None) -> Tensor | None:
        """Return the cross-entropy of the head that is alone, times ``auxiliary``."""
        if self.alone is None:
            return None
        # On a GPU what is pooled may come in half precision.
        said = self.alone(pooled.to(self.alone.weight.dtype)).float()
        losses = functional.cross_entropy(said, targets, reduction="none")
        return self.auxiliary * (losses if weights is None else losses * weights).mean()


def build_expert(
    prior: "ExpertPrior",
    fitted: "FittedExpertPrior",  # noqa: ARG001
    sizes: TermSizes,
    generator: torch.Generator,  # noqa: ARG001
) -> PriorTerm:
    """Return the term; the log-probabilities come with each batch."""
    return ExpertTerm(sizes, prior)
