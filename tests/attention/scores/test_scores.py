"""What holds for every score."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest
import torch

from nlpfeat.attention.normalizers import Softmax
from nlpfeat.attention.scores import SCORES

B, H, Q, K, D = 3, 2, 5, 6, 4


def test_the_catalog_goes_by_name():
    assert list(SCORES) == ["dot", "bilinear", "additive", "multidim", "cosine"]
    assert all(each.name == name for name, each in SCORES.items())


def test_what_each_score_asks_of_its_surroundings():
    products = {name for name, each in SCORES.items() if each.is_product}
    raw = {name for name, each in SCORES.items() if not each.projects_keys}
    vectors = {name for name, each in SCORES.items() if each.per_dimension}
    widths = {name: each().query_width(d_model=12, d_head=3) for name, each in SCORES.items()}
    assert products == {"dot", "bilinear", "cosine"}
    assert raw == {"bilinear"}
    assert vectors == {"multidim"}
    assert widths == {"dot": 3, "bilinear": 12, "additive": 3, "multidim": 3, "cosine": 3}


def test_settings_are_values(score):
    assert score == copy.deepcopy(score) == pickle.loads(pickle.dumps(score))
    assert hash(score) == hash(copy.copy(score))
    with pytest.raises(FrozenInstanceError):
        score.name = "other"


def test_shape(score, draw):
    scores = draw.function(score)(draw.normal(B, H, Q, D), draw.normal(B, H, K, D))
    assert scores.shape == (B, H * D if score.per_dimension else H, Q, K)
    assert scores.std() > 0.1


def test_gradients_are_those_of_differences(score, draw):
    function = draw.function(score, width=3)
    query = draw.normal(2, H, 2, 3).requires_grad_()
    key = draw.normal(2, H, 3, 3).requires_grad_()
    assert torch.autograd.gradcheck(
        lambda *tensors: function(*tensors[:2]), (query, key, *function.parameters())
    )


def test_gradients_under_a_mask(score, draw):
    """Through a softmax in which one query sees nothing."""
    function = draw.function(score, width=3)
    query = draw.normal(1, H, 3, 3).requires_grad_()
    key = draw.normal(1, H, 4, 3).requires_grad_()
    mask = torch.tensor([[True, False, True, True], [False] * 4, [True, True, False, False]])

    def weigh(query, key, *parameters):
        return Softmax()(function(query, key), mask)

    assert torch.autograd.gradcheck(weigh, (query, key, *function.parameters()))
    weigh(query, key)[..., 0].sum().backward()
    assert not query.grad[:, :, 1].any()
    assert query.grad[:, :, 0].any()


def test_every_parameter_gets_a_gradient(score, draw):
    function = draw.function(score)
    query = draw.normal(B, H, Q, D).requires_grad_()
    scores = function(query, draw.normal(B, H, K, D))
    (scores * draw.normal(*scores.shape)).sum().backward()
    assert query.grad.any()
    assert all(parameter.grad.any() for parameter in function.parameters())


def test_a_pair_is_scored_as_it_would_be_alone(score, draw):
    """Neither other documents, nor other queries or keys matter."""
    function = draw.function(score)
    query, key = draw.normal(B, H, Q, D), draw.normal(B, H, K, D)
    together = function(query, key)
    for b, i, j in [(0, 0, 0), (1, 4, 2), (2, 3, 5)]:
        alone = function(query[b : b + 1, :, i : i + 1], key[b : b + 1, :, j : j + 1])
        torch.testing.assert_close(
            together[b : b + 1, :, i : i + 1, j : j + 1], alone, rtol=1e-12, atol=1e-14
        )


def test_permuting_queries_or_keys_permutes_scores(score, draw):
    function = draw.function(score)
    query, key = draw.normal(B, H, Q, D), draw.normal(B, H, K, D)
    rows, columns = [3, 0, 4, 1, 2], [5, 1, 0, 2, 4, 3]
    torch.testing.assert_close(
        function(query[:, :, rows], key[:, :, columns]),
        function(query, key)[:, :, rows][..., columns],
        rtol=1e-12, atol=1e-14,
    )  # fmt: skip


def test_heads_do_not_see_one_another(score, draw):
    function = draw.function(score)
    query, key = draw.normal(1, H, Q, D), draw.normal(1, H, K, D)
    before = function(query, key)
    query[:, 1], key[:, 1] = 7.0, -7.0
    after = function(query, key)
    half = before.shape[1] // 2
    torch.testing.assert_close(after[:, :half], before[:, :half])
    assert not torch.isclose(after[:, half:], before[:, half:]).any()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_the_dtype_is_kept(score, draw, dtype):
    function = draw.function(score, dtype=dtype)
    query = draw.normal(1, H, Q, D, dtype=dtype)
    assert function(query, query).dtype == dtype


@pytest.mark.parametrize(("n_queries", "n_keys"), [(0, 3), (3, 0), (0, 0)])
def test_no_queries_or_no_keys(score, draw, n_queries, n_keys):
    function = draw.function(score)
    scores = function(draw.normal(B, H, n_queries, D), draw.normal(B, H, n_keys, D))
    assert scores.shape[-2:] == (n_queries, n_keys)
    scores = function(draw.normal(0, H, 2, D), draw.normal(0, H, 3, D))
    assert scores.shape[0] == 0


def test_factors_give_the_score(score, draw):
    """What fused kernels take with a scale of 1."""
    function = draw.function(score)
    query, key = draw.normal(B, H, Q, D), draw.normal(B, H, K, D)
    factors = function.prepare(query, key)
    assert (factors is not None) == score.is_product
    if factors is not None:
        product = torch.einsum("bhqd,bhkd->bhqk", *factors)
        torch.testing.assert_close(product, function(query, key))
        fused = torch.nn.functional.scaled_dot_product_attention(*factors, key, scale=1.0)
        torch.testing.assert_close(fused, torch.softmax(function(query, key), -1) @ key)


def test_one_seed_gives_one_function(score):
    first, again, other = (
        score.build(H, D, torch.Generator().manual_seed(seed)).state_dict() for seed in (1, 1, 2)
    )
    assert all(torch.equal(first[name], again[name]) for name in first)
    if score.name in ("additive", "multidim"):
        assert not torch.equal(first["query_weight"], other["query_weight"])


def test_the_global_generator_is_left_alone(score):
    before = torch.get_rng_state()
    score.build(H, D, torch.Generator().manual_seed(0))
    assert torch.equal(before, torch.get_rng_state())


def test_functions_are_saved_by_their_state(score, draw):
    function = draw.function(score)
    other = score.build(H, D, torch.Generator().manual_seed(9)).double()
    other.load_state_dict(function.state_dict())
    query = draw.normal(1, H, Q, D)
    assert torch.equal(function(query, query), other(query, query))
