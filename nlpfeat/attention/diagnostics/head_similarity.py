"""D6: which heads do the same.

Two heads are alike when they weigh the keys alike (Jensen-Shannon divergence of their weights) or
when their outputs tell the same (linear CKA). Compare with the same numbers at initialization and
between seeds: small divergences alone may only say that both heads look everywhere.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from nlpfeat._validation import check_real
from nlpfeat.attention.diagnostics.check import Check
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.spec import AttentionSpec
from nlpfeat.errors import InvalidInputError


def jensen_shannon(first: Tensor, second: Tensor) -> Tensor:
    """Return the Jensen-Shannon divergence of distributions, in bits.

    Parameters
    ----------
    first, second : Tensor of shape (..., K)
        Nonnegative, with sums of one; a row of zeros counts as equal to another.

    Returns
    -------
    Tensor of shape (...), float64
        From 0, equal, to 1, disjoint. Source: Lin (1991).

    Examples
    --------
    >>> jensen_shannon(torch.tensor([[1.0, 0.0], [0.5, 0.5]]), torch.tensor([0.0, 1.0]))
    tensor([1.0000, 0.3113], dtype=torch.float64)
    """
    first, second = first.detach().cpu().double(), second.detach().cpu().double()
    middle = (first + second) / 2
    nats = (2 * torch.special.entr(middle) - torch.special.entr(first)).sum(-1)
    nats = nats - torch.special.entr(second).sum(-1)
    bits: Tensor = nats / (2 * math.log(2))
    return bits.clamp(0, 1)


def head_distances(weights: Tensor, mask: Tensor | None = None) -> Tensor:
    """Return the mean divergence of each two heads over all queries.

    Parameters
    ----------
    weights : Tensor of shape (B, H, Q, K)
        Weights whose rows sum to one.
    mask : bool Tensor of shape (B, Q), default None
        True for a real query; all when None.

    Returns
    -------
    Tensor of shape (H, H), float64
        Symmetric, 0 on the diagonal, in bits from 0 to 1.

    Raises
    ------
    InvalidInputError
        When the shapes do not fit, or no query is real.

    Examples
    --------
    Two heads look at the first of 茶 好 喝, the third one everywhere:

    >>> first, everywhere = torch.tensor([1.0, 0.0, 0.0]), torch.full((3,), 1 / 3)
    >>> weights = torch.stack([first, first, everywhere])[None, :, None, :]
    >>> head_distances(weights)
    tensor([[0.0000, 0.0000, 0.4591],
            [0.0000, 0.0000, 0.4591],
            [0.4591, 0.4591, 0.0000]], dtype=torch.float64)
    """
    rows = _real_rows(weights, mask, "weights")
    return torch.stack([jensen_shannon(head[:, None], rows).mean(0) for head in rows.unbind(1)])


def cluster_heads(distances: Tensor, threshold: float = 0.1) -> tuple[int, ...]:
    """Return a cluster for each head, by average linkage.

    The two nearest clusters are merged as long as the mean distance between their heads is at
    most the threshold.

    Parameters
    ----------
    distances : Tensor of shape (H, H)
        Symmetric, such as `head_distances` gives.
    threshold : float, default 0.1

    Returns
    -------
    tuple of int
        A number from 0 for each head, in the order in which the clusters first appear.

    Examples
    --------
    >>> cluster_heads(torch.tensor([[0.0, 0.5, 0.01], [0.5, 0.0, 0.5], [0.01, 0.5, 0.0]]))
    (0, 1, 0)
    """
    check_real(threshold, "threshold")
    if distances.dim() != 2 or distances.shape[0] != distances.shape[1]:
        raise InvalidInputError(
            "distances must be a square matrix, a row and a column for each head. Got a tensor of "
            f"shape {tuple(distances.shape)}."
        )
    clusters = [[head] for head in range(len(distances))]
    while len(clusters) > 1:
        pairs = [(a, b) for b in range(len(clusters)) for a in range(b)]
        gaps = [float(distances[clusters[a]][:, clusters[b]].mean()) for a, b in pairs]
        gap, (a, b) = min(zip(gaps, pairs))
        if not gap <= threshold:
            break
        clusters[a] = sorted(clusters[a] + clusters.pop(b))
    numbered = sorted(clusters)
    places = {head: number for number, heads in enumerate(numbered) for head in heads}
    return tuple(places[head] for head in range(len(distances)))


def linear_cka(first: Tensor, second: Tensor) -> float:
    """Return the linear centered kernel alignment of two representations of the same rows.

    ||X'Y||² / (||X'X|| ||Y'Y||) in Frobenius norms, of centered columns.

    Parameters
    ----------
    first : Tensor of shape (N, D1)
    second : Tensor of shape (N, D2)

    Returns
    -------
    float
        From 0, uncorrelated, to 1, equal up to rotation, scale and shift; NaN when one of the two
        has equal rows. Source: Kornblith et al. (2019).

    Examples
    --------
    >>> outputs = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    >>> round(linear_cka(outputs, 2 * outputs.flip(1) + 1), 6)
    1.0
    """
    if first.dim() != 2 or second.dim() != 2 or len(first) != len(second):
        raise InvalidInputError(
            "first and second must be matrices with the same number of rows. Got tensors of shape "
            f"{tuple(first.shape)} and {tuple(second.shape)}."
        )
    x, y = (each.detach().cpu().double() for each in (first, second))
    x, y = x - x.mean(0), y - y.mean(0)
    return float((x.T @ y).norm() ** 2 / ((x.T @ x).norm() * (y.T @ y).norm()))


def output_similarity(heads: Tensor, mask: Tensor | None = None) -> Tensor:
    """Return the linear CKA of the outputs of each two heads.

    Parameters
    ----------
    heads : Tensor of shape (B, H, Q, D)
        The outputs of the heads before they are merged.
    mask : bool Tensor of shape (B, Q), default None
        True for a real query; all when None.

    Returns
    -------
    Tensor of shape (H, H), float64
        1 on the diagonal.

    Examples
    --------
    >>> head = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    >>> output_similarity(torch.stack([head, -2 * head])[None])
    tensor([[1., 1.],
            [1., 1.]], dtype=torch.float64)
    """
    rows = _real_rows(heads, mask, "heads").unbind(1)
    return torch.tensor([[linear_cka(a, b) for b in rows] for a in rows], dtype=torch.float64)


def checks(generator: torch.Generator) -> Iterator[Check]:
    """Measure freshly drawn attentions."""
    one_hot = torch.eye(4, dtype=torch.float64)
    weights = torch.stack([one_hot, one_hot, one_hot.roll(1, 0)])[None]
    found = head_distances(weights)
    yield Check("equal heads: divergence", "=", 0.0, float(found[0, 1]))
    yield Check("heads that look at different tokens: divergence", "=", 1.0, float(found[0, 2]))
    layer = draw_attention(generator, 16, AttentionSpec(n_heads=4))
    for weight in (layer.query_weight, layer.key_weight, layer.value_weight):
        heads = weight.detach().unflatten(0, (4, -1))
        heads[3] = heads[1]
    # Scores of some size, or all heads look everywhere and so at the same.
    with torch.no_grad():
        given = layer(4 * draw_normal(generator, 8, 6, 16), return_weights=True)
    distances = head_distances(given.weights)
    clusters = cluster_heads(distances)
    yield Check("a head and its copy: divergence", "<", 1e-12, float(distances[1, 3]))
    yield Check("a head and another: divergence", ">", 0.1, float(distances[1, 2]))
    yield Check("4 heads, one a copy: clusters", "=", 3, len(set(clusters)))
    similar = output_similarity(given.heads)
    yield Check("a head and its copy: linear CKA", "=", 1.0, float(similar[1, 3]), 1e-12)
    yield Check("a head and another: linear CKA", "<", 0.9, float(similar[1, 2]))


def _real_rows(tensor: Tensor, mask: Tensor | None, name: str) -> Tensor:
    """Return a row for each real query: (n, H, width)."""
    if tensor.dim() != 4:
        raise InvalidInputError(
            f"{name} must have four dimensions: documents, heads, queries and width. Got a tensor "
            f"of shape {tuple(tensor.shape)}."
        )
    rows = tensor.detach().cpu().double().transpose(1, 2)
    if mask is None:
        return rows.flatten(0, 1)
    if mask.dtype != torch.bool or mask.shape != rows.shape[:2]:
        raise InvalidInputError(
            f"mask must be a bool tensor of shape {tuple(rows.shape[:2])}, documents and queries. "
            f"Got {mask.dtype} of shape {tuple(mask.shape)}."
        )
    if not mask.any():
        raise InvalidInputError("mask must leave at least one query. Got False everywhere.")
    return rows[mask.cpu()]
