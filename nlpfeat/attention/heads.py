"""How many heads ask, how many are asked, and how wide they are."""

from dataclasses import dataclass

from torch import Tensor

from nlpfeat._validation import check_int
from nlpfeat.errors import InvalidParameterError


@dataclass(frozen=True)
class HeadLayout:
    """Heads in numbers; made by :func:`lay_out_heads`."""

    #: H, heads that ask.
    n_heads: int
    #: G, heads that are asked: keys and values.
    n_kv_heads: int
    #: D, the width of a head.
    d_head: int


def lay_out_heads(
    d_model: int, n_heads: int, n_kv_heads: int | None = None, d_head: int | None = None
) -> HeadLayout:
    """Return single-head, multi-head, grouped-query or multi-query attention: three numbers.

    Parameters
    ----------
    d_model : int
        The width of the model.
    n_heads : int
        H, heads that ask. 1 is single-head attention.
    n_kv_heads : int, default None
        G, heads that are asked: keys and values. None is H (multi-head), 1 is multi-query, and
        what is between is grouped-query attention, where each key head serves H / G of those that
        ask.
    d_head : int, default None
        D, the width of a head. None is the width of the model divided by H; any other width will
        do, and one that is less than the number of tokens limits which weights a head can give.

    Raises
    ------
    InvalidParameterError
        When H is no multiple of G, or the width no multiple of H and ``d_head`` is None.

    Notes
    -----
    Source: Vaswani et al. (2017); multi-query: Shazeer (2019); grouped-query: Ainslie et al.
    (2023); the width of a head: Bhojanapalli et al. (2020).

    Examples
    --------
    >>> lay_out_heads(128, n_heads=8, n_kv_heads=2)
    HeadLayout(n_heads=8, n_kv_heads=2, d_head=16)
    """
    d_model = check_int(d_model, "d_model", minimum=1)
    n_heads = check_int(n_heads, "n_heads", minimum=1)
    n_kv_heads = n_heads if n_kv_heads is None else check_int(n_kv_heads, "n_kv_heads", minimum=1)
    if n_heads % n_kv_heads:
        raise InvalidParameterError(
            f"n_kv_heads must divide n_heads, {n_heads}: each key head serves as many query heads "
            f"as any other. Got {n_kv_heads}."
        )
    if d_head is not None:
        return HeadLayout(n_heads, n_kv_heads, check_int(d_head, "d_head", minimum=1))
    if d_model % n_heads:
        raise InvalidParameterError(
            f"d_model must be a multiple of n_heads, {n_heads}, unless d_head is given. "
            f"Got {d_model}."
        )
    return HeadLayout(n_heads, n_kv_heads, d_model // n_heads)


def split_heads(projected: Tensor, n_heads: int) -> Tensor:
    """Return ``(B, L, H·D)`` as ``(B, H, L, D)``: each head has its own columns of every token.

    Examples
    --------
    >>> import torch
    >>> split_heads(torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8]]]), 2).tolist()
    [[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]]
    """
    # The transpose is what makes heads of columns; a view to (B, H, L, D) would make them of
    # blocks of tokens, without an error.
    heads: Tensor = projected.unflatten(-1, (n_heads, -1)).transpose(1, 2)
    return heads


def merge_heads(heads: Tensor) -> Tensor:
    """Return ``(B, H, L, D)`` as ``(B, L, H·D)``: the heads' columns side by side.

    Examples
    --------
    >>> import torch
    >>> merge_heads(torch.tensor([[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]])).tolist()
    [[[1, 2, 3, 4], [5, 6, 7, 8]]]
    """
    return heads.transpose(1, 2).flatten(2)


def repeat_heads(heads: Tensor, n_heads: int) -> Tensor:
    """Return ``(B, G, K, D)`` as ``(B, H, K, D)``: each head serves H / G of those that ask.

    Examples
    --------
    >>> import torch
    >>> repeat_heads(torch.tensor([[[[1]], [[2]]]]), 4).flatten().tolist()
    [1, 1, 2, 2]
    """
    n_given = heads.shape[1]
    if n_given == n_heads:
        return heads
    if n_given == 1:
        return heads.expand(-1, n_heads, -1, -1)
    return heads.repeat_interleave(n_heads // n_given, dim=1)
