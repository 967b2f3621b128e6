"""The network of the notes, and the same with what newer practice changes."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpfeat.claims.trainability.initialization import initialize, residual_gain, scale
from nlpfeat.claims.trainability.settings import (
    D_FEED_FORWARD,
    D_INPUT,
    D_MODEL,
    DROPOUT,
    N_HEADS,
    Recipe,
    Setting,
)


class Layer(nn.Module):
    """A layer as ``nn.TransformerEncoderLayer`` has it, each part of which a recipe may change.

    Tokens are (length, batch, width): what the notes feed as a batch is read as the length.

    Parameters
    ----------
    recipe : Recipe
    keep : float
        What the sum of before is multiplied by.
    length : int
        How many tokens attention sees.
    """

    def __init__(self, recipe: Recipe, keep: float, length: int) -> None:
        super().__init__()
        self.recipe = recipe
        self.keep = keep
        self.self_attn = _Attention(recipe, length) if recipe.attends else None
        self.linear1 = nn.Linear(D_MODEL, D_FEED_FORWARD)
        self.dropout = nn.Dropout(DROPOUT)
        self.linear2 = nn.Linear(D_FEED_FORWARD, D_MODEL)
        has_norms = recipe.norm != "none"
        self.norm1 = nn.LayerNorm(D_MODEL) if has_norms and recipe.attends else nn.Identity()
        self.norm2 = nn.LayerNorm(D_MODEL) if has_norms else nn.Identity()
        self.dropout1 = nn.Dropout(DROPOUT)
        self.dropout2 = nn.Dropout(DROPOUT)

    @property
    def scaled_matrices(self) -> list[Tensor]:
        """What the residual of the recipe makes smaller.

        The projections whose results are added, and those that feed them; the first alone where
        the residual is "scaled".
        """
        attention = self.self_attn
        matrices = [self.linear2.weight]
        matrices += [] if attention is None else [attention.out_proj.weight]
        if self.recipe.residual != "scaled":
            matrices.append(self.linear1.weight)
            matrices += [] if attention is None else [attention.in_proj_weight[2 * D_MODEL :]]
        return matrices

    def forward(self, hidden: Tensor) -> Tensor:
        """Return the tokens, (length, batch, d_model)."""
        if self.self_attn is not None:
            hidden = self._added(hidden, self.self_attn, self.norm1, self.dropout1)
        return self._added(hidden, self._feed_forward, self.norm2, self.dropout2)

    def _added(
        self,
        hidden: Tensor,
        part: Callable[[Tensor], Tensor],
        norm: nn.Module,
        dropout: nn.Module,
    ) -> Tensor:
        if self.recipe.norm == "pre":
            added: Tensor = self.keep * hidden + dropout(part(norm(hidden)))
        else:
            added = norm(self.keep * hidden + dropout(part(hidden)))
        return added

    def _feed_forward(self, hidden: Tensor) -> Tensor:
        inner = self.dropout(functional.relu(self.linear1(hidden)))
        widened: Tensor = self.linear2(inner)
        return widened


class _Attention(nn.Module):
    """Multi-head attention with the parameters, and their first draw, of torch's module."""

    def __init__(self, recipe: Recipe, length: int) -> None:
        super().__init__()
        self.in_proj_weight = nn.Parameter(torch.empty(3 * D_MODEL, D_MODEL))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * D_MODEL))
        self.out_proj = nn.Linear(D_MODEL, D_MODEL)
        nn.init.xavier_uniform_(self.in_proj_weight)
        nn.init.zeros_(self.out_proj.bias)
        # One for all heads: what a dot product of unit vectors is multiplied by.
        first = torch.tensor(math.log2(length**2 - length))
        self.scale = nn.Parameter(first) if recipe.normalizes_queries else None

    def forward(self, hidden: Tensor) -> Tensor:
        """Return what each token takes from all of its column, (length, batch, d_model)."""
        length, batch, _ = hidden.shape
        parts = functional.linear(hidden, self.in_proj_weight, self.in_proj_bias).chunk(3, dim=-1)
        query, key, value = (
            part.view(length, batch, N_HEADS, -1).permute(1, 2, 0, 3) for part in parts
        )
        scale: float | None = None
        if self.scale is not None:
            query = functional.normalize(query, dim=-1) * self.scale
            key, scale = functional.normalize(key, dim=-1), 1.0
        dropout = DROPOUT if self.training else 0.0
        taken = functional.scaled_dot_product_attention(
            query, key, value, dropout_p=dropout, scale=scale
        )
        merged: Tensor = self.out_proj(taken.permute(2, 0, 1, 3).reshape(length, batch, D_MODEL))
        return merged


class Stack(nn.Module):
    """Two vectors a place → layers → one vector a place."""

    def __init__(self, setting: Setting, recipe: Recipe) -> None:
        super().__init__()
        if recipe.is_cloned:
            layer = nn.TransformerEncoderLayer(D_MODEL, N_HEADS)
            self.trans: nn.Module = nn.TransformerEncoder(
                layer, setting.n_layers, enable_nested_tensor=False
            )
        else:
            keep, _ = residual_gain(recipe.residual, setting.n_layers)
            layers: list[nn.Module] = [
                Layer(recipe, keep, setting.batch_size) for _ in range(setting.n_layers)
            ]
            last = [nn.LayerNorm(D_MODEL)] if recipe.norm == "pre" else []
            self.trans = nn.Sequential(*layers, *last)
        self.in_fc = nn.Linear(2 * D_INPUT, D_MODEL)
        self.out_fc = nn.Linear(D_MODEL, D_INPUT)

    def forward(self, pairs: Tensor) -> Tensor:
        """Return (B, L, 50) for pairs of (B, L, 100)."""
        answer: Tensor = self.out_fc(self.trans(self.in_fc(pairs)))
        return answer


def build(setting: Setting, recipe: Recipe) -> Stack:
    """Return the network of a setting under a recipe, drawn from torch's global generator.

    Raises
    ------
    InvalidParameterError
        For an unknown initialization or residual.
    """
    network = Stack(setting, recipe)
    initialize(network, setting.initialization, setting.spread, draws_vectors=recipe.draws_vectors)
    _, gain = residual_gain(recipe.residual, setting.n_layers)
    for layer in network.modules():
        if isinstance(layer, Layer):
            scale(layer.scaled_matrices, gain)
    return network
