"""Places of the nodes of a network."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.rendering.layout import network_layout


@pytest.mark.parametrize("n_nodes", [0, 1])
def test_few_nodes(n_nodes):
    assert network_layout(n_nodes, []).tolist() == [[0.0, 0.0]] * n_nodes


@settings(max_examples=8)
@given(st.integers(2, 12), st.data())
def test_places_are_finite_real_and_in_the_frame(n_nodes, data):
    node = st.integers(0, n_nodes - 1)
    edges = data.draw(st.lists(st.tuples(node, node), max_size=15))
    places = network_layout(n_nodes, edges)
    assert places.shape == (n_nodes, 2)
    assert places.dtype == np.float64
    assert np.isfinite(places).all()
    assert np.abs(places).max() <= 1
    np.testing.assert_array_equal(places, network_layout(n_nodes, edges))


def test_no_two_nodes_at_one_place():
    places = network_layout(30, [(0, number) for number in range(1, 30)])
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(30, 1)]
    assert apart.min() > 0.02


def test_neighbors_are_nearer_than_others():
    # Two cliques of five without an edge between them.
    cliques = [range(5), range(5, 10)]
    edges = [(x, y) for clique in cliques for x in clique for y in clique if x < y]
    places = network_layout(10, edges)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    inside = [apart[x, y] for x, y in edges]
    across = apart[:5, 5:]
    assert np.mean(inside) < 0.6 * across.mean()
