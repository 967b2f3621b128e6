import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.attention import Attention, AttentionSpec, attend
from nlpfeat.attention.heads import (
    HeadLayout,
    lay_out_heads,
    merge_heads,
    repeat_heads,
    split_heads,
)
from nlpfeat.errors import InvalidParameterError

SIZES = st.integers(1, 4)


def drawn(*shape, seed=0):
    draw = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=draw, dtype=torch.float64)


@settings(max_examples=30)
@given(SIZES, SIZES, st.integers(0, 5), SIZES)
def test_split_and_merged_is_as_before(n_batch, n_heads, n_tokens, width):
    projected = drawn(n_batch, n_tokens, n_heads * width)
    heads = split_heads(projected, n_heads)
    assert heads.shape == (n_batch, n_heads, n_tokens, width)
    assert torch.equal(merge_heads(heads), projected)


@settings(max_examples=20)
@given(SIZES, SIZES, SIZES, SIZES)
def test_a_head_has_its_own_columns_of_every_token(n_batch, n_heads, n_tokens, width):
    projected = drawn(n_batch, n_tokens, n_heads * width)
    heads = split_heads(projected, n_heads)
    for h in range(n_heads):
        assert torch.equal(heads[:, h], projected[:, :, h * width : (h + 1) * width])


@settings(max_examples=20)
@given(SIZES, SIZES, st.integers(0, 3), SIZES, st.integers(1, 3))
def test_repeating_is_repeat_interleave(n_batch, n_given, n_tokens, width, times):
    heads = drawn(n_batch, n_given, n_tokens, width)
    repeated = repeat_heads(heads, n_given * times)
    assert torch.equal(repeated, torch.repeat_interleave(heads, times, dim=1))


def test_the_gradient_of_a_repeated_head_is_the_sum():
    heads = drawn(1, 2, 1, 1).requires_grad_()
    weights = torch.tensor([1.0, 10, 100, 1000, 10_000, 100_000]).view(1, 6, 1, 1)
    (repeat_heads(heads, 6) * weights).sum().backward()
    assert heads.grad.flatten().tolist() == [111.0, 111_000.0]


def view_without_transpose(projected, n_heads):
    """The split of a well-known repository: its heads are blocks of tokens, not of columns."""
    n_batch, n_tokens, n_columns = projected.shape
    return projected.reshape(n_batch, n_heads, n_tokens, n_columns // n_heads)


def share_of_tokens_that_meet(split, join):
    """Return for how many pairs of 20 tokens the result at one changes with the other."""
    tokens = drawn(1, 20, 8)

    def result(given):
        return join(attend(*[split(given, 4)] * 3)[0])

    base, changes = result(tokens), []
    for j in range(20):
        moved = tokens.clone()
        moved[0, j] += 1.0
        changes.append((result(moved) - base)[0].abs().amax(-1))
    return (torch.stack(changes) > 1e-6).double().mean().item()


def test_every_token_reaches_every_token():
    assert share_of_tokens_that_meet(split_heads, merge_heads) == 1.0


def test_with_blocks_of_tokens_as_heads_most_tokens_never_meet():
    """What the test above is there to catch, and does."""
    share = share_of_tokens_that_meet(view_without_transpose, lambda heads: heads.view(1, 20, 8))
    assert share == 0.25


@pytest.mark.parametrize("n_kv_heads", [4, 2, 1])
def test_weights_of_every_query_cover_all_keys_and_nothing_else(n_kv_heads):
    spec = AttentionSpec(n_heads=4, n_kv_heads=n_kv_heads)
    attention = Attention(8, spec, generator=torch.Generator().manual_seed(0)).double()
    weights = attention(drawn(2, 7, 8), return_weights=True).weights
    assert weights.shape == (2, 4, 7, 7)
    assert (weights > 0).all()
    assert torch.allclose(weights.sum(-1), torch.ones(2, 4, 7).double(), atol=1e-12)


@pytest.mark.parametrize("n_kv_heads", [4, 2, 1])
def test_tokens_of_another_document_do_not_matter(n_kv_heads):
    spec = AttentionSpec(n_heads=4, n_kv_heads=n_kv_heads, position="t5")
    attention = Attention(8, spec, generator=torch.Generator().manual_seed(0)).double()
    tokens = drawn(3, 7, 8)
    permuted = tokens.clone()
    permuted[1] = tokens[1, torch.randperm(7, generator=torch.Generator().manual_seed(1))]
    for path in ("explicit", "fused"):
        before = attention(tokens, path=path).hidden
        after = attention(permuted, path=path).hidden
        assert torch.equal(after[[0, 2]], before[[0, 2]])


@pytest.mark.parametrize(
    ("given", "layout"),
    [
        ({"n_heads": 1}, HeadLayout(1, 1, 12)),
        ({"n_heads": 4}, HeadLayout(4, 4, 3)),
        ({"n_heads": 4, "n_kv_heads": 2}, HeadLayout(4, 2, 3)),
        ({"n_heads": 4, "n_kv_heads": 1}, HeadLayout(4, 1, 3)),
        ({"n_heads": 4, "n_kv_heads": 4, "d_head": 32}, HeadLayout(4, 4, 32)),
        ({"n_heads": 5, "d_head": 7}, HeadLayout(5, 5, 7)),
        ({"n_heads": np.int64(2)}, HeadLayout(2, 2, 6)),
    ],
    ids=["single", "multi-head", "grouped", "multi-query", "wide", "no divisor", "numpy"],
)
def test_layouts(given, layout):
    assert lay_out_heads(12, **given) == layout
    assert all(type(number) is int for number in vars(lay_out_heads(12, **given)).values())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_heads": 5}, r"d_model must be a multiple of n_heads, 5, unless d_head .* Got 12\."),
        ({"n_heads": 4, "n_kv_heads": 3}, r"n_kv_heads must divide n_heads, 4: .* Got 3\."),
        ({"n_heads": 4, "n_kv_heads": 8}, r"n_kv_heads must divide n_heads, 4: .* Got 8\."),
        ({"n_heads": 0}, "n_heads must be an integer that is at least 1. Got 0"),
        ({"n_heads": 2.0}, "n_heads must be an integer that is at least 1. Got 2.0"),
        ({"n_heads": True}, "n_heads must be an integer"),
        ({"n_heads": 4, "n_kv_heads": 0}, "n_kv_heads must be an integer that is at least 1"),
        ({"n_heads": 4, "d_head": 0}, "d_head must be an integer that is at least 1"),
    ],
)
def test_layouts_that_cannot_be(given, message):
    with pytest.raises(InvalidParameterError, match=message):
        lay_out_heads(12, **given)


def test_a_model_without_width_cannot_be():
    with pytest.raises(InvalidParameterError, match="d_model must be an integer that is at least"):
        lay_out_heads(0, n_heads=1)
