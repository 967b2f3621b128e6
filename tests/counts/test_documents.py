from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from nlpfeat.counts import indices
from nlpfeat.counts.documents import UNKNOWN, TermSpace
from nlpfeat.counts.feature_space import count_documents, frequencies_of
from nlpfeat.errors import InvalidInputError, VocabularyMismatchError
from nlpfeat.text.segmenters import CharSegmenter
from nlpfeat.text.token_ids import TokenIds
from nlpfeat.text.token_spool import spool_tokens
from nlpfeat.text.vocabulary import Vocabulary

# Nine terms; by code point: 不 喜欢 喝 天气 她 好 我 水 茶.
TEXT = [
    ["我", "喜欢", "喝", "茶", "。", "我", "喝", "茶"],
    ["她", "不", "喝", "茶", "，", "喝", "水"],
    [],
    ["天气", "好"],
]
TERMS = ["不", "喜欢", "喝", "天气", "她", "好", "我", "水", "茶"]


def learned(documents):
    with spool_tokens(documents, CharSegmenter()) as spool:
        space, frequencies = TermSpace.learn(spool)
        return space, frequencies, count_documents(spool, space)


def counted(documents, space):
    with spool_tokens(documents, CharSegmenter()) as spool:
        return count_documents(spool, space)


TOKEN = st.sampled_from(["甲", "乙", "丙", "丁", "，", "。", "\n"])
DOCUMENTS = st.lists(st.lists(TOKEN, max_size=12), max_size=8)


def test_by_hand():
    space, frequencies, table = learned(TEXT)
    assert space.names() == TERMS
    assert len(space) == 9
    assert table.toarray().tolist() == [
        [0, 1, 2, 0, 0, 0, 2, 0, 2],
        [1, 0, 2, 0, 1, 0, 0, 1, 1],
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 1, 0, 1, 0, 0, 0],
    ]
    assert frequencies.occurrences.tolist() == [1, 1, 4, 1, 1, 1, 2, 1, 3]
    assert frequencies.documents.tolist() == [1, 1, 2, 1, 1, 1, 1, 1, 2]
    assert table.dtype == np.int64
    assert table.indices.dtype == table.indptr.dtype == np.int32


@settings(max_examples=50)
@given(DOCUMENTS)
def test_by_brute_force(documents):
    space, frequencies, table = learned(documents)
    rows = [Counter(token for token in document if token not in "，。\n") for document in documents]
    terms = sorted({term for row in rows for term in row})
    assert space.names() == terms
    assert table.toarray().tolist() == [[row[term] for term in terms] for row in rows]
    assert table.has_canonical_format
    wanted = frequencies_of(table)
    assert frequencies.occurrences.tolist() == wanted.occurrences.tolist()
    assert frequencies.documents.tolist() == wanted.documents.tolist()


def test_equals_scikit_learn_where_nothing_is_removed():
    documents = [list("今天天气很好我们去公园"), list("好好学习天天向上"), []]
    peer = CountVectorizer(analyzer=list)
    wanted = peer.fit_transform(documents).toarray()
    space, _, table = learned(documents)
    assert space.names() == peer.get_feature_names_out().tolist()
    assert table.toarray().tolist() == wanted.tolist()


@settings(max_examples=30)
@given(DOCUMENTS, DOCUMENTS)
def test_union_equals_learning_from_both(some, others):
    one, other = learned(some)[0], learned(others)[0]
    whole, _, table = learned(some + others)
    both, ours, theirs = one.union(other)
    assert both.vocabulary == whole.vocabulary
    assert [both.names()[place] for place in ours] == one.names()
    assert [both.names()[place] for place in theirs] == other.names()
    assert counted(some + others, both).toarray().tolist() == table.toarray().tolist()


def test_some_columns():
    space, _, table = learned(TEXT)
    columns = np.array([2, 8])
    part = space.take(columns)
    assert part.names() == ["喝", "茶"]
    assert counted(TEXT, part).toarray().tolist() == table.toarray()[:, columns].tolist()


def test_a_last_column_of_unknown_terms():
    space = TermSpace(Vocabulary.build([["喝", "茶"]]), unknown_column=True)
    assert space.names() == ["喝", "茶", UNKNOWN]
    assert (len(space), space.unknown_id) == (3, 2)
    with spool_tokens(TEXT, CharSegmenter()) as spool:
        table = count_documents(spool, space)
    assert table.toarray().tolist() == [[2, 2, 3], [2, 1, 3], [0, 0, 0], [0, 0, 2]]


def test_the_column_of_unknown_terms_is_taken_and_united():
    space = TermSpace(Vocabulary.build([["喝", "茶", "水"]])).with_unknown_column()
    assert space.names() == ["喝", "水", "茶", UNKNOWN]
    part = space.take(np.array([0, 2, 3]))
    assert part.names() == ["喝", "茶", UNKNOWN]
    assert counted(TEXT, part).toarray().tolist() == [[2, 2, 3], [2, 1, 3], [0, 0, 0], [0, 0, 2]]
    assert space.take(np.array([0, 2])).names() == ["喝", "茶"]
    other = TermSpace(Vocabulary.build([["我"]])).with_unknown_column()
    both, ours, theirs = part.union(other)
    assert both.names() == ["喝", "我", "茶", UNKNOWN]
    assert (ours.tolist(), theirs.tolist()) == ([0, 2, 3], [1, 3])
    with pytest.raises(VocabularyMismatchError, match="count_unknown is True here and False there"):
        part.union(TermSpace(other.vocabulary))


def test_no_term_may_be_called_as_the_column_of_unknown_terms():
    space = TermSpace(Vocabulary.build([["喝", UNKNOWN]]))
    with pytest.raises(InvalidInputError, match=r"hold the token '<unknown>'.*count_unknown=False"):
        space.with_unknown_column()


@pytest.mark.parametrize(
    ("names", "unknown_column", "columns", "order"),
    [
        (["茶", "喝"], False, ["喝", "茶"], [1, 0]),
        (["茶", "喝"], True, ["喝", "茶", UNKNOWN], [1, 0, 2]),
        (["茶", UNKNOWN, "喝"], True, ["喝", "茶", UNKNOWN], [1, 2, 0]),
        (["茶", UNKNOWN], False, [UNKNOWN, "茶"], [1, 0]),
        ([], True, [UNKNOWN], [0]),
    ],
)
def test_named_terms(names, unknown_column, columns, order):
    space, places = TermSpace.from_names(names, unknown_column=unknown_column)
    assert space.names() == columns
    assert (places.tolist(), places.dtype) == (order, np.int64)


@pytest.mark.parametrize("n_documents", [0, 3])
def test_no_tokens(n_documents):
    space = TermSpace(Vocabulary.build([["茶"]]))
    empty = TokenIds(np.empty(0, np.int32), np.zeros(n_documents + 1, np.int64), np.zeros(1, int))
    assert space.count(empty).toarray().tolist() == [[0]] * n_documents


def test_indices_widen_when_the_count_needs_it(monkeypatch):
    narrow = learned(TEXT)[2]
    monkeypatch.setattr(indices, "INT32_LIMIT", 3)
    wide = learned(TEXT)[2]
    assert wide.indptr.dtype == wide.indices.dtype == np.int64
    assert wide.toarray().tolist() == narrow.toarray().tolist()
