from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from nlpfeat.compare.explaining.agreement import (
    agreement,
    agreement_of_weights,
    expected_top_overlap,
    tau_b,
    top_overlap,
    type_sums,
    type_values,
)
from nlpfeat.errors import InvalidInputError, InvalidParameterError

PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12)


@given(PAIRS)
def test_tau_is_that_of_scipy(pairs):
    first, second = np.array(pairs, dtype=float).T
    assume(np.ptp(first) and np.ptp(second))
    assert tau_b(first, second) == pytest.approx(kendalltau(first, second).statistic, abs=1e-12)


@given(PAIRS)
def test_tau_from_concordant_pairs(pairs):
    assume(len({a for a, _ in pairs}) > 1 and len({b for _, b in pairs}) > 1)
    concordant = discordant = only_first = only_second = 0
    for number, (a, b) in enumerate(pairs):
        for c, d in pairs[number + 1 :]:
            product = (a - c) * (b - d)
            concordant += product > 0
            discordant += product < 0
            only_first += a == c and b != d
            only_second += b == d and a != c
    both = concordant + discordant
    expected = (concordant - discordant) / ((both + only_first) * (both + only_second)) ** 0.5
    first, second = np.array(pairs, dtype=float).T
    assert tau_b(first, second) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0, 2.0]])
def test_tau_is_not_defined_without_two_values(values):
    assert np.isnan(tau_b(np.array(values), np.arange(len(values), dtype=float)))


def test_types_by_hand():
    document = ["好", "很", "好", "不", "很"]
    assert type_sums(document, [0.1, 0.5, 0.2, -0.3, -0.6]) == pytest.approx([0.3, 0.1, 0.3])
    assert type_values(document, [3, 1, 3, 2, 1]).tolist() == [3, 1, 2]


def test_top_three_by_hand():
    values = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    assert top_overlap(values, values) == 1.0
    assert top_overlap(values, values[::-1]) == pytest.approx(1 / 3)
    # All equal: each is among the highest three with probability 3/5.
    assert top_overlap(values, np.zeros(5)) == pytest.approx(3 / 5)
    assert top_overlap(np.zeros(5), np.zeros(5)) == pytest.approx(3 / 5)
    # The 5 surely, and each of the three 4 with probability 2/3; the first three count.
    tied = np.array([4.0, 5.0, 4.0, 4.0, 1.0])
    assert top_overlap(tied, values) == pytest.approx((2 / 3 + 1 + 2 / 3) / 3)
    assert top_overlap(np.array([1.0, 2.0]), np.array([2.0, 1.0])) == 1.0


def _tops(values, n_top):
    """All sets of highest values, one for each way to break the ties."""
    for order in permutations(range(len(values))):
        if all(values[a] >= values[b] for a, b in pairwise(order)):
            yield set(order[:n_top])


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=5),
    st.integers(1, 4),
)
def test_top_overlap_is_the_mean_over_all_ways_to_break_ties(pairs, n_top):
    first, second = np.array(pairs, dtype=float).T
    shares = [
        len(one & other) / min(n_top, len(pairs))
        for one in _tops(first, n_top)
        for other in _tops(second, n_top)
    ]
    assert top_overlap(first, second, n_top) == pytest.approx(np.mean(shares))


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=6),
    st.integers(1, 4),
)
def test_the_reference_is_the_mean_over_all_shuffles(pairs, n_top):
    first, second = np.array(pairs, dtype=float).T
    shares = [
        top_overlap(first[list(order)], second, n_top) for order in permutations(range(len(pairs)))
    ]
    assert expected_top_overlap(len(pairs), n_top) == pytest.approx(np.mean(shares))


DOCUMENTS = [list("甲乙丙丁戊甲"), list("甲乙丙丁"), list("甲乙丙丁戊己")]
WEIGHTS = [np.arange(6.0), np.arange(4.0), np.ones(6)]
SCORES = [
    {"idf": np.array([1.0, 2, 3, 4, 5, 1]), "flat": np.ones(6)},
    {"idf": np.arange(4.0), "flat": np.ones(4)},
    {"idf": np.arange(6.0), "flat": np.ones(6)},
]


def test_agreement_by_hand():
    initial = [-np.arange(6.0), np.arange(4.0), np.arange(6.0)]
    found = agreement(DOCUMENTS, WEIGHTS, SCORES, initial=initial)
    # Types 甲 5, 乙 1, 丙 2, 丁 3, 戊 4 beside 1, 2, 3, 4, 5: six pairs agree, four do not.
    assert found["idf"].tau[0] == pytest.approx((6 - 4) / 10)
    assert found["idf"].top_three[0] == pytest.approx(2 / 3)
    assert found["idf"].initial[0] == pytest.approx((6 - 4) / 10)  # by its size, not its sign
    # Four types are too few, equal weights tell no order, and nor does an equal score.
    for name, values in (("idf", slice(1, 3)), ("flat", slice(0, 3))):
        for each in (found[name].tau, found[name].top_three, found[name].permutation):
            assert np.isnan(each[values]).all()


def test_shuffled_weights_agree_with_nothing():
    documents = [[f"词{n}" for n in range(30)]] * 20
    values = np.arange(30.0)
    found = agreement(documents, [values] * 20, [{"idf": values}] * 20, n_permutations=50)["idf"]
    assert found.tau.tolist() == [1.0] * 20
    # Under the null hypothesis the variance of tau is 2 (2 n + 5) / (9 n (n - 1)); 1,000 shuffles.
    spread = (2 * 65 / (9 * 30 * 29)) ** 0.5 / 1000**0.5
    assert abs(found.permutation.mean()) < 5 * spread
    again = agreement(documents, [values] * 20, [{"idf": values}] * 20, n_permutations=50)["idf"]
    assert (again.permutation == found.permutation).all()
    other = agreement(documents, [values] * 20, [{"idf": values}] * 20, random_state=1)["idf"]
    assert (other.permutation != found.permutation).any()


def test_permutations_are_those_of_the_weights():
    # The shuffles, drawn again: each is tau_b of the shuffled weights.
    generator = np.random.default_rng(4)
    weights, idf = np.array([3.0, 1, 1, 5, 2]), np.array([1.0, 2, 2, 4, 3])
    found = agreement(
        [list("甲乙丙丁戊")], [weights], [{"idf": idf}], n_permutations=7, random_state=4
    )
    expected = [kendalltau(weights[generator.permutation(5)], idf).statistic for _ in range(7)]
    assert found["idf"].permutation[0] == pytest.approx(np.mean(expected))


def test_two_weightings():
    found = agreement_of_weights(DOCUMENTS, WEIGHTS, [-each for each in WEIGHTS])
    assert found[0] == 1.0  # sizes alone count
    assert np.isnan(found[1:]).all()


def test_no_documents():
    assert agreement([], [], []) == {}


def test_what_cannot_be():
    with pytest.raises(InvalidInputError, match="weights must hold one number for each token"):
        agreement(DOCUMENTS, WEIGHTS[:2], SCORES)
    with pytest.raises(InvalidInputError, match="initial must hold one number for each token"):
        agreement(DOCUMENTS, WEIGHTS, SCORES, initial=[np.ones(1)] * 3)
    with pytest.raises(InvalidParameterError, match="n_permutations must be"):
        agreement(DOCUMENTS, WEIGHTS, SCORES, n_permutations=0)
