"""What a fitted prior adds to a network: the base of all terms."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from nlpfeat.attention.functional import Columns
from nlpfeat.attention.module import Attention
from nlpfeat.classifiers._batching import TermInputs
from nlpfeat.classifiers._text_network import parameter_group

POOLING = -1
"""The number of the pooling where that of a layer is asked for."""


@dataclass(frozen=True)
class TermSizes:
    """What a term must know of the network that it belongs to."""

    #: Terms of the vocabulary; the id V is an unknown one, V + 1 a masked one.
    n_terms: int
    #: C
    n_classes: int
    d_model: int
    #: H
    n_heads: int
    n_layers: int
    #: Learned queries of the pooling.
    n_queries: int


@dataclass(frozen=True)
class TermReading:
    """What a term has read of one batch, once for all layers."""

    #: (B, L) int64; unknown where no token stands.
    ids: Tensor
    inputs: TermInputs
    #: (B, L, L): what pairs of tokens weigh, for a prior that knows of pairs.
    pairs: Tensor | None = None


class PriorTerm(nn.Module):
    """The place of one prior in a network; every hook does nothing unless a prior says so.

    What a prior has learned from the training text is constant: buffers that are not part of the
    state of the network, since they are made again from the fitted prior. What the network learns
    about it are parameters.
    """

    #: Whether bias and columns are the same for all layers.
    share_layers: bool = True
    #: Whether it adds log-scores of its own.
    adds_logits: bool = False

    def change_base(
        self, embedding: nn.Embedding, layers: list[Attention], head: nn.Linear
    ) -> None:
        """Change how the base model starts; called once, when all of it is drawn."""

    def read(self, ids: Tensor, inputs: TermInputs) -> TermReading:
        """Return what the hooks need of a batch."""
        return TermReading(ids, inputs)

    def hidden(self, hidden: Tensor, reading: TermReading) -> Tensor:  # noqa: ARG002
        """Return the tokens (B, L, d_model) that enter the first layer."""
        return hidden

    def bias(self, reading: TermReading, layer: int) -> Tensor | None:  # noqa: ARG002
        """Return what is added to the scores of a layer or the pooling.

        Returns
        -------
        bias : Tensor that can be expanded to (B, H, Q, K), or None
        """
        return None

    def columns(self, reading: TermReading, layer: int) -> Columns | None:  # noqa: ARG002
        """Return further columns of queries and keys, for a bias of low rank in a layer."""
        return None

    def logits(self, reading: TermReading) -> Tensor | None:  # noqa: ARG002
        """Return what is added to the log-scores (B, C)."""
        return None

    def loss(
        self,
        pooled: Tensor,  # noqa: ARG002
        targets: Tensor,  # noqa: ARG002
        weights: Tensor | None,  # noqa: ARG002
    ) -> Tensor | None:
        """Return what is added to the loss."""
        return None

    def parameter_groups(self, learning_rate: float, weight_decay: float) -> list[dict[str, Any]]:  # noqa: ARG002
        """Return the parameters as groups of an optimizer: strengths do not decay."""
        return parameter_group(list(self.parameters()), learning_rate, 0.0)


class Strengths(nn.Module):
    """How much each head listens to a prior: one number a head, for all layers or for each.

    The pooling has a number of its own: it asks other questions than a layer does.
    """

    def __init__(
        self,
        sizes: TermSizes,
        start: float,
        *,
        learned: bool,
        share_layers: bool,
        layers: bool = True,
        pooling: bool = False,
    ) -> None:
        super().__init__()
        self.share_layers = share_layers
        n_rows = (1 if share_layers else sizes.n_layers) * layers + pooling
        values = torch.full((n_rows, sizes.n_heads), float(start))
        self.values = nn.Parameter(values, requires_grad=learned)

    def of(self, layer: int) -> Tensor:
        """Return the strengths of a layer or the pooling as (H, 1, 1)."""
        row = layer if layer == POOLING or not self.share_layers else 0
        return self.values[row, :, None, None]
