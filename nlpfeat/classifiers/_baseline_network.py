"""What the networks of the baselines have in common: vectors of tokens, dropout, and the head."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from nlpfeat.attention.initialization import empty_linear, xavier_uniform
from nlpfeat.classifiers._batching import Batch
from nlpfeat.classifiers._dropout import Dropout, TokenMasking
from nlpfeat.classifiers._text_network import (
    EMBEDDING_SPREAD,
    NetworkOutput,
    TextNetwork,
    parameter_group,
)

SIZES = {"n_terms": 0, "n_classes": 1, "d_model": 1}
"""The whole numbers that every baseline has, with the least that each may be."""

SHARES = ("dropout", "token_dropout")


@dataclass(frozen=True)
class BaselineSettings:
    """The sizes that every baseline has."""

    #: V; the id V is an unknown token, V + 1 one that is masked in training.
    n_terms: int
    #: C
    n_classes: int
    #: Width of the vector of a token.
    d_model: int
    #: Share of numbers that are dropped: of the vectors of tokens, and of what is pooled.
    dropout: float
    #: Share of tokens that are replaced by the masked one, in training.
    token_dropout: float


class BaselineNetwork(TextNetwork):
    """Tokens → vectors → what a subclass makes of them → log-scores of the classes.

    Parameters
    ----------
    settings : BaselineSettings
    width : int
        How many numbers ``pooled`` gives for a document.
    generator : torch.Generator
        Of the CPU. The vectors are drawn first, then the head, then what the subclass has.
    """

    def __init__(self, settings: BaselineSettings, width: int, generator: torch.Generator) -> None:
        super().__init__()
        self.settings = settings
        rows = torch.empty(settings.n_terms + 2, settings.d_model)
        rows.normal_(std=EMBEDDING_SPREAD, generator=generator)
        self.embedding = nn.Embedding(len(rows), settings.d_model, _weight=rows)
        self.dropout = Dropout(settings.dropout)
        self.masking = TokenMasking(settings.token_dropout, masked=settings.n_terms + 1)
        self.head = empty_linear(width, settings.n_classes, bias=True)
        xavier_uniform(self.head.weight, generator)
        self.register_buffer("part_weights", torch.ones(1))

    @abstractmethod
    def pooled(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """Return the numbers of each document, (B, width); of one without a token, finite ones.

        Parameters
        ----------
        hidden : Tensor of shape (B, L, d_model)
            0 where no token stands.
        mask : Tensor of bool, shape (B, L)
            False for padding, and for gaps, which keep their place.
        """

    def forward(self, batch: Batch) -> NetworkOutput:
        """Return the log-scores of each document."""
        vectors: Tensor = self.embedding(self.masking(batch.ids))
        hidden: Tensor = self.dropout(vectors.masked_fill(~batch.mask[..., None], 0.0))
        features: Tensor = self.dropout(self.pooled(hidden, batch.mask))
        parts = [self.head(features)]
        return NetworkOutput(self._weighed(parts), parts, features)

    def parameter_groups(self, learning_rate: float, weight_decay: float) -> list[dict[str, Any]]:
        """Return the parameters as groups of an optimizer.

        All matrices decay but the vectors of tokens; biases do not.
        """
        vectors = self.embedding.weight
        rest = [each for each in self.parameters() if each is not vectors]
        decaying = [each for each in rest if each.ndim > 1]
        others = [vectors, *(each for each in rest if each.ndim == 1)]
        groups = parameter_group(decaying, learning_rate, weight_decay)
        return groups + parameter_group(others, learning_rate, 0.0)


def numbers_around(settings: BaselineSettings, width: int) -> Iterator[int]:
    """Yield how many numbers the vectors of tokens and the head learn."""
    yield (settings.n_terms + 2) * settings.d_model
    yield (width + 1) * settings.n_classes
