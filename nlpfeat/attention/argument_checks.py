"""Whether what is given to an attention can be, and what to do if not."""

import torch
from torch import Tensor

from nlpfeat._validation import check_real
from nlpfeat.errors import InvalidInputError, InvalidParameterError

_CAST_BY_AUTOCAST = (torch.float16, torch.bfloat16, torch.float32)


def check_dropout(dropout: object) -> float:
    """Return a share of weights to drop, at least 0 and below 1.

    Raises
    ------
    InvalidParameterError
        For anything else.

    Examples
    --------
    >>> check_dropout(0.1)
    0.1
    """
    share = check_real(dropout, "dropout")
    if 0.0 <= share < 1.0:
        return share
    raise InvalidParameterError(f"dropout must be at least 0 and below 1. Got {dropout!r}.")


def check_generator(generator: object) -> torch.Generator:
    """Return a generator of the CPU; None is torch's own.

    Raises
    ------
    InvalidParameterError
        For anything else.

    Examples
    --------
    >>> check_generator(None) is torch.default_generator
    True
    """
    if generator is None:
        return torch.default_generator
    if isinstance(generator, torch.Generator) and generator.device.type == "cpu":
        return generator
    raise InvalidParameterError(
        "generator must be a torch.Generator of the CPU, such as torch.Generator().manual_seed(0). "
        f"Got {generator!r}."
    )


def check_tensor(given: object, name: str) -> None:
    """Raise when it is no tensor.

    Raises
    ------
    InvalidInputError

    Examples
    --------
    >>> check_tensor(torch.zeros(1), "query")
    """
    if not isinstance(given, Tensor):
        raise InvalidInputError(
            f"{name} must be a torch.Tensor. Got a {type(given).__name__}. Use "
            f"torch.from_numpy({name}) for an array of NumPy, torch.tensor({name}) for a list."
        )


def check_dtype(given: Tensor, name: str, owner: str, weight: Tensor) -> None:
    """Raise when a tensor cannot meet the weights of a module: autocast alone mixes dtypes.

    Parameters
    ----------
    given : Tensor
    name : str
        What it is called.
    owner : str
        What the module is called.
    weight : Tensor
        A weight of it.

    Raises
    ------
    InvalidInputError

    Examples
    --------
    >>> check_dtype(torch.zeros(1), "tokens", "the layer", torch.ones(1))
    """
    dtypes = given.dtype, weight.dtype
    if dtypes[0] == dtypes[1] or (
        torch.is_autocast_enabled(given.device.type)
        and all(dtype in _CAST_BY_AUTOCAST for dtype in dtypes)
    ):
        return
    raise InvalidInputError(
        f"{name} must be of the dtype of {owner}, {weight.dtype}. Got {given.dtype}. "
        f"Use {name}.to({weight.dtype}), or another dtype for {owner}."
    )


def check_tensors(query: Tensor, key: Tensor, value: Tensor) -> None:
    """Raise when queries, keys and values do not fit one another, as ``attend`` takes them.

    Raises
    ------
    InvalidInputError

    Examples
    --------
    >>> check_tensors(*torch.zeros(3, 1, 2, 4, 8))
    """
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        check_tensor(tensor, name)
        _check_shape_and_dtype(name, tensor, query)
    if key.shape[2] != value.shape[2]:
        raise InvalidInputError(
            f"key and value must have as many tokens. Got {key.shape[2]} and {value.shape[2]}."
        )
    if query.shape[-1] != key.shape[-1]:
        raise InvalidInputError(
            f"query and key must be of one width. Got {query.shape[-1]} and {key.shape[-1]}."
        )


