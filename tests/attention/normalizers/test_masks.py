"""What holds for every normalizer under a mask."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.attention.normalizers import NORMALIZERS, Sinkhorn, Softmax
from nlpfeat.attention.normalizers.normalizer import closed
from nlpfeat.errors import InvalidInputError

NAMES = list(NORMALIZERS)

# The second query has no real key, and the last key no real query.
SCATTERED = torch.tensor(
    [
        [True, True, False, True, False],
        [False, False, False, False, False],
        [False, True, True, True, False],
        [True, False, True, True, False],
    ]
)


def random_scores(generator, *shape):
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def random_real(generator, size):
    """Return which of some queries or keys are real, at least one."""
    real = torch.rand(size, generator=generator) < 0.6
    real[torch.randint(size, (1,), generator=generator)] = True
    return real


def test_gradients_are_those_of_differences(normalizer, generator):
    scores = random_scores(generator, 2, 4, 5).requires_grad_()
    assert torch.autograd.gradcheck(lambda scores: normalizer(scores, SCATTERED), scores)


def test_weights_off_the_mask_are_exactly_zero(normalizer, generator):
    weights = normalizer(random_scores(generator, 2, 4, 5), SCATTERED)
    assert not weights[:, ~SCATTERED].any()
    assert torch.isfinite(weights).all()
    assert weights[:, [0, 2, 3]].sum(-1).min() > 0


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_mask_of_queries_and_keys_is_leaving_them_out(normalizer, seed):
    generator = torch.Generator().manual_seed(seed)
    queries, keys = random_real(generator, 5), random_real(generator, 6)
    scores = random_scores(generator, 5, 6)
    mask = queries[:, None] & keys
    weights = normalizer(scores, mask)
    torch.testing.assert_close(
        weights[queries][:, keys], normalizer(scores[queries][:, keys]), rtol=1e-12, atol=1e-15
    )
    assert not weights[~mask].any()


@pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled")
@pytest.mark.parametrize("junk", [math.nan, math.inf, -math.inf, 1e300, -1e300], ids=repr)
def test_nothing_off_the_mask_reaches_a_weight_or_a_gradient(normalizer, generator, junk):
    clean = random_scores(generator, 4, 5)
    weigh = random_scores(generator, 4, 5)
    results = []
    for filling in (0.0, junk):
        scores = clean.masked_fill(~SCATTERED, filling).requires_grad_()
        # Anomaly detection also looks at what is between: nothing there may be NaN and be hidden.
        with torch.autograd.detect_anomaly():
            weights = normalizer(scores, SCATTERED)
            (weights * weigh).sum().backward()
        results.append((weights.detach(), scores.grad))
    (weights, gradient), (weights_of_junk, gradient_of_junk) = results
    assert torch.equal(weights, weights_of_junk)
    assert torch.equal(gradient, gradient_of_junk)
    assert not gradient[~SCATTERED].any()
    assert gradient[SCATTERED].any()


@pytest.mark.parametrize("filling", [0.0, -math.inf, math.nan], ids=repr)
def test_all_masked_gives_zeros_and_zero_gradients(normalizer, filling):
    scores = torch.full((2, 3, 4), filling, requires_grad=True)
    weights = normalizer(scores, torch.zeros(4, dtype=torch.bool))
    (weights * torch.arange(4.0)).sum().backward()
    assert torch.equal(weights.detach(), torch.zeros(2, 3, 4))
    assert torch.equal(scores.grad, torch.zeros(2, 3, 4))


def test_all_true_is_no_mask(normalizer, generator):
    scores = random_scores(generator, 3, 4)
    assert torch.equal(normalizer(scores, torch.ones(3, 4, dtype=torch.bool)), normalizer(scores))


@pytest.mark.parametrize("shape", [(), (5,), (1, 5), (4, 1), (3, 1, 1, 5), (2, 4, 5)], ids=str)
def test_masks_broadcast(normalizer, generator, shape):
    scores = random_scores(generator, 3, 2, 4, 5)
    mask = torch.rand(shape, generator=generator) < 0.7
    assert torch.equal(normalizer(scores, mask), normalizer(scores, mask.expand(scores.shape)))


def test_what_a_document_is_padded_with_does_not_matter(normalizer, generator):
    """Two documents of 3 and 5 tokens in one batch weigh as each does alone."""
    short, long = random_scores(generator, 3, 3), random_scores(generator, 5, 5)
    batch = torch.full((2, 5, 5), math.nan, dtype=torch.float64)
    batch[0, :3, :3], batch[1] = short, long
    real = torch.tensor([[True, True, True, False, False], [True] * 5])
    weights = normalizer(batch, real[:, :, None] & real[:, None, :])
    torch.testing.assert_close(weights[0, :3, :3], normalizer(short), rtol=1e-12, atol=1e-15)
    torch.testing.assert_close(weights[1], normalizer(long), rtol=1e-12, atol=1e-15)
    assert not weights[0, 3:].any()


@pytest.mark.parametrize("name", [name for name in NAMES if not NORMALIZERS[name].couples_queries])
def test_rows_on_their_own_need_no_mask_of_queries(name, generator):
    scores = random_scores(generator, 4, 5)
    keys = torch.tensor([True, False, True, True, False])
    weights = NORMALIZERS[name]()(scores, keys)
    torch.testing.assert_close(weights[:2], NORMALIZERS[name]()(scores[:2], keys))


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.uint8], ids=str)
def test_masks_are_boolean(normalizer, dtype):
    with pytest.raises(InvalidInputError, match=r"mask must be boolean.*Got torch\.\w+\. Pass"):
        normalizer(torch.zeros(2, 3), torch.ones(2, 3, dtype=dtype))


@pytest.mark.parametrize("shape", [(2,), (3, 3), (1, 2, 3), (0,), (2, 1, 1)], ids=str)
def test_masks_fit_the_scores(normalizer, shape):
    with pytest.raises(
        InvalidInputError, match=r"broadcast to the scores, of shape \(2, 3\)\. Got"
    ):
        normalizer(torch.zeros(2, 3), torch.ones(shape, dtype=torch.bool))


def test_lines_of_keys_by_hand():
    mask = torch.tensor([[True, False], [False, False]])
    inf = math.inf
    scores = torch.full((2, 2), 3.0)
    assert closed(scores, mask, -1).tolist() == [[3.0, -inf], [0.0, 0.0]]
    assert closed(scores, mask, -2).tolist() == [[3.0, 0.0], [-inf, 0.0]]
    assert closed(scores, None, -1) is scores


def test_sinkhorn_on_a_band_goes_both_ways(generator):
    """A mask that is no rectangle: neighbors alone. Rows and columns still sum to one."""
    near = (torch.arange(6)[:, None] - torch.arange(6)).abs() <= 1
    weights = Sinkhorn(n_iterations=500)(random_scores(generator, 6, 6), near)
    assert not weights[~near].any()
    torch.testing.assert_close(weights.sum(-1), torch.ones(6, dtype=torch.float64))
    torch.testing.assert_close(weights.sum(-2), torch.ones(6, dtype=torch.float64))


def test_softmax_equals_what_torch_makes_of_minus_infinity(generator):
    scores = random_scores(generator, 4, 5)
    rows = [0, 2, 3]
    expected = torch.softmax(scores.masked_fill(~SCATTERED, -math.inf), -1)
    assert torch.equal(Softmax()(scores, SCATTERED)[rows], expected[rows])
