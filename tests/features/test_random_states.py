"""The seed that ``random_state`` stands for."""

import numpy as np
import pytest

from nlpfeat.errors import InvalidParameterError
from nlpfeat.features.random_states import check_seed


def test_an_integer_gives_one_seed():
    wanted = int(np.random.RandomState(7).randint(2**31 - 1))
    assert [check_seed(7), check_seed(np.int64(7))] == [wanted] * 2
    assert type(check_seed(7)) is int


def test_a_random_state_moves_on():
    state = np.random.RandomState(7)
    assert check_seed(state) == check_seed(7) != check_seed(state)


def test_none_is_any_seed():
    assert all(0 <= check_seed(None) < 2**31 - 1 for _ in range(9))


@pytest.mark.parametrize("value", ["x", 0.5, -1, np.random.default_rng(0)])
def test_anything_else(value):
    with pytest.raises(InvalidParameterError, match="random_state must be an integer, a numpy Ran"):
        check_seed(value)
