"""Bag of words: by hand, by scikit-learn, and for the complaints that users have."""

import logging
import pickle

import numpy as np
import pytest
from estimators import TOY, TOY_TERMS, content, few
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.svm import LinearSVC

from nlpfeat import BagOfWordsVectorizer, JiebaSegmenter, Vocabulary
from nlpfeat.errors import InvalidInputError, InvalidParameterError, VocabularyMismatchError

COUNTS = [
    [0, 1, 0, 0, 0, 1, 1, 1, 0],
    [2, 0, 1, 1, 0, 1, 1, 0, 0],
    [0, 0, 1, 1, 1, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0, 2, 2, 0],
]

corpora = st.lists(
    st.lists(st.sampled_from("天地人你我他"), max_size=8), min_size=1, max_size=8
).filter(any)  # fmt: skip


def characters(text):
    return list(text)


def names_and_counts(vectorizer, documents):
    """Return the column of each name."""
    counts = vectorizer.fit_transform(documents).toarray()
    return dict(zip(vectorizer.get_feature_names_out(), counts.T.tolist()))


def test_by_hand():
    vectorizer = BagOfWordsVectorizer()
    assert vectorizer.fit_transform(TOY).toarray().tolist() == COUNTS
    assert vectorizer.get_feature_names_out().tolist() == TOY_TERMS
    assert vectorizer.term_frequencies_.tolist() == [2, 1, 2, 2, 1, 2, 4, 3, 1]
    assert vectorizer.document_frequencies_.tolist() == [1, 1, 2, 2, 1, 2, 3, 2, 1]
    assert vectorizer.n_documents_ == 4
    assert vectorizer.vocabulary_ == {term: column for column, term in enumerate(TOY_TERMS)}


def test_binary_by_hand():
    counts = BagOfWordsVectorizer(binary=True).fit_transform(TOY)
    assert counts.toarray().tolist() == np.minimum(COUNTS, 1).tolist()


@pytest.mark.parametrize(
    ("bounds", "kept"),
    [
        ({"min_df": 2}, "公园 去 天气 好 很"),
        ({"min_df": 0.5}, "公园 去 天气 好 很"),
        ({"min_df": 0.51}, "好"),
        ({"max_df": 2}, "不 今天 公园 去 喝茶 天气 很 我们"),
        ({"max_df": 0.25}, "不 今天 喝茶 我们"),
        ({"min_df": 2, "max_df": 2}, "公园 去 天气 很"),
        ({"max_features": 2}, "好 很"),
        ({"max_features": 3}, "不 好 很"),  # 不, 公园, 去 and 天气 occur twice
        ({"max_features": 3, "binary": True}, "公园 去 好"),  # in two documents each, but 好
        ({"max_features": 2, "max_df": 2}, "不 很"),
        ({"stop_words": ["好", "的"]}, "不 今天 公园 去 喝茶 天气 很 我们"),
        ({"keep_punctuation": True}, "。 不 今天 公园 去 喝茶 天气 好 很 我们 ，"),
    ],
)
def test_chosen_terms_by_hand(bounds, kept):
    vectorizer = BagOfWordsVectorizer(**bounds).fit(TOY)
    assert vectorizer.get_feature_names_out().tolist() == kept.split()
    columns = [TOY_TERMS.index(term) for term in kept.split() if term in TOY_TERMS]
    if len(columns) == len(kept.split()) and "binary" not in bounds:
        assert vectorizer.transform(TOY).toarray().tolist() == np.array(COUNTS)[:, columns].tolist()
        whole = np.array(COUNTS)[:, columns].sum(axis=0).tolist()
        assert vectorizer.term_frequencies_.tolist() == whole


# Sixteenths are exact: a share that misses a whole number of documents by its last digit alone
# means that number here, and to scikit-learn the one beside it.
shares = st.integers(0, 16).map(lambda sixteenths: sixteenths / 16)
bounds = st.one_of(st.integers(1, 4), shares)


@few
@given(
    documents=corpora,
    binary=st.booleans(),
    min_df=bounds,
    max_df=bounds,
    dtype=st.sampled_from([np.int64, np.int32, np.float32]),
)
def test_equals_count_vectorizer(documents, **settings):
    peer = CountVectorizer(analyzer=lambda document: document, **settings)
    try:
        wanted = peer.fit_transform(documents)
    except ValueError:
        with pytest.raises((InvalidInputError, InvalidParameterError)):
            BagOfWordsVectorizer(**settings).fit(documents)
        return
    vectorizer = BagOfWordsVectorizer(**settings)
    found = vectorizer.fit_transform(documents)
    assert vectorizer.vocabulary_ == peer.vocabulary_
    assert found.dtype == wanted.dtype
    assert found.toarray().tolist() == wanted.toarray().tolist()
    assert vectorizer.transform(documents[::-1]).toarray().tolist() == (
        peer.transform(documents[::-1]).toarray().tolist()
    )


