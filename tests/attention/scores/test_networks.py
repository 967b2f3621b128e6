"""The scores that are small networks: additive and multidim."""

import math

import numpy as np
import pytest
import torch

from nlpfeat.attention.initialization import drawn_parameter
from nlpfeat.attention.scores import AdditiveScore, MultiDimScore, additive
from nlpfeat.errors import InvalidParameterError

H, D = 2, 4


def arrays(function):
    return {name: value.detach().numpy() for name, value in function.named_parameters()}


def test_additive_by_hand():
    """W_q = 1, W_k = 2, b = 0.5, v = 3, all of width 1: 3 tanh(q + 2 k + 0.5)."""
    function = AdditiveScore().build(1, 1, torch.Generator())
    values = {"query_weight": 1.0, "key_weight": 2.0, "bias": 0.5, "vector": 3.0}
    with torch.no_grad():
        for name, value in values.items():
            getattr(function, name).fill_(value)
    scores = function(torch.tensor([[[[0.1]]]]), torch.tensor([[[[0.2], [-0.3]]]]))
    assert scores[0, 0, 0].tolist() == pytest.approx([3 * math.tanh(1.0), 0.0], abs=1e-6)


@pytest.mark.parametrize("n_layers", [1, 2, 3])
def test_additive_equals_a_network_on_concatenated_pairs(draw, n_layers):
    """The form of Luong and others: v tanh(W [q; k] + b), pair by pair."""
    function = draw.function(AdditiveScore(n_layers=n_layers))
    query, key = draw.normal(1, H, 3, D), draw.normal(1, H, 5, D)
    w = arrays(function)
    found = function(query, key).detach().numpy()
    for h in range(H):
        both = np.concatenate([w["query_weight"][h], w["key_weight"][h]])
        for i in range(3):
            for j in range(5):
                pair = np.concatenate([query[0, h, i], key[0, h, j]])
                hidden = np.tanh(pair @ both + w["bias"][h, 0])
                for layer in range(n_layers - 1):
                    weight, bias = w[f"deep_weights.{layer}"][h], w[f"deep_biases.{layer}"][h, 0]
                    hidden = np.tanh(hidden @ weight + bias)
                expected = hidden @ w["vector"][h, :, 0]
                assert found[0, h, i, j] == pytest.approx(expected, rel=1e-12)


def test_additive_scores_are_bounded_by_the_vector(draw):
    function = draw.function(AdditiveScore())
    scores = function(100 * draw.normal(1, H, 50, D), 100 * draw.normal(1, H, 50, D))
    bound = function.vector.abs().sum(1)
    assert (scores.abs().amax((0, 2, 3))[:, None] <= bound).all()


def test_additive_is_not_affine(draw):
    """|s(a+b) - s(a) - s(b) + s(0)| is 0 for dot with or without biases, and not here."""
    function = draw.function(AdditiveScore())
    query, first, second = (draw.normal(1, H, 3, D) for _ in range(3))
    keys = (first + second, first, second, torch.zeros_like(first))
    both, one, other, none = (function(query, key) for key in keys)
    defect = (both - one - other + none).abs() / (both.abs() + one.abs() + other.abs())
    assert defect.max() > 1e-2


