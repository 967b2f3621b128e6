"""Softmax over the queries: keys share themselves out, and queries compete for them."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from nlpfeat._validation import check_bool, check_int
from nlpfeat.attention.normalizers.normalizer import Normalizer, closed
from nlpfeat.errors import InvalidParameterError


@dataclass(frozen=True)
class Capsule(Normalizer):
    """Capsule: A_ij = exp S_ij / Σ_i' exp S_i'j, then, to renormalize, divided by the row sums.

    Each key shares a weight of one out among the queries: with ``renormalize=False`` *columns* sum
    to one, and the output of a query grows with what it wins (Sabour, Frosst and Hinton, 2017,
    "Dynamic routing between capsules"). With ``renormalize=True`` rows sum to one again, and the
    output is a weighted mean of the values (Locatello and others, 2020, "Object-centric learning
    with slot attention", there with a small constant added, which the log domain makes needless).

    No key is lost to a renormalized capsule: of n keys, each has at least 1 / n of weight in all
    (Ding and others, 2020, "Attention that does not explain away").

    One iteration is also the step of Tsai and others (2020, "Capsules with inverted dot-product
    attention routing") without its LayerNorm, which the layer after the attention has; their
    further iterations are not built: see `route`.

    It means nothing in two places, and `AttentionSpec` refuses both. With *one query* the raw
    weights are all 1 and the renormalized ones all equal, whatever the scores. Under a *causal
    mask* a key would still be shared with later queries, so that a token sees what comes after it.

    Parameters
    ----------
    renormalize : bool, default True
        Whether rows are divided by their sums.
    n_iterations : int, default 1
        At least 1. Further ones route by agreement, which needs the values: see `route`.

    Examples
    --------
    >>> Capsule(renormalize=False)(torch.zeros(2, 3))
    tensor([[0.5000, 0.5000, 0.5000],
            [0.5000, 0.5000, 0.5000]])
    >>> Capsule()(torch.zeros(2, 3))
    tensor([[0.3333, 0.3333, 0.3333],
            [0.3333, 0.3333, 0.3333]])
    """

    name: ClassVar[str] = "capsule"
    couples_queries: ClassVar[bool] = True
    renormalize: bool = True
    n_iterations: int = 1

    def validate(self) -> None:
        """Check the settings, as in `Normalizer.validate`."""
        check_bool(self.renormalize, "renormalize")
        check_int(self.n_iterations, "n_iterations", minimum=1)

    def __call__(self, scores: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the weights of one iteration, as in `Normalizer.__call__`.

        Raises
        ------
        InvalidParameterError
            When ``n_iterations`` is above 1: the weights then depend on the values.
        """
        self.validate()
        if self.n_iterations > 1:
            raise InvalidParameterError(
                "n_iterations must be 1 where a capsule normalizer gets no values. "
                f"Got {self.n_iterations}. Call its route(scores, value, mask)."
            )
        return super().__call__(scores, mask)

    def normalize(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        """Return the weights of one iteration, as in `Normalizer.normalize`."""
        logs = torch.log_softmax(closed(scores, mask, -2), -2)
        if not self.renormalize:
            return logs.exp()
        # Dividing by the row sums is a softmax of logs; a row whose weights all round to 0 keeps
        # its proportions.
        return torch.softmax(closed(logs, mask, -1), -1)

    def route(self, scores: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the weights after all iterations.

        Routing by agreement (Sabour, Frosst and Hinton, 2017, procedure 1, with the scores as
        initial logits b and one vector u_j a key): each iteration but the last computes the weights
        c from b, the outputs s_i = Σ_j c_ij u_j and their squashed form
        v_i = |s_i|² / (1 + |s_i|²) · s_i / |s_i|, and adds the agreement v_i · u_j to b_ij.

        Parameters and results are those of `Normalizer.route`; the output of the attention is the
        last s, not v.

        Not built is the routing of Tsai and others (2020), where LayerNorm(s_i) takes the place of
        the squashed output and LayerNorm(s_i) · u_ij that of b_ij: the scores would count in the
        first iteration alone, and a normalizer has neither the learned numbers of a LayerNorm nor
        a vector u_ij for each pair.
        """
        self.validate()
        once = Capsule(renormalize=self.renormalize)
        logits = scores
        for _ in range(self.n_iterations - 1):
            output = once(logits, mask) @ value
            logits = logits + _squashed(output) @ value.mT
        return once(logits, mask)


def _squashed(vectors: Tensor) -> Tensor:
    """Return vectors of the same direction with length |s|² / (1 + |s|²), below 1."""
    length: Tensor = torch.linalg.vector_norm(vectors, dim=-1, keepdim=True)
    return vectors * (length / (1.0 + length.square()))
