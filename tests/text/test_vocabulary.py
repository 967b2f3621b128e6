import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.token_ids import GAP
from nlpfeat.text.vocabulary import Vocabulary

DOCUMENTS = st.lists(st.lists(st.sampled_from("甲乙丙丁ab𠮷\uffee"), max_size=8), max_size=6)


@given(DOCUMENTS)
def test_build_counts(documents: list[list[str]]) -> None:
    vocabulary = Vocabulary.build(documents)
    occurrences = Counter(term for document in documents for term in document)
    with_term = Counter(term for document in documents for term in set(document))
    assert vocabulary.terms == tuple(sorted(occurrences))
    assert vocabulary.term_frequencies.tolist() == [occurrences[t] for t in vocabulary.terms]
    assert vocabulary.document_frequencies.tolist() == [with_term[t] for t in vocabulary.terms]
    assert vocabulary.term_frequencies.dtype == vocabulary.document_frequencies.dtype == np.int64
    assert len(vocabulary) == len(occurrences)
    assert Vocabulary.build(documents[::-1]) == vocabulary


def test_terms_follow_code_points() -> None:
    terms = Vocabulary.build([["\uffee", "𠮷", "b", "B", "乙", "一"]]).terms
    assert terms == ("B", "b", "一", "乙", "\uffee", "𠮷")


@given(DOCUMENTS, st.lists(st.sampled_from("甲乙丙丁ab𠮷己")))
def test_encode_and_decode(documents: list[list[str]], tokens: list[str]) -> None:
    vocabulary = Vocabulary.build(documents)
    ids = vocabulary.encode(tokens)
    assert ids.dtype == np.int32
    known = set(vocabulary.terms)
    assert vocabulary.decode(ids) == [token if token in known else None for token in tokens]
    assert vocabulary.encode(vocabulary.terms).tolist() == list(range(len(vocabulary)))
    assert vocabulary.ids == dict(zip(vocabulary.terms, range(len(vocabulary))))


@given(DOCUMENTS, DOCUMENTS, DOCUMENTS)
def test_merge(a, b, c) -> None:
    x, y, z = map(Vocabulary.build, (a, b, c))
    assert x.merge(y) == y.merge(x) == Vocabulary.build(a + b)
    assert x.merge(y).merge(z) == x.merge(y.merge(z)) == Vocabulary.build(a + b + c)
    assert x.merge(Vocabulary.build([])) == x == Vocabulary.build(a)


@given(DOCUMENTS, st.integers(1, 4), st.none() | st.integers(1, 5))
def test_prune(documents, min_count: int, max_terms: int | None) -> None:
    vocabulary = Vocabulary.build(documents)
    counts = Counter(term for document in documents for term in document)
    kept = sorted((t for t in counts if counts[t] >= min_count), key=lambda t: (-counts[t], t))
    if not kept and counts:
        with pytest.raises(InvalidParameterError, match=f"No term occurs at least {min_count} tim"):
            vocabulary.prune(min_count=min_count, max_terms=max_terms)
        return
    pruned = vocabulary.prune(min_count=min_count, max_terms=max_terms)
    assert pruned.terms == tuple(sorted(kept[:max_terms]))
    places = [vocabulary.ids[term] for term in pruned.terms]
    assert pruned.term_frequencies.tolist() == vocabulary.term_frequencies[places].tolist()
    assert pruned.document_frequencies.tolist() == vocabulary.document_frequencies[places].tolist()
    moved = pruned.positions_of(vocabulary).tolist()
    assert moved == [pruned.ids.get(term, GAP) for term in vocabulary.terms]


def test_ties_go_by_code_point() -> None:
    vocabulary = Vocabulary.build([["丙", "乙", "甲", "丁", "丁"]])
    assert vocabulary.prune(max_terms=2).terms == ("丁", "丙")
    assert vocabulary.prune(max_terms=3).terms == ("丁", "丙", "乙")
    assert vocabulary.prune() is vocabulary


@pytest.mark.parametrize("settings", [{"min_count": 0}, {"min_count": 1.5}, {"max_terms": 0}])
def test_prune_checks_its_settings(settings) -> None:
    with pytest.raises(InvalidParameterError, match=r"m.._\w+ must be an integer that is at least"):
        Vocabulary.build([["好"]]).prune(**settings)


def test_an_error_says_what_would_do() -> None:
    with pytest.raises(InvalidParameterError, match=r"9 times; the most .* 2 times.*--min-te"):
        Vocabulary.build([["好", "好", "坏"]]).prune(min_count=9)


def test_the_fingerprint_is_that_of_the_terms() -> None:
    one = Vocabulary.build([["好", "坏"]])
    assert one.fingerprint == Vocabulary.build([["坏"], ["好", "好"]]).fingerprint
    assert len(one.fingerprint) == 64
    term_lists = [[], [""], ["\0"], ["", "\0"], ["a\0b"], ["a", "b"], ["ab"], ["1:a"], ["好坏"]]
    assert len({Vocabulary.build([terms]).fingerprint for terms in term_lists}) == len(term_lists)
    assert Vocabulary.build([["\ud800"]]).fingerprint


def test_equality() -> None:
    one = Vocabulary.build([["好", "坏"]])
    assert one != Vocabulary.build([["好", "坏", "坏"]])
    assert one != Vocabulary.build([["好"], ["坏", "好"]])
    assert one != ("坏", "好")
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_it_pickles() -> None:
    vocabulary = Vocabulary.build([["好", "坏"]])
    assert (vocabulary.ids, len(vocabulary.fingerprint)) == ({"坏": 0, "好": 1}, 64)
    assert pickle.loads(pickle.dumps(vocabulary)) == vocabulary
    # What was derived from the terms is not stored, so the bytes do not depend on its use.
    assert pickle.dumps(vocabulary) == pickle.dumps(Vocabulary.build([["好", "坏"]]))
    for terms in ([], ["", "\ud800", "a\0b", "😀好"]):
        other = Vocabulary.build([terms])
        assert pickle.loads(pickle.dumps(other)) == other


def test_counts_in_any_order() -> None:
    vocabulary, ids = Vocabulary.from_counts(
        ["丙", "无", "甲", "乙"], np.array([3, 0, 1, 2]), np.array([1, 0, 1, 2])
    )
    assert vocabulary.terms == ("丙", "乙", "甲")
    assert vocabulary.term_frequencies.tolist() == [3, 2, 1]
    assert ids.tolist() == [0, GAP, 2, 1]


def test_an_empty_one() -> None:
    empty = Vocabulary.build([])
    assert (empty.terms, len(empty), empty.decode([GAP])) == ((), 0, [None])
    assert empty.encode(["好"]).tolist() == [GAP]
    assert empty.encode([]).dtype == np.int32
    assert empty.merge(empty) == empty == empty.prune(min_count=3)