@pytest.mark.parametrize("n_layers", [1, 2])
@pytest.mark.parametrize("limit", [1, 2 * 2 * 5 * 4 * 3, 2 * 2 * 5 * 4 * 7 - 1])
def test_blocks_of_queries_change_nothing(draw, monkeypatch, limit, n_layers):
    function = draw.function(AdditiveScore(n_layers=n_layers))
    query, key = draw.normal(2, H, 7, D), draw.normal(2, H, 5, D)
    weigh = draw.normal(2, H, 7, 5)
    calls, results = [], []
    whole = function._scores
    monkeypatch.setattr(function, "_scores", lambda *args: calls.append(0) or whole(*args))
    for elements in (additive.MAX_ELEMENTS, limit):
        monkeypatch.setattr(additive, "MAX_ELEMENTS", elements)
        leaves = [query.clone().requires_grad_(), key.clone().requires_grad_()]
        function.zero_grad()
        calls.clear()
        scores = function(*leaves)
        n_blocks = len(calls)
        (scores * weigh).sum().backward()
        gradients = [leaf.grad for leaf in leaves]
        gradients += [parameter.grad for parameter in function.parameters()]
        results.append((n_blocks, scores, gradients))
    assert results[0][0] == 1
    assert results[1][0] == math.ceil(7 / max(limit // (2 * 2 * 5 * 4), 1))
    torch.testing.assert_close(results[1][1], results[0][1], rtol=1e-12, atol=1e-14)
    for blocked, expected in zip(results[1][2], results[0][2]):
        torch.testing.assert_close(blocked, expected, rtol=1e-11, atol=1e-13)


def test_blocks_without_gradients(draw, monkeypatch):
    function = draw.function(AdditiveScore())
    query, key = draw.normal(1, H, 7, D), draw.normal(1, H, 5, D)
    with torch.no_grad():
        expected = function(query, key)
        monkeypatch.setattr(additive, "MAX_ELEMENTS", 1)
        torch.testing.assert_close(function(query, key), expected)


def test_blocks_hold_less_for_the_gradient(draw, monkeypatch):
    """What autograd keeps: all hidden layers of all pairs, or, in blocks, none of them."""
    function = draw.function(AdditiveScore(n_layers=2))
    query = draw.normal(1, H, 20, D).requires_grad_()

    def kept():
        sizes = []
        with torch.autograd.graph.saved_tensors_hooks(
            lambda tensor: sizes.append(tensor.numel()) or tensor, lambda tensor: tensor
        ):
            function(query, query)
        return max(sizes)

    assert kept() == H * 20 * 20 * D
    monkeypatch.setattr(additive, "MAX_ELEMENTS", H * 20 * D)
    assert kept() < H * 20 * 20


@pytest.mark.parametrize("n_layers", [0, -1, 1.0, True, None], ids=repr)
def test_numbers_of_layers_are_checked(n_layers):
    message = "n_layers must be an integer that is at least 1"
    with pytest.raises(InvalidParameterError, match=message):
        AdditiveScore(n_layers=n_layers).validate()
    with pytest.raises(InvalidParameterError, match=message):
        AdditiveScore(n_layers=n_layers).build(1, 2, torch.Generator())


def test_multidim_equals_a_loop(draw):
    function = draw.function(MultiDimScore())
    query, key = draw.normal(2, H, 3, D), draw.normal(2, H, 5, D)
    w = arrays(function)
    found = function(query, key).detach().numpy()
    for b, h, i, j in np.ndindex(2, H, 3, 5):
        inner = query[b, h, i].numpy() @ w["query_weight"][h]
        inner = inner + key[b, h, j].numpy() @ w["key_weight"][h] + w["bias"][h, 0]
        expected = np.tanh(inner) @ w["output_weight"][h]
        np.testing.assert_allclose(found[b, h * D : (h + 1) * D, i, j], expected, rtol=1e-12)


def test_a_bias_of_the_dimensions_would_change_no_weight(draw):
    """Why the last bias of DiSAN is left out."""
    scores = draw.function(MultiDimScore())(draw.normal(1, H, 3, D), draw.normal(1, H, 5, D))
    bias = draw.normal(H * D, 1, 1)
    torch.testing.assert_close(torch.softmax(scores + bias, -1), torch.softmax(scores, -1))


def test_initial_weights_fill_the_range_of_xavier():
    generator = torch.Generator().manual_seed(0)
    weight = drawn_parameter(8, 40, 60, generator=generator)  # the heads are no inputs
    bound = math.sqrt(6 / 100)
    assert 0.99 * bound < weight.abs().max() <= bound
    assert weight.std().item() == pytest.approx(bound / math.sqrt(3), rel=0.02)
    assert weight.requires_grad


@pytest.mark.parametrize("score", [AdditiveScore(n_layers=2), MultiDimScore()], ids=repr)
def test_biases_begin_at_zero_and_heads_apart(score):
    function = score.build(2, 3, torch.Generator().manual_seed(0))
    for name, parameter in function.named_parameters():
        if "bias" in name:
            assert not parameter.any()
        else:
            assert not torch.equal(parameter[0], parameter[1])
