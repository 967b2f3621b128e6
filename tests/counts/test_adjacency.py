"""Adjacent terms of documents; what is counted is tested with the n-grams."""

import pickle

import pytest

from nlpfeat.counts.adjacency import count_adjacent_terms
from nlpfeat.errors import InvalidInputError, InvalidParameterError

TEXTS = [list("甲乙的丙。"), list("甲乙，丁"), []]


def test_by_hand():
    found = count_adjacent_terms(TEXTS, max_length=4, min_count=1, stop_words=["的", "了"])
    assert (found.max_length, found.min_count, found.n_documents, found.n_tokens) == (4, 1, 3, 9)
    assert found.vocabulary.terms == ("丁", "丙", "乙", "甲", "的")
    (pairs,) = found.ngrams
    assert found.vocabulary.decode(pairs.terms[0].tolist()) == ["甲", "乙"]
    assert (pairs.counts.tolist(), pairs.total) == ([2], 2)
    # 的 is in no phrase, and a neighbor of one occurrence; the other stands before a comma.
    assert [part.tolist() for part in vars(pairs.right).values()] == [[0], [1], [1]]
    assert found.preparation["stop_words"] == "了 的"
    assert found.preparation["segmenter"] == "none: token lists"


def test_lengths_end_where_nothing_is_frequent():
    found = count_adjacent_terms([list("甲乙丙甲乙")], max_length=9, min_count=1)
    assert [part.terms.shape[1] for part in found.ngrams] == [2, 3, 4, 5]
    assert len(count_adjacent_terms([list("甲乙丙甲乙")], min_count=2).ngrams) == 1
    assert count_adjacent_terms([list("甲乙")]).ngrams == ()


def test_it_outlives_the_text_and_pickles():
    found = count_adjacent_terms(iter(TEXTS), min_count=2)
    again = pickle.loads(pickle.dumps(found))
    assert again.vocabulary == found.vocabulary
    assert again.ngrams[0].right.counts.tolist() == found.ngrams[0].right.counts.tolist() == [1]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"max_length": 1}, r"max_length must be an integer that is at least 2\. Got 1"),
        ({"max_length": 2.5}, r"max_length must be an integer that is at least 2\. Got 2\.5"),
        ({"min_count": 0}, r"min_count must be an integer that is at least 1\. Got 0"),
        ({"segmenter": "jeiba"}, r"Did you mean 'jieba'"),
        ({"stop_words": 5}, r"stop_words must be a path or an iterable of words\. Got 5"),
    ],
)
def test_settings_that_cannot_be(how, message):
    with pytest.raises(InvalidParameterError, match=message):
        count_adjacent_terms([["甲", "乙"]], **how)


@pytest.mark.parametrize("documents", [[], [[]], ["", "　 "]])
def test_documents_without_a_token(documents):
    with pytest.raises(InvalidInputError, match=r"hold no token, so there is no phrase: .* in \d"):
        count_adjacent_terms(documents)
    with pytest.raises(InvalidInputError, match="not one string"):
        count_adjacent_terms("甲乙")
