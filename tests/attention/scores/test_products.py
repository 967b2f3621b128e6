"""The scores that are products: dot, bilinear, cosine."""

import math

import numpy as np
import pytest
import torch

from nlpfeat.attention.scores import BilinearScore, CosineScore, DotScore
from nlpfeat.errors import InvalidParameterError

H, D = 2, 4


@pytest.mark.parametrize("score", [DotScore(), BilinearScore()], ids=["dot", "bilinear"])
def test_dot_by_hand(score):
    query = torch.tensor([[[[1.0, 2.0, 3.0, 4.0]]]])
    key = torch.tensor([[[[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]]]])
    assert score.build(1, 4, torch.Generator())(query, key).tolist() == [[[[0.5, 5.0]]]]


def bilinearity_defect(score, first, second):
    """|s(x, a+b) - s(x, a) - s(x, b)| over the sum of sizes; 0 for a bilinear score."""
    defect = (score(first + second) - score(first) - score(second)).abs()
    return (defect / (score(first + second).abs() + score(first).abs() + score(second).abs())).max()


@pytest.mark.parametrize(
    ("score", "bilinear"),
    [(DotScore(), True), (BilinearScore(), True), (CosineScore(), False)],
    ids=["dot", "bilinear", "cosine"],
)
def test_which_are_bilinear(draw, score, bilinear):
    function = draw.function(score)
    query, first, second = (draw.normal(1, H, 3, D) for _ in range(3))
    defect = bilinearity_defect(lambda key: function(query, key), first, second)
    assert (defect < 1e-13) == bilinear
    assert bilinear or defect > 1e-2


def test_bilinear_has_no_rank_of_a_head(draw):
    """x W yᵀ over raw tokens of width 6: the form of one head has rank 6, that of dot only 2."""
    tokens, weight = torch.eye(6, dtype=torch.float64)[None, None], draw.normal(6, 6)
    form = BilinearScore().build(1, 6, torch.Generator())(tokens @ weight, tokens)
    torch.testing.assert_close(form[0, 0], weight / math.sqrt(6))
    assert torch.linalg.matrix_rank(form[0, 0]) == 6
    left, right = draw.normal(6, 2), draw.normal(6, 2)
    head = DotScore().build(1, 2, torch.Generator())
    assert torch.linalg.matrix_rank(head(tokens @ left, tokens @ right)) == 2


def test_cosine_against_numpy(draw):
    query, key = draw.normal(1, H, 3, D), draw.normal(1, H, 5, D)
    function = CosineScore(scale=3.0).build(H, D, torch.Generator()).double()
    with torch.no_grad():
        function.log_scale[1] = math.log(7.0)
    for head, scale in enumerate([3.0, 7.0]):
        q, k = query[0, head].numpy(), key[0, head].numpy()
        norms = np.linalg.norm(q, axis=1)[:, None] * np.linalg.norm(k, axis=1)
        found = function(query, key)[0, head].detach().numpy()
        np.testing.assert_allclose(found, scale * (q @ k.T) / norms, rtol=1e-6)


def test_cosine_does_not_see_lengths(draw):
    query, key = draw.normal(1, H, 3, D), draw.normal(1, H, 5, D)
    function = draw.function(CosineScore())
    torch.testing.assert_close(function(1e-9 * query, 1e9 * key), function(query, key))


def test_cosine_begins_with_the_spread_of_the_scaled_dot_product(draw):
    query, key = draw.normal(1, 1, 200, 64), draw.normal(1, 1, 200, 64)
    for score in (CosineScore(), DotScore()):
        scores = score.build(1, 64, torch.Generator()).double()(query, key)
        assert scores.std().item() == pytest.approx(1, abs=0.03)


def test_zero_vectors_have_cosine_zero_and_finite_gradients(draw):
    query = torch.zeros(1, H, 2, D, dtype=torch.float64, requires_grad=True)
    key = draw.normal(1, H, 3, D)
    scores = CosineScore(scale=2.0).build(H, D, torch.Generator()).double()(query, key)
    scores.sum().backward()
    assert not scores.any()
    assert 0 < query.grad.abs().max() <= 2 * 3


@pytest.mark.parametrize("scale", [0, -1.0, math.inf, math.nan, "1", True], ids=repr)
def test_scales_are_checked(scale):
    message = "scale must be a finite number above 0"
    with pytest.raises(InvalidParameterError, match=message):
        CosineScore(scale=scale).validate()
    with pytest.raises(InvalidParameterError, match=message):
        CosineScore(scale=scale).build(1, 2, torch.Generator())
