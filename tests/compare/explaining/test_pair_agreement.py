"""Attention of pairs and PPMI, with the distance held fast."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.compare.explaining.agreement import pair_signs, tau_b
from nlpfeat.compare.explaining.pair_agreement import (
    agreement_of_pairs,
    pair_agreement,
    partial_tau,
)
from nlpfeat.errors import InvalidParameterError

DOCUMENT = ["张三", "新", "买", "的", "车", "轮子", "不", "好"]


def _lists(n=3):
    value = st.integers(0, 4).map(float)
    return st.integers(3, 7).flatmap(
        lambda length: st.tuples(*[st.lists(value, min_size=length, max_size=length)] * n)
    )


@given(_lists())
def test_partial_tau_is_the_correlation_of_what_the_control_leaves(lists):
    # The signs of all pairs, each less its projection on those of the control.
    first, second, control = (pair_signs(np.array(each)).ravel() for each in lists)
    found = partial_tau(*map(np.array, lists))
    if not (first.any() and second.any() and control.any()):
        assert np.isnan(found)
        return
    left = [each - control * (each @ control) / (control @ control) for each in (first, second)]
    sizes = [each @ each / (whole @ whole) for each, whole in zip(left, (first, second))]
    if sizes[0] * sizes[1] < 1e-9:
        assert np.isnan(found)
    else:
        expected = left[0] @ left[1] / np.sqrt((left[0] @ left[0]) * (left[1] @ left[1]))
        assert found == pytest.approx(expected, abs=1e-9)


@given(_lists())
def test_partial_tau_is_that_of_the_three_taus(lists):
    first, second, control = map(np.array, lists)
    taus = tau_b(first, second), tau_b(first, control), tau_b(second, control)
    left = (1 - taus[1] ** 2) * (1 - taus[2] ** 2)
    if np.isnan(taus).any() or left < 1e-9:
        assert np.isnan(partial_tau(first, second, control))
    else:
        expected = (taus[0] - taus[1] * taus[2]) / np.sqrt(left)
        assert partial_tau(first, second, control) == pytest.approx(expected, abs=1e-9)


def _distances(n):
    return np.abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(float)


def _drawn(seed):
    generator = np.random.default_rng(seed)
    return generator.random((len(DOCUMENT), len(DOCUMENT)))


def test_a_document_is_the_mean_of_its_rows_without_the_token_itself():
    weights, scores = _drawn(0), _drawn(1)
    expected = []
    for place in range(len(DOCUMENT)):
        others = [each for each in range(len(DOCUMENT)) if each != place]
        expected.append(
            partial_tau(
                weights[place, others], scores[place, others],
                _distances(len(DOCUMENT))[place, others],
            )
        )  # fmt: skip
    found = pair_agreement([DOCUMENT], [weights], [scores], initial=[scores])
    assert found.tau[0] == pytest.approx(np.mean(expected))
    assert found.initial[0] == pytest.approx(1.0)
    np.fill_diagonal(weights, 99.0)  # what a token keeps does not matter
    assert pair_agreement([DOCUMENT], [weights], [scores]).tau[0] == pytest.approx(found.tau[0])
    assert np.isnan(found.top_three).all()


def test_what_distance_alone_explains_is_no_agreement():
    # Both fall with the distance and have nothing else in common.
    fall = 1 / (1 + _distances(len(DOCUMENT)))
    weights, scores = fall + 0.05 * _drawn(2), fall + 0.05 * _drawn(3)
    place, others = 0, np.arange(1, len(DOCUMENT))
    assert tau_b(weights[place, others], scores[place, others]) > 0.6
    assert abs(pair_agreement([DOCUMENT], [weights], [scores]).tau[0]) < 0.25
    # Where distance tells the whole order of a row of each side, nothing is left to compare.
    assert np.isnan(partial_tau(fall[0, 1:], fall[0, 1:], _distances(8)[0, 1:]))


def test_the_same_order_agrees_and_shuffled_weights_do_not():
    scores = [_drawn(seed) for seed in range(20)]
    documents = [DOCUMENT] * 20
    found = pair_agreement(documents, [each**3 for each in scores], scores, n_permutations=20)
    assert found.tau.tolist() == pytest.approx([1.0] * 20)
    assert abs(found.permutation.mean()) < 0.02
    assert found.initial is None
    again = pair_agreement(documents, [each**3 for each in scores], scores, n_permutations=20)
    assert again.permutation.tolist() == found.permutation.tolist()
    assert agreement_of_pairs(documents, scores, scores).tolist() == pytest.approx([1.0] * 20)


def test_tokens_of_one_type_are_no_others_and_four_others_are_needed():
    weights, scores = _drawn(4)[:5, :5], _drawn(5)[:5, :5]
    short = ["很", "好", "很", "的", "茶"]  # each token of 很 has three others, the rest four
    rows = []
    for place in (1, 3, 4):
        others = [each for each in range(5) if each != place]
        rows.append(
            partial_tau(weights[place, others], scores[place, others], _distances(5)[place, others])
        )
    assert pair_agreement([short], [weights], [scores]).tau[0] == pytest.approx(np.nanmean(rows))
    found = pair_agreement([short[:4]], [weights[:4, :4]], [scores[:4, :4]])
    assert np.isnan([found.tau[0], found.permutation[0]]).all()
    assert np.isnan(agreement_of_pairs([short[:4]], [weights], [scores])).all()


def test_scores_without_two_values_have_no_tau():
    found = pair_agreement([DOCUMENT], [_drawn(0)], [np.zeros((8, 8))])
    assert np.isnan(found.tau[0])


def test_what_cannot_be():
    with pytest.raises(InvalidParameterError, match="n_permutations"):
        pair_agreement([], [], [], n_permutations=0)
    assert pair_agreement([], [], []).tau.shape == (0,)