@few
@given(documents=corpora, size=st.integers(1, 7), binary=st.booleans())
def test_most_frequent_terms(documents, size, binary):
    peer = CountVectorizer(analyzer=lambda document: document, binary=binary)
    sums = peer.fit_transform(documents).sum(axis=0).A1
    ranked = sorted(zip(-sums, peer.get_feature_names_out()))
    wanted = sorted(term for _, term in ranked[:size])
    vectorizer = BagOfWordsVectorizer(max_features=size, binary=binary)
    assert vectorizer.fit(documents).get_feature_names_out().tolist() == wanted
    assert vectorizer.fit(documents[::-1]).get_feature_names_out().tolist() == wanted


@few
@given(documents=corpora, form=st.sampled_from([list, dict, set, tuple, Vocabulary]))
def test_equals_count_vectorizer_with_given_vocabulary(documents, form):
    names = ["我", "天", "鑫", "你"]
    vocabulary = {
        list: names,
        tuple: tuple(names),
        set: set(names),
        dict: {"天": 1, "你": 3, "我": 0, "鑫": 2},
        Vocabulary: Vocabulary.build([names]),
    }[form]
    peer = CountVectorizer(
        analyzer=lambda document: document,
        vocabulary=sorted(names) if form is Vocabulary else vocabulary,
    )
    wanted = peer.transform(documents).toarray().tolist()
    vectorizer = BagOfWordsVectorizer(vocabulary=vocabulary)
    assert vectorizer.transform(documents).toarray().tolist() == wanted
    assert vectorizer.fit_transform(documents).toarray().tolist() == wanted
    assert vectorizer.vocabulary_ == dict(peer.vocabulary_)
    assert vectorizer.term_frequencies_.tolist() == np.sum(wanted, axis=0).tolist()
    assert vectorizer.document_frequencies_.tolist() == np.count_nonzero(wanted, axis=0).tolist()


def test_given_vocabulary_has_its_own_order():
    vectorizer = BagOfWordsVectorizer(vocabulary=["很", "好", "坏"], min_df=4, max_features=1)
    assert vectorizer.transform(TOY).toarray().tolist() == [
        [1, 1, 0],
        [0, 1, 0],
        [0, 0, 0],
        [2, 2, 0],
    ]
    assert vectorizer.get_feature_names_out().tolist() == ["很", "好", "坏"]


def test_terms_of_one_character_are_kept():  # P23
    vectorizer = BagOfWordsVectorizer(segmenter="whitespace")
    texts = ["猫 在 跑 步 机 上", "我 爱 机器 学习"]
    assert sorted(vectorizer.fit(texts).vocabulary_) == sorted(" ".join(texts).split())
    assert vectorizer.fit_transform(["猫 狗", "我 爱"]).sum() == 4


def test_uncut_text_is_noticed():  # P24
    texts = ["今天天气很好，我们去公园", "今天天气不好所以我们不去"]
    with pytest.warns(UserWarning, match="longer than 6 characters, such as '今天天气.*jieba'"):
        BagOfWordsVectorizer(segmenter="whitespace").fit(texts)
    with pytest.warns(UserWarning, match="seems not to be cut"):
        BagOfWordsVectorizer().fit([[text] for text in texts])
    BagOfWordsVectorizer().fit(texts)
    BagOfWordsVectorizer().fit([["internationalization"], ["好"]])


def test_stop_words_are_compared_with_final_tokens(caplog):  # P25
    texts = ["人工智能技术发展很快"]
    with caplog.at_level(logging.WARNING, logger="nlpfeat"):
        vectorizer = BagOfWordsVectorizer(stop_words=["人工智能技术", "很快"]).fit(texts)
    assert vectorizer.get_feature_names_out().tolist() == ["人工智能", "发展", "技术"]
    assert "人工智能技术 (人工智能 技术)" in caplog.text
    whole = JiebaSegmenter(user_words=["人工智能技术"])
    vectorizer = BagOfWordsVectorizer(segmenter=whole, stop_words=["人工智能技术"]).fit(texts)
    assert vectorizer.get_feature_names_out().tolist() == ["发展", "很快"]


