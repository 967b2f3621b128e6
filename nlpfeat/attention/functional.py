"""Where score, prior, mask and normalizer meet."""

import math

import torch
from torch import Tensor
from torch.nn import functional

from nlpfeat._names import lookup
from nlpfeat.attention.argument_checks import (
    check_bias,
    check_columns,
    check_dropout,
    check_dtype,
    check_mask,
    check_tensors,
)
from nlpfeat.attention.heads import repeat_heads
from nlpfeat.attention.normalizers import NORMALIZERS, Normalizer
from nlpfeat.attention.normalizers.softmax import Softmax
from nlpfeat.attention.scores import SCORES, Score, ScoreFunction
from nlpfeat.attention.scores.dot import DotScoreFunction
from nlpfeat.attention.scores.score import ProductScoreFunction
from nlpfeat.errors import InvalidParameterError

Columns = tuple[Tensor, Tensor]
"""Further columns of queries, (B, 1 or H, Q, R), and of keys, (B, 1 or H, K, R); finite floats."""

PATHS = {
    "auto": "the fused kernel where it can do what is asked, else step by step",
    "explicit": "step by step: the definition",
    "fused": "scaled_dot_product_attention, or an error that says why not",
    "flex": "FlexAttention, compiled for a GPU, or an error that says why not",
}
_DOT = DotScoreFunction()
_SOFTMAX = Softmax()


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    score: str | Score | ScoreFunction | None = None,
    normalizer: str | Normalizer | None = None,
    columns: Columns | None = None,
    dropout: float = 0.0,
    return_weights: bool = False,
    path: str = "auto",
    unseen_are_finite: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Weigh values by how well their keys answer the queries.

    Scores S(query, key) + columns + bias, normalized where the mask allows it, are the weights A;
    the result is A V.

    Parameters
    ----------
    query : Tensor of shape (B, H, Q, D)
    key : Tensor of shape (B, G, K, D)
        H is a multiple of G.
    value : Tensor of shape (B, G', K, Dv)
        H is a multiple of G'.
    mask : bool Tensor, broadcastable to (B, H, Q, K), default None
        True = a real pair. Other places have the weight 0, and a query without any real key has
        the result 0. For a normalizer that couples queries, rows of padding must be False too.
        Keys and values that no query may see, and queries that may see no key, do not enter, NaN
        included. All others must be finite: 0 times NaN is NaN, so that a key or a value which is
        not finite may spoil every query of its head once a single one sees it.
    bias : Tensor, broadcastable to (B, H, Q, K), default None
        Log-weights: what is known before, added to the scores in their dtype. -inf, a weight of 0,
        closes a pair as the mask does, but what is not finite enters there; else they must be
        finite.
    score : str, Score or ScoreFunction, default None
        None is the scaled dot product. A name or settings will do for a score without weights;
        one with weights must be built first.
    normalizer : str or Normalizer, default None
        None is softmax over the keys.
    columns : pair of Tensor, default None
        A bias of low rank, ``columns[0] @ columns[1].mT``, which needs no (B, H, Q, K) tensor.
    dropout : float, default 0.0
        Share of the weights that are dropped, the others growing to make up for them: at least 0
        and below 1.
    return_weights : bool, default False
    path : {"auto", "explicit", "fused", "flex"}, default "auto"
    unseen_are_finite : bool, default False
        Whether keys and values are known to be finite where no query may see them, and queries
        where they may see nothing. Otherwise they are replaced there, which takes time.

    Returns
    -------
    output : Tensor of shape (B, H, Q, Dv)
    weights : Tensor of shape (B, H, Q, K), or None
        Before dropout. For a score that has one softmax a dimension, (B, H, D, Q, K).

    Raises
    ------
    InvalidInputError
        For what is no tensor, shapes or dtypes that do not fit, and a mask that is not of truth
        values.
    InvalidParameterError
        For a path that cannot do what is asked, a dropout out of its range, and a score or
        normalizer that is not known, or has to be built first.

    Examples
    --------
    >>> import torch
    >>> query, key, value = torch.zeros(1, 1, 1, 2), torch.zeros(1, 1, 3, 2), torch.eye(3)
    >>> idf = torch.tensor([1.0, 2.0, 1.0])
    >>> attend(query, key, value.view(1, 1, 3, 3), bias=idf.log())[0].flatten().tolist()
    [0.25, 0.5, 0.25]
    """
    lookup(PATHS, path, "path")
    check_dropout(dropout)
    check_tensors(query, key, value)
    pairs = (*query.shape[:3], key.shape[2])
    if mask is not None:
        check_mask(mask, pairs)
    if bias is not None:
        check_bias(bias, pairs)
    if columns is not None:
        check_columns(columns, pairs)
    mask, bias = _of_four_dimensions(mask), _of_four_dimensions(bias)
    score = _DOT if score is None else _score_function(score, query)
    normalizer = _SOFTMAX if normalizer is None else _normalizer(normalizer)
    # Finer floats than those of the scores, which NumPy makes, would be refused by the kernels.
    bias = bias if bias is None else bias.to(query.dtype)
    if columns is not None:
        columns = columns[0].to(query.dtype), columns[1].to(query.dtype)
    if mask is not None and not unseen_are_finite:
        query, key, value = _without_unseen(mask, query, key, value)
    if path != "explicit":
        factors = score.prepare(query, key)
        reason = _why_not_fused(factors, normalizer, return_weights)
        if factors is not None and reason is None:
            return _attend_fused(*factors, value, mask, bias, columns, dropout, path), None
        if path != "auto":
            raise InvalidParameterError(
                f"path must be 'auto' or 'explicit' here: {reason}. Got {path!r}."
            )
    return _attend_explicit(
        query, key, value, mask, bias, score, normalizer, columns, dropout, return_weights
    )


def _score_function(score: str | Score | ScoreFunction, query: Tensor) -> ScoreFunction:
    """Return what scores the queries: as given, or built where there is nothing to learn."""
    if not isinstance(score, ScoreFunction):
        settings = score if isinstance(score, Score) else lookup(SCORES, score, "score")()
        score = settings.build(query.shape[1], query.shape[-1], torch.Generator())
        if next(score.parameters(), None) is not None:
            made = type(settings).__name__
            raise InvalidParameterError(
                f"score must be built where it has weights: {made}().build(n_heads, width, "
                f"torch.Generator().manual_seed(0)). Got the settings of {settings.name!r}."
            )
    if not isinstance(score, ProductScoreFunction):
        # A product casts what it has learned to the queries; a network multiplies with it.
        for weight in score.parameters():
            check_dtype(query, "query", "score", weight)
    return score


def _normalizer(normalizer: str | Normalizer) -> Normalizer:
    if isinstance(normalizer, Normalizer):
        return normalizer
    return lookup(NORMALIZERS, normalizer, "normalizer")()


def _why_not_fused(
    factors: tuple[Tensor, Tensor] | None, normalizer: Normalizer, return_weights: bool
) -> str | None:
    if return_weights:
        return "a fused kernel keeps no weights"
    if factors is None:
        return "this score is no product of queries and keys"
    if not isinstance(normalizer, Softmax):
        return f"a fused kernel knows softmax alone, and the normalizer is {normalizer.name!r}"
    return None


def _attend_explicit(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    bias: Tensor | None,
    score: ScoreFunction,
    normalizer: Normalizer,
    columns: Columns | None,
    dropout: float,
    return_weights: bool,
) -> tuple[Tensor, Tensor | None]:
    n_heads = query.shape[1]
    scores = score(query, repeat_heads(key, n_heads))
    value = repeat_heads(value, n_heads)
    if bias is not None:
        # As in a fused kernel: where all that a query may see has the weight 0, it is answered 0.
        is_open = bias != float("-inf")
        mask = is_open if mask is None else mask & is_open
    width = scores.shape[1] // n_heads  # 1, or with one softmax a dimension the width of a head
    added = bias
    if columns is not None:
        product = columns[0] @ columns[1].mT
        added = product if bias is None else bias + product
    if width > 1:
        # A softmax a dimension is a head a dimension, whose values have one column.
        added, mask = _for_each_dimension(added, width), _for_each_dimension(mask, width)
        value = value.transpose(2, 3).flatten(1, 2).unsqueeze(-1)
    if added is not None:
        scores = scores + added
    weights = normalizer.route(scores, value, mask)
    output = (functional.dropout(weights, dropout) if dropout > 0.0 else weights) @ value
    if width > 1:
        output = output.squeeze(-1).unflatten(1, (n_heads, width)).transpose(2, 3)
        weights = weights.unflatten(1, (n_heads, width))
    return output, weights if return_weights else None


def _attend_fused(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    bias: Tensor | None,
    columns: Columns | None,
    dropout: float,
    path: str,
) -> Tensor:
    """Return what the explicit path returns; the scale is in the queries already."""
    n_heads, width = query.shape[1], value.shape[-1]
    if columns is not None:
        n_key_heads = max(key.shape[1], columns[1].shape[1])
        query = _beside(query, columns[0], n_heads)
        key = _beside(key, columns[1], n_key_heads)
        # With one width for all, the fused kernels run; the zeros are cut off again.
        value = functional.pad(value, (0, max(0, key.shape[-1] - width)))
    if path == "flex":
        from nlpfeat.attention.flex import attend_flex

        key, value = repeat_heads(key, n_heads), repeat_heads(value, n_heads)
        return attend_flex(query, key, value, mask, bias, dropout)[..., :width]
    allowed = _allowed(mask, bias, n_queries=query.shape[2])
    n_key_heads = math.lcm(key.shape[1], value.shape[1])
    key, value = repeat_heads(key, n_key_heads), repeat_heads(value, n_key_heads)
    n_sharing = n_heads // n_key_heads
    if n_sharing > 1:
        # Heads that share keys ask as one head with more queries: nothing is copied.
        query = query.unflatten(1, (n_key_heads, n_sharing)).flatten(2, 3)
        allowed = None if allowed is None else _for_sharing_heads(allowed, n_sharing)
    output: Tensor = functional.scaled_dot_product_attention(
        query, key, value, attn_mask=allowed, dropout_p=dropout, scale=1.0
    )[..., :width]
    if n_sharing > 1:
        output = output.unflatten(2, (n_sharing, -1)).flatten(1, 2)
    return output


def _allowed(mask: Tensor | None, bias: Tensor | None, *, n_queries: int) -> Tensor | None:
    """Return what the kernel takes: truth values, or floats with -inf off the mask."""
    if mask is None or bias is None:
        allowed = bias if mask is None else mask
    else:
        shape = torch.broadcast_shapes(mask.shape, bias.shape)
        allowed = bias.expand(shape).masked_fill(~mask, float("-inf"))
    if allowed is None:
        return None
    return allowed.expand(-1, -1, n_queries, -1)


def _for_sharing_heads(allowed: Tensor, n_sharing: int) -> Tensor:
    n_heads = allowed.shape[1]
    if n_heads == 1:
        return allowed.repeat(1, 1, n_sharing, 1)
    grouped: Tensor = allowed.unflatten(1, (n_heads // n_sharing, n_sharing)).flatten(2, 3)
    return grouped


def _beside(left: Tensor, right: Tensor, n_heads: int) -> Tensor:
    left, right = repeat_heads(left, n_heads), repeat_heads(right, n_heads)
    return torch.cat([left, right.expand(left.shape[0], -1, left.shape[2], -1)], dim=-1)


def _for_each_dimension(tensor: Tensor | None, width: int) -> Tensor | None:
    if tensor is None or tensor.shape[1] == 1:
        return tensor
    return tensor.repeat_interleave(width, dim=1)


def _of_four_dimensions(tensor: Tensor | None) -> Tensor | None:
    return tensor if tensor is None else tensor[(None,) * (4 - tensor.dim())]


def _without_unseen(
    mask: Tensor, query: Tensor, key: Tensor, value: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return all three with 0 where no query sees a key, or a query no key: 0 times NaN is NaN."""
    blind, seen = ~mask.any(dim=3, keepdim=True), mask.any(dim=2)
    return (
        query.masked_fill(blind, 0.0),
        key.masked_fill(_unseen(seen, key.shape[1]), 0.0),
        value.masked_fill(_unseen(seen, value.shape[1]), 0.0),
    )


def _unseen(seen: Tensor, n_key_heads: int) -> Tensor:
    """Return what none of the heads sees that share a key head: (B, 1 or H, K), to (B, G, K, 1)."""
    if seen.shape[1] not in (1, n_key_heads):
        seen = seen.unflatten(1, (n_key_heads, -1)).any(dim=2)
    return ~seen.unsqueeze(-1)
