import pickle
from collections import Counter
from functools import partial
from unittest import mock

import numpy as np
import pytest
from generated_text import sentences
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer

from nlpfeat.counts import indices, ngram_levels, sorted_keys
from nlpfeat.counts.feature_space import count_documents, frequencies_of
from nlpfeat.counts.ngrams import NgramSpace
from nlpfeat.errors import InvalidInputError, InvalidParameterError, VocabularyMismatchError
from nlpfeat.text.segmenters import CharSegmenter
from nlpfeat.text.token_spool import spool_tokens

# Nine terms; by code point: 不 喜欢 喝 天气 她 好 我 水 茶.
TEXT = [
    ["我", "喜欢", "喝", "茶", "。", "我", "喝", "茶"],
    ["她", "不", "喝", "茶", "，", "喝", "水"],
    [],
    ["天气", "好"],
]
UNIGRAMS = ["不", "喜欢", "喝", "天气", "她", "好", "我", "水", "茶"]
BIGRAMS = ["不 喝", "喜欢 喝", "喝 水", "喝 茶", "天气 好", "她 不", "我 喜欢", "我 喝"]
TRIGRAMS = ["不 喝 茶", "喜欢 喝 茶", "她 不 喝", "我 喜欢 喝", "我 喝 茶"]


def learned(documents, ngram_range, separator=" ", block=1 << 20, **how):
    """Return the space, its frequencies, and the matrix of the documents it was learned from."""
    with spool_tokens(documents, CharSegmenter()) as spool:
        spool.blocks = partial(spool.blocks, block)
        space, frequencies = NgramSpace.learn(spool, ngram_range, separator=separator, **how)
        spool.restrict(space.vocabulary)
        return space, frequencies, count_documents(spool, space)


def counted(documents, space):
    with spool_tokens(documents, CharSegmenter()) as spool:
        spool.restrict(space.vocabulary)
        return count_documents(spool, space)


def assert_canonical(table):
    assert isinstance(table, csr_array)
    assert table.dtype == np.int64
    assert table.indices.dtype == table.indptr.dtype == np.int32
    assert (table.data > 0).all()
    assert table.has_canonical_format


def assert_same_space(ours, theirs):
    assert ours.vocabulary.terms == theirs.vocabulary.terms
    assert [keys.tolist() for keys in ours.keys] == [keys.tolist() for keys in theirs.keys]
    assert [k.tolist() for k in ours.is_column] == [k.tolist() for k in theirs.is_column]
    assert (ours.ngram_range, ours.separator) == (theirs.ngram_range, theirs.separator)


def oracle(document, shortest, longest):
    """Count the n-grams of a document, in plain Python."""
    parts = [[]]
    for token in document:
        if token != "\n":
            parts[-1].append(None if token in "，。" else token)
        if token in "\n。":
            parts.append([])
    return Counter(
        tuple(part[start : start + n])
        for part in parts
        for n in range(shortest, longest + 1)
        for start in range(len(part) - n + 1)
        if None not in part[start : start + n]
    )


def oracle_columns(rows, min_documents=1):
    documents_with = Counter(ngram for row in rows for ngram in row)
    kept = [ngram for ngram, n in documents_with.items() if n >= min_documents]
    return sorted(kept, key=lambda ngram: (len(ngram), ngram))


TOKEN = st.sampled_from(["甲", "乙", "丙", "丁", "甲", "乙", "，", "。", "\n"])
DOCUMENTS = st.lists(st.lists(TOKEN, max_size=12), max_size=8)
RANGE = st.tuples(st.integers(1, 4), st.integers(1, 4)).map(sorted).map(tuple)


