"""Scores and outputs of a layer for queries and keys of one's choice, at places of one's choice."""

import torch
from torch import Tensor

from nlpfeat.attention.functional import attend
from nlpfeat.attention.heads import repeat_heads
from nlpfeat.attention.module import Attention
from nlpfeat.errors import InvalidInputError, InvalidParameterError


def pair_scores(
    attention: Attention,
    queries: Tensor,
    keys: Tensor,
    query_positions: Tensor | None = None,
    key_positions: Tensor | None = None,
) -> Tensor:
    """Return what a self-attention layer scores pairs of tokens, before mask and normalizer.

    Parameters
    ----------
    attention : Attention
        With ``n_queries=None``.
    queries : Tensor of shape (Q, d_model)
        Tokens that ask. An absolute position is added to them, and to the keys.
    keys : Tensor of shape (K, d_model)
        Tokens that are asked.
    query_positions, key_positions : int64 Tensor of shape (Q,) and (K,), default None
        Where they stand; 0, 1, ... when None.

    Returns
    -------
    Tensor of shape (H, Q, K)
        With one softmax a dimension (H * D, Q, K).

    Raises
    ------
    InvalidParameterError
        When learned queries ask instead of tokens.
    InvalidInputError
        When ``queries`` or ``keys`` are no matrix.

    Examples
    --------
    >>> from nlpfeat.attention.spec import AttentionSpec
    >>> layer = Attention(4, AttentionSpec(position="alibi", n_heads=2))
    >>> pair_scores(layer, torch.zeros(1, 4), torch.zeros(3, 4))[0].tolist()
    [[0.0, -0.0625, -0.125]]
    """
    if attention.spec.n_queries is not None:
        raise InvalidParameterError(
            "attention must be self-attention, n_queries=None, for scores of pairs of tokens. Got "
            f"n_queries={attention.spec.n_queries}."
        )
    position = attention.position
    at = _positions(query_positions, queries, "queries")
    there = _positions(key_positions, keys, "keys")
    query = attention.project(_placed(attention, queries, at)[None])[0]
    key = attention.project(_placed(attention, keys, there)[None])[1]
    query, key = position.rotate(query, key, at, there)
    scores: Tensor = attention.score(query, repeat_heads(key, attention.layout.n_heads))
    bias, query_bias = position.bias(at, there), position.query_bias(query, at, there)
    for part in (bias, None if query_bias is None else query_bias[0]):
        if part is not None:
            # With one softmax a dimension, all dimensions of a head share its bias.
            scores = scores + part.repeat_interleave(scores.shape[1] // len(part), dim=0)
    return scores[0]


def outputs_of_queries(attention: Attention, query: Tensor, tokens: Tensor) -> Tensor:
    """Return what queries of one's own get from the keys and values of tokens, without positions.

    Parameters
    ----------
    attention : Attention
    query : Tensor of shape (H, m, D)
        As wide as the layer's score takes them, ``attention.score_width()``.
    tokens : Tensor of shape (K, d_model)

    Returns
    -------
    Tensor of shape (m, H * Dv)
        The heads side by side, before the output projection and without dropout.

    Examples
    --------
    >>> from nlpfeat.attention.spec import AttentionSpec
    >>> layer = Attention(4, AttentionSpec(n_heads=2))
    >>> outputs_of_queries(layer, torch.zeros(2, 7, 2), torch.zeros(3, 4)).shape
    torch.Size([7, 4])
    """
    _, key, value = attention.project(tokens[None])
    heads, _ = attend(
        query[None], key, value,
        score=attention.score, normalizer=attention.spec.normalizer_settings(), path="explicit",
    )  # fmt: skip
    return heads[0].transpose(0, 1).flatten(1)


def _placed(attention: Attention, tokens: Tensor, positions: Tensor) -> Tensor:
    embedded = attention.position.embed(positions)
    return tokens if embedded is None else tokens + embedded


def _positions(positions: Tensor | None, tokens: Tensor, name: str) -> Tensor:
    if tokens.dim() != 2:
        raise InvalidInputError(
            f"{name} must be a matrix with a row for each token. Got a tensor of shape "
            f"{tuple(tokens.shape)}."
        )
    return torch.arange(len(tokens), device=tokens.device) if positions is None else positions
