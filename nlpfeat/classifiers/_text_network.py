"""What training, weighing and predicting need of a network, whatever it is made of."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor, nn

from nlpfeat.classifiers._batching import Batch

# Rows of about the norm 1 at the usual widths: of the size of what a block adds to them.
EMBEDDING_SPREAD = 0.1


class NetworkSizes(Protocol):
    """What all settings of networks tell."""

    @property
    def n_terms(self) -> int:
        """V; the id V is an unknown token, V + 1 one that is masked in training."""
        ...

    @property
    def n_classes(self) -> int:
        """C."""
        ...


@dataclass(frozen=True)
class NetworkOutput:
    """What a network says of a batch."""

    #: Log-scores, (B, C): softmax gives probabilities.
    logits: Tensor
    #: What they are the sum of, each (B, C): the network itself first, then each prior that adds
    #: some.
    parts: list[Tensor]
    #: What the heads read: the tokens put together, (B, width).
    pooled: Tensor
    #: Of attention: weights of each layer, (B, H, L, L), and last of the pooling,
    #: (B, H, n_queries, L).
    weights: list[Tensor] | None = None

    @property
    def attention_logits(self) -> Tensor:
        """What attention says by itself, (B, C)."""
        return self.parts[0]


class TextNetwork(nn.Module, ABC):
    """Tokens → log-scores of classes.

    Attributes
    ----------
    settings : NetworkSizes
    embedding : Embedding
        The vectors of tokens, (V + 2, d_model).
    part_weights : Tensor of shape (number of parts of the log-scores,)
        What each part counts in prediction; 1 until they are learned.
    """

    settings: NetworkSizes
    embedding: nn.Embedding
    part_weights: Tensor

    @abstractmethod
    def forward(self, batch: Batch) -> NetworkOutput:
        """Return the log-scores of each document.

        Parameters
        ----------
        batch : Batch
            No result depends on what stands where its mask is False.
        """

    @abstractmethod
    def parameter_groups(self, learning_rate: float, weight_decay: float) -> list[dict[str, Any]]:
        """Return the parameters as groups of an optimizer."""

    def extra_loss(
        self,
        output: NetworkOutput,  # noqa: ARG002
        targets: Tensor,  # noqa: ARG002
        weights: Tensor | None,  # noqa: ARG002
    ) -> Tensor | None:
        """Return what is added to the loss, a Tensor of shape (); None for nothing.

        Parameters
        ----------
        output : NetworkOutput
        targets : Tensor of int64, shape (B,)
            Classes from 0 to C - 1.
        weights : Tensor of shape (B,), or None
            How much each document counts.
        """
        return None

    def prior_parameters(self) -> Iterator[nn.Parameter]:
        """Yield what the network learns about priors."""
        return iter(())

    def n_parameters(self) -> dict[str, int]:
        """Return how many numbers are trained: all, those but the vectors of tokens, of priors."""
        learned = [each for each in self.parameters() if each.requires_grad]
        total = sum(each.numel() for each in learned)
        vectors = self.embedding.weight
        return {
            "total": total,
            "non_embedding": total - vectors.numel() * vectors.requires_grad,
            "priors": sum(each.numel() for each in self.prior_parameters() if each.requires_grad),
        }

    def _weighed(self, parts: list[Tensor]) -> Tensor:
        """Return the sum of the parts; in prediction each with its weight."""
        if not self.training:
            parts = [weight * part for weight, part in zip(self.part_weights, parts)]
        return sum(parts[1:], start=parts[0])


def parameter_group(
    parameters: Sequence[Tensor], learning_rate: float, weight_decay: float
) -> list[dict[str, Any]]:
    """Return one group of what is learned, or no group where nothing is."""
    learned = [each for each in parameters if each.requires_grad]
    if not learned:
        return []
    return [{"params": learned, "lr": learning_rate, "weight_decay": weight_decay}]
