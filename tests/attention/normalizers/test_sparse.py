"""Sparsemax and 1.5-entmax against the entmax package, and at the edges of their supports."""

import entmax
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.attention.normalizers import Entmax15, Sparsemax

PAIRS = [(Sparsemax(), entmax.sparsemax), (Entmax15(), entmax.entmax15)]
pairs = pytest.mark.parametrize(("normalizer", "package"), PAIRS, ids=["sparsemax", "entmax15"])


@pairs
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6), n_keys=st.sampled_from([1, 2, 7, 60]),
    scale=st.sampled_from([0.01, 1.0, 5.0]),
)  # fmt: skip
def test_values_and_gradients_are_those_of_the_package(normalizer, package, seed, n_keys, scale):
    generator = torch.Generator().manual_seed(seed)
    scores = scale * torch.randn(3, n_keys, generator=generator, dtype=torch.float64)
    weigh = torch.randn(3, n_keys, generator=generator, dtype=torch.float64)
    results = []
    for function in (normalizer, lambda scores: package(scores, dim=-1)):
        leaf = scores.clone().requires_grad_()
        weights = function(leaf)
        (weights * weigh).sum().backward()
        results.append((weights.detach(), leaf.grad))
    (weights, gradient), (expected, expected_gradient) = results
    torch.testing.assert_close(weights, expected, rtol=1e-9, atol=1e-11)
    torch.testing.assert_close(gradient, expected_gradient, rtol=1e-7, atol=1e-9)


@pairs
def test_masked_keys_are_to_the_package_minus_infinity(normalizer, package):
    generator = torch.Generator().manual_seed(0)
    scores = torch.randn(5, 9, generator=generator, dtype=torch.float64)
    keys = torch.arange(9) % 3 > 0
    expected = package(scores.masked_fill(~keys, -1e5), dim=-1)
    torch.testing.assert_close(normalizer(scores, keys), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("normalizer", "gap"), [(Sparsemax(), 1.0), (Entmax15(), 2.0)], ids=["sparsemax", "entmax15"]
)
def test_where_the_second_key_drops_out(normalizer, gap):
    """Of two keys, the lower has weight 0 from a gap of 1 (sparsemax) or 2 (entmax15) on."""
    scores = torch.tensor([[gap - 1e-3, 0.0], [gap, 0.0], [gap + 1e-3, 0.0]], dtype=torch.float64)
    weights = normalizer(scores)
    assert weights[0, 1] > 0
    assert weights[1:].tolist() == [[1.0, 0.0], [1.0, 0.0]]


@pairs
def test_equal_scores_share_alike(normalizer, package):
    scores = torch.tensor([[1.0, 1.0, 1.0, -5.0], [2.0, 2.0, 2.0, 2.0]], dtype=torch.float64)
    third = 1 / 3
    assert normalizer(scores)[0].tolist() == pytest.approx([third, third, third, 0.0])
    assert normalizer(scores)[1].tolist() == pytest.approx([0.25] * 4)


@pairs
def test_many_keys_in_float32_still_sum_to_one(normalizer, package):
    generator = torch.Generator().manual_seed(0)
    scores = torch.randn(4, 20_000, generator=generator) + 1000.0
    weights = normalizer(scores)
    torch.testing.assert_close(weights.sum(-1), torch.ones(4), rtol=1e-5, atol=0)
    torch.testing.assert_close(weights.double(), normalizer(scores.double()), rtol=1e-3, atol=1e-6)


@pairs
def test_a_key_of_weight_zero_gets_no_gradient(normalizer, package):
    scores = torch.tensor([[0.0, 0.2, -9.0]], requires_grad=True)
    normalizer(scores)[0, 0].backward()
    assert scores.grad[0, 2] == 0
    assert scores.grad[0, :2].abs().min() > 0


@pairs
def test_second_derivatives_are_those_of_differences(normalizer, package):
    generator = torch.Generator().manual_seed(0)
    scores = torch.randn(2, 5, generator=generator, dtype=torch.float64).requires_grad_()
    assert torch.autograd.gradgradcheck(normalizer, scores)
