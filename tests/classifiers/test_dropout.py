"""Dropout by bytes: the share, the size, the gradient, and nothing outside training."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.classifiers._dropout import Dropout, RowDropout, TokenMasking


def rounded(share: float) -> float:
    """Return the share that is dropped on the CPU: none, or 1/256 … 255/256."""
    return 0.0 if share == 0.0 else min(max(round(share * 256), 1), 255) / 256


@pytest.mark.parametrize("share", [0.0005, 0.1, 0.3, 0.5, 0.9])
def test_share_and_size(share: float) -> None:
    # 200,000 draws: a share is within .005 of its own, which is more than four deviations.
    dropped = Dropout(share)(torch.ones(400, 500))
    kept = 1.0 - rounded(share)
    assert float((dropped != 0).double().mean()) == pytest.approx(kept, abs=0.005)
    assert dropped.unique().tolist() == pytest.approx([0.0, 1.0 / kept])


@given(share=st.floats(0.0, 0.999), shape=st.lists(st.integers(0, 7), min_size=1, max_size=3))
@settings(max_examples=60)
def test_each_number_is_dropped_or_grows(share: float, shape: list[int]) -> None:
    numbers = torch.arange(1.0, 1.0 + torch.Size(shape).numel()).view(shape)
    dropped = Dropout(share)(numbers)
    ratio = dropped / numbers
    grown = 1.0 / (1.0 - rounded(share))
    assert dropped.shape == numbers.shape
    assert bool(((ratio == 0) | ((ratio - grown).abs() < 1e-4 * grown)).all())


@pytest.mark.parametrize("share", [1e-9, 1 / 600, 1 / 512])
def test_no_share_is_rounded_to_nothing(share: float) -> None:
    n_dropped = int((Dropout(share)(torch.ones(256_000)) == 0).sum())
    assert n_dropped == pytest.approx(1000, abs=130)  # four deviations


def test_gradient_goes_where_numbers_go() -> None:
    numbers = torch.full((50, 3), 2.0, dtype=torch.float64, requires_grad=True)
    dropped = Dropout(0.4)(numbers)
    dropped.sum().backward()
    assert numbers.grad is not None
    assert torch.equal(numbers.grad * 2.0, dropped.detach())


def test_neighbors_are_dropped_independently() -> None:
    # Eight bytes come with one draw. With a share of half, two neighbors agree half of the time.
    kept = Dropout(0.5)(torch.ones(80_000)) != 0
    for distance in range(1, 9):
        agreed = float((kept[distance:] == kept[:-distance]).double().mean())
        assert agreed == pytest.approx(0.5, abs=0.01)


def test_nothing_happens_outside_training() -> None:
    numbers = torch.randn(5, generator=torch.Generator().manual_seed(0))
    ids = torch.arange(5)
    assert Dropout(0.5).eval()(numbers) is numbers
    assert RowDropout(0.5).eval()(numbers) is numbers
    assert TokenMasking(0.5, 9).eval()(ids) is ids
    assert Dropout(0.0)(numbers) is RowDropout(0.0)(numbers) is numbers
    assert TokenMasking(0.0, 9)(ids) is ids


def test_off_the_cpu_the_share_is_not_rounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The branch of a GPU has the rules of a CPU: numbers, shapes and where the draws come from."""
    seen = []

    def watched(tensor, p, *, generator):
        seen.append((p, generator))
        return tensor  # numbers of the device "meta" have shapes alone

    monkeypatch.setattr(torch.Tensor, "bernoulli_", watched)
    part = Dropout(0.0005)
    dropped = part(torch.ones(3, 4, device="meta"))
    assert (dropped.shape, dropped.dtype) == ((3, 4), torch.float32)
    assert seen == [(1.0 - 0.0005, part.generator)]
