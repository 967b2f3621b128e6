"""What can be merged."""

import numpy as np
import pytest
from estimators import TOY
from sklearn.exceptions import NotFittedError

from nlpfeat import (
    BagOfWordsVectorizer,
    JiebaSegmenter,
    NgramVectorizer,
    PositionalBagOfWordsVectorizer,
)
from nlpfeat.errors import InvalidParameterError, VocabularyMismatchError
from nlpfeat.features.merging import check_mergeable


def fitted(**parameters):
    return BagOfWordsVectorizer(**parameters).fit(TOY)


def cut(text):
    return text.split()


def cut_otherwise(text):
    return list(text)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({}, {}),
        ({}, {"n_jobs": 2}),
        ({}, {"segmenter": JiebaSegmenter()}),
        ({"segmenter": JiebaSegmenter(user_words=["天气", "好"])},
         {"segmenter": JiebaSegmenter(user_words=("好", "天气"))}),
        ({"segmenter": cut}, {"segmenter": cut}),
        ({"stop_words": ["的", "VIP"]}, {"stop_words": {"vip", "的"}}),
        ({"stop_words": iter(["的"])}, {"stop_words": ["的"]}),
        ({"dtype": "int64"}, {"dtype": np.dtype("int64")}),
        ({"vocabulary": iter(["天气", "好"])}, {"vocabulary": ["天气", "好"]}),
        ({"vocabulary": ["天气", "好"]}, {"vocabulary": {"天气": 0, "好": 1}}),
        ({"vocabulary": ["天气", "好"], "min_df": 2}, {"vocabulary": ("天气", "好"), "min_df": 2}),
        ({"min_df": 0}, {"min_df": 0.0}),
    ],
)  # fmt: skip
def test_what_counts_the_same(ours, theirs):
    check_mergeable(fitted(**ours), fitted(**theirs))


@pytest.mark.parametrize(
    ("ours", "theirs", "message"),
    [
        ({}, {"segmenter": "char"}, r"segmenter is 'JiebaSegmenter\(\)' here and 'CharSegmenter"),
        ({}, {"segmenter": JiebaSegmenter(hmm=False)}, r"segmenter is .*\(hmm=False\)"),
        (
            {"segmenter": cut},
            {"segmenter": cut_otherwise},
            "segmenter is .*cut.* here and .*otherwise",
        ),
        ({}, {"stop_words": ["的"]}, r"stop_words is \[\] here and \['的'\] there"),
        ({}, {"lowercase": False}, "lowercase is True here and False there"),
        ({}, {"keep_punctuation": True}, "keep_punctuation is False here"),
        ({}, {"dtype": float}, "dtype is 'int64' here and 'float64' there"),
        ({}, {"count_unknown": True}, "count_unknown is False here"),
        ({"vocabulary": ["天气", "好"]}, {"vocabulary": ["好", "天气"]}, "vocabulary is"),
        ({}, {"vocabulary": ["天气"]}, "vocabulary is None here"),
    ],
)
def test_what_counts_otherwise(ours, theirs, message):
    with pytest.raises(VocabularyMismatchError, match=f"cannot be merged: {message}"):
        check_mergeable(fitted(**ours), fitted(**theirs))


def test_functions_without_a_name():
    function = lambda text: text.split()  # noqa: E731
    check_mergeable(fitted(segmenter=function), fitted(segmenter=function))
    with pytest.raises(VocabularyMismatchError, match="Give both the same segmenter object"):
        check_mergeable(fitted(segmenter=function), fitted(segmenter=lambda text: list(text)))


@pytest.mark.parametrize(
    "bounds",
    [
        {"min_df": 2},
        {"max_df": 4},
        {"max_df": 0.9},
        {"max_features": 100},
        {"min_df": 0.1},
        {"max_df": np.int64(4)},
    ],
)
@pytest.mark.parametrize(
    "kind", [BagOfWordsVectorizer, NgramVectorizer, PositionalBagOfWordsVectorizer]
)
def test_columns_that_were_left_out(kind, bounds):
    vectorizer = kind(**bounds).fit(TOY)
    with pytest.raises(VocabularyMismatchError, match=r"left features out .* same vocabulary="):
        check_mergeable(vectorizer, vectorizer)


def test_a_share_of_all_documents_leaves_features_out():
    vectorizer = BagOfWordsVectorizer(min_df=1.0).fit([["好"], ["好"]])
    with pytest.raises(VocabularyMismatchError, match=r"left features out .*min_df=1\.0"):
        vectorizer.merge(vectorizer)


def test_other_things():
    with pytest.raises(InvalidParameterError, match=r"another BagOfWordsVectorizer. Got a Ngram"):
        check_mergeable(fitted(), NgramVectorizer().fit(TOY))
    for pair in ((fitted(), BagOfWordsVectorizer()), (BagOfWordsVectorizer(), fitted())):
        with pytest.raises(NotFittedError):
            check_mergeable(*pair)
