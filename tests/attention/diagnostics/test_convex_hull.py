"""D2: outputs are mixtures of the values; by an active set, every face, and scipy."""

from itertools import combinations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from nlpfeat.attention import Attention, AttentionSpec
from nlpfeat.attention.diagnostics.convex_hull import (
    attention_hull,
    box_distance,
    hull_distance,
    hull_membership,
    support_gap,
)
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.errors import InvalidInputError


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)


def distance_by_faces(point, vertices):
    """Return the least distance to the flats of all faces whose nearest point is a mixture."""
    best = np.inf
    for size in range(1, min(len(vertices), vertices.shape[1] + 1) + 1):
        for face in combinations(range(len(vertices)), size):
            first, rest = vertices[face[0]], vertices[list(face[1:])] - vertices[face[0]]
            weights = np.linalg.lstsq(rest.T, point - first, rcond=None)[0]
            if (weights >= -1e-12).all() and weights.sum() <= 1 + 1e-12:
                best = min(best, np.linalg.norm(first + weights @ rest - point))
    return best


def test_by_hand() -> None:
    corners = torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
    found = hull_membership(corners.new_tensor([[0.2, 0.8], [0.5, 0.5], [3.0, 1.0]]), corners)
    expected = [0.6 / np.sqrt(2), 0.0, 2.0]
    assert found.hull.tolist() == pytest.approx(expected, abs=1e-12)
    assert found.hull[0] == pytest.approx(0.424264, abs=5e-7)
    assert found.box.tolist() == [0.0, 0.0, 2.0]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 4), st.floats(0.1, 2))
def test_as_all_faces_have_it(seed, n_vertices, width, size) -> None:
    generator = torch.Generator().manual_seed(seed)
    vertices = draw_normal(generator, n_vertices, width)
    points = size * draw_normal(generator, 3, width)
    expected = [distance_by_faces(point.numpy(), vertices.numpy()) for point in points]
    found = hull_distance(points, vertices)
    assert found.tolist() == pytest.approx(expected, abs=1e-9)
    assert (box_distance(points, vertices) <= found + 1e-12).all()
    assert (support_gap(points, vertices, generator=generator) <= found + 1e-12).all()


def test_as_nonnegative_least_squares_has_it(generator) -> None:
    vertices, points = draw_normal(generator, 30, 8), 0.8 * draw_normal(generator, 20, 8)
    heavy = 1e4
    system = np.vstack([vertices.numpy().T, np.full(30, heavy)])
    expected = [nnls(system, np.append(point.numpy(), heavy))[1] for point in points]
    assert hull_distance(points, vertices).tolist() == pytest.approx(expected, abs=1e-6)
    assert max(expected) > 0.1


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 12))
def test_mixtures_are_inside(seed, n_vertices, width) -> None:
    generator = torch.Generator().manual_seed(seed)
    vertices = draw_normal(generator, n_vertices, width)
    weights = (3 * draw_normal(generator, 4, n_vertices)).softmax(-1)
    assert hull_distance(weights @ vertices, vertices).max() < 1e-8
    assert hull_distance(vertices, vertices).max() < 1e-8


def test_vertices_that_repeat_or_lie_on_a_line() -> None:
    line = torch.tensor([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    points = torch.tensor([[1.0, 1.0], [0.3, 0.0], [-3.0, 4.0], [1.0, 0.0]])
    assert hull_distance(points, line).tolist() == pytest.approx([1, 0, 5, 0], abs=1e-7)
    assert hull_distance(points[:1], line[:1]).item() == pytest.approx(np.sqrt(2))


def test_large_and_small_values(generator) -> None:
    vertices = draw_normal(generator, 6, 3)
    points = 2 * draw_normal(generator, 5, 3)
    expected = hull_distance(points, vertices)
    for size in (1e-150, 1e-8, 1e8, 1e150):
        found = hull_distance(size * points, size * vertices)
        torch.testing.assert_close(found / size, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("normalizer", ["softmax", "capsule", "sinkhorn", "sparsemax", "entmax15"])
@pytest.mark.parametrize(("n_heads", "n_kv_heads"), [(1, 1), (4, 4), (4, 2), (4, 1)])
def test_each_head_stays_in_its_own_hull(generator, normalizer, n_heads, n_kv_heads) -> None:
    spec = AttentionSpec(n_heads=n_heads, n_kv_heads=n_kv_heads, normalizer=normalizer)
    found = attention_hull(draw_attention(generator, 16, spec), draw_normal(generator, 7, 16))
    assert found.hull.shape == found.box.shape == (n_heads, 7)
    assert found.hull.max() < 1e-8


def test_heads_side_by_side_may_leave_the_hull_of_the_values_side_by_side(generator) -> None:
    layer = draw_attention(generator, 16, AttentionSpec(n_heads=4))
    tokens = draw_normal(generator, 7, 16)
    outputs = layer(tokens[None]).heads[0].transpose(0, 1).flatten(1)
    values = tokens @ layer.value_weight.T
    assert hull_distance(outputs, values).max() > 0.01
    assert box_distance(outputs, values).max() < 1e-12


def test_a_softmax_per_dimension_stays_in_the_box_alone(generator) -> None:
    layer = draw_attention(generator, 8, AttentionSpec(score="multidim", n_heads=1))
    found = attention_hull(layer, draw_normal(generator, 5, 8))
    assert found.hull.max() > 0.01
    assert found.box.max() < 1e-12


def test_dropout_leaves_the_hull_in_training_alone(generator) -> None:
    layer = draw_attention(generator, 16, AttentionSpec(n_heads=1, dropout=0.5))
    tokens = draw_normal(generator, 7, 16)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        assert attention_hull(layer, tokens).hull.max() > 0.1
    assert attention_hull(layer.eval(), tokens).hull.max() < 1e-8


def test_what_two_softmaxes_give_is_no_mixture(generator) -> None:
    layer = draw_attention(generator, 16, AttentionSpec(n_heads=1, normalizer="dual"))
    assert attention_hull(layer, draw_normal(generator, 7, 16)).hull.max() > 0.01


def test_support_gap_by_hand(generator) -> None:
    vertices = torch.tensor([[0.0, 0.0], [1.0, 1.0]])
    outside, inside = support_gap(
        torch.tensor([[0.0, 9.0], [0.5, 0.5]]), vertices, generator=generator
    )
    assert 8 < outside <= hull_distance(torch.tensor([[0.0, 9.0]]), vertices).item()
    assert inside <= 0


def test_single_precision_layers_are_within_their_rounding() -> None:
    generator = torch.Generator().manual_seed(0)
    layer = Attention(16, AttentionSpec(), generator=generator)
    tokens = torch.randn(7, 16, generator=generator)
    assert attention_hull(layer, tokens).hull.max() < 1e-5


def test_what_cannot_be() -> None:
    with pytest.raises(InvalidInputError, match=r"shapes \(..., Q, D\) and \(..., K, D\)"):
        hull_distance(torch.zeros(2, 3), torch.zeros(2, 4))
    with pytest.raises(InvalidInputError, match="with K at least 1"):
        hull_distance(torch.zeros(2, 3), torch.zeros(0, 3))
    with pytest.raises(InvalidInputError, match="must be finite"):
        hull_distance(torch.zeros(2, 3), torch.full((1, 3), torch.nan))
