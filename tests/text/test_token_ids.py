from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


few = settings(max_examples=60)
DOCUMENTS = st.lists(st.lists(st.lists(st.integers(-1, 4), max_size=4), max_size=3))


def tokens_of(documents: list[list[list[int]]]) -> TokenIds:
    """Return documents of sentences of ids as one flat array."""
    sentences = [sentence for document in documents for sentence in document]
    flat = np.array([number for sentence in sentences for number in sentence], dtype=np.int32)
    ends = np.cumsum([0, *(sum(map(len, document)) for document in documents)])
    sentence_ends = np.unique(np.cumsum([0, *map(len, sentences)]))
    return TokenIds(flat, ends, sentence_ends)


def sentences_of(tokens: TokenIds) -> list[list[list[int]]]:
    """Return the sentences of each document that hold a token."""
    found = []
    for start, stop in pairwise(tokens.indptr.tolist()):
        bounds = [each for each in tokens.sentence_indptr.tolist() if start <= each <= stop]
        found.append([tokens.ids[one:two].tolist() for one, two in pairwise(bounds)])
    return found


@few
@given(DOCUMENTS, st.integers(0, 6))
def test_shortened(documents: list[list[list[int]]], max_length: int) -> None:
    wanted = []
    for document in documents:
        left, sentences = max_length, []
        for sentence in document:
            sentences.append(sentence[:left])
            left -= len(sentences[-1])
        wanted.append([sentence for sentence in sentences if sentence])
    assert sentences_of(tokens_of(documents).shortened(max_length)) == wanted


@few
@given(DOCUMENTS.filter(len), st.data())
def test_chosen(documents: list[list[list[int]]], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(documents) - 1)))
    found = tokens_of(documents).chosen(np.array(rows, dtype=np.int64))
    assert sentences_of(found) == [
        [sentence for sentence in documents[row] if sentence] for row in rows
    ]
