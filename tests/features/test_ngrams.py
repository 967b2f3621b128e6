"""N-grams: by hand, by scikit-learn, and where they stop."""

import numpy as np
import pytest
from estimators import TOY, content, few
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from nlpfeat import NgramVectorizer, SegmentTransformer
from nlpfeat.errors import InvalidInputError, InvalidParameterError, VocabularyMismatchError

corpora = st.lists(
    st.lists(st.sampled_from("天地人你我"), max_size=9), min_size=1, max_size=7
).filter(any)
ranges = st.tuples(st.integers(1, 3), st.integers(1, 3)).map(sorted).map(tuple)


def names_and_counts(vectorizer, documents):
    """Return the counts of each name."""
    counts = vectorizer.fit_transform(documents).toarray()
    return dict(zip(vectorizer.get_feature_names_out(), counts.T.tolist()))


def peer_of(ngram_range, **settings):
    return CountVectorizer(
        tokenizer=list, preprocessor=lambda document: document, token_pattern=None,
        ngram_range=ngram_range, **settings,
    )  # fmt: skip


def test_by_hand():
    vectorizer = NgramVectorizer(ngram_range=(2, 3))
    assert names_and_counts(vectorizer, TOY) == {
        # 好 ， 不: no n-gram reaches over the comma.
        "不 去": [0, 1, 0, 0],
        "不 好": [0, 1, 0, 0],
        "今天 天气": [1, 0, 0, 0],
        "公园 喝茶": [0, 0, 1, 0],
        "去 公园": [0, 1, 1, 0],
        "天气 不": [0, 1, 0, 0],
        "天气 很": [1, 0, 0, 0],
        "好 很": [0, 0, 0, 1],
        "很 好": [1, 0, 0, 2],
        "我们 去": [0, 0, 1, 0],
        "不 去 公园": [0, 1, 0, 0],
        "今天 天气 很": [1, 0, 0, 0],
        "去 公园 喝茶": [0, 0, 1, 0],
        "天气 不 好": [0, 1, 0, 0],
        "天气 很 好": [1, 0, 0, 0],
        "好 很 好": [0, 0, 0, 1],
        "很 好 很": [0, 0, 0, 1],
        "我们 去 公园": [0, 0, 1, 0],
    }
    names = vectorizer.get_feature_names_out().tolist()
    assert names == sorted(names, key=lambda name: (name.count(" "), name.split(" ")))
    assert vectorizer.term_frequencies_[names.index("很 好")] == 3
    assert vectorizer.document_frequencies_[names.index("很 好")] == 2


def test_characters_by_hand():
    texts = ["很好。很冷", "VIP 很好"]
    assert names_and_counts(NgramVectorizer(ngram_range=(1, 2), unit="char"), texts) == {
        "i": [0, 1], "p": [0, 1], "v": [0, 1], "冷": [1, 0], "好": [1, 1], "很": [2, 1],
        "ip": [0, 1], "p很": [0, 1], "vi": [0, 1], "很冷": [1, 0], "很好": [1, 1],
    }  # fmt: skip


def test_characters_of_token_lists():
    texts = ["今天天气很好！\nＶＩＰ 会员，去公园", "很好"]
    wanted = NgramVectorizer(ngram_range=(1, 3), unit="char").fit_transform(texts)
    tokens = SegmentTransformer().transform(texts)
    found = NgramVectorizer(ngram_range=(1, 3), unit="char").fit_transform(tokens)
    assert content(found) == content(wanted)


@pytest.mark.parametrize("barrier", ["，", "。", "\n", "的", "…", "😀"])
def test_what_n_grams_reach_over(barrier):
    vectorizer = NgramVectorizer(ngram_range=(2, 2), stop_words=["的"])
    names = names_and_counts(vectorizer, [["天", "气", barrier, "很", "好"]]).keys()
    assert {"天 气", "很 好"} <= names
    assert "气 很" not in names
    assert any("😀" in name for name in names) is (barrier == "😀")


def test_a_term_without_a_column_is_a_gap():
    given = NgramVectorizer(ngram_range=(2, 2), vocabulary=["天 好", "好 天"])
    assert given.transform([["天", "鑫", "好", "天"]]).toarray().tolist() == [[0, 1]]


def test_punctuation_can_be_kept():
    kept = NgramVectorizer(ngram_range=(2, 2), keep_punctuation=True)
    assert names_and_counts(kept, [["天", "，", "好"]]) == {"天 ，": [1], "， 好": [1]}
    kept.set_params(unit="char")
    assert names_and_counts(kept, ["天，好。地"]).keys() == {"天，", "，好", "好。"}


@few
@given(
    documents=corpora, ngram_range=ranges, binary=st.booleans(),
    # Sixteenths are exact; see test_bag_of_words.
    min_df=st.one_of(st.integers(1, 3), st.integers(0, 9).map(lambda part: part / 16)),
    max_df=st.integers(10, 16).map(lambda part: part / 16),
)  # fmt: skip
def test_equals_count_vectorizer(documents, ngram_range, **settings):
    peer = peer_of(ngram_range, **settings)
    try:
        columns = peer.fit_transform(documents).toarray().T.tolist()
    except ValueError:
        with pytest.raises((InvalidInputError, InvalidParameterError)):
            NgramVectorizer(ngram_range=ngram_range, **settings).fit(documents)
        return
    wanted = dict(zip(peer.get_feature_names_out(), columns))
    vectorizer = NgramVectorizer(ngram_range=ngram_range, **settings)
    assert names_and_counts(vectorizer, documents) == wanted
    other = documents[0] + documents[-1]
    found = vectorizer.transform([other]).toarray()[0]
    wanted = peer.transform([other]).toarray()[0]
    order = [peer.vocabulary_[name] for name in vectorizer.get_feature_names_out()]
    assert found.tolist() == wanted[order].tolist()


