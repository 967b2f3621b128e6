import pytest

from nlpfeat.compare.explaining.strips import chosen_rows
from nlpfeat.errors import InvalidParameterError

#       differ: 1, 3 and 6 (three answers); right: 0, 2, 5; wrong together: 4
COLUMNS = [0, 1, 0, 1, 2, 1, 2]
PREDICTIONS = [
    [0, 1, 0, 0, 1, 1, 0],
    [0, 0, 0, 1, 1, 1, 1],
    [0, 1, 0, 1, 1, 1, 2],
]


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (0, []),
        (1, [6]),
        (2, [6, 0]),
        (4, [6, 1, 0, 5]),
        (6, [6, 1, 3, 0, 5, 2]),  # right ones: the classes 0 and 1 in turn
        (7, [6, 1, 3, 0, 5, 2, 4]),
        (99, [6, 1, 3, 0, 5, 2, 4]),
    ],
)
def test_rows_by_hand(n, expected):
    assert chosen_rows(PREDICTIONS, COLUMNS, n) == expected


def test_more_of_one_kind_where_the_other_is_rare():
    assert chosen_rows([[0, 0, 0, 0]], [0, 0, 0, 1], 4) == [0, 1, 2, 3]
    assert chosen_rows([[0, 0, 1], [1, 1, 0]], [0, 0, 0], 2) == [0, 1]


def test_no_models_and_no_number():
    assert chosen_rows([], [], 3) == []
    with pytest.raises(InvalidParameterError, match="n_strips must be"):
        chosen_rows(PREDICTIONS, COLUMNS, -1)
