import pytest
import torch

from nlpfeat.attention.positions import ShawPosition
from nlpfeat.errors import InvalidParameterError


def built(width=3, seed=0, **parameters):
    draw = torch.Generator().manual_seed(seed)
    return ShawPosition(**parameters).build(2, width, 6, draw)


def test_by_loops():
    shaw = built(max_distance=2).double()
    draw = torch.Generator().manual_seed(1)
    query = torch.randn(2, 2, 5, 3, generator=draw, dtype=torch.float64)
    query_positions, key_positions = torch.tensor([0, 3, 9, 4, 4]), torch.arange(7)
    found = shaw.query_bias(query, query_positions, key_positions)
    for b in range(2):
        for h in range(2):
            for q, i in enumerate(query_positions.tolist()):
                for k, j in enumerate(key_positions.tolist()):
                    vector = shaw.table[min(max(j - i, -2), 2) + 2]
                    expected = (query[b, h, q] @ vector).item() / 3**0.5
                    assert found[b, h, q, k].item() == pytest.approx(expected, abs=1e-14)


def test_by_the_formula_of_the_paper():
    """x_i W_Q (x_j W_K + a)^T / sqrt(D) is the plain score and what this adds."""
    shaw = built(width=4, max_distance=3).double()
    draw = torch.Generator().manual_seed(1)
    query = torch.randn(1, 2, 6, 4, generator=draw, dtype=torch.float64)
    key = torch.randn(1, 2, 6, 4, generator=draw, dtype=torch.float64)
    places = torch.arange(6)
    vectors = shaw.table[(places[None] - places[:, None]).clamp(-3, 3) + 3]
    whole = torch.einsum("bhqd,bhqkd->bhqk", query, key[:, :, None] + vectors) / 2
    found = query @ key.mT / 2 + shaw.query_bias(query, places, places)
    assert torch.allclose(found, whole, atol=1e-14)


def test_distances_are_clipped():
    shaw = built(max_distance=2)
    query = torch.ones(1, 1, 1, 3)
    row = shaw.query_bias(query, torch.tensor([10]), torch.arange(21))[0, 0, 0]
    assert (row[:9] == row[0]).all()
    assert (row[12:] == row[20]).all()
    assert row[8:13].unique().numel() == 5


def test_what_a_distance_is_worth_depends_on_the_query():
    shaw = built(max_distance=2)
    query = torch.tensor([[[[1.0, 0, 0], [0, 1.0, 0]]]])
    first, second = shaw.query_bias(query, torch.tensor([1, 1]), torch.arange(3))[0, 0]
    assert not torch.allclose(first, second, atol=1e-4)


def test_vectors_start_small_and_normal():
    table = built(width=500, max_distance=100).table.detach()
    assert table.shape == (201, 500)
    assert table.std().item() == pytest.approx(0.02, rel=0.02)
    assert not torch.equal(built(seed=1).table, built(seed=2).table)


def test_settings_that_mean_nothing_are_refused():
    with pytest.raises(
        InvalidParameterError, match=r"max_distance of ShawPosition must be an integer .* least 1"
    ):
        built(max_distance=0)
