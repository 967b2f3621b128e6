"""Word vectors in a network: where embeddings, and the first queries and keys, start."""

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from nlpfeat.attention.module import Attention
from nlpfeat.classifiers._prior_terms.term import PriorTerm, TermSizes
from nlpfeat.errors import InvalidParameterError

if TYPE_CHECKING:
    from nlpfeat.priors.embedding import EmbeddingPrior, FittedEmbeddingPrior


class EmbeddingTerm(PriorTerm):
    """Rows of the embedding that start in the direction of word vectors; nothing is learned here.

    A row keeps the length of the random start, so that two networks differ by what the vectors say
    alone. Vectors that are narrower than the network take its first columns, with the share of the
    length that so many columns have; the other columns stay random. Wider ones are cut: the first
    components say most. Without a vector a row stays as it is.
    """

    def __init__(self, prior: "EmbeddingPrior", fitted: "FittedEmbeddingPrior") -> None:
        super().__init__()
        # Read once, when the base model is changed: no part of the network's state.
        self._prior, self._fitted = prior, fitted

    def change_base(
        self,
        embedding: nn.Embedding,
        layers: list[Attention],
        head: nn.Linear,  # noqa: ARG002
    ) -> None:
        """Start the embedding, and the first queries and keys, at the vectors."""
        strength = self._prior.strength
        if strength > 0.0:
            vectors = torch.from_numpy(self._fitted.vectors)
            with torch.no_grad():
                start_rows(embedding.weight[: len(vectors)], vectors, strength)
        if self._fitted.query is not None and self._fitted.key is not None:
            if not layers or layers[0].spec.score_settings().name != "dot":
                raise InvalidParameterError(
                    "EmbeddingPrior with use='query_key' starts the queries and keys of a first "
                    "layer of dot products: it needs attention_score='dot' and n_layers of at "
                    "least 1. Change these, or take use='embedding'."
                )
            query, key = torch.from_numpy(self._fitted.query), torch.from_numpy(self._fitted.key)
            if strength > 0.0:
                start_projections(layers[0], query, key, strength)
        if self._prior.mode == "frozen":
            embedding.weight.requires_grad_(False)


def start_rows(rows: Tensor, vectors: Tensor, strength: float) -> None:
    """Turn rows towards vectors, in place; each keeps its length.

    Parameters
    ----------
    rows : Tensor of shape (n, d_model)
    vectors : Tensor of shape (n, width)
        A row of 0 says nothing.
    strength : float
        Share of the vector in the mixture, from 0 to 1.

    Examples
    --------
    >>> rows = torch.tensor([[3.0, 4.0], [1.0, 0.0]])
    >>> start_rows(rows, torch.tensor([[0.0, 2.0], [0.0, 0.0]]), strength=1.0)
    >>> rows.tolist()
    [[0.0, 5.0], [1.0, 0.0]]
    """
    width = min(vectors.shape[1], rows.shape[1])
    part = vectors[:, :width].to(rows.dtype)
    lengths = rows.norm(dim=1, keepdim=True)
    sizes = part.norm(dim=1, keepdim=True)
    matched = rows.clone()
    # Beside columns that stay random, the vectors have the share of so many columns; where no
    # column stays, this is the whole length.
    part = part / sizes.clamp_min(torch.finfo(rows.dtype).tiny)
    matched[:, :width] = part * lengths * (width / rows.shape[1]) ** 0.5
    mixed = torch.lerp(rows, matched, strength)
    mixed *= lengths / mixed.norm(dim=1, keepdim=True).clamp_min(torch.finfo(rows.dtype).tiny)
    rows.copy_(torch.where(sizes > 0.0, mixed, rows))


def start_projections(attention: Attention, query: Tensor, key: Tensor, strength: float) -> None:
    """Start W_Q and W_K so that the scores of all heads sum to the product of two factors.

    Each key head, with the query heads that it serves, has a slice of the spectrum, the first the
    highest; rows beyond the rank stay random.

    Parameters
    ----------
    attention : Attention
        Of dot products.
    query, key : Tensor of shape (width, rank)
        Factors of vectors whose entries have the mean square 1, as a norm makes them.
    strength : float
        Share of the factors in the mixture with the random start, from 0 to 1.
    """
    layout = attention.layout
    # Scores are divided by √D; half of that is given back on each side.
    scale = layout.d_head**0.25
    serves = layout.n_heads // layout.n_kv_heads
    width = min(query.shape[0], attention.d_model)
    with torch.no_grad():
        for weight, factor, repeat in (
            (attention.query_weight, query, serves),
            (attention.key_weight, key, 1),
        ):
            for head, rows in enumerate(weight.split(layout.d_head)):
                start = head // repeat * layout.d_head
                columns = factor[:width, start : start + layout.d_head].T.to(rows.dtype)
                matched = torch.zeros_like(rows[: len(columns)])
                matched[:, :width] = columns * scale
                rows[: len(columns)].lerp_(matched, strength)


def build_embedding(
    prior: "EmbeddingPrior",
    fitted: "FittedEmbeddingPrior",
    sizes: TermSizes,  # noqa: ARG001
    generator: torch.Generator,  # noqa: ARG001
) -> PriorTerm:
    """Return the term; it draws nothing."""
    return EmbeddingTerm(prior, fitted)
