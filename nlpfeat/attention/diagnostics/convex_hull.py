"""D2: whether outputs are mixtures of the values.

Weights that are nonnegative and sum to one put each output of a head into the convex hull of its
values: before the output projection, before the residual, without attention dropout. A softmax per
dimension leaves the hull and stays in the bounding box. That an output lies in the hull does not
make attention a projection onto it: it need not be the point of the hull nearest to the query.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from nlpfeat._validation import check_int
from nlpfeat.attention.diagnostics.check import Check
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.heads import repeat_heads
from nlpfeat.attention.module import Attention
from nlpfeat.attention.normalizers import NORMALIZERS
from nlpfeat.attention.spec import AttentionSpec
from nlpfeat.errors import InvalidInputError

#: A point is the nearest one when no vertex lies nearer in its direction, to rounding errors.
_RELATIVE = 1e-12


@dataclass(frozen=True)
class HullMembership:
    """How far outputs lie from the mixtures of their values.

    Parameters
    ----------
    hull : Tensor of shape (..., Q), float64
        Euclidean distance of each output to the convex hull of the values.
    box : Tensor of shape (..., Q), float64
        Distance to the smallest box along the axes that holds the values; never above ``hull``.
    """

    hull: Tensor
    box: Tensor


def hull_membership(outputs: Tensor, values: Tensor) -> HullMembership:
    """Return the distances of outputs to the convex hull and to the bounding box of the values.

    Parameters
    ----------
    outputs : Tensor of shape (..., Q, D)
        One head's outputs; leading dimensions, such as (B, H), have a hull each.
    values : Tensor of shape (..., K, D)

    Examples
    --------
    >>> values = torch.tensor([[0.0, 0.0], [1.0, 1.0]])
    >>> found = hull_membership(torch.tensor([[0.5, 0.5], [0.2, 0.8]]), values)
    >>> found.hull.numpy().round(6).tolist(), found.box.tolist()
    ([0.0, 0.424264], [0.0, 0.0])
    """
    return HullMembership(hull_distance(outputs, values), box_distance(outputs, values))


@torch.no_grad()
def attention_hull(attention: Attention, tokens: Tensor) -> HullMembership:
    """Return the distances of each head's outputs to the hull and box of its values.

    Parameters
    ----------
    attention : Attention
        With dropout and in training mode, outputs leave the hull.
    tokens : Tensor of shape (L, d_model)
        One document, without padding.

    Returns
    -------
    HullMembership
        Of shape (H, Q).

    Examples
    --------
    >>> from nlpfeat.attention.spec import AttentionSpec
    >>> generator = torch.Generator().manual_seed(0)
    >>> layer = Attention(8, AttentionSpec(n_heads=2), generator=generator).double()
    >>> tokens = torch.randn(5, 8, generator=generator, dtype=torch.float64)
    >>> bool((attention_hull(layer, tokens).hull < 1e-8).all())
    True
    """
    value = attention.project(tokens[None])[2]
    outputs = attention(tokens[None], path="explicit").heads
    found = hull_membership(outputs, repeat_heads(value, attention.layout.n_heads))
    return HullMembership(found.hull[0], found.box[0])


def hull_distance(points: Tensor, vertices: Tensor) -> Tensor:
    """Return the Euclidean distance of points to the convex hull of vertices.

    Parameters
    ----------
    points : Tensor of shape (..., Q, D)
    vertices : Tensor of shape (..., K, D)

    Returns
    -------
    Tensor of shape (..., Q), float64
        About 1e-12 times the size of the vertices or less for points inside.

    Raises
    ------
    InvalidInputError
        When the shapes do not fit, or an entry is not finite.

    Notes
    -----
    Exact up to rounding: Wolfe's active-set method for the point of least norm in a polytope
    (1976) visits each set of vertices at most once, and ends.

    Examples
    --------
    >>> triangle = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> hull_distance(torch.tensor([[1.0, 1.0], [0.2, 0.2]]), triangle).numpy().round(6).tolist()
    [0.707107, 0.0]
    """
    points, vertices = _paired(points, vertices)
    flat_points = points.flatten(0, -3) if points.dim() > 2 else points[None]
    flat_vertices = vertices.flatten(0, -3) if vertices.dim() > 2 else vertices[None]
    distances = [
        _least_norm(corners - point)
        for rows, corners in zip(flat_points, flat_vertices)
        for point in rows
    ]
    return points.new_tensor(distances).reshape(points.shape[:-1])


def box_distance(points: Tensor, vertices: Tensor) -> Tensor:
    """Return the Euclidean distance of points to the bounding box of vertices.

    Parameters
    ----------
    points : Tensor of shape (..., Q, D)
    vertices : Tensor of shape (..., K, D)

    Returns
    -------
    Tensor of shape (..., Q), float64
        Exactly 0 inside.

    Examples
    --------
    >>> box_distance(torch.tensor([[0.5, 4.0]]), torch.tensor([[0.0, 0.0], [1.0, 1.0]]))
    tensor([3.], dtype=torch.float64)
    """
    points, vertices = _paired(points, vertices)
    low, high = vertices.amin(-2, keepdim=True), vertices.amax(-2, keepdim=True)
    beyond = (low - points).clamp(min=0) + (points - high).clamp(min=0)
    distance: Tensor = beyond.norm(dim=-1)
    return distance


def support_gap(
    points: Tensor, vertices: Tensor, *, n_directions: int = 64, generator: torch.Generator
) -> Tensor:
    """Return how far points lie beyond all vertices in the worst of some random directions.

    Quicker than `hull_distance`, and never above it: a positive value proves that the point is
    outside, a negative one proves nothing.

    Parameters
    ----------
    points : Tensor of shape (..., Q, D)
    vertices : Tensor of shape (..., K, D)
    n_directions : int, default 64
        Unit vectors u to try.
    generator : torch.Generator
        What draws them.

    Returns
    -------
    Tensor of shape (..., Q), float64
        The greatest u·point - max_j u·vertex_j.

    Examples
    --------
    >>> line = torch.tensor([[0.0], [1.0]])
    >>> generator = torch.Generator().manual_seed(0)
    >>> support_gap(torch.tensor([[0.4], [3.0]]), line, generator=generator).numpy().round(6)
    array([-0.4,  2. ])
    """
    check_int(n_directions, "n_directions", minimum=1)
    points, vertices = _paired(points, vertices)
    directions = torch.randn(
        points.shape[-1], n_directions, dtype=torch.float64, generator=generator
    )
    directions = directions / directions.norm(dim=0)
    reach = (vertices @ directions).amax(-2, keepdim=True)
    gap: Tensor = (points @ directions - reach).amax(-1)
    return gap


def checks(generator: torch.Generator) -> Iterator[Check]:
    """Measure freshly drawn attentions."""
    corners = torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
    found = hull_membership(corners.new_tensor([[0.2, 0.8]]), corners)
    yield Check("(.2, .8) to the hull of (0, 0), (1, 1)", "=", 0.6 / math.sqrt(2),
                float(found.hull), 1e-9)  # fmt: skip
    yield Check("(.2, .8) to the box of (0, 0), (1, 1)", "=", 0.0, float(found.box))
    tokens = draw_normal(generator, 6, 8)
    for name in NORMALIZERS:
        layer = draw_attention(generator, 8, AttentionSpec(n_heads=1, normalizer=name))
        away = float(attention_hull(layer, tokens).hull.max())
        if name == "dual":
            yield Check("dual, whose rows sum to less than one: to the hull", ">", 1e-3, away)
        else:
            yield Check(f"{name}: to the hull", "<", 1e-8, away)
    layer = draw_attention(generator, 8, AttentionSpec(n_heads=4, n_kv_heads=2))
    away = float(attention_hull(layer, tokens).hull.max())
    yield Check("softmax, 4 heads: each to its own hull", "<", 1e-8, away)
    layer = draw_attention(generator, 8, AttentionSpec(score="multidim", n_heads=1))
    found = attention_hull(layer, tokens)
    yield Check("a softmax per dimension: to the hull", ">", 1e-3, float(found.hull.max()))
    yield Check("a softmax per dimension: to the box", "<", 1e-12, float(found.box.max()))
    weights = draw_normal(generator, 6, 6).softmax(-1)
    kept = torch.rand(6, 6, generator=generator) < 0.5
    dropped = hull_distance((weights * kept / 0.5) @ tokens, tokens)
    yield Check("weights dropped at 50 %, as in training: to the hull", ">", 1e-3,
                float(dropped.max()))  # fmt: skip


def _paired(points: Tensor, vertices: Tensor) -> tuple[Tensor, Tensor]:
    fits = points.dim() >= 2 and points.dim() == vertices.dim()
    fits = fits and points.shape[:-2] == vertices.shape[:-2]
    if not fits or points.shape[-1] != vertices.shape[-1] or not vertices.shape[-2]:
        raise InvalidInputError(
            "points and vertices must have shapes (..., Q, D) and (..., K, D), with K at least 1. "
            f"Got {tuple(points.shape)} and {tuple(vertices.shape)}."
        )
    points, vertices = points.detach().cpu().double(), vertices.detach().cpu().double()
    if not (points.isfinite().all() and vertices.isfinite().all()):
        raise InvalidInputError("points and vertices must be finite. Got inf or NaN in them.")
    return points, vertices


def _least_norm(vertices: Tensor) -> float:
    """Return the distance of the origin to the hull, by Wolfe's method."""
    sizes = vertices.norm(dim=1)
    active, weights = [int(sizes.argmin())], vertices.new_ones(1)
    distance = math.inf
    while True:
        point = weights @ vertices[active]
        if not float(point.norm()) < distance:
            # Each step comes nearer, until there is nothing left but rounding errors.
            return min(distance, float(point.norm()))
        distance = float(point.norm())
        heights = vertices @ point
        candidate = int(heights.argmin())
        if distance**2 - float(heights[candidate]) <= _RELATIVE * distance * float(sizes.max()):
            return distance
        active.append(candidate)
        weights = torch.cat([weights, weights.new_zeros(1)])
        active, weights = _nearest_mixture(vertices, active, weights)


def _nearest_mixture(
    vertices: Tensor, active: list[int], weights: Tensor
) -> tuple[list[int], Tensor]:
    """Walk to the least norm of the flat through the active vertices, dropping those passed."""
    while True:
        target = _flat_weights(vertices[active])
        if len(active) == 1 or bool((target > 0).all()):
            return active, target
        falling = target <= 0
        steps = weights[falling] / (weights[falling] - target[falling]).clamp(min=1e-300)
        weights = weights + steps.min().clamp(0, 1) * (target - weights)
        smallest = int(torch.where(falling, weights, torch.inf).argmin())
        active = active[:smallest] + active[smallest + 1 :]
        weights = torch.cat([weights[:smallest], weights[smallest + 1 :]])
        weights = weights.clamp(min=0) / weights.clamp(min=0).sum()


def _flat_weights(vertices: Tensor) -> Tensor:
    """Return weights that sum to one and make the least norm, of any sign."""
    first, others = vertices[0], vertices[1:] - vertices[0]
    rest = torch.linalg.lstsq(others.T, -first[:, None], driver="gelsd").solution[:, 0]
    return torch.cat([1 - rest.sum()[None], rest])
