import numpy as np
import pytest

from nlpfeat.compare.explaining.deletion import Evaluations
from nlpfeat.compare.explaining.orders import ORDERS, Explained, descending, leave_one_out
from nlpfeat.errors import InvalidInputError, InvalidParameterError

STRENGTHS = {"好": 2.0, "很": 0.5, "房间": 0.0, "不": -3.0}


def _score(documents):
    odds = np.array([sum(STRENGTHS[token] for token in each) for each in documents])
    return np.stack([-np.logaddexp(0, odds), -np.logaddexp(0, -odds)], axis=1)


def _explained(**changes):
    documents = [["房间", "很", "好"], ["不", "好"]]
    given = {
        "documents": documents,
        "predicted": np.array([1, 0]),
        "evaluations": Evaluations(_score),
        "weights": [np.array([0.1, 0.8, 0.1]), np.array([0.4, 0.6])],
        "idf": [np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0])],
    }
    return Explained(**{**given, **changes})


def test_orders_by_hand():
    expected = {
        "own": [[1, 0, 2], [1, 0]],
        "leave one out": [[2, 1, 0], [0, 1]],
        "position": [[0, 1, 2], [0, 1]],
        "idf": [[0, 2, 1], [0, 1]],
    }
    for name, rows in expected.items():
        assert [each.tolist() for each in ORDERS[name].make(_explained())] == [
            [row] for row in rows
        ]
    assert set(ORDERS) == {*expected, "random"}


def test_random_orders_are_drawn_by_the_seed():
    explained = _explained(n_random=200)
    found = ORDERS["random"].make(explained)
    assert [each.shape for each in found] == [(200, 3), (200, 2)]
    assert all((np.sort(each, axis=1) == np.arange(each.shape[1])).all() for each in found)
    # Each of the six orders is there: all missing one has a chance of 6 · (5/6)^200 < 1e-15.
    assert len({tuple(row) for row in found[0].tolist()}) == 6
    again = ORDERS["random"].make(_explained(n_random=200))
    other = ORDERS["random"].make(_explained(n_random=200, random_state=1))
    assert (found[0] == again[0]).all()
    assert (found[0] != other[0]).any()


def test_leave_one_out_is_the_coefficient_of_an_additive_model():
    found = leave_one_out(
        [["房间", "很", "好"], [], ["不", "好", "好"]], np.array([1, 1, 0]), Evaluations(_score)
    )
    np.testing.assert_allclose(found[0], [0.0, 0.5, 2.0], atol=1e-12)
    assert found[1].tolist() == []
    np.testing.assert_allclose(found[2], [3.0, -2.0, -2.0], atol=1e-12)


def test_leave_one_out_of_nothing():
    assert leave_one_out([], np.array([], dtype=int), Evaluations(_score)) == []
    found = leave_one_out([[]], np.array([0]), Evaluations(_score))
    assert [each.tolist() for each in found] == [[]]


def test_ties_go_by_place():
    assert descending([1, 2, 2, 1, 2]).tolist() == [[1, 2, 4, 0, 3]]


@pytest.mark.parametrize(
    ("weights", "message"), [([0.1, np.nan], "Got NaN"), ([[0.1]], r"the shape \(1, 1\)")]
)
def test_weights_that_make_no_order(weights, message):
    with pytest.raises(InvalidInputError, match=message):
        descending(weights)


def test_there_is_at_least_one_random_order():
    with pytest.raises(InvalidParameterError, match="n_random must be an integer"):
        ORDERS["random"].make(_explained(n_random=0))
