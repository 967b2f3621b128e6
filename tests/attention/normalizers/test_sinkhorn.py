"""Sinkhorn: sums of columns, speed of convergence, and where it means nothing."""

import pytest
import torch

from nlpfeat.attention.normalizers import Capsule, Sinkhorn, Softmax


def random_scores(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def test_one_iteration_is_the_softmax_bit_for_bit():
    scores = random_scores(4, 5)
    assert torch.equal(Sinkhorn(n_iterations=1)(scores), Softmax()(scores))


@pytest.mark.parametrize("shape", [(4, 4), (2, 6), (6, 2)], ids=str)
def test_columns_come_to_share_the_rows(shape):
    """n keys share the m rows alike: each column sums to m / n."""
    weights = Sinkhorn(n_iterations=200)(random_scores(*shape))
    torch.testing.assert_close(weights.sum(-1), torch.ones(shape[0], dtype=torch.float64))
    expected = torch.full((shape[1],), shape[0] / shape[1], dtype=torch.float64)
    torch.testing.assert_close(weights.sum(-2), expected)


def test_each_iteration_brings_the_columns_nearer():
    scores = random_scores(8, 8)
    errors = [
        (Sinkhorn(n_iterations=n)(scores).sum(-2) - 1).abs().max().item() for n in range(1, 7)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.02 * errors[0]


def test_two_by_two_by_hand():
    """In the limit only the sum of the diagonal minus that of the rest counts: a / (1 - a) = √odds.

    exp S = [[e², 1], [e², e]] has the odds ratio e² · e / (1 · e²) = e, so a = √e / (1 + √e).
    """
    weights = Sinkhorn(n_iterations=100)(torch.tensor([[2.0, 0.0], [2.0, 1.0]]).double())
    a = 0.6224593312018546
    assert weights.tolist() == [pytest.approx([a, 1 - a]), pytest.approx([1 - a, a])]


def test_the_limit_does_not_depend_on_which_side_begins():
    scores = random_scores(5, 5)
    converged = Sinkhorn(n_iterations=300)
    torch.testing.assert_close(converged(scores), converged(scores.T).T)


def test_numbers_of_queries_and_of_keys_change_nothing_in_the_limit():
    """What is added to a row or a column is scaled away: only interactions are left."""
    scores, rows, columns = random_scores(5, 5), random_scores(5, 1), random_scores(5, seed=1)
    converged = Sinkhorn(n_iterations=300)
    torch.testing.assert_close(converged(scores + rows + columns), converged(scores))


def test_scores_far_apart_do_not_underflow():
    """exp(-2000) is 0 in float64: only the log domain sees these scores."""
    scores = torch.tensor([[0.0, 2000.0], [0.0, 2001.0]], dtype=torch.float64)
    weights = Sinkhorn(n_iterations=200)(scores)
    a = 0.6224593312018546
    assert weights.tolist() == [pytest.approx([a, 1 - a]), pytest.approx([1 - a, a])]


def test_one_query_sees_all_keys_alike():
    """Why one query is refused: from the second iteration on its weights are uniform."""
    weights = Sinkhorn(n_iterations=2)(random_scores(1, 4))
    assert weights[0].tolist() == pytest.approx([0.25] * 4)


def test_a_causal_mask_leads_to_the_identity():
    """Why causal masks are refused: no other lower triangular matrix is doubly stochastic."""
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    scores = random_scores(4, 4)
    off = [
        (Sinkhorn(n_iterations=n)(scores, causal) - torch.eye(4)).abs().max().item()
        for n in (1, 10, 1000)
    ]
    assert off == sorted(off, reverse=True)
    assert off[-1] < 0.01


def test_the_renormalized_capsule_is_one_step_over_columns_then_one_over_rows():
    scores = random_scores(4, 5)
    columns = torch.log_softmax(scores, -2)
    torch.testing.assert_close(Capsule()(scores), Sinkhorn(n_iterations=1)(columns))


def test_the_gradient_is_that_of_all_steps():
    """Against differences at one pair; the gradient that stops at the columns is another."""
    scores = random_scores(3, 3)
    normalizer = Sinkhorn(n_iterations=3)
    slope = torch.autograd.functional.jacobian(normalizer, scores)[0, 0, 2, 1]
    step = torch.zeros(3, 3, dtype=torch.float64)
    step[2, 1] = 1e-6
    difference = (normalizer(scores + step) - normalizer(scores - step))[0, 0] / 2e-6
    assert slope.item() == pytest.approx(difference.item(), rel=1e-6)
    assert abs(slope.item()) > 1e-4
