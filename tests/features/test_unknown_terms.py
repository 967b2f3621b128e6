"""The column of terms that have no column."""

import pytest
from estimators import TOY, content, few
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat import BagOfWordsVectorizer
from nlpfeat.errors import InvalidInputError, VocabularyMismatchError

corpora = st.lists(
    st.lists(st.sampled_from("天地人你我他"), max_size=8), min_size=1, max_size=8
).filter(any)  # fmt: skip


def test_unknown_terms():
    vectorizer = BagOfWordsVectorizer(min_df=2, count_unknown=True, stop_words=["去"])
    counts = vectorizer.fit_transform(TOY)
    assert vectorizer.get_feature_names_out().tolist() == ["公园", "天气", "好", "很", "<unknown>"]
    assert counts.toarray()[:, -1].tolist() == [1, 2, 2, 0]
    assert vectorizer.transform([["鑫", "去", "。", "好", "鑫"], []]).toarray().tolist() == [
        [0, 0, 1, 0, 2],
        [0, 0, 0, 0, 0],
    ]
    given = BagOfWordsVectorizer(vocabulary=["好", "天气"], count_unknown=True)
    assert given.fit_transform(TOY[:2]).toarray().tolist() == [[1, 1, 2], [1, 1, 4]]
    assert given.term_frequencies_.tolist() == [2, 2, 6]
    assert given.document_frequencies_.tolist() == [2, 2, 2]


def test_unknown_terms_are_a_feature_as_any_other():
    vectorizer = BagOfWordsVectorizer(min_df=2, count_unknown=True).fit(TOY)
    # 不 twice, 今天, 喝茶 and 我们 once: in three documents.
    assert vectorizer.vocabulary_ == {
        "公园": 0, "去": 1, "天气": 2, "好": 3, "很": 4, "<unknown>": 5,
    }  # fmt: skip
    assert vectorizer.term_frequencies_.tolist() == [2, 2, 2, 4, 3, 5]
    assert vectorizer.document_frequencies_.tolist() == [2, 2, 2, 3, 2, 3]
    vectorizer.partial_fit([["鑫", "好", "鑫"]])
    assert vectorizer.term_frequencies_.tolist() == [2, 2, 2, 5, 3, 7]
    assert vectorizer.document_frequencies_.tolist() == [2, 2, 2, 4, 2, 4]


def test_whether_unknown_terms_are_counted_is_read_in_fit():
    counting = BagOfWordsVectorizer(count_unknown=True, max_features=1).fit(TOY)
    wanted = content(counting.transform(TOY))
    counting.set_params(count_unknown=False)
    assert content(counting.transform(TOY)) == wanted
    assert counting.get_feature_names_out().tolist() == ["好", "<unknown>"]
    ignoring = BagOfWordsVectorizer().fit(TOY).set_params(count_unknown=True)
    assert ignoring.transform([["鑫"]]).toarray().tolist() == [[0] * 9]


def test_a_given_vocabulary_says_where_unknown_terms_are_counted():
    for names, counts in (
        (["<unknown>", "很", "好"], [3, 1, 2]),
        (["很", "<unknown>", "好"], [1, 3, 2]),
        (["很", "好"], [1, 2, 3]),
        (["<unknown>"], [6]),
    ):
        vectorizer = BagOfWordsVectorizer(vocabulary=names, count_unknown=True)
        text = [["好", "鑫", "很", "鑫", "<unknown>", "好"]]
        assert vectorizer.transform(text).toarray().tolist() == [counts]
        assert vectorizer.fit_transform(text).toarray().tolist() == [counts]
        assert list(vectorizer.vocabulary_) == [*names, "<unknown>"][: len(counts)]


def test_a_term_that_is_called_as_the_column_of_unknown_terms():
    text = [["好", "<unknown>", "鑫"], ["好"]]
    assert sorted(BagOfWordsVectorizer().fit(text).vocabulary_) == ["<unknown>", "好", "鑫"]
    given = BagOfWordsVectorizer(vocabulary=["<unknown>"])
    assert given.fit_transform(text).toarray().tolist() == [[1], [0]]
    with pytest.raises(
        InvalidInputError, match=r"hold the token '<unknown>'.* set count_unknown=False"
    ):
        BagOfWordsVectorizer(count_unknown=True).fit(text)
    # Where it has no column it is an unknown term.
    rare = BagOfWordsVectorizer(count_unknown=True, min_df=2)
    assert rare.fit_transform(text).toarray().tolist() == [[1, 2], [1, 0]]


@few
@given(documents=corpora, cut=st.integers(0, 8))
def test_merging_with_unknown_terms(documents, cut):
    parts = documents[:cut], documents[cut:]
    if not all(map(any, parts)):
        return
    for make in (
        lambda: BagOfWordsVectorizer(count_unknown=True),
        lambda: BagOfWordsVectorizer(count_unknown=True, vocabulary=["我", "天"]),
    ):
        whole, one, other = (make().fit(part) for part in (documents, *parts))
        merged = one.merge(other)
        assert merged.vocabulary_ == whole.vocabulary_
        assert merged.term_frequencies_.tolist() == whole.term_frequencies_.tolist()
        assert merged.document_frequencies_.tolist() == whole.document_frequencies_.tolist()
        text = [*documents, ["鑫"]]
        assert content(merged.transform(text)) == content(whole.transform(text))
    counting, ignoring = (
        BagOfWordsVectorizer(count_unknown=each).fit(parts[0]) for each in (True, False)
    )
    ignoring.set_params(count_unknown=True)
    with pytest.raises(VocabularyMismatchError, match="count_unknown is True here and False"):
        counting.merge(ignoring)
