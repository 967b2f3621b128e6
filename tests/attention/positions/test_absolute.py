import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.attention.positions import AbsolutePosition
from nlpfeat.errors import InvalidInputError, InvalidParameterError


def built(d_model, **parameters):
    return AbsolutePosition(**parameters).build(1, 4, d_model, torch.Generator().manual_seed(0))


@settings(max_examples=30)
@given(st.integers(1, 9), st.integers(-50, 3000))
def test_sinusoids_are_those_of_the_paper(d_model, place):
    waves = built(d_model, learned=False).double().embed(torch.tensor([place]))[0]
    for column in range(d_model):
        pair = column // 2
        wave = math.cos if column % 2 else math.sin
        expected = wave(place / 10000 ** (2 * pair / d_model))
        assert waves[column].item() == pytest.approx(expected, abs=1e-12)


def test_sinusoids_by_hand():
    """Width 4: angles are p and p / 100."""
    waves = built(4, learned=False).double().embed(torch.tensor([0, 1, 100]))
    expected = [
        [0.0, 1.0, 0.0, 1.0],
        [0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004],
        [-0.5063656411, 0.8623188723, 0.8414709848, 0.5403023059],
    ]
    assert torch.allclose(waves, torch.tensor(expected, dtype=torch.float64), atol=1e-9)


def test_sinusoids_of_a_shift_are_a_rotation():
    """What the paper chose them for: p[i + k] is a linear function of p[i], the same for all i."""
    waves = built(6, learned=False).double()
    here = waves.embed(torch.arange(50))
    there = waves.embed(torch.arange(7, 57))
    matrix = torch.linalg.lstsq(here, there).solution
    assert torch.allclose(here @ matrix, there, atol=1e-9)


def test_sinusoids_have_no_last_position_and_nothing_to_learn():
    waves = built(4, learned=False, max_length=2)
    assert waves.embed(torch.tensor([100_000])).isfinite().all()
    assert not list(waves.parameters())


def test_sinusoids_lose_nothing_in_half_precision_but_the_last_digits():
    exact = built(8, learned=False).double().embed(torch.arange(3000))
    rounded = built(8, learned=False).bfloat16().embed(torch.arange(3000))
    assert (rounded.double() - exact).abs().max() < 2**-8


def test_a_learned_row_is_the_vector_of_its_position():
    table = built(5, max_length=7)
    assert table.table.shape == (7, 5)
    assert torch.equal(table.embed(torch.tensor([6, 0, 6])), table.table[[6, 0, 6]])


def test_a_learned_table_starts_small_and_normal():
    table = built(64, max_length=1000).table.detach()
    assert table.mean().abs() < 5e-4
    assert table.std().item() == pytest.approx(0.02, rel=0.02)


def test_a_gradient_reaches_the_positions_that_were_there():
    table = built(3, max_length=4)
    table.embed(torch.tensor([1, 1, 3])).sum().backward()
    assert table.table.grad[:, 0].tolist() == [0.0, 2.0, 0.0, 1.0]


@pytest.mark.parametrize(("place", "got"), [(7, 7), (-1, -1)])
def test_a_position_outside_the_table_is_refused_by_name(place, got):
    with pytest.raises(
        InvalidInputError, match=rf"between 0 and 6: AbsolutePosition has max_length=7 .*Got {got}"
    ):
        built(5, max_length=7).embed(torch.tensor([0, place]))


def test_positions_on_a_device_are_counted_and_not_read():
    """A meta tensor has no values: reading one is an error, as it would be a wait on a GPU."""
    table = built(5, max_length=7).to("meta")
    assert table.embed(torch.arange(7, device="meta")).shape == (7, 5)
    with pytest.raises(InvalidInputError, match=r"between 0 and 6: .* Got 7\."):
        table.embed(torch.arange(8, device="meta"))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_length": 0}, "max_length of AbsolutePosition must be an integer that is at least 1"),
        ({"learned": "no"}, "learned of AbsolutePosition must be True or False"),
    ],
)
def test_settings_that_mean_nothing_are_refused(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        built(4, **parameters)