def test_stop_words_in_any_form(tmp_path):  # P26
    file = tmp_path / "stop.txt"
    file.write_text("的\n很\n", "utf-8")
    texts = ["我的天气很好"]
    for stop_words in (
        {"的", "很"},
        frozenset("的很"),
        ["的", "很"],
        ("很", "的"),
        file,
        str(file),
    ):
        vectorizer = BagOfWordsVectorizer(stop_words=stop_words).fit(texts)
        assert vectorizer.get_feature_names_out().tolist() == ["天气", "好", "我"]
    with pytest.raises(InvalidParameterError, match="stop_words must be a path or an iterable"):
        BagOfWordsVectorizer(stop_words=5).fit(texts)


@pytest.mark.parametrize("segmenter", ["jieba", "char", "whitespace", characters, str.split])
def test_stop_words_act_after_any_segmenter(segmenter):  # P27
    vectorizer = BagOfWordsVectorizer(segmenter=segmenter, stop_words=["的", "好"]).fit(
        ["我 的 好 天"]
    )
    assert vectorizer.get_feature_names_out().tolist() == ["天", "我"]


def test_wide_indices_when_they_are_needed(monkeypatch):  # P28
    documents = TOY * 3
    narrow = BagOfWordsVectorizer().fit_transform(documents)
    monkeypatch.setattr("nlpfeat.counts.indices.INT32_LIMIT", 40)
    wide = BagOfWordsVectorizer().fit_transform(documents)
    assert narrow.indptr.dtype == narrow.indices.dtype == np.int32
    assert wide.indptr.dtype == wide.indices.dtype == np.int64
    assert wide.has_sorted_indices
    assert (wide != narrow).nnz == 0


def test_what_transform_does_not_need_is_not_kept():  # P32
    vectorizer = BagOfWordsVectorizer(min_df=2).fit(TOY)
    terms = vectorizer._space.vocabulary.terms
    assert terms == tuple(vectorizer.get_feature_names_out())
    assert set(vars(vectorizer)) - set(vectorizer.get_params()) == {
        "_space", "_order", "_frequencies", "n_documents_", "stop_words_",
    }  # fmt: skip


def test_columns_by_name_are_made_once_and_not_stored():
    vectorizer = BagOfWordsVectorizer().fit(TOY)
    before = pickle.dumps(vectorizer)
    assert vectorizer.vocabulary_ is vectorizer.vocabulary_
    assert pickle.dumps(vectorizer) == before
    assert pickle.loads(before).vocabulary_ == vectorizer.vocabulary_
    assert list(vectorizer.merge(vectorizer).vocabulary_) == TOY_TERMS
    assert list(vectorizer.fit([["坏"]]).vocabulary_) == ["坏"]
    assert list(vectorizer.merge(BagOfWordsVectorizer().fit(TOY)).vocabulary_)[-1] == "我们"
    # Unfitted, the parameter says it each time.
    given = BagOfWordsVectorizer(vocabulary=["好"])
    assert given.vocabulary_ == {"好": 0}
    assert given.set_params(vocabulary=["坏"]).vocabulary_ == {"坏": 0}


def test_frequencies_of_an_unfitted_one():
    for vectorizer in (BagOfWordsVectorizer(), BagOfWordsVectorizer(vocabulary=["好"])):
        for name in ("term_frequencies_", "document_frequencies_"):
            with pytest.raises(NotFittedError, match=r"BagOfWordsVectorizer.* is not fitted yet"):
                getattr(vectorizer, name)


@pytest.mark.parametrize(("dtype", "highest"), [("int8", 127), ("uint8", 255), (np.int16, 32_767)])
def test_counts_that_the_dtype_does_not_hold(dtype, highest):
    vectorizer = BagOfWordsVectorizer(dtype=dtype).fit(TOY)
    most = [["好"] * highest]
    assert vectorizer.transform(most).data.tolist() == [highest]
    more = [["好"] * (highest + 1)]
    message = rf"occurs {highest + 1:,} times in one .*dtype={np.dtype(dtype).name}.* {highest:,}\."
    for method in (vectorizer.transform, vectorizer.fit_transform):
        with pytest.raises(InvalidInputError, match=message):
            method(more)
    assert vectorizer.set_params(binary=True).transform(more).data.tolist() == [1]


def test_width_and_case_are_folded():  # P36
    texts = ["Ａ股 A股 a股 ａ股"]
    assert names_and_counts(BagOfWordsVectorizer(segmenter="whitespace"), texts) == {"a股": [4]}
    kept = BagOfWordsVectorizer(segmenter="whitespace", lowercase=False)
    assert names_and_counts(kept, texts) == {"A股": [2], "a股": [2]}
    kept.set_params(fold_width=False)
    assert names_and_counts(kept, texts) == {"A股": [1], "a股": [1], "Ａ股": [1], "ａ股": [1]}


