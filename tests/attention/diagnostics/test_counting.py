"""D12: three or five."""

import pytest
import torch

from nlpfeat.attention.diagnostics.counting import beginning_weight, counting_errors
from nlpfeat.errors import InvalidParameterError


@pytest.mark.parametrize("n_members", [0, 1, 3, 5, 100])
def test_weight_of_the_beginning(n_members) -> None:
    assert beginning_weight(n_members) == pytest.approx(1 / (1 + n_members), abs=1e-15)


def test_fewer_than_none() -> None:
    with pytest.raises(InvalidParameterError, match="n_members must be an integer"):
        beginning_weight(-1)


@pytest.mark.parametrize("seed", [0, 1])
def test_two_heads_can_do_what_one_cannot(seed) -> None:
    found = counting_errors(generator=torch.Generator().manual_seed(seed))
    # The variance of 3 or 5, times that of the mean.
    assert 0.95 < found.mean_alone < 1.2
    assert found.beside_beginning > 0.8
    assert found.two_heads < found.mean_alone / 10
    assert found.two_heads < 0.05


def test_a_beginning_with_a_dimension_of_its_own_needs_no_second_head() -> None:
    generator = torch.Generator().manual_seed(0)
    found = counting_errors(own_dimension=True, generator=generator)
    assert found.mean_alone > 0.95
    assert found.beside_beginning < 0.01
    assert found.two_heads < 0.01


def test_the_same_seed_the_same_errors() -> None:
    first, second = (counting_errors(generator=torch.Generator().manual_seed(3)) for _ in range(2))
    assert first == second
