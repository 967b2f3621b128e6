import cmath
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.attention.positions import RopePosition
from nlpfeat.errors import InvalidParameterError


def built(width=8, **parameters):
    return RopePosition(**parameters).build(2, width, 16, torch.Generator())


def drawn(*shape, seed=0):
    draw = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=draw, dtype=torch.float64)


def scores(rope, query, key, shift=0):
    places = torch.arange(query.shape[2]) + shift, torch.arange(key.shape[2]) + shift
    turned_query, turned_key = rope.rotate(query, key, *places)
    return turned_query @ turned_key.mT


@settings(max_examples=25)
@given(st.integers(1, 6), st.integers(-20, 2000), st.sampled_from([10.0, 10000.0]))
def test_pairs_turn_as_complex_numbers_do(n_pairs, place, base):
    x = drawn(1, 1, 1, 2 * n_pairs)
    places = torch.tensor([place])
    turned, _ = built(2 * n_pairs, base=base).rotate(x, x, places, places)
    for pair in range(n_pairs):
        number = complex(*x[0, 0, 0, 2 * pair : 2 * pair + 2].tolist())
        expected = number * cmath.exp(1j * place * base ** (-2 * pair / (2 * n_pairs)))
        found = complex(*turned[0, 0, 0, 2 * pair : 2 * pair + 2].tolist())
        assert abs(found - expected) < 1e-11


def test_turned_by_hand():
    """A quarter turn needs the angle pi / 2, so one step of base (pi / 2)^-1 in the second pair."""
    x = torch.tensor([[[[1.0, 0.0, 1.0, 0.0]]]], dtype=torch.float64)
    rope = built(4, base=(math.pi / 2) ** -2)
    turned, _ = rope.rotate(x, x, torch.tensor([1]), torch.tensor([1]))
    expected = [math.cos(1), math.sin(1), 0.0, 1.0]
    assert turned.flatten().tolist() == pytest.approx(expected, abs=1e-15)


def test_how_a_tensor_lies_in_memory_changes_nothing():
    x, places = drawn(2, 2, 5, 8), torch.arange(5)
    expected, _ = built().rotate(x, x, places, places)
    shifted = torch.cat([torch.zeros(1, dtype=x.dtype), x.flatten()])[1:].view_as(x)
    narrow = torch.cat([x, x], dim=-1)[..., 8:]
    for same in (shifted, narrow, x.transpose(1, 2).contiguous().transpose(1, 2)):
        turned, other = built().rotate(same, same, places, places)
        assert torch.equal(turned, expected)
        assert torch.equal(other, expected)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_is_rounded_once(dtype):
    x, places = drawn(2, 2, 5, 8).to(dtype), torch.tensor([0, 1, 2, 500, 8000])
    turned, _ = built().rotate(x, x, places, places)
    expected, _ = built().rotate(x.double(), x.double(), places, places)
    assert turned.dtype == dtype
    error = (turned.double() - expected).abs() / expected.abs()
    assert error.max() < 0.51 * torch.finfo(dtype).eps


def test_scores_depend_on_distance_alone():
    query, key = drawn(2, 2, 9, 8), drawn(2, 2, 9, 8, seed=1)
    for shift in (1, 17, 100):
        moved = scores(built(), query, key, shift) - scores(built(), query, key)
        assert moved.abs().max() < 1e-12


def test_the_score_of_a_token_with_itself_is_that_without_position():
    query = drawn(1, 2, 7, 8)
    diagonal = scores(built(), query, query).diagonal(dim1=-2, dim2=-1)
    assert torch.allclose(diagonal, query.square().sum(-1), atol=1e-13)


def test_scores_are_bilinear_in_the_contents():
    rope = built()
    query, one, other = (drawn(1, 2, 6, 8, seed=seed) for seed in range(3))
    whole = scores(rope, query, one + other)
    parts = scores(rope, query, one) + scores(rope, query, other)
    assert ((whole - parts).abs() / (whole.abs() + parts.abs())).max() < 1e-12
    assert torch.allclose(scores(rope, one + other, query), scores(rope, one, query)
                          + scores(rope, other, query), atol=1e-13)  # fmt: skip


def test_lengths_stay():
    query = drawn(1, 2, 50, 8)
    turned, _ = built().rotate(query, query, torch.arange(50), torch.arange(50))
    assert torch.allclose(turned.norm(dim=-1), query.norm(dim=-1), atol=1e-13)


def test_the_first_position_is_as_it_was():
    query = drawn(1, 1, 1, 8)
    turned, _ = built().rotate(query, query, torch.tensor([0]), torch.tensor([0]))
    assert torch.equal(turned, query)


def test_fewer_key_heads_and_raw_keys():
    query, key = drawn(2, 4, 5, 8), drawn(2, 1, 6, 8)
    places = torch.arange(5), torch.arange(6)
    turned_query, turned_key = built().rotate(query, key, *places)
    assert (turned_query.shape, turned_key.shape) == (query.shape, key.shape)
    repeated = built().rotate(query, key.expand(2, 4, 6, 8), *places)[1]
    assert torch.equal(turned_key.expand(2, 4, 6, 8), repeated)


def test_half_precision_keeps_its_frequencies():
    """At position 2000 a frequency in bfloat16 would be turns away."""
    x = torch.ones(1, 1, 1, 8)
    places = torch.tensor([2000])
    exact, _ = built().double().rotate(x.double(), x.double(), places, places)
    rounded, _ = built().bfloat16().rotate(x.bfloat16(), x.bfloat16(), places, places)
    assert (rounded.double() - exact).abs().max() < 0.02


def test_an_odd_width_is_refused_by_name():
    with pytest.raises(
        InvalidParameterError, match=r"RopePosition turns components in pairs.*even. Got 5. Choose"
    ):
        built(5)


@pytest.mark.parametrize("base", [0.0, -1.0, float("nan"), "10000"])
def test_a_base_that_means_nothing_is_refused(base):
    with pytest.raises(InvalidParameterError, match="base of RopePosition must be a finite number"):
        built(base=base)
