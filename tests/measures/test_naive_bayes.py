import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array
from sklearn.naive_bayes import MultinomialNB

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.measures.naive_bayes import log_count_ratio, presence, weighted

# 好 坏 车
REVIEWS = np.array([[2, 0, 1], [1, 0, 0], [0, 1, 1], [0, 3, 0]])
GOOD = np.array([True, True, False, False])


def test_by_hand():
    # p = (1 + 3, 1 + 0, 1 + 1) of 7 and q = (1 + 0, 1 + 4, 1 + 1) of 8.
    expected = [math.log(4 / 7 / (1 / 8)), math.log(1 / 7 / (5 / 8)), math.log(2 / 7 / (2 / 8))]
    assert log_count_ratio(REVIEWS, GOOD).tolist() == pytest.approx(expected, rel=1e-14)
    assert log_count_ratio(csr_array(REVIEWS), GOOD).tolist() == pytest.approx(expected, rel=1e-14)


def test_by_hand_with_another_alpha():
    ratio = log_count_ratio(REVIEWS, GOOD, alpha=0.5)
    assert ratio[0] == pytest.approx(math.log(3.5 / 5.5 / (0.5 / 6.5)), rel=1e-14)


def test_without_a_positive_document_p_is_uniform():
    ratio = log_count_ratio(REVIEWS, np.zeros(4, dtype=bool))
    assert ratio[0] == pytest.approx(math.log(1 / 3 / (4 / 12)), abs=1e-14)


@given(
    counts=arrays(np.int64, (6, 4), elements=st.integers(0, 9)),
    y=arrays(np.bool_, 6).filter(lambda y: 0 < y.sum() < 6),
    alpha=st.floats(0.01, 10),
)
def test_it_is_that_of_multinomial_naive_bayes(counts, y, alpha):
    logs = MultinomialNB(alpha=alpha).fit(counts, y).feature_log_prob_
    ratio = log_count_ratio(csr_array(counts), y, alpha=alpha)
    assert ratio == pytest.approx(logs[1] - logs[0], abs=1e-12)
    assert log_count_ratio(counts, ~y, alpha=alpha) == pytest.approx(-ratio, abs=1e-12)
    order = np.random.default_rng(0).permutation(6)
    assert log_count_ratio(counts[order], y[order], alpha=alpha).tolist() == ratio.tolist()


@pytest.mark.parametrize("alpha", [0, -1, math.inf, "one"])
def test_alpha_out_of_range(alpha):
    with pytest.raises(InvalidParameterError, match="alpha must be a finite number above 0"):
        log_count_ratio(REVIEWS, GOOD, alpha=alpha)


@pytest.mark.parametrize("side", [[True], [1, 0, 1, 0], [[True] * 4]])
def test_no_truth_value_for_each_document(side):
    with pytest.raises(
        InvalidInputError, match=r"is_positive must hold one truth value for each .*4"
    ):
        log_count_ratio(REVIEWS, side)


@pytest.mark.parametrize("form", [np.array, csr_array])
def test_booleans_and_small_integers_are_added_up(form):
    # 茶 in 300 documents of one class, 200 times in each: p = (1 + 300, 1) of 302 as presence.
    counts = np.zeros((301, 2), dtype=np.uint8)
    counts[:300, 0], counts[300, 1] = 200, 1
    is_positive = np.arange(301) < 300
    expected = [math.log(301 / 302 / (1 / 3)), math.log(1 / 302 / (2 / 3))]
    found = log_count_ratio(form(counts > 0), is_positive)
    assert found == pytest.approx(expected, rel=1e-14)
    expected = [math.log(60_001 / 60_002 / (1 / 3)), math.log(1 / 60_002 / (2 / 3))]
    for dtype in (np.uint8, np.int16, np.int64, np.float32):
        found = log_count_ratio(form(counts.astype(dtype)), is_positive)
        assert found == pytest.approx(expected, rel=1e-14)


def test_presence_and_weights_leave_their_input_alone():
    given = csr_array(REVIEWS)
    assert presence(given).toarray().tolist() == (REVIEWS > 0).tolist()
    values = weighted(given, np.array([1.0, 0.0, -0.5]))
    assert values.toarray().tolist() == (REVIEWS * [1.0, 0.0, -0.5]).tolist()
    assert values.nnz == 4
    values.data[:], values.indices[:] = 7, 0
    assert given.toarray().tolist() == REVIEWS.tolist()
