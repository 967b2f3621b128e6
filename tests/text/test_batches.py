from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import InvalidInputError
from nlpfeat.text.batches import are_texts, batches_of
from nlpfeat.text.corpus import Corpus

TEXTS = ["今天天气", "", "好"]
TOKENS = [["今天", "天气"], [], ["好"]]


@pytest.mark.parametrize(
    "documents",
    [
        TEXTS,
        tuple(TEXTS),
        np.array(TEXTS),
        np.array(TEXTS, dtype=object),
        pd.Series(TEXTS, index=[7, 8, 9]),
        (text for text in TEXTS),
        dict.fromkeys(TEXTS).keys(),
        Corpus.from_texts(TEXTS),
    ],
    ids=["list", "tuple", "array", "objects", "series", "generator", "keys", "corpus"],
)
def test_texts_in_any_form(documents) -> None:
    (batch,) = batches_of(documents)
    assert list(batch) == TEXTS
    assert are_texts(batch)


@pytest.mark.parametrize(
    "documents",
    [
        TOKENS,
        [tuple(tokens) for tokens in TOKENS],
        pd.Series(TOKENS),
        (iter(tokens) for tokens in TOKENS),
        [np.array(tokens, dtype=object) for tokens in TOKENS],
    ],
    ids=["lists", "tuples", "series", "generators", "arrays"],
)
def test_token_lists_in_any_form(documents) -> None:
    (batch,) = batches_of(documents)
    assert batch == TOKENS
    assert not are_texts(batch)


@given(st.lists(st.text(max_size=2), max_size=2300))
def test_batches_hold_all_in_order(texts: list[str]) -> None:
    batches = list(batches_of(iter(texts)))
    assert [text for batch in batches for text in batch] == texts
    assert all(0 < len(batch) <= 1000 for batch in batches)


def test_a_stream_is_not_read_ahead() -> None:
    read = 0

    def stream():
        nonlocal read
        while True:
            read += 1
            yield "好"

    batches = batches_of(stream())
    for number in range(1, 4):
        next(batches)
        assert read == 1000 * number


@pytest.mark.parametrize("documents", ["今天天气", b"text"])
def test_a_lone_string(documents: object) -> None:
    with pytest.raises(InvalidInputError, match=r"not one string.*Corpus\(path\), for one text \["):
        list(batches_of(documents))


@pytest.mark.parametrize("documents", [{"今天", "天气"}, frozenset(["今天"])])
def test_a_set_has_no_order(documents: object) -> None:
    with pytest.raises(InvalidInputError, match=r"must be in an order.*give a list"):
        list(batches_of(documents))


@pytest.mark.parametrize("documents", [None, 5, float("nan"), np.array("今天")])
def test_what_is_no_collection(documents: object) -> None:
    with pytest.raises(InvalidInputError, match="Documents must be a corpus, or an iterable of te"):
        list(batches_of(documents))


@pytest.mark.parametrize("value", [None, float("nan"), pd.NA, 5, b"x", np.float64("nan"), object()])
@pytest.mark.parametrize("others", [TEXTS, TOKENS])
def test_a_missing_value_is_named_by_its_row(value: object, others: list) -> None:
    documents = [*others * 500, value]
    with pytest.raises(
        InvalidInputError,
        match=r"Row 1501 of the documents \(documents\[1500\]\) is .*Remove missing values",
    ):
        list(batches_of(documents))


@pytest.mark.parametrize("at", [1, 999, 1000, 1001, 2500])
def test_texts_and_token_lists_do_not_mix(at: int) -> None:
    documents: list = ["好"] * at + [["好"]]
    message = rf"Row {at + 1} of the documents \(documents\[{at}\]\) is a token list and row 1 is a"
    with pytest.raises(InvalidInputError, match=message):
        list(batches_of(documents))
    with pytest.raises(InvalidInputError, match="is a text and row 1 is a token list; all doc"):
        list(batches_of([["好"]] * at + ["好"]))


@pytest.mark.parametrize("token", [None, float("nan"), 3, ["好"], b"x"])
def test_a_token_that_is_no_string(token: object) -> None:
    with pytest.raises(InvalidInputError, match=r"Row 2 of the documents .*holds the token"):
        list(batches_of([["好"], ["今天", token]]))


def test_no_documents() -> None:
    assert list(batches_of([])) == []


def test_a_table_or_a_path_is_refused_with_the_remedy():
    frame = pd.DataFrame({"text": ["今天"], "label": ["好"]})
    with pytest.raises(InvalidInputError, match=r"Got a DataFrame; give one column"):
        list(batches_of(frame))
    with pytest.raises(InvalidInputError, match=r"Got a dict; give one column"):
        list(batches_of({"text": ["今天"]}))
    with pytest.raises(InvalidInputError, match=r"Got the path a\.txt; use Corpus"):
        list(batches_of(Path("a.txt")))
    assert list(batches_of(frame["text"])) == [["今天"]]


@pytest.mark.parametrize("before", [1, 1_500])
@pytest.mark.parametrize("bad", ["好\ud800天", ["今天", "好\ud800天"]], ids=["text", "tokens"])
def test_a_lone_surrogate_is_named_with_its_row(bad, before: int) -> None:
    good = "天气" if isinstance(bad, str) else ["天气"]
    with pytest.raises(
        InvalidInputError,
        match=rf"Row {before + 1} of the documents \(documents\[{before}\]\) holds a lone "
        r"surrogate, which is no character: '好\\ud800天'",
    ):
        list(batches_of([good] * before + [bad]))