@few
@given(documents=corpora, ngram_range=ranges, size=st.integers(1, 20))
def test_most_frequent_n_grams(documents, ngram_range, size):
    whole = NgramVectorizer(ngram_range=ngram_range)
    try:
        whole.fit(documents)
    except InvalidInputError:
        return
    names = whole.get_feature_names_out().tolist()
    order = np.argsort(-whole.term_frequencies_, kind="stable")[:size]
    limited = NgramVectorizer(ngram_range=ngram_range, max_features=size)
    wanted = [names[column] for column in sorted(order)]
    assert limited.fit(documents).get_feature_names_out().tolist() == wanted
    assert limited.fit(documents[::-1]).get_feature_names_out().tolist() == wanted
    assert limited.transform(documents).toarray().tolist() == (
        whole.transform(documents).toarray()[:, sorted(order)].tolist()
    )


@few
@given(documents=corpora, form=st.sampled_from([list, set, dict]))
def test_equals_count_vectorizer_with_given_vocabulary(documents, form):
    names = ["我 天", "天", "鑫", "天 地 人", "你 你"]
    vocabulary = dict(zip(names, [3, 1, 0, 4, 2])) if form is dict else form(names)
    peer = peer_of((1, 3), vocabulary=vocabulary)
    wanted = peer.transform(documents).toarray().tolist()
    vectorizer = NgramVectorizer(ngram_range=(1, 3), vocabulary=vocabulary)
    assert vectorizer.transform(documents).toarray().tolist() == wanted
    assert vectorizer.vocabulary_ == dict(peer.vocabulary_)


@few
@given(
    documents=corpora,
    cut=st.integers(0, 7),
    ngram_range=ranges,
    unit=st.sampled_from(["word", "char"]),
)
def test_merging_is_fitting_on_both(documents, cut, ngram_range, unit):
    make = lambda: NgramVectorizer(ngram_range=ngram_range, unit=unit)  # noqa: E731
    try:
        one, other = make().fit(documents[:cut]), make().fit(documents[cut:])
    except InvalidInputError:
        return
    merged, whole = one.merge(other), make().fit(documents)
    assert merged.vocabulary_ == whole.vocabulary_
    assert merged.term_frequencies_.tolist() == whole.term_frequencies_.tolist()
    assert merged.document_frequencies_.tolist() == whole.document_frequencies_.tolist()
    assert content(merged.transform(documents)) == content(whole.transform(documents))


@few
@given(documents=corpora, cut=st.integers(0, 7))
def test_parts_add_up(documents, cut):
    make = lambda: NgramVectorizer(ngram_range=(1, 2), vocabulary=["我 天", "天", "地 人"])  # noqa: E731
    whole = make().fit(documents)
    parts = make().partial_fit(documents[:cut]).partial_fit(documents[cut:])
    assert parts.term_frequencies_.tolist() == whole.term_frequencies_.tolist()
    assert parts.document_frequencies_.tolist() == whole.document_frequencies_.tolist()
    assert parts.n_documents_ == whole.n_documents_ == len(documents)


def test_wide_indices_when_they_are_needed(monkeypatch):
    narrow = NgramVectorizer(ngram_range=(1, 2)).fit_transform(TOY)
    monkeypatch.setattr("nlpfeat.counts.indices.INT32_LIMIT", 10)
    wide = NgramVectorizer(ngram_range=(1, 2)).fit_transform(TOY)
    assert narrow.indptr.dtype == np.int32
    assert wide.indptr.dtype == wide.indices.dtype == np.int64
    assert (wide != narrow).nnz == 0


def test_merging_needs_the_same_unit():
    with pytest.raises(VocabularyMismatchError, match="unit is 'word' here and 'char' there"):
        NgramVectorizer().fit(TOY).merge(NgramVectorizer(unit="char").fit(TOY))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ngram_range": (2, 1)}, r"shortest length first. Got \(2, 1\); write \(1, 2\)"),
        ({"ngram_range": (0, 1)}, r"ngram_range\[0\] must be an integer that is at least 1"),
        ({"ngram_range": 2}, "ngram_range must be two integers"),
        ({"unit": "词"}, "unit must be one of 'word', 'char'"),
        ({"unit": "char", "vocabulary": ["天气"]}, "n-grams of 1 to 1 terms.*Got '天气'"),
        ({"ngram_range": (1, 2), "vocabulary": ["天  气"]}, "terms are not empty"),
    ],
)
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        NgramVectorizer(**parameters).fit(TOY)


def test_nothing_long_enough():
    with pytest.raises(InvalidInputError, match="No feature is left to count"):
        NgramVectorizer(ngram_range=(3, 3)).fit([["天", "地"], ["。"]])