def test_tokens_come_from_the_segmenter():  # P37
    tokens = ["VIP", "XL", "T恤", "C++", "50%", "😀"]
    assert BagOfWordsVectorizer(lowercase=False).fit([tokens]).vocabulary_.keys() == set(tokens)
    lowered = BagOfWordsVectorizer().fit([tokens]).vocabulary_.keys()
    assert lowered == {"vip", "xl", "t恤", "c++", "50%", "😀"}


def test_all_unknown_documents_are_zero_rows():  # P39
    vectorizer = BagOfWordsVectorizer().fit(TOY)
    assert vectorizer.transform([["鑫"], []]).nnz == 0
    classifier = LinearSVC().fit(vectorizer.transform(TOY), [0, 0, 1, 1])
    assert len(classifier.predict(vectorizer.transform([["鑫"]]))) == 1


@few
@given(documents=corpora, cut=st.integers(0, 8), binary=st.booleans())
def test_merging_is_fitting_on_both(documents, cut, binary):
    parts = documents[:cut], documents[cut:]
    if not all(map(any, parts)):
        return
    whole = BagOfWordsVectorizer(binary=binary).fit(documents)
    one, other = (BagOfWordsVectorizer(binary=binary).fit(part) for part in parts)
    for merged in (one.merge(other), other.merge(one)):
        assert merged.vocabulary_ == whole.vocabulary_
        assert merged.term_frequencies_.tolist() == whole.term_frequencies_.tolist()
        assert merged.document_frequencies_.tolist() == whole.document_frequencies_.tolist()
        assert merged.n_documents_ == whole.n_documents_
        assert content(merged.transform(documents)) == content(whole.transform(documents))


@few
@given(documents=corpora, cut=st.integers(0, 8))
def test_parts_add_up(documents, cut):
    make = lambda: BagOfWordsVectorizer(vocabulary=["我", "天", "地"])  # noqa: E731
    whole = make().fit(documents)
    parts = make().partial_fit(documents[:cut]).partial_fit(documents[cut:])
    merged = make().fit(documents[:cut]).merge(make().fit(documents[cut:]))
    for found in (parts, merged):
        assert found.get_feature_names_out().tolist() == ["我", "天", "地"]
        assert found.term_frequencies_.tolist() == whole.term_frequencies_.tolist()
        assert found.document_frequencies_.tolist() == whole.document_frequencies_.tolist()
        assert found.n_documents_ == whole.n_documents_


def test_partial_fit_keeps_the_columns():  # P30
    vectorizer = BagOfWordsVectorizer(max_features=2).fit(TOY)
    assert vectorizer.partial_fit([["好", "鑫", "好"]]) is vectorizer
    assert vectorizer.get_feature_names_out().tolist() == ["好", "很"]
    assert vectorizer.term_frequencies_.tolist() == [6, 3]
    assert vectorizer.document_frequencies_.tolist() == [4, 2]
    assert vectorizer.n_documents_ == 5
    with pytest.raises(
        InvalidParameterError, match=r"partial_fit needs features.*vocabulary.*merge"
    ):
        BagOfWordsVectorizer().partial_fit(TOY)


def test_merging_leaves_both_alone():
    one, other = BagOfWordsVectorizer().fit(TOY[:1]), BagOfWordsVectorizer().fit(TOY[1:])
    merged = one.merge(other)
    assert merged.partial_fit(TOY).n_documents_ == 8
    assert one.n_documents_ == 1
    assert other.term_frequencies_.sum() == 14
    with pytest.raises(VocabularyMismatchError, match="binary is False here and True there"):
        one.merge(BagOfWordsVectorizer(binary=True).fit(TOY))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"binary": 1}, "binary must be True or False. Got 1"),
        ({"count_unknown": None}, "count_unknown must be True or False"),
        ({"dtype": str}, "dtype must be a type of integers or reals"),
        ({"dtype": "no type"}, "dtype must be a type of integers or reals"),
        ({"dtype": complex}, "dtype must be a type of integers or reals.* Got <class 'complex'>"),
        ({"dtype": np.float16}, "dtype must be a type of integers or reals"),
        ({"dtype": "timedelta64[s]"}, "dtype must be a type of integers or reals"),
        ({"min_df": -1}, "min_df"),
        ({"max_features": 0}, "max_features must be an integer that is at least 1"),
        ({"vocabulary": "天气"}, "vocabulary must be a list"),
        ({"segmenter": 5}, "segmenter must be a name"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        BagOfWordsVectorizer(**parameters).fit(TOY)
    with pytest.raises(InvalidParameterError, match=message):
        BagOfWordsVectorizer().fit(TOY).set_params(**parameters).fit(TOY)
