"""Vocabularies that users give."""

from types import MappingProxyType

import numpy as np
import pytest

from nlpfeat import BagOfWordsVectorizer, Vocabulary
from nlpfeat.errors import InvalidParameterError
from nlpfeat.features.given_vocabulary import given_names


@pytest.mark.parametrize(
    ("vocabulary", "wanted"),
    [
        (["好", "天气"], ["好", "天气"]),
        (("好", "天气"), ["好", "天气"]),
        ({"好", "天气"}, ["天气", "好"]),
        (frozenset({"好", "天气"}), ["天气", "好"]),
        ({"天气": 1, "好": 0}, ["好", "天气"]),
        ({"天气": np.int64(1), "好": np.int64(0)}, ["好", "天气"]),
        (MappingProxyType({"天气": 0}), ["天气"]),
        (iter(["好", "天气"]), ["好", "天气"]),
        (np.array(["好", "天气"]), ["好", "天气"]),
        (Vocabulary.build([["好", "天气"]]), ["天气", "好"]),
    ],
)
def test_forms(vocabulary, wanted):
    names = given_names(vocabulary)
    assert names == wanted
    assert set(map(type, names)) == {str}


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        ("天气", "must be a list of feature names or a mapping.* Got '天气'"),
        (b"tianqi", "must be a list of feature names"),
        (5, "must be a list of feature names"),
        ([], "at least one feature name. Got an empty one"),
        ({}, "at least one feature name"),
        (set(), "at least one feature name"),
        (["好", "好"], "each feature name once. Got '好' twice"),
        (["好", 5], "must hold strings that are not empty. Got 5"),
        ({"好", None}, "must hold strings that are not empty. Got None"),
        (["好", ""], "must hold strings that are not empty. Got ''"),
        ({"好": 1}, "to the columns 0, 1, 2"),
        ({"好": 0, "天": 0}, "each once. Got {'好': 0, '天': 0}"),
        ({"好": 0, "天": 2}, "to the columns 0, 1, 2"),
        ({"好": "0"}, "to the columns 0, 1, 2"),
        ({"好": 0.0}, "to the columns 0, 1, 2"),
    ],
)
def test_what_cannot_be(vocabulary, message):
    with pytest.raises(InvalidParameterError, match=message):
        given_names(vocabulary)


def test_a_name_that_no_token_has_is_warned_of():
    vectorizer = BagOfWordsVectorizer(segmenter="whitespace", vocabulary=["VIP", "好"])
    with pytest.warns(UserWarning, match=r"'VIP', which cannot be found: .* counted as 'vip'"):
        counts = vectorizer.fit_transform(["VIP 好"])
    assert counts.toarray().tolist() == [[0, 1]]
    as_written = vectorizer.set_params(lowercase=False)
    assert as_written.fit_transform(["VIP 好"]).toarray().tolist() == [[1, 1]]


def test_punctuation_that_is_not_counted_is_warned_of():
    vectorizer = BagOfWordsVectorizer(segmenter="char", vocabulary=["，", "好"])
    with pytest.warns(UserWarning, match="'，', which cannot be found: punctuation is not counted"):
        assert vectorizer.fit_transform(["好，"]).toarray().tolist() == [[0, 1]]
    vectorizer.set_params(keep_punctuation=True)
    assert vectorizer.fit_transform(["好，"]).toarray().tolist() == [[1, 1]]
