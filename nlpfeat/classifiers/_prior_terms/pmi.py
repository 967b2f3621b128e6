"""Association of words as a bias of attention: exact, or of low rank."""

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from nlpfeat.attention.functional import Columns
from nlpfeat.classifiers._batching import TermInputs
from nlpfeat.classifiers._prior_terms.term import (
    POOLING,
    PriorTerm,
    Strengths,
    TermReading,
    TermSizes,
)

if TYPE_CHECKING:
    from nlpfeat.priors.pmi import FittedLowRankPmiPrior, FittedPmiPrior, PmiPrior


class PairBias(PriorTerm):
    """λ_h · B(x_i, x_j) · κ(|i − j|), looked up once for each batch, added in the layers.

    The pooling has none: its queries are no tokens. With ``self_term`` the score of a token with
    itself has a learned number of its own for each head, which starts at 0.
    """

    keys: Tensor
    cells: Tensor

    def __init__(self, sizes: TermSizes, prior: "PmiPrior", fitted: "FittedPmiPrior") -> None:
        super().__init__()
        self.share_layers = prior.share_layers
        self.n_terms, self.decay = sizes.n_terms, prior.decay
        # One more cell, of the value 0, is where a key above all others would stand.
        keys = torch.from_numpy(fitted.keys)
        keys = torch.cat([keys, keys.new_tensor([self.n_terms**2])])
        self.register_buffer("keys", keys, persistent=False)
        cells = functional.pad(torch.from_numpy(fitted.values), (0, 1))
        self.register_buffer("cells", cells, persistent=False)
        self.strength = Strengths(
            sizes, prior.strength, learned=prior.learned, share_layers=prior.share_layers
        )
        self.self_strength = (
            Strengths(sizes, 0.0, learned=prior.learned, share_layers=prior.share_layers)
            if prior.self_term
            else None
        )

    def read(self, ids: Tensor, inputs: TermInputs) -> TermReading:
        """Look the pairs up, and weigh them by distance."""
        with torch.no_grad():
            values = self._values(ids)
            if self.decay is not None:
                places = torch.arange(ids.shape[1], device=ids.device)
                distance = (places[:, None] - places[None, :]).abs()
                values = values * torch.exp(-distance.to(values.dtype) / self.decay)
        return TermReading(ids, inputs, values)

    def _values(self, ids: Tensor) -> Tensor:
        """Return B of all pairs of tokens, (B, L, L); 0 where one is no term."""
        is_term = ids < self.n_terms
        # Ids that are no terms would reach into the next row of the table: their keys are below 0.
        nowhere = -(self.n_terms**2)
        rows = torch.where(is_term, ids * self.n_terms, nowhere)
        columns = torch.where(is_term, ids, nowhere)
        wanted = rows[:, :, None] + columns[:, None, :]
        places = torch.searchsorted(self.keys, wanted)
        found = self.keys[places] == wanted
        return self.cells[places] * found

    def bias(self, reading: TermReading, layer: int) -> Tensor | None:
        """Return (B, H, L, L)."""
        if layer == POOLING or reading.pairs is None:
            return None
        bias = self.strength.of(layer) * reading.pairs[:, None]
        if self.self_strength is None:
            return bias
        diagonal = torch.eye(bias.shape[-1], dtype=bias.dtype, device=bias.device)
        return bias + self.self_strength.of(layer) * diagonal


class PairColumns(PriorTerm):
    """λ_h · u(x_i) · v(x_j) as further columns of queries and keys: no table of pairs is made."""

    left: Tensor
    right: Tensor

    def __init__(
        self, sizes: TermSizes, prior: "PmiPrior", fitted: "FittedLowRankPmiPrior"
    ) -> None:
        super().__init__()
        self.share_layers = prior.share_layers
        # The last row, of 0, is that of a masked token.
        for name, rows in (("left", fitted.left), ("right", fitted.right)):
            table = functional.pad(torch.from_numpy(rows), (0, 0, 0, 1))
            self.register_buffer(name, table, persistent=False)
        self.strength = Strengths(
            sizes, prior.strength, learned=prior.learned, share_layers=prior.share_layers
        )

    def columns(self, reading: TermReading, layer: int) -> Columns | None:
        """Return (B, H, L, R) and (B, 1, L, R); λ is on one side alone."""
        if layer == POOLING:
            return None
        queries = functional.embedding(reading.ids, self.left)[:, None]
        keys = functional.embedding(reading.ids, self.right)[:, None]
        return self.strength.of(layer) * queries, keys


def build_pmi(
    prior: "PmiPrior",
    fitted: "FittedPmiPrior | FittedLowRankPmiPrior",
    sizes: TermSizes,
    generator: torch.Generator,  # noqa: ARG001
) -> PriorTerm:
    """Return the term of the form that was fitted."""
    from nlpfeat.priors.pmi import FittedLowRankPmiPrior

    if isinstance(fitted, FittedLowRankPmiPrior):
        return PairColumns(sizes, prior, fitted)
    return PairBias(sizes, prior, fitted)
