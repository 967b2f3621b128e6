import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.compare.explaining.aopc import SHARES, aopc, size_weights
from nlpfeat.errors import InvalidParameterError


@pytest.mark.parametrize(
    ("n_tokens", "expected"),
    [
        (1, {1: 1.0}),
        (2, {1: 1.0}),
        (5, {1: 0.8, 3: 0.2}),
        (12, {1: 0.4, 2: 0.2, 3: 0.2, 6: 0.2}),
        (100, {1: 0.2, 5: 0.2, 10: 0.2, 20: 0.2, 50: 0.2}),
    ],
)
def test_sizes_by_hand(n_tokens, expected):
    assert size_weights(n_tokens) == pytest.approx(expected)


def test_a_share_is_what_is_written():
    # 0.07 * 100 is 7.000000000000001 in binary, which is no reason to take eight tokens.
    assert size_weights(100, [0.07]) == {7: 1.0}


@given(st.integers(1, 500))
def test_weights_add_up_and_half_of_the_tokens_is_the_most(n_tokens):
    weights = size_weights(n_tokens)
    assert sum(weights.values()) == pytest.approx(1)
    assert min(weights) >= 1
    assert max(weights) == math.ceil(n_tokens / 2)
    assert list(weights) == sorted(weights)


def test_aopc_is_the_mean_over_the_shares():
    losses = {1: 0.1, 2: 0.3, 3: 0.5, 6: 0.4}
    sizes = [1, 1, 2, 3, 6]  # of 12 tokens, for 1, 5, 10, 20 and 50 %
    assert len(sizes) == len(SHARES)
    assert aopc(losses, size_weights(12)) == pytest.approx(sum(losses[n] for n in sizes) / 5)


@pytest.mark.parametrize("shares", [[0.0], [1.5], [-0.1], [float("nan")]])
def test_shares_out_of_range(shares):
    with pytest.raises(InvalidParameterError, match="shares must be a finite number above 0"):
        size_weights(3, shares)


def test_no_share():
    with pytest.raises(InvalidParameterError, match="at least one share"):
        size_weights(3, [])