def _check_shape_and_dtype(name: str, tensor: Tensor, query: Tensor) -> None:
    if tensor.dim() != 4 or tensor.shape[0] != query.shape[0]:
        raise InvalidInputError(
            f"{name} must have the shape (batch, heads, tokens, width), with the batch of "
            f"query. Got {tuple(tensor.shape)}, and query {tuple(query.shape)}."
        )
    if not tensor.shape[1] or not tensor.shape[3]:
        raise InvalidInputError(
            f"{name} must have heads and a width, at least 1 of each. Got {tuple(tensor.shape)}."
        )
    if query.shape[1] % tensor.shape[1]:
        raise InvalidInputError(
            f"{name} must have a number of heads that divides those of query, "
            f"{query.shape[1]}. Got {tensor.shape[1]}."
        )
    if not tensor.dtype.is_floating_point:
        raise InvalidInputError(
            f"{name} must be of floats, such as torch.float32. Got {tensor.dtype}. "
            f"Use {name}.to(torch.float32)."
        )
    if tensor.dtype != query.dtype:
        raise InvalidInputError(
            f"{name} must be of the dtype of query, {query.dtype}. Got {tensor.dtype}. "
            f"Use {name}.to(query.dtype)."
        )


def check_mask(mask: Tensor, pairs: tuple[int, ...]) -> None:
    """Raise when a mask is not of truth values, or does not fit (B, H, Q, K).

    Raises
    ------
    InvalidInputError

    Examples
    --------
    >>> check_mask(torch.ones(2, 1, 1, 5, dtype=torch.bool), (2, 4, 3, 5))
    """
    check_tensor(mask, "mask")
    _check_expandable("mask", mask, pairs)
    if mask.dtype is not torch.bool:
        raise InvalidInputError(
            "mask must be of truth values, True = a real pair; what is added to scores is a "
            f"bias. Got {mask.dtype}."
        )


def check_bias(bias: Tensor, pairs: tuple[int, ...]) -> None:
    """Raise when a bias is not of floats, or does not fit (B, H, Q, K).

    Raises
    ------
    InvalidInputError

    Examples
    --------
    >>> check_bias(torch.zeros(3, 5), (2, 4, 3, 5))
    """
    check_tensor(bias, "bias")
    _check_expandable("bias", bias, pairs)
    if not bias.dtype.is_floating_point:
        raise InvalidInputError(
            f"bias must be of finite floats; truth values are a mask. Got {bias.dtype}."
        )


def check_columns(columns: object, pairs: tuple[int, ...]) -> None:
    """Raise when columns are no two tensors of floats, or do not fit (B, H, Q, K).

    Raises
    ------
    InvalidInputError

    Examples
    --------
    >>> check_columns((torch.zeros(1, 1, 3, 7), torch.zeros(2, 4, 5, 7)), (2, 4, 3, 5))
    """
    if not isinstance(columns, tuple | list) or len(columns) != 2:
        raise InvalidInputError(
            "columns must be a pair of tensors, of queries and of keys. "
            f"Got a {type(columns).__name__}."
        )
    n_tokens = {"columns[0]": pairs[2], "columns[1]": pairs[3]}
    for (name, number), tensor in zip(n_tokens.items(), columns):
        check_tensor(tensor, name)
        n_columns = tensor.shape[-1] if tensor.dim() else 1
        _check_expandable(name, tensor, (*pairs[:2], number, n_columns), n_dimensions=4)
        if not tensor.dtype.is_floating_point:
            raise InvalidInputError(f"{name} must be of finite floats. Got {tensor.dtype}.")
    if columns[0].shape[-1] != columns[1].shape[-1]:
        raise InvalidInputError(
            "columns[0] and columns[1] must be of one width. "
            f"Got {columns[0].shape[-1]} and {columns[1].shape[-1]}."
        )


def _check_expandable(
    name: str, tensor: Tensor, wanted: tuple[int, ...], n_dimensions: int | None = None
) -> None:
    """Raise when a tensor cannot be expanded, from the last dimension on, to the shape wanted."""
    n_given = tensor.dim()
    fits = n_given == n_dimensions if n_dimensions else n_given <= len(wanted)
    if not fits or any(
        given not in (1, size) for given, size in zip(tensor.shape[::-1], wanted[::-1])
    ):
        raise InvalidInputError(
            f"{name} must have a shape that can be expanded to {wanted}. Got {tuple(tensor.shape)}."
        )
