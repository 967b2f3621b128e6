"""Dropout by bytes: the share, the size, the gradient, and nothing outside training."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.classifiers._dropout import Dropout


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_share_and_size(share: float) -> None:
    # 200,000 draws: a share is within .005 of its own, which is more than four deviations.
    with torch.random.fork_rng():
        torch.manual_seed(0)
        dropped = Dropout(share)(torch.ones(400, 500))
    kept = 1.0 - round(share * 256) / 256
    assert float((dropped != 0).double().mean()) == pytest.approx(kept, abs=0.005)
    assert dropped.unique().tolist() == pytest.approx([0.0, 1.0 / kept])


@given(share=st.floats(0.0, 0.999), shape=st.lists(st.integers(0, 7), min_size=1, max_size=3))
@settings(max_examples=60)
def test_each_number_is_dropped_or_grows(share: float, shape: list[int]) -> None:
    numbers = torch.arange(1.0, 1.0 + torch.Size(shape).numel()).view(shape)
    dropped = Dropout(share)(numbers)
    ratio = dropped / numbers
    grown = 1.0 / (1.0 - min(round(share * 256), 255) / 256)
    assert dropped.shape == numbers.shape
    assert bool(((ratio == 0) | ((ratio - grown).abs() < 1e-4 * grown)).all())


def test_gradient_goes_where_numbers_go() -> None:
    numbers = torch.full((50, 3), 2.0, dtype=torch.float64, requires_grad=True)
    dropped = Dropout(0.4)(numbers)
    dropped.sum().backward()
    assert numbers.grad is not None
    assert torch.equal(numbers.grad * 2.0, dropped.detach())


def test_neighbors_are_dropped_independently() -> None:
    # Eight bytes come with one draw. With a share of half, two neighbors agree half of the time.
    with torch.random.fork_rng():
        torch.manual_seed(1)
        kept = Dropout(0.5)(torch.ones(80_000)) != 0
    for distance in range(1, 9):
        agreed = float((kept[distance:] == kept[:-distance]).double().mean())
        assert agreed == pytest.approx(0.5, abs=0.01)


def test_nothing_happens_outside_training() -> None:
    numbers = torch.randn(5, generator=torch.Generator().manual_seed(0))
    assert Dropout(0.5).eval()(numbers) is numbers
    assert Dropout(0.0)(numbers) is numbers
