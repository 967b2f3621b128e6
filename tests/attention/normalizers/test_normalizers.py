"""What holds for every normalizer, without masks."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.attention.normalizers import NORMALIZERS, Capsule, Dual, Sinkhorn, Softmax
from nlpfeat.errors import InvalidParameterError


def random_scores(generator, *shape, dtype=torch.float64):
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


def test_the_catalog_goes_by_name():
    assert list(NORMALIZERS) == ["softmax", "capsule", "sinkhorn", "dual", "sparsemax", "entmax15"]
    assert all(each.name == name for name, each in NORMALIZERS.items())


def test_who_couples_queries():
    coupled = {name for name, each in NORMALIZERS.items() if each.couples_queries}
    assert coupled == {"capsule", "sinkhorn", "dual"}


def test_settings_are_values(normalizer):
    assert normalizer == copy.deepcopy(normalizer) == pickle.loads(pickle.dumps(normalizer))
    assert hash(normalizer) == hash(copy.copy(normalizer))
    with pytest.raises(FrozenInstanceError):
        normalizer.name = "other"


def test_weights_are_shares_that_sum_to_what_they_should(normalizer, generator):
    weights = normalizer(3 * random_scores(generator, 2, 3, 5, 7))
    assert weights.min() >= 0
    assert weights.max() <= 1
    rows, columns = weights.sum(-1), weights.sum(-2)
    if normalizer == Capsule(renormalize=False):
        torch.testing.assert_close(columns, torch.ones_like(columns))
    elif isinstance(normalizer, Dual):
        assert rows.max() < 1
        assert columns.max() < 1
    else:
        torch.testing.assert_close(rows, torch.ones_like(rows))


def test_gradients_are_those_of_differences(normalizer, generator):
    scores = random_scores(generator, 2, 3, 4).requires_grad_()
    assert torch.autograd.gradcheck(normalizer, scores)


def test_permuting_queries_or_keys_permutes_weights(normalizer, generator):
    scores = random_scores(generator, 4, 6)
    rows, columns = torch.randperm(4, generator=generator), torch.randperm(6, generator=generator)
    torch.testing.assert_close(
        normalizer(scores[rows][:, columns]), normalizer(scores)[rows][:, columns],
        rtol=1e-12, atol=1e-15,
    )  # fmt: skip


def test_documents_and_heads_do_not_see_one_another(normalizer, generator):
    scores = random_scores(generator, 3, 2, 4, 5)
    together = normalizer(scores)
    for document in range(3):
        for head in range(2):
            alone = normalizer(scores[document, head])
            torch.testing.assert_close(together[document, head], alone, rtol=1e-13, atol=1e-16)


def test_a_constant_added_to_all_scores_changes_nothing(normalizer, generator):
    scores = random_scores(generator, 4, 5)
    torch.testing.assert_close(normalizer(scores + 7.25), normalizer(scores))


def test_a_number_a_query_changes_nothing_for_a_softmax_alone(generator):
    """A prior on queries is no prior."""
    scores, shift = random_scores(generator, 4, 5), random_scores(generator, 4, 1)
    torch.testing.assert_close(Softmax()(scores + shift), Softmax()(scores))
    assert not torch.allclose(Capsule()(scores + shift), Capsule()(scores))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_the_dtype_is_kept(normalizer, generator, dtype):
    scores = random_scores(generator, 4, 5, dtype=dtype).requires_grad_()
    weights = normalizer(scores)
    weights.square().sum().backward()
    assert weights.dtype == scores.grad.dtype == dtype
    torch.testing.assert_close(weights, normalizer(scores.double()).to(dtype), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_half_precision_is_rounded_once(normalizer, generator, dtype):
    scores = random_scores(generator, 4, 50, dtype=dtype)
    weights = normalizer(scores)
    assert weights.dtype == dtype
    assert torch.equal(weights, normalizer(scores.float()).to(dtype))


@pytest.mark.parametrize("shape", [(2, 0, 3), (2, 3, 0), (0, 3, 3), (2, 0, 0)], ids=str)
def test_no_queries_or_no_keys(normalizer, shape):
    scores = torch.zeros(shape, requires_grad=True)
    mask = torch.ones(shape[-1], dtype=torch.bool)
    for weights in (normalizer(scores), normalizer(scores, mask)):
        assert weights.shape == shape
        (weights @ torch.ones(shape[-1], 1)).sum().backward()
    assert scores.grad.shape == shape


def test_the_scores_stay_as_they_are(normalizer, generator):
    scores = random_scores(generator, 3, 4)
    before, mask = scores.clone(), torch.tensor([True, False, True, True])
    normalizer(scores, mask)
    assert torch.equal(scores, before)


@settings(max_examples=20, deadline=None)
@given(
    scale=st.sampled_from([0.0, 1e-30, 1.0, 1e3, 1e30]),
    shift=st.sampled_from([-1e30, 0.0, 1e3]),
    seed=st.integers(0, 99),
)
def test_no_size_of_scores_overflows(normalizer, scale, shift, seed):
    scores = random_scores(torch.Generator().manual_seed(seed), 3, 4, dtype=torch.float32)
    scores = (scores * scale + shift).requires_grad_()
    weights = normalizer(scores)
    weights[0, 0].backward()
    assert torch.isfinite(weights).all()
    assert torch.isfinite(scores.grad).all()
    if not isinstance(normalizer, Dual) and normalizer != Capsule(renormalize=False):
        torch.testing.assert_close(weights.sum(-1), torch.ones(3))


def test_routing_is_a_call_that_knows_the_values(normalizer, generator):
    scores, value = random_scores(generator, 2, 3, 4), random_scores(generator, 2, 4, 5)
    mask = torch.tensor([True, True, False, True])
    assert torch.equal(normalizer.route(scores, value, mask), normalizer(scores, mask))


@pytest.mark.parametrize("setting", [Sinkhorn, Capsule], ids=["sinkhorn", "capsule"])
@pytest.mark.parametrize("n_iterations", [0, -1, 2.0, True, "3"], ids=repr)
def test_numbers_of_iterations_are_checked(setting, n_iterations):
    wrong = setting(n_iterations=n_iterations)
    message = "n_iterations must be an integer that is at least 1"
    with pytest.raises(InvalidParameterError, match=message):
        wrong.validate()
    with pytest.raises(InvalidParameterError, match=message):
        wrong(torch.zeros(2, 2))
    with pytest.raises(InvalidParameterError, match=message):
        wrong.route(torch.zeros(2, 2), torch.zeros(2, 1))
