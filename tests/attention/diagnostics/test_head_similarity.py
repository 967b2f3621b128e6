"""D6: heads that look alike; divergence, clusters and CKA beside scipy and numpy."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import jensenshannon, squareform

from nlpfeat.attention import AttentionSpec
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.diagnostics.head_similarity import (
    cluster_heads,
    head_distances,
    jensen_shannon,
    linear_cka,
    output_similarity,
)
from nlpfeat.errors import InvalidInputError


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)


@pytest.fixture
def layer_with_a_copy(generator):
    """Four heads; the last one is a copy of the second."""
    layer = draw_attention(generator, 16, AttentionSpec(n_heads=4))
    for weight in (layer.query_weight, layer.key_weight, layer.value_weight):
        heads = weight.detach().unflatten(0, (4, -1))
        heads[3] = heads[1]
    return layer


class TestDivergence:
    def test_equal_and_disjoint(self) -> None:
        one_hot = torch.eye(3)
        assert jensen_shannon(one_hot, one_hot).tolist() == [0, 0, 0]
        assert jensen_shannon(one_hot, one_hot.roll(1, 0)).tolist() == [1, 1, 1]

    def test_as_scipy_has_it(self, generator) -> None:
        first, second = draw_normal(generator, 2, 5, 7).softmax(-1)
        expected = jensenshannon(first.numpy(), second.numpy(), base=2, axis=1) ** 2
        assert jensen_shannon(first, second).tolist() == pytest.approx(expected.tolist(), abs=1e-12)

    def test_mean_over_documents_and_queries(self, generator) -> None:
        weights = draw_normal(generator, 2, 3, 4, 5).softmax(-1)
        found = head_distances(weights)
        for a in range(3):
            for b in range(3):
                each = jensenshannon(weights[:, a], weights[:, b], base=2, axis=-1) ** 2
                assert found[a, b] == pytest.approx(each.mean(), abs=1e-12)
        assert torch.equal(found.diagonal(), torch.zeros(3))

    def test_padding_has_no_part(self, generator) -> None:
        weights = draw_normal(generator, 2, 3, 4, 5).softmax(-1)
        mask = torch.tensor([[True] * 4, [True, False, False, False]])
        expected = (4 * head_distances(weights[:1]) + head_distances(weights[1:, :, :1])) / 5
        torch.testing.assert_close(head_distances(weights, mask), expected)

    @pytest.mark.parametrize("mask", [torch.ones(2, 4), torch.ones(4, dtype=torch.bool)])
    def test_masks_of_another_kind(self, mask) -> None:
        with pytest.raises(InvalidInputError, match=r"mask must be a bool tensor of shape \(2, 4"):
            head_distances(torch.ones(2, 3, 4, 5) / 5, mask)

    def test_nothing_left(self) -> None:
        with pytest.raises(InvalidInputError, match="must leave at least one query"):
            head_distances(torch.ones(1, 3, 4, 5) / 5, torch.zeros(1, 4, dtype=torch.bool))

    def test_a_layer_is_no_batch(self) -> None:
        with pytest.raises(InvalidInputError, match="weights must have four dimensions"):
            head_distances(torch.ones(3, 4, 5) / 5)


class TestClusters:
    @settings(max_examples=40, deadline=None)
    @given(st.integers(0, 10_000), st.integers(2, 9), st.floats(0.2, 1.2))
    def test_as_scipy_has_them(self, seed, n_heads, threshold) -> None:
        points = draw_normal(torch.Generator().manual_seed(seed), n_heads, 2)
        distances = torch.cdist(points, points) / 2
        distances = (distances + distances.T) / 2
        found = cluster_heads(distances.fill_diagonal_(0), threshold)
        tree = linkage(squareform(distances.numpy(), checks=False), "average")
        expected = fcluster(tree, threshold, "distance")
        same = np.equal.outer(expected, expected)
        assert np.array_equal(np.equal.outer(found, found), same)
        assert list(dict.fromkeys(found)) == list(range(len(set(found))))

    def test_all_and_none(self) -> None:
        assert cluster_heads(torch.zeros(3, 3)) == (0, 0, 0)
        assert cluster_heads(1 - torch.eye(3)) == (0, 1, 2)

    def test_a_rectangle_has_none(self) -> None:
        with pytest.raises(InvalidInputError, match="distances must be a square matrix"):
            cluster_heads(torch.zeros(2, 3))

    def test_a_copied_head_is_found(self, generator, layer_with_a_copy) -> None:
        tokens = 4 * draw_normal(generator, 8, 6, 16)
        found = layer_with_a_copy(tokens, return_weights=True)
        distances = head_distances(found.weights)
        assert distances[1, 3] < 1e-12
        assert cluster_heads(distances) == (0, 1, 2, 1)
        assert output_similarity(found.heads)[1, 3] == pytest.approx(1, abs=1e-12)


class TestAlignment:
    def test_by_the_centered_kernels(self, generator) -> None:
        x, y = draw_normal(generator, 9, 3), draw_normal(generator, 9, 5)
        center = np.eye(9) - 1 / 9
        one, two = (center @ (each @ each.T).numpy() @ center for each in (x, y))
        expected = np.trace(one @ two) / np.sqrt(np.trace(one @ one) * np.trace(two @ two))
        assert linear_cka(x, y) == pytest.approx(expected, abs=1e-12)

    def test_rotation_scale_and_shift_do_not_count(self, generator) -> None:
        x = draw_normal(generator, 9, 3)
        rotation = torch.linalg.qr(draw_normal(generator, 3, 3)).Q
        assert linear_cka(x, 5 * x @ rotation - 2) == pytest.approx(1, abs=1e-12)

    def test_uncorrelated_and_constant(self) -> None:
        x = torch.tensor([[1.0], [-1.0], [1.0], [-1.0]])
        assert linear_cka(x, torch.tensor([[1.0], [1.0], [-1.0], [-1.0]])) == 0
        assert np.isnan(linear_cka(x, torch.ones(4, 2)))

    def test_rows_that_differ(self) -> None:
        with pytest.raises(InvalidInputError, match="with the same number of rows"):
            linear_cka(torch.zeros(2, 1), torch.zeros(3, 1))

    def test_heads_of_a_batch(self, generator) -> None:
        heads = draw_normal(generator, 2, 3, 4, 5)
        rows = heads.transpose(1, 2).reshape(8, 3, 5)
        found = output_similarity(heads)
        assert found[0, 2] == pytest.approx(linear_cka(rows[:, 0], rows[:, 2]), abs=1e-12)
        torch.testing.assert_close(found, found.T)
