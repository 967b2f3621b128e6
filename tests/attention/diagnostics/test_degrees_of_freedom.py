"""D1: n keys give each head n - 1 dimensions, and sets of values make no difference."""

import numpy as np
import pytest
import torch

from nlpfeat.attention import AttentionSpec, attend
from nlpfeat.attention.diagnostics.degrees_of_freedom import (
    attention_degrees_of_freedom,
    degrees_of_freedom,
    expected_rank,
)
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.errors import InvalidInputError, InvalidParameterError

#: Keys, heads and the affine rank in 32 dimensions.
RANKS = [(2, 1, 1), (2, 4, 4), (2, 8, 8), (3, 1, 2), (3, 4, 8), (3, 8, 16), (5, 1, 4), (5, 4, 16),
         (5, 8, 32)]  # fmt: skip


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)


def outputs(generator, n_keys, n_heads, n_kv_heads):
    """Return what 300 random queries get, straight from `attend`."""
    width = 32 // n_heads
    query = draw_normal(generator, 1, n_heads, 300, width)
    key, value = (draw_normal(generator, 1, n_kv_heads, n_keys, width) for _ in range(2))
    return attend(query, key, value)[0][0].transpose(0, 1).flatten(1)


@pytest.mark.parametrize(("n_keys", "n_heads", "rank"), RANKS)
@pytest.mark.parametrize("multi_query", [False, True])
def test_ranks_of_heads(generator, n_keys, n_heads, rank, multi_query) -> None:
    found = outputs(generator, n_keys, n_heads, 1 if multi_query else n_heads)
    degrees = degrees_of_freedom(found)
    assert degrees.affine == rank == expected_rank(n_keys, n_heads, 32 // n_heads)
    assert degrees.linear == min(rank + 1, 32)
    assert 1 <= degrees.effective <= rank + 1e-9
    centered = found.numpy() - found.numpy().mean(0)
    assert np.linalg.matrix_rank(centered, tol=1e-8) == rank


@pytest.mark.parametrize(("n_keys", "n_heads", "rank"), RANKS)
def test_ranks_of_a_layer(generator, n_keys, n_heads, rank) -> None:
    layer = draw_attention(generator, 32, AttentionSpec(n_heads=n_heads))
    tokens = draw_normal(generator, n_keys, 32)
    assert attention_degrees_of_freedom(layer, tokens, generator=generator).affine == rank


@pytest.mark.parametrize("normalizer", ["softmax", "sparsemax", "entmax15", "sinkhorn"])
def test_rows_that_sum_to_one_lose_a_dimension(generator, normalizer) -> None:
    layer = draw_attention(generator, 32, AttentionSpec(n_heads=1, normalizer=normalizer))
    tokens = draw_normal(generator, 5, 32)
    assert attention_degrees_of_freedom(layer, tokens, generator=generator).affine == 4


def test_a_softmax_per_dimension(generator) -> None:
    layer = draw_attention(generator, 32, AttentionSpec(score="multidim", n_heads=1))
    tokens = draw_normal(generator, 2, 32)
    found = attention_degrees_of_freedom(layer, tokens, generator=generator)
    assert found.affine == 32 == expected_rank(2, 1, 32, per_dimension=True)


def test_narrow_heads_cap_the_rank(generator) -> None:
    layer = draw_attention(generator, 32, AttentionSpec(n_heads=2, d_head=3))
    tokens = draw_normal(generator, 10, 32)
    found = attention_degrees_of_freedom(layer, tokens, generator=generator)
    assert found.affine == 6 == expected_rank(10, 2, 3)


def test_the_output_projection_can_only_lower_it(generator) -> None:
    heads = outputs(generator, 5, 8, 8)
    projection = draw_normal(generator, 32, 5) @ draw_normal(generator, 5, 32)
    assert degrees_of_freedom(heads @ projection).affine == 5


def test_effective_rank_by_hand() -> None:
    # Singular values 3, 3, 1 and 0: shares 3/7, 3/7, 1/7.
    rows = torch.tensor([[3.0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 1, 0]])
    expected = 2 ** -(2 * 3 / 7 * np.log2(3 / 7) + 1 / 7 * np.log2(1 / 7))
    found = degrees_of_freedom(torch.cat([rows, -rows]))
    assert (found.affine, found.linear) == (3, 3)
    assert found.effective == pytest.approx(expected, rel=1e-12)


def test_equal_outputs_have_none() -> None:
    found = degrees_of_freedom(torch.full((7, 3), 0.1))
    assert (found.affine, found.linear, found.effective) == (0, 1, 0.0)
    assert expected_rank(1, 8, 4) == 0


def test_what_cannot_be() -> None:
    with pytest.raises(InvalidInputError, match="row for each of two or more queries"):
        degrees_of_freedom(torch.zeros(1, 3))
    with pytest.raises(InvalidParameterError, match="tolerance must be a finite number above 0"):
        degrees_of_freedom(torch.zeros(2, 3), tolerance=0.0)
    with pytest.raises(InvalidParameterError, match="n_keys must be an integer"):
        expected_rank(0, 1, 1)
