"""FlexAttention: masks and biases inside one compiled kernel, on a GPU."""

import warnings
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import torch
from torch import Tensor

from nlpfeat.errors import InvalidInputError


def attend_flex(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    bias: Tensor | None,
    dropout: float,
) -> Tensor:
    """Return softmax(query·key + bias) value, where the mask allows it.

    Parameters
    ----------
    query, key, value : Tensor of shape (B, H, Q or K, D)
        The scale is in the queries already.
    mask, bias : Tensor, broadcastable to (B, H, Q, K), or None
    dropout : float
        0: the kernel has none.

    Returns
    -------
    Tensor of shape (B, H, Q, D)

    Raises
    ------
    InvalidInputError
        Off a GPU while gradients are wanted, and with dropout: the kernel has neither.

    Notes
    -----
    Off a GPU it is not compiled, and slow: good for nothing but a comparison. On a GPU the gradient
    of a learned bias is summed in no fixed order, so that two runs may differ in the last digits.
    """
    if dropout:
        raise InvalidInputError("path='flex' has no dropout. Use path='auto', or dropout=0.")
    wants_gradient = torch.is_grad_enabled() and any(
        part is not None and part.requires_grad for part in (query, key, value, bias)
    )
    if not query.is_cuda and wants_gradient:
        raise InvalidInputError(
            f"path='flex' has gradients on a GPU only, and the tensors are on {query.device}. "
            "Use path='auto'."
        )
    pairs = (*query.shape[:3], key.shape[2])
    allowed = torch.ones((), dtype=torch.bool, device=query.device) if mask is None else mask
    added = torch.zeros((), dtype=query.dtype, device=query.device) if bias is None else bias
    allowed, added = allowed.expand(pairs), added.expand(pairs)

    def modified(score: Tensor, b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        return torch.where(allowed[b, h, q, k], score + added[b, h, q, k], float("-inf"))

    output: Tensor = _kernel(query.is_cuda)(query, key, value, score_mod=modified, scale=1.0)
    return output


@cache
def _kernel(is_compiled: bool) -> Callable[..., Any]:
    from torch.nn.attention.flex_attention import flex_attention

    return torch.compile(flex_attention) if is_compiled else _quiet(flex_attention)


def _quiet(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return the kernel without its warning that it is slow off a GPU, which is documented."""

    @wraps(kernel)
    def call(*arguments: Any, **named: Any) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "flex_attention called without torch.compile")
            return kernel(*arguments, **named)

    return call
