"""Rows and columns normalized in turn, until both sum to what they should."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from nlpfeat._validation import check_int
from nlpfeat.attention.normalizers.normalizer import Normalizer, closed


@dataclass(frozen=True)
class Sinkhorn(Normalizer):
    """Sinkhorn: exp S with rows and columns normalized in turn, in the log domain.

    Rows sum to one, exactly: the last step is theirs. Of m queries and n keys, the columns sum to
    m / n more and more closely as ``n_iterations`` grows; with as many queries as keys the weights
    become doubly stochastic. Every weight depends on every score of the document (Sinkhorn, 1964;
    Sander and others, 2022, "Sinkformers: transformers with doubly stochastic attention").

    The gradient is that of the steps that were made. (The authors' code stops it at the scalings of
    the columns, which is cheaper and not the same.)

    It means nothing in two places, and `AttentionSpec` refuses both. With *one query* all columns
    of its one row must be equal: the weights are uniform, whatever the scores. Under a *causal
    mask* the identity is the only doubly stochastic matrix: the more iterations, the less a token
    sees of the others.

    Parameters
    ----------
    n_iterations : int, default 5
        At least 1. The first normalizes the rows alone and is the softmax; each further one
        normalizes the columns and then the rows. The authors count single steps: their 2 t - 1 is
        t here.

    Examples
    --------
    >>> weights = Sinkhorn(n_iterations=20)(torch.tensor([[2.0, 0.0], [2.0, 1.0]]))
    >>> weights
    tensor([[0.6225, 0.3775],
            [0.3775, 0.6225]])
    """

    name: ClassVar[str] = "sinkhorn"
    couples_queries: ClassVar[bool] = True
    n_iterations: int = 5

    def validate(self) -> None:
        """Check the settings, as in `Normalizer.validate`."""
        check_int(self.n_iterations, "n_iterations", minimum=1)

    def normalize(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        """Return the weights, as in `Normalizer.normalize`."""
        logs = scores
        for _ in range(self.n_iterations - 1):
            logs = torch.log_softmax(closed(logs, mask, -1), -1)
            # The columns' target m / n is the same for all, and the step over rows that follows
            # takes any common factor out.
            logs = torch.log_softmax(closed(logs, mask, -2), -2)
        return torch.softmax(closed(logs, mask, -1), -1)
