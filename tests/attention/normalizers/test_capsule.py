"""Capsule: competition of queries, and routing by agreement."""

import numpy as np
import pytest
import torch

from nlpfeat.attention.normalizers import Capsule, Dual
from nlpfeat.errors import InvalidParameterError


def random_numbers(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def routed_in_numpy(scores, value, n_iterations, renormalize):
    """Procedure 1 of Sabour, Frosst and Hinton (2017), loop by loop, with one vector a key."""
    logits = scores.copy()
    m, n = scores.shape
    for iteration in range(n_iterations):
        weights = np.empty((m, n))
        for j in range(n):
            powers = np.exp(logits[:, j])
            weights[:, j] = powers / powers.sum()
        if renormalize:
            weights /= weights.sum(1, keepdims=True)
        output = np.array([sum(weights[i, j] * value[j] for j in range(n)) for i in range(m)])
        if iteration == n_iterations - 1:
            break
        for i in range(m):
            length = np.sqrt((output[i] ** 2).sum())
            squashed = length**2 / (1 + length**2) * output[i] / length
            for j in range(n):
                logits[i, j] += value[j] @ squashed
    return weights, output


@pytest.mark.parametrize("renormalize", [True, False], ids=["renormalized", "raw"])
@pytest.mark.parametrize("n_iterations", [1, 2, 3])
def test_routing_equals_the_published_procedure(n_iterations, renormalize):
    scores, value = random_numbers(3, 5), random_numbers(5, 4, seed=1)
    normalizer = Capsule(renormalize=renormalize, n_iterations=n_iterations)
    weights = normalizer.route(scores, value)
    expected = routed_in_numpy(scores.numpy(), value.numpy(), n_iterations, renormalize)
    np.testing.assert_allclose(weights, expected[0], rtol=1e-12)
    np.testing.assert_allclose(weights @ value, expected[1], rtol=1e-12)


def test_one_iteration_of_routing_is_a_call():
    scores, value = random_numbers(2, 3, 5), random_numbers(2, 5, 4, seed=1)
    assert torch.equal(Capsule().route(scores, value), Capsule()(scores))


def test_routing_brings_together_what_agrees():
    """Two queries lean towards opposite clusters of values: with more iterations they part."""
    value = torch.tensor([[3.0, 0.0], [3.0, 0.1], [-3.0, 0.0], [-3.0, 0.1]])
    scores = torch.tensor([[0.1, 0.1, 0.0, 0.0], [0.0, 0.0, 0.1, 0.1]])
    shares = [
        Capsule(n_iterations=n).route(scores, value)[0, :2].sum().item() for n in (1, 2, 3, 5)
    ]
    assert shares == sorted(shares)
    assert shares[0] < 0.55
    assert shares[-1] > 0.95


@pytest.mark.parametrize("renormalize", [True, False], ids=["renormalized", "raw"])
def test_gradients_of_routing_under_a_mask(renormalize):
    mask = torch.tensor([[True, True, False], [True, False, False], [False, False, False]])
    normalizer = Capsule(renormalize=renormalize, n_iterations=3)
    scores = random_numbers(3, 3).requires_grad_()
    value = random_numbers(3, 2, seed=1).requires_grad_()
    assert torch.autograd.gradcheck(lambda *both: normalizer.route(*both, mask), (scores, value))


def test_routing_under_a_mask_is_routing_of_what_is_left():
    scores, value = random_numbers(3, 4), random_numbers(4, 2, seed=1)
    mask = torch.tensor([True, True, False])[:, None] & torch.tensor([True, False, True, True])
    masked = scores.masked_fill(~mask, torch.nan)
    normalizer = Capsule(n_iterations=3)
    weights = normalizer.route(masked, value, mask)
    keys = [0, 2, 3]
    expected = normalizer.route(scores[:2][:, keys], value[keys])
    torch.testing.assert_close(weights[:2][:, keys], expected)
    assert not weights[~mask].any()
    assert not weights[2].any()


def test_routing_keeps_the_dtype_and_takes_no_queries():
    normalizer = Capsule(n_iterations=2)
    assert normalizer.route(torch.zeros(2, 0, 3), torch.zeros(2, 3, 4)).shape == (2, 0, 3)
    weights = normalizer.route(torch.zeros(2, 3, 0), torch.zeros(2, 0, 4))
    assert (weights.shape, weights.dtype) == ((2, 3, 0), torch.float32)


def test_several_iterations_need_the_values():
    with pytest.raises(InvalidParameterError, match=r"gets no values. Got 3. Call its route"):
        Capsule(n_iterations=3)(torch.zeros(2, 2))


def test_a_query_that_loses_every_key_keeps_its_proportions():
    """exp(-900) is 0 in float64; dividing 0 by a row sum of 0 would be NaN."""
    scores = torch.tensor([[0.0, 0.0], [-900.0, -900.0 + np.log(3)]], dtype=torch.float64)
    assert Capsule()(scores)[1].tolist() == pytest.approx([0.25, 0.75])
    assert Capsule(renormalize=False)(scores)[1].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("seed", range(5))
def test_no_key_is_lost_to_the_renormalized_capsule(seed):
    """Its column holds one in all before rows are divided by their sums, which are at most n."""
    scores = 20 * random_numbers(6, 4, seed=seed)
    assert Capsule()(scores).sum(-2).min() >= 1 / 4 - 1e-12


@pytest.mark.parametrize("normalizer", [Capsule(), Capsule(renormalize=False), Dual()], ids=repr)
def test_a_causal_mask_would_let_tokens_see_what_comes_after(normalizer):
    """Why causal masks are refused: a later query's scores change an earlier one's weights."""
    causal = torch.ones(3, 3, dtype=torch.bool).tril()
    scores = random_numbers(3, 3)
    later = scores.clone()
    later[2, 0] += 1.0
    before, after = normalizer(scores, causal), normalizer(later, causal)
    assert not torch.allclose(before[1], after[1])


def test_one_query_gets_all():
    """Why one query is refused: nobody competes with it."""
    scores = random_numbers(1, 4)
    assert Capsule(renormalize=False)(scores)[0].tolist() == [1.0] * 4
    assert Capsule()(scores)[0].tolist() == [0.25] * 4


@pytest.mark.parametrize("value", [1, "yes", None], ids=repr)
def test_renormalize_is_a_truth_value(value):
    with pytest.raises(InvalidParameterError, match="renormalize must be True or False"):
        Capsule(renormalize=value)(torch.zeros(2, 2))
