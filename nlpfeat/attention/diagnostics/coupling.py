"""D4: which scores a weight depends on, beside its own.

A weight A_ij is made of the scores of all pairs that the normalizer couples. Softmax over the keys
couples the pairs (i, l) of one query; softmax over the queries the pairs (k, j) of one key; and
only a normalizer that sees rows and columns lets the pair (k, l) act on the pair (i, j).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import TypeAlias

import torch
from torch import Tensor

from nlpfeat._validation import check_int
from nlpfeat.attention.diagnostics.check import Check
from nlpfeat.attention.diagnostics.drawing import draw_normal
from nlpfeat.attention.normalizers import (
    Capsule,
    Dual,
    Entmax15,
    Sinkhorn,
    Softmax,
    Sparsemax,
)
from nlpfeat.errors import InvalidInputError

NormalizerFunction: TypeAlias = Callable[[Tensor, Tensor | None], Tensor]

#: u (1 - u) and u² at u = 1/4, and what rows and columns that both sum to one give.
_SELF, _SHARED = 0.1875, 0.0625
_BOTH_SUM = (0.140625, -0.046875, -0.046875, 0.015625)


@dataclass(frozen=True)
class Coupling:
    """Numbers for the four ways in which a score can stand to a weight.

    Parameters
    ----------
    own : float
        Of the weight's own score S_ij.
    row : float
        Of the scores S_il of the same query, l other than j.
    column : float
        Of the scores S_kj of the same key, k other than i.
    cross : float
        Of the scores S_kl that share neither.
    """

    own: float
    row: float
    column: float
    cross: float


def normalizer_jacobian(normalizer: NormalizerFunction, scores: Tensor) -> Tensor:
    """Return how each weight changes with each score, by automatic differentiation.

    Parameters
    ----------
    normalizer : callable
        ``normalizer(scores, mask)``; it is called with ``mask=None``.
    scores : Tensor of shape (Q, K)
        Taken in float64.

    Returns
    -------
    Tensor of shape (Q, K, Q, K), float64
        ``[i, j, k, l]`` is dA_ij / dS_kl.

    Raises
    ------
    InvalidInputError
        When ``scores`` is no matrix.

    Examples
    --------
    >>> softmax = lambda scores, mask: scores.softmax(-1)
    >>> normalizer_jacobian(softmax, torch.zeros(2, 2))[0, 0]
    tensor([[ 0.2500, -0.2500],
            [ 0.0000,  0.0000]], dtype=torch.float64)
    """
    if scores.dim() != 2:
        raise InvalidInputError(
            f"scores must be a matrix of queries by keys. Got a tensor of shape "
            f"{tuple(scores.shape)}: take one head of one document."
        )
    free = scores.detach().cpu().double().requires_grad_()
    weights = normalizer(free, None)
    each = torch.eye(weights.numel(), dtype=torch.float64).view(-1, *weights.shape)
    (rows,) = torch.autograd.grad(weights, free, each, is_grads_batched=True)
    jacobian: Tensor = rows.view(*scores.shape, *scores.shape)
    return jacobian


def coupling_shares(normalizer: NormalizerFunction, scores: Tensor) -> Coupling:
    """Return the shares of the squared derivatives that each kind of pair has; they sum to one.

    Parameters
    ----------
    normalizer : callable
        ``normalizer(scores, mask)``.
    scores : Tensor of shape (Q, K)

    Examples
    --------
    >>> softmax = lambda scores, mask: scores.softmax(-1)
    >>> coupling_shares(softmax, torch.zeros(4, 4))
    Coupling(own=0.75, row=0.25, column=0.0, cross=0.0)
    """
    squares = normalizer_jacobian(normalizer, scores) ** 2
    total = float(squares.sum())
    kinds = _kinds(*scores.shape)
    return Coupling(*(float(squares[kind].sum()) / total for kind in kinds))


def uniform_coupling(normalizer: NormalizerFunction, n_tokens: int) -> Coupling:
    """Return the four derivatives at equal scores, where each kind of pair has one value.

    ``own`` is dA_ij / dS_ij, ``row`` dA_ij / dS_il, ``column`` dA_ij / dS_kj and ``cross``
    dA_ij / dS_kl, for n queries and n keys whose scores are all 0.

    Parameters
    ----------
    normalizer : callable
        ``normalizer(scores, mask)``. It must treat all queries alike, and all keys.
    n_tokens : int
        n, at least 2.

    Notes
    -----
    At n = 4, with u = 1/n: softmax over keys gives u(1 - u), -u², 0, 0; softmax over queries the
    same with row and column exchanged; Sinkhorn, and softmax over queries with rows that are then
    divided by their sums, give (1 - u)²u, -(1 - u)u², -(1 - u)u², u³.

    Examples
    --------
    >>> both = lambda scores, mask: scores.softmax(-1) * scores.softmax(-2)
    >>> uniform_coupling(both, 4)
    Coupling(own=0.09375, row=-0.015625, column=-0.015625, cross=0.0)
    """
    n = check_int(n_tokens, "n_tokens", minimum=2)
    jacobian = normalizer_jacobian(normalizer, torch.zeros(n, n, dtype=torch.float64))
    return Coupling(*(float(jacobian[kind].mean()) for kind in _kinds(n, n)))


def checks(generator: torch.Generator) -> Iterator[Check]:
    """Measure freshly drawn attentions."""
    normalizers = {
        "softmax": (Softmax(), (_SELF, -_SHARED, 0.0, 0.0)),
        "capsule, columns sum to one": (Capsule(renormalize=False), (_SELF, 0.0, -_SHARED, 0.0)),
        "capsule, renormalized": (Capsule(), _BOTH_SUM),
        "sinkhorn": (Sinkhorn(), _BOTH_SUM),
        "dual": (Dual(), (_SELF / 2, -_SHARED / 4, -_SHARED / 4, 0.0)),
        "sparsemax": (Sparsemax(), (0.75, -0.25, 0.0, 0.0)),
        "entmax15": (Entmax15(), (0.375, -0.125, 0.0, 0.0)),
    }
    for name, (normalizer, expected) in normalizers.items():
        found = uniform_coupling(normalizer, 4)
        for kind, value in zip(fields(found), expected):
            yield Check(
                f"{name}: d weight / d score, {kind.name}, 4 equal scores",
                "=", value, getattr(found, kind.name), 1e-9 if value else 1e-12,
            )  # fmt: skip
    scores = draw_normal(generator, 6, 6)
    for name, (normalizer, expected) in normalizers.items():
        cross = coupling_shares(normalizer, scores).cross
        setting = f"{name}: share of cross derivatives, 6 x 6 random scores"
        if expected[3]:
            yield Check(setting, ">", 0.01, cross)
        else:
            yield Check(setting, "=", 0.0, cross, 1e-12)


def _kinds(n_queries: int, n_keys: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return masks over (i, j, k, l): own score, same query, same key, neither."""
    same_query = torch.eye(n_queries, dtype=torch.bool)[:, None, :, None]
    same_key = torch.eye(n_keys, dtype=torch.bool)[None, :, None, :]
    return (
        same_query & same_key, same_query & ~same_key, ~same_query & same_key,
        ~same_query & ~same_key,
    )  # fmt: skip
