import numpy as np
import pytest

from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.token_ids import GAP, TokenIds

TOKENS = TokenIds(
    np.array([0, 1, GAP, 2, 0], dtype=np.int32),
    np.array([0, 0, 3, 3, 5, 5]),
    np.array([0, 2, 3, 5]),
)


def test_sizes_and_documents() -> None:
    assert (TOKENS.n_documents, TOKENS.n_tokens) == (5, 5)
    assert [part.tolist() for part in TOKENS] == [[], [0, 1, GAP], [], [2, 0], []]


def test_bounds_leave_out_what_is_empty() -> None:
    assert TOKENS.bounds("document").tolist() == [0, 3, 5]
    assert TOKENS.bounds("sentence").tolist() == [0, 2, 3, 5]


@pytest.mark.parametrize("indptr", [[0], [0, 0], [0, 0, 0]])
def test_no_tokens(indptr: list[int]) -> None:
    tokens = TokenIds(np.empty(0, np.int32), np.array(indptr), np.array([0]))
    assert tokens.bounds("document").tolist() == tokens.bounds("sentence").tolist() == [0]
    assert [len(part) for part in tokens] == [0] * (len(indptr) - 1)


@pytest.mark.parametrize("scope", ["sentences", "line", None])
def test_an_unknown_scope(scope: object) -> None:
    with pytest.raises(InvalidParameterError, match="scope must be one of 'document', 'sentence'"):
        TOKENS.bounds(scope)


def test_ids_cannot_be_exchanged() -> None:
    with pytest.raises(AttributeError, match="cannot assign"):
        TOKENS.ids = np.empty(0, np.int32)