def test_by_hand():
    space, frequencies, table = learned(TEXT, (1, 3))
    assert space.names() == UNIGRAMS + BIGRAMS + TRIGRAMS
    assert table[:, :9].toarray().tolist() == [
        [0, 1, 2, 0, 0, 0, 2, 0, 2],
        [1, 0, 2, 0, 1, 0, 0, 1, 1],
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 1, 0, 1, 0, 0, 0],
    ]
    assert table[:, 9:17].toarray().tolist() == [
        [0, 1, 0, 2, 0, 0, 1, 1],
        [1, 0, 1, 1, 0, 1, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 0, 0, 0],
    ]
    assert table[:, 17:].toarray().tolist() == [
        [0, 1, 0, 1, 1],
        [1, 0, 1, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
    ]
    assert frequencies.occurrences.tolist() == table.sum(axis=0).tolist()
    assert frequencies.documents.tolist() == (table.toarray() > 0).sum(axis=0).tolist()
    assert_canonical(table)


def test_by_hand_in_two_documents_at_least():
    space, frequencies, table = learned(TEXT, (1, 3), min_documents=2)
    assert space.names() == ["喝", "茶", "喝 茶"]
    assert space.vocabulary.terms == ("喝", "茶")
    assert table.toarray().tolist() == [[2, 2, 2], [2, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert frequencies.occurrences.tolist() == [4, 3, 3]
    assert frequencies.documents.tolist() == [2, 2, 2]


def test_by_hand_one_length():
    space, _, table = learned(TEXT, (3, 3))
    assert space.names() == TRIGRAMS
    # 天气, 好 and 水 are in no 3-gram.
    assert space.vocabulary.terms == ("不", "喜欢", "喝", "她", "我", "茶")
    assert table.toarray()[:2].tolist() == [[0, 1, 0, 1, 1], [1, 0, 1, 0, 0]]


def test_characters_by_hand():
    space, _, table = learned(["喝茶，喝水", "茶"], (1, 2), separator="")
    assert space.names() == ["喝", "水", "茶", "喝水", "喝茶"]
    assert table.toarray().tolist() == [[2, 1, 1, 1, 1], [0, 0, 1, 0, 0]]


def test_a_line_end_ends_an_ngram_without_a_gap():
    space, _, _ = learned(["甲乙\n丙"], (2, 2), separator="")
    assert space.names() == ["甲乙"]


@settings(max_examples=60)
@given(DOCUMENTS, RANGE, st.integers(1, 3), st.integers(1, 30), st.sampled_from([0, 8, 10**9]))
def test_by_brute_force(documents, ngram_range, min_documents, block, values_per_thing):
    with mock.patch.object(sorted_keys, "_VALUES_PER_THING", values_per_thing):
        space, frequencies, table = learned(
            documents, ngram_range, block=block, min_documents=min_documents
        )
    rows = [oracle(document, *ngram_range) for document in documents]
    columns = oracle_columns(rows, min_documents)
    assert space.names() == [" ".join(ngram) for ngram in columns]
    assert len(space) == len(columns)
    assert set(space.vocabulary.terms) == {term for ngram in columns for term in ngram}
    assert table.shape == (len(documents), len(columns))
    assert table.toarray().tolist() == [[row[ngram] for ngram in columns] for row in rows]
    assert_canonical(table)
    wanted = frequencies_of(table)
    assert frequencies.occurrences.tolist() == wanted.occurrences.tolist()
    assert frequencies.documents.tolist() == wanted.documents.tolist()
    assert frequencies.occurrences.dtype == frequencies.documents.dtype == np.int64


@settings(max_examples=25)
@given(DOCUMENTS, RANGE, st.randoms())
def test_take_keeps_what_the_columns_need(documents, ngram_range, draw):
    space, _, table = learned(documents, ngram_range)
    columns = np.flatnonzero([draw.random() < 0.4 for _ in range(len(space))])
    part = space.take(columns)
    names = space.names()
    assert part.names() == [names[column] for column in columns]
    assert counted(documents, part).toarray().tolist() == table.toarray()[:, columns].tolist()
    terms = {term for name in part.names() for term in name.split()}
    assert set(part.vocabulary.terms) == terms
    again = part.take(np.arange(len(part)))
    assert_same_space(part, again)


@settings(max_examples=25)
@given(DOCUMENTS, DOCUMENTS, RANGE)
def test_union_equals_learning_from_both(some, others, ngram_range):
    one, _, _ = learned(some, ngram_range)
    other, _, _ = learned(others, ngram_range)
    whole, _, table = learned(some + others, ngram_range)
    both, ours, theirs = one.union(other)
    assert_same_space(both, whole)
    names = both.names()
    assert [names[place] for place in ours] == one.names()
    assert [names[place] for place in theirs] == other.names()
    assert counted(some + others, both).toarray().tolist() == table.toarray().tolist()
    assert ours.dtype == theirs.dtype == np.int64


@settings(max_examples=25)
@given(DOCUMENTS, RANGE, st.randoms())
def test_union_of_parts(documents, ngram_range, draw):
    space, _, _ = learned(documents, ngram_range)
    parts = [
        space.take(np.flatnonzero([draw.random() < 0.4 for _ in range(len(space))]))
        for _ in range(2)
    ]
    both, ours, theirs = parts[0].union(parts[1])
    wanted = {*parts[0].names(), *parts[1].names()}
    assert both.names() == [name for name in space.names() if name in wanted]
    assert [both.names()[place] for place in theirs] == parts[1].names()
    assert [both.names()[place] for place in ours] == parts[0].names()


@settings(max_examples=25)
@given(DOCUMENTS, st.randoms())
def test_the_order_of_the_documents_does_not_matter(documents, draw):
    space, frequencies, table = learned(documents, (1, 3), min_documents=2)
    order = list(range(len(documents)))
    draw.shuffle(order)
    other, found, rows = learned([documents[place] for place in order], (1, 3), min_documents=2)
    assert_same_space(space, other)
    assert found.occurrences.tolist() == frequencies.occurrences.tolist()
    assert rows.toarray().tolist() == table.toarray()[order].tolist()


@settings(max_examples=25)
@given(DOCUMENTS, RANGE, st.randoms())
def test_named_columns(documents, ngram_range, draw):
    space, _, table = learned(documents, ngram_range)
    names = space.names()
    order = list(range(len(names)))
    draw.shuffle(order)
    shuffled = [names[place] for place in order]
    again, columns = NgramSpace.from_names(shuffled, ngram_range, " ")
    assert_same_space(again, space)
    assert columns.tolist() == order
    assert counted(documents, again)[:, columns].toarray().tolist() == (
        table.toarray()[:, order].tolist()
    )


@pytest.mark.parametrize("ngram_range", [(1, 1), (1, 2), (2, 3), (1, 4)])
@pytest.mark.parametrize("separator", [" ", ""])
def test_equals_scikit_learn_where_nothing_is_removed(ngram_range, separator):
    clauses = sentences(6_000).translate(str.maketrans("，。！？；", "\n" * 5)).split("\n")
    if separator:
        documents = [[clause[i : i + 2] for i in range(0, len(clause), 2)] for clause in clauses]
        peer = CountVectorizer(
            analyzer="word",
            tokenizer=list,
            preprocessor=list,
            token_pattern=None,
            ngram_range=ngram_range,
        )
    else:
        documents = clauses
        peer = CountVectorizer(analyzer="char", ngram_range=ngram_range)
    wanted = peer.fit_transform(documents)
    space, _, table = learned(documents, ngram_range, separator)
    assert sorted(space.names()) == sorted(peer.vocabulary_)
    places = [peer.vocabulary_[name] for name in space.names()]
    assert (table != csr_array(wanted[:, places])).nnz == 0


def test_a_document_alone_equals_the_same_in_a_batch():
    space, _, table = learned(TEXT, (1, 3))
    for row, document in enumerate(TEXT):
        assert counted([document], space).toarray().tolist() == [table.toarray()[row].tolist()]


def test_only_what_begins_and_ends_with_frequent_ngrams_is_counted(monkeypatch):
    sizes = []

    class Spy(sorted_keys.KeyCounter):
        def add(self, part):
            sizes.append(len(part))
            super().add(part)

    monkeypatch.setattr(ngram_levels, "KeyCounter", Spy)
    rare = [[f"甲{number}", "茶", f"乙{number}", "水", "杯"] for number in range(50)]
    space, _, _ = learned([*rare, ["茶", "水", "杯"]], (1, 3), min_documents=2)
    assert space.names() == ["杯", "水", "茶", "水 杯"]
    # 茶 水 and 水 杯; of the four 3-grams not even 茶 水 杯, since 茶 水 is rare.
    assert sizes == [2, 0]


@pytest.mark.parametrize("ngram_range", [(1, 3), (3, 3)])
def test_indices_widen_when_the_count_needs_it_and_nothing_else_changes(monkeypatch, ngram_range):
    _, _, narrow = learned(TEXT, ngram_range)
    monkeypatch.setattr(indices, "INT32_LIMIT", 1)
    _, frequencies, wide = learned(TEXT, ngram_range, block=6)
    assert narrow.indptr.dtype == narrow.indices.dtype == np.int32
    assert wide.indptr.dtype == wide.indices.dtype == np.int64
    assert wide.toarray().tolist() == narrow.toarray().tolist()
    assert frequencies.occurrences.tolist() == narrow.sum(axis=0).tolist()


def test_more_ngrams_than_keys(monkeypatch):
    monkeypatch.setattr(sorted_keys, "KEY_LIMIT", 80)
    with pytest.raises(InvalidInputError, match=r"Got 9 by 9 possible ones.*min_df"):
        learned(TEXT, (1, 2))


def test_two_ngrams_of_one_name():
    space, _, _ = learned([["新 茶", "好", "新", "茶"]], (1, 2))
    with pytest.raises(InvalidInputError, match=r"name '新 茶'.*holds ' '.*ngram_range=\(1, 1\)"):
        space.names()
    # Without the other one the name tells enough.
    assert space.take(np.array([0, 1, 2])).names() == ["好", "新", "新 茶"]
    characters, _, _ = learned([["新茶", "新", "茶"]], (1, 2), separator="")
    with pytest.raises(InvalidInputError, match="'新茶' has several characters"):
        characters.names()


def test_a_named_term_may_hold_the_separator_where_all_columns_are_terms():
    space, _ = NgramSpace.from_names(["新 茶"], (1, 1), " ")
    assert counted([["新 茶", "茶"]], space).toarray().tolist() == [[1]]


@pytest.mark.parametrize("documents", [[], [[]], [["，"], ["。", "，"]], [["茶"], ["水"]]])
@pytest.mark.parametrize("block", [1, 100])
def test_no_ngrams(documents, block):
    space, frequencies, table = learned(documents, (2, 3), block=block)
    assert (space.names(), len(space)) == ([], 0)
    assert len(frequencies.occurrences) == len(frequencies.documents) == 0
    assert table.shape == (len(documents), 0)
    assert space.vocabulary.terms == ()
    both, ours, _ = space.union(learned(TEXT, (2, 3))[0])
    assert both.names() == BIGRAMS + TRIGRAMS
    assert len(ours) == 0
    nothing, columns = NgramSpace.from_names([], (2, 3), " ")
    assert (nothing.names(), columns.tolist()) == ([], [])


def test_far_longer_than_any_document():
    space, _, _ = learned(TEXT, (1, 1_000_000))
    assert len(space.keys) == 3  # 我 喜欢 喝 茶 is the longest
    assert space.names()[-2:] == ["她 不 喝 茶", "我 喜欢 喝 茶"]


def test_settings_that_cannot_be():
    for ngram_range, message in [
        ((2, 1), r"write \(1, 2\)"),
        ((0, 1), r"ngram_range\[0\].*at least 1"),
        (2, "two integers"),
        ((1, 2, 3), "two integers"),
        ((1, 2.5), r"ngram_range\[1\].*Got 2.5"),
    ]:
        with pytest.raises(InvalidParameterError, match=message):
            learned(TEXT, ngram_range)
    with pytest.raises(InvalidParameterError, match="min_documents must be an integer"):
        learned(TEXT, (1, 2), min_documents=0)


def test_spaces_of_other_settings_do_not_merge():
    space, _, _ = learned(TEXT, (1, 2))
    with pytest.raises(VocabularyMismatchError, match=r"ngram_range is \(1, 2\) here and \(1, 3\)"):
        space.union(learned(TEXT, (1, 3))[0])
    with pytest.raises(VocabularyMismatchError, match="separator is ' ' here and ''"):
        space.union(learned(TEXT, (1, 2), separator="")[0])


def test_pickles_hold_nothing_that_is_derived():
    space, _, table = learned(TEXT, (1, 3))
    fresh = learned(TEXT, (1, 3))[0]
    assert len(pickle.dumps(space)) == len(pickle.dumps(NgramSpace(**fresh.__getstate__())))
    again = pickle.loads(pickle.dumps(space))
    assert again.names() == space.names()
    assert counted(TEXT, again).toarray().tolist() == table.toarray().tolist()
    few = space.take(np.array([0]))
    assert few.vocabulary.terms == ("不",)
    assert few.keys == ()
