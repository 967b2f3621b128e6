import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit

from nlpfeat.compare.explaining.deletion import Evaluations, log_odds, only, without
from nlpfeat.errors import InvalidInputError, InvalidParameterError

DOCUMENT = ["房间", "不", "干净", "，", "不", "好"]


def test_what_is_left_by_hand():
    assert without(DOCUMENT, {1, 3}) == ("房间", "干净", "不", "好")
    assert only(DOCUMENT, [4, 0]) == ("房间", "不")
    assert without(DOCUMENT, range(6)) == () == only(DOCUMENT, [])


@given(st.lists(st.sampled_from(["好", "不", "</script>", ""]), max_size=8), st.data())
def test_both_parts_together_are_the_document(document, data):
    places = data.draw(st.sets(st.integers(0, len(document) - 1))) if document else set()
    gone, left = list(only(document, places)), list(without(document, places))
    again = [gone.pop(0) if place in places else left.pop(0) for place in range(len(document))]
    assert again == document
    assert not gone
    assert not left


def _uniform(calls, n_classes=2):
    def score(documents):
        calls.append(documents)
        return np.full((len(documents), n_classes), -np.log(n_classes))

    return score


def test_each_document_is_asked_once_and_in_batches():
    calls = []
    evaluations = Evaluations(_uniform(calls), batch_size=2)
    evaluations.log_probabilities([("好",), (), ("好",), ("很", "好")])
    assert calls == [[["好"], []], [["很", "好"]]]
    evaluations.log_probabilities([["很", "好"]])
    assert len(calls) == 2
    assert evaluations.n_evaluations == 3


def test_rows_come_in_the_order_of_the_documents():
    def score(documents):
        first = np.array([-0.1 - len(each) for each in documents])
        return np.stack([first, np.zeros(len(documents))], axis=1)

    found = Evaluations(score).log_probabilities([("a", "b"), (), ("a",), ("a", "b")])
    assert found[:, 0].tolist() == pytest.approx([-2.1, -0.1, -1.1, -2.1])


def test_an_impossible_class_stays_finite():
    def score(documents):
        return np.array([[-np.inf, 0.0]])

    assert np.isfinite(Evaluations(score).log_probabilities([()])).all()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.zeros((1, 1)), r"each of at least two classes. Got the shape \(1, 1\)"),
        (np.zeros(2), "a row for each document"),
        (np.zeros((2, 2)), "for 1 documents"),
        (np.array([[np.nan, 0.0]]), "Got NaN"),
        (np.array([[0.5, 0.5]]), "logarithms of probabilities, which are at most 0. Got 0.5"),
    ],
)
def test_what_is_no_log_probability(answer, message):
    with pytest.raises(InvalidInputError, match=message):
        Evaluations(lambda documents: answer).log_probabilities([("好",)])


def test_batch_size_must_be_positive():
    with pytest.raises(InvalidParameterError, match="batch_size must be an integer"):
        Evaluations(_uniform([]), batch_size=0)


@given(
    st.lists(st.lists(st.floats(-20, 20), min_size=3, max_size=3), min_size=1, max_size=5),
    st.integers(0, 2),
)
def test_log_odds_are_those_of_scipy(logits, column):
    scores = np.array(logits)
    log_p = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    found = log_odds(log_p, np.full(len(scores), column))
    p = np.exp(log_p[:, column])
    near = p < 0.999  # beyond, logit(p) itself loses digits
    np.testing.assert_allclose(found[near], logit(p[near]), rtol=1e-9, atol=1e-9)


def test_log_odds_lose_nothing_near_one():
    found = log_odds(np.array([[-1e-30, -60.0]]), np.array([0]))
    assert found.tolist() == [60.0]
