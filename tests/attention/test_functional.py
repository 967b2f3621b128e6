"""Where score, prior, mask and normalizer meet: against loops, by hand, and path against path."""

import itertools
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from nlpfeat.attention import NORMALIZERS, SCORES, attend
from nlpfeat.attention.flex import attend_flex
from nlpfeat.errors import InvalidInputError, InvalidParameterError

B, H, Q, K, D, DV = 2, 4, 3, 5, 6, 4


def drawn(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def tensors(n_kv_heads=H, dtype=torch.float64):
    return (
        drawn(B, H, Q, D, seed=1, dtype=dtype),
        drawn(B, n_kv_heads, K, D, seed=2, dtype=dtype),
        drawn(B, n_kv_heads, K, DV, seed=3, dtype=dtype),
    )


def some_mask():
    mask = torch.ones(B, 1, Q, K, dtype=torch.bool)
    mask[0, :, :, 3:] = False
    mask[1, :, 1] = False  # a query that may see nothing
    return mask


def by_loops(query, key, value, mask, bias):
    """Softmax attention, one number after the other."""
    query, key, value = (part.numpy() for part in (query, key, value))
    mask = np.broadcast_to(mask.numpy(), (B, H, Q, K))
    bias = np.broadcast_to(bias.numpy(), (B, H, Q, K))
    per_key = H // key.shape[1]
    output = np.zeros((B, H, Q, DV))
    for b, h, i in itertools.product(range(B), range(H), range(Q)):
        seen = [j for j in range(K) if mask[b, h, i, j]]
        weights = [
            math.exp(query[b, h, i] @ key[b, h // per_key, j] / math.sqrt(D) + bias[b, h, i, j])
            for j in seen
        ]
        for j, weight in zip(seen, weights):
            output[b, h, i] += weight / sum(weights) * value[b, h // per_key, j]
    return output


@pytest.mark.parametrize("path", ["auto", "explicit", "fused"])
@pytest.mark.parametrize("n_kv_heads", [4, 2, 1])
def test_softmax_attention_is_what_loops_give(path, n_kv_heads):
    query, key, value = tensors(n_kv_heads)
    mask, bias = some_mask(), drawn(1, H, Q, K, seed=4)
    output, _ = attend(query, key, value, mask, bias, path=path)
    np.testing.assert_allclose(output, by_loops(query, key, value, mask, bias), atol=1e-12)


@pytest.mark.parametrize(("dtype", "atol"), [(torch.float32, 1e-5), (torch.float64, 1e-12)])
@pytest.mark.parametrize("score", ["dot", "bilinear", "cosine"])
@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize("with_mask", [False, True])
@pytest.mark.parametrize("with_columns", [False, True])
def test_the_fused_path_is_the_explicit_one(dtype, atol, score, with_bias, with_mask, with_columns):
    query, key, value = tensors(2, dtype)
    mask = some_mask() if with_mask else None
    bias = drawn(B, 1, Q, K, seed=4, dtype=dtype) if with_bias else None
    columns = None
    if with_columns:
        columns = drawn(B, H, Q, 7, seed=5, dtype=dtype), drawn(B, 1, K, 7, seed=6, dtype=dtype)
    function = SCORES[score]().build(H, D, torch.Generator().manual_seed(0)).to(dtype)
    results = [
        attend(query, key, value, mask, bias, score=function, columns=columns, path=path)[0]
        for path in ("explicit", "fused")
    ]
    assert results[0].dtype == dtype
    torch.testing.assert_close(results[1], results[0], atol=atol, rtol=0)


@pytest.mark.parametrize("path", ["auto", "fused", "flex"])
@pytest.mark.parametrize("width", [D, D + 1, D + 2, D + 3, 2 * D + 4])
@pytest.mark.parametrize("with_columns", [False, True])
def test_values_may_be_narrower_or_wider_than_keys_and_columns(path, width, with_columns):
    query, key, _ = tensors(2)
    value = drawn(B, 2, K, width, seed=3)
    columns = (drawn(B, H, Q, 2, seed=5), drawn(B, 1, K, 2, seed=6)) if with_columns else None
    output, _ = attend(query, key, value, some_mask(), columns=columns, path=path)
    expected, _ = attend(query, key, value, some_mask(), columns=columns, path="explicit")
    torch.testing.assert_close(output, expected, atol=1e-12, rtol=0)


def test_columns_are_a_bias_of_low_rank():
    query, key, value = tensors()
    left, right = drawn(B, 1, Q, 2, seed=5), drawn(B, 1, K, 2, seed=6)
    by_columns, weights = attend(query, key, value, columns=(left, right), return_weights=True)
    by_bias, same = attend(query, key, value, bias=left @ right.mT, return_weights=True)
    torch.testing.assert_close(by_columns, by_bias, atol=1e-12, rtol=0)
    torch.testing.assert_close(weights, same, atol=1e-12, rtol=0)


@pytest.mark.parametrize("n_heads", [1, H])
@pytest.mark.parametrize("sizes", [(1, K), (Q, 1), (1, 1), (Q, K)], ids=str)
@pytest.mark.parametrize("path", ["explicit", "fused", "flex"])
def test_columns_of_one_query_or_one_key_are_those_of_all(path, sizes, n_heads):
    left = drawn(1, 1, sizes[0], 2, seed=5)
    right = drawn(B, n_heads, sizes[1], 2, seed=6)
    output, _ = attend(*tensors(2), columns=(left, right), path=path)
    expected, _ = attend(*tensors(2), bias=(left @ right.mT).expand(-1, -1, Q, K))
    torch.testing.assert_close(output, expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("path", ["explicit", "fused", "flex"])
def test_numbers_of_key_and_value_heads_need_not_divide_one_another(path):
    query, key, value = drawn(1, 12, Q, D), drawn(1, 2, K, D, seed=1), drawn(1, 3, K, D, seed=2)
    bias = drawn(1, 12, Q, K, seed=3)
    output, _ = attend(query, key, value, bias=bias, path=path)
    for h in range(12):
        one = [part[:, at : at + 1] for part, at in ((query, h), (key, h // 6), (value, h // 4))]
        expected, _ = attend(*one, bias=bias[:, h : h + 1], path="explicit")
        torch.testing.assert_close(output[:, h : h + 1], expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("normalizer", NORMALIZERS)
@pytest.mark.parametrize("score", SCORES)
def test_what_is_masked_does_not_matter(score, normalizer):
    query, key, value = *tensors()[:2], drawn(B, H, K, D, seed=3)
    mask = torch.ones(B, 1, 1, K, dtype=torch.bool)
    mask[..., 3:] = False
    function = SCORES[score]().build(H, D, torch.Generator().manual_seed(0)).double()
    rule = NORMALIZERS[normalizer]()
    whole, _ = attend(query, key, value, mask, score=function, normalizer=rule)
    key[:, :, 3:], value[:, :, 3:] = math.nan, math.inf
    spoiled, _ = attend(query, key, value, mask, score=function, normalizer=rule)
    cut, _ = attend(query, key[:, :, :3], value[:, :, :3], score=function, normalizer=rule)
    torch.testing.assert_close(spoiled, whole, atol=0, rtol=0)
    torch.testing.assert_close(whole, cut, atol=1e-12, rtol=0)


@pytest.mark.parametrize("path", ["explicit", "fused", "flex"])
@pytest.mark.parametrize("n_kv_heads", [(4, 4), (2, 4), (4, 1), (2, 2)], ids=str)
@pytest.mark.parametrize("for_each_head", [False, True])
def test_what_no_query_sees_and_what_sees_nothing_do_not_enter(path, n_kv_heads, for_each_head):
    query, (key, value) = drawn(B, H, Q, D, seed=1), (
        drawn(B, n_heads, K, D, seed=2 + n) for n, n_heads in enumerate(n_kv_heads)
    )  # fmt: skip
    mask = torch.rand(
        B, H if for_each_head else 1, Q, K, generator=torch.Generator().manual_seed(0)
    )
    mask = mask < 0.6
    mask[0, :, 1], mask[1, 0, 2], mask[0, :, :, 4], mask[1, :2, :, 0] = False, False, False, False
    everywhere = mask.expand(B, H, Q, K).numpy()
    expected, _ = attend(query, key, value, mask, path="explicit")
    for b, h, i in itertools.product(range(B), range(H), range(Q)):
        if not everywhere[b, h, i].any():
            query[b, h, i] = math.nan
    for part in (key, value):
        share = H // part.shape[1]
        for b, g, j in itertools.product(range(B), range(part.shape[1]), range(K)):
            if not everywhere[b, g * share : (g + 1) * share, :, j].any():
                part[b, g, j] = math.nan
    assert all(part.isnan().any() for part in (query, key, value))
    output, _ = attend(query, key, value, mask, path=path)
    torch.testing.assert_close(output, expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("path", ["explicit", "fused"])
def test_what_does_not_enter_has_finite_gradients(path):
    query, key, value = tensors()
    mask = some_mask()
    query[1, :, 1] = key[0, :, 3:] = value[0, :, 3:] = math.nan
    parts = [part.requires_grad_() for part in (query, key, value)]
    attend(*parts, mask, path=path)[0].square().sum().backward()
    assert all(part.grad.isfinite().all() for part in parts)
    assert not query.grad[1, :, 1].any()
    assert not key.grad[0, :, 3:].any()


@pytest.mark.parametrize("path", ["explicit", "fused"])
def test_a_key_that_one_query_sees_is_one_that_must_be_finite(path):
    """What is promised ends here: see `attend`. The query that may see it is NaN on every path."""
    query, key, value = tensors()
    mask = torch.ones(1, 1, Q, K, dtype=torch.bool)
    mask[..., 0, -1] = False
    key[..., -1, :] = math.nan
    output, _ = attend(query, key, value, mask, path=path)
    assert output[:, :, 1:].isnan().all()


@pytest.mark.parametrize("path", ["explicit", "fused"])
def test_a_query_without_keys_is_answered_with_zeros_and_finite_gradients(path):
    parts = [part.requires_grad_() for part in tensors()]
    bias = drawn(B, H, Q, K, seed=4).requires_grad_()
    output, _ = attend(*parts, some_mask(), bias, path=path)
    assert (output[1, :, 1] == 0).all()
    output.square().sum().backward()
    for part in (*parts, bias):
        assert torch.isfinite(part.grad).all()
    assert (bias.grad[1, :, 1] == 0).all()


def test_no_key_at_all_is_answered_with_zeros():
    query, key, value = tensors()
    output, weights = attend(query, key[:, :, :0], value[:, :, :0], return_weights=True)
    assert output.shape == (B, H, Q, DV)
    assert (output == 0).all()
    assert weights.shape == (B, H, Q, 0)


@settings(max_examples=20, deadline=None)
@given(st.floats(-50, 50), st.integers(0, 1000))
def test_a_bias_that_is_the_same_for_all_keys_changes_nothing(shift, seed):
    query, key, value = tensors()
    bias = drawn(B, H, Q, K, seed=seed)
    shifts = shift * drawn(B, H, Q, 1, seed=seed + 1)
    one, _ = attend(query, key, value, bias=bias)
    other, _ = attend(query, key, value, bias=bias + shifts)
    torch.testing.assert_close(one, other, atol=1e-9, rtol=0)


def test_gradients_reach_a_learned_strength_of_a_bias():
    parts, prior = tensors(), drawn(B, 1, Q, K, seed=4)
    strength = torch.zeros((), dtype=torch.float64, requires_grad=True)
    for path in ("explicit", "fused"):
        assert torch.autograd.gradcheck(
            lambda s: attend(*parts, some_mask(), s * prior, path=path)[0],  # noqa: B023
            (strength,),
        )


def test_one_softmax_a_dimension_is_a_head_a_dimension():
    query, key, value = drawn(B, H, Q, DV, seed=1), drawn(B, H, K, DV, seed=2), tensors()[2]
    function = SCORES["multidim"]().build(H, DV, torch.Generator().manual_seed(0)).double()
    bias = drawn(B, H, Q, K, seed=4)
    output, weights = attend(
        query, key, value, some_mask(), bias, score=function, return_weights=True
    )
    assert weights.shape == (B, H, DV, Q, K)
    scores = function(query, key).unflatten(1, (H, DV)) + bias[:, :, None]
    scores = scores.masked_fill(~some_mask()[:, :, None], -math.inf)
    expected = torch.einsum("bhdqk,bhkd->bhqd", scores.softmax(-1).nan_to_num(), value)
    torch.testing.assert_close(output, expected, atol=1e-12, rtol=0)


def test_dropout_drops_weights_and_keeps_their_expectation():
    query, key = torch.zeros(1, 1, 1, 2), torch.zeros(1, 1, 10_000, 2)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        dropped = attend(query, key, torch.ones(1, 1, 10_000, 1), dropout=0.25, path="explicit")[0]
    assert dropped.item() == pytest.approx(1.0, abs=0.03)
    assert dropped.item() != 1.0


def test_dropout_multiplies_weights_and_values_once():
    parts, flops = tensors(), []
    for dropout in (0.0, 0.25):
        with FlopCounterMode(display=False) as counter:
            attend(*parts, dropout=dropout, path="explicit")
        flops.append(counter.get_total_flops())
    assert flops[0] == flops[1] == 2 * B * H * Q * K * (D + DV)


@pytest.mark.parametrize("path", ["explicit", "fused", "flex"])
@pytest.mark.parametrize(
    ("dtype", "finer"),
    [(torch.float32, torch.float64), (torch.bfloat16, torch.float32)],
    ids=["float32", "bfloat16"],
)
def test_a_bias_of_other_floats_is_taken_in_those_of_the_scores(dtype, finer, path):
    query, key, value = drawn(3, 2, 4, 16, 16).to(dtype)
    bias, left, right = drawn(1, 1, 16, 16), drawn(1, 1, 16, 16), drawn(1, 1, 16, 16, seed=1)
    columns = left.to(finer), right.to(finer)
    output, _ = attend(query, key, value, bias=bias.to(finer), columns=columns, path=path)
    columns = left.to(dtype), right.to(dtype)
    expected, _ = attend(query, key, value, bias=bias.to(dtype), columns=columns, path=path)
    assert output.dtype == dtype
    assert torch.equal(output, expected)


@pytest.mark.parametrize("path", ["explicit", "fused", "flex"])
def test_a_bias_that_is_the_log_of_nothing_closes_a_pair(path):
    query, key, value = drawn(3, 2, 4, 16, 16)
    bias = drawn(1, 4, 16, 16, seed=5)
    closed = torch.zeros(1, 4, 16, 16, dtype=torch.bool)
    closed[:, :, 3] = closed[:, :, 4, 2:] = closed[:, 0, :, 5] = True  # query 3 may see nothing
    expected, _ = attend(query, key, value, ~closed, bias, path="explicit")
    output, _ = attend(query, key, value, bias=bias.masked_fill(closed, -math.inf), path=path)
    torch.testing.assert_close(output, expected, atol=1e-12, rtol=0)
    assert not output[:, :, 3].any()


@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_every_normalizer_takes_the_log_of_nothing_as_a_mask(normalizer):
    parts, rule = tensors(), NORMALIZERS[normalizer]()
    closed = torch.rand(B, H, Q, K, generator=torch.Generator().manual_seed(0)) < 0.4
    closed[0, :, 1] = True
    expected, _ = attend(*parts, ~closed, normalizer=rule)
    bias = torch.zeros(B, H, Q, K).masked_fill(closed, -math.inf).requires_grad_()
    output, _ = attend(*parts, bias=bias, normalizer=rule)
    assert torch.equal(output, expected)
    output.square().sum().backward()
    assert bias.grad.isfinite().all()


def test_values_with_a_width_of_their_own_and_no_head_to_repeat():
    query, key, value = tensors(1)
    output, _ = attend(query, key, value, path="fused", columns=(query, key))
    assert output.shape == (B, H, Q, DV)


def test_flex_attention_is_the_explicit_path():
    query, key, value = drawn(2, 4, 16, 16), drawn(2, 4, 16, 16, seed=1), drawn(2, 4, 16, 16)
    mask = torch.ones(2, 1, 1, 16, dtype=torch.bool)
    mask[0, ..., 9:] = False
    bias = drawn(1, 4, 16, 16, seed=5)
    arguments = [part.float() for part in (query, key, value)]
    expected, _ = attend(*arguments, mask, bias.float(), path="explicit")
    with torch.no_grad():
        output, _ = attend(*arguments, mask, bias.float(), path="flex")
    torch.testing.assert_close(output, expected, atol=1e-5, rtol=0)


def test_flex_attention_says_what_it_cannot():
    query = drawn(1, 1, 4, 4).requires_grad_()
    with pytest.raises(InvalidInputError, match=r"gradients on a GPU only.*path='auto'"):
        attend(query, query, query, path="flex")
    with pytest.raises(InvalidInputError, match="has no dropout"):
        attend_flex(query, query, query, None, None, 0.5)


@pytest.mark.parametrize("path", ["fused", "flex"])
def test_a_path_that_cannot_says_why(path):
    query, key, value = tensors()
    with pytest.raises(InvalidParameterError, match="a fused kernel keeps no weights"):
        attend(query, key, value, return_weights=True, path=path)
    additive = SCORES["additive"]().build(H, D, torch.Generator()).double()
    with pytest.raises(InvalidParameterError, match="no product of queries and keys"):
        attend(query, key, value, score=additive, path=path)
    with pytest.raises(InvalidParameterError, match=r"knows softmax alone.*'sparsemax'"):
        attend(query, key, value, normalizer=NORMALIZERS["sparsemax"](), path=path)
    with pytest.raises(InvalidParameterError, match="path must be one of 'auto'"):
        attend(query, key, value, path="fast")


def test_tensors_that_do_not_fit_are_refused_by_name():
    query, key, value = tensors()
    mask = torch.ones(B, 1, 1, K)
    with pytest.raises(InvalidInputError, match=r"mask must be of truth values.*float32"):
        attend(query, key, value, mask)
    with pytest.raises(InvalidInputError, match=r"mask must have a shape that can be expanded"):
        attend(query, key, value, mask[..., 1:].bool())
    with pytest.raises(InvalidInputError, match="bias must be of finite floats"):
        attend(query, key, value, bias=mask.bool())
    with pytest.raises(InvalidInputError, match=r"columns\[1\] must be of finite floats.*int64"):
        attend(query, key, value, columns=(query, key.long()))
    with pytest.raises(InvalidInputError, match=r"value must be of the dtype of query.*float32"):
        attend(query, key, value.float())
    with pytest.raises(InvalidInputError, match="key and value must have as many tokens"):
        attend(query, key, value[:, :, 1:])
    with pytest.raises(InvalidInputError, match="key must have a number of heads that divides"):
        attend(query, key[:, :3], value)
    with pytest.raises(InvalidInputError, match="value must have the shape"):
        attend(query, key, value[0])
    with pytest.raises(InvalidInputError, match=r"columns\[1\] must have a shape"):
        attend(query, key, value, columns=(query, key[:, :, 1:]))
    with pytest.raises(InvalidInputError, match="query and key must be of one width"):
        attend(query, key[..., 1:], value, path="explicit")
