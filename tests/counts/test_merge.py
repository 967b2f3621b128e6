"""Counts of two texts together are the counts of both texts as one."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from cooccurrence_oracle import documents_of, settings_of, token_lists
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.counts.counting import count_cooccurrences
from nlpfeat.errors import VocabularyMismatchError
from nlpfeat.text.segmenters import JiebaSegmenter
from nlpfeat.text.vocabulary import Vocabulary


def count(documents, how, **more):
    return count_cooccurrences(token_lists(documents), **how, **more)


@settings(deadline=None)
@given(documents_of("甲乙丙"), documents_of("丁丙子"), settings_of())
def test_merged_equals_counted_as_one_in_either_order(assert_same, first, second, how):
    a, b = count(first, how), count(second, how)
    assert_same(a.merge(b), count(first + second, how))
    assert_same(b.merge(a), a.merge(b))


@settings(deadline=None)
@given(documents_of("甲乙"), documents_of("乙丙"), documents_of("子甲"), settings_of())
def test_merging_is_associative(assert_same, first, second, third, how):
    a, b, c = (count(documents, how) for documents in (first, second, third))
    assert_same(a.merge(b).merge(c), a.merge(b.merge(c)))


@settings(deadline=None)
@given(documents_of("甲乙丙"), documents_of("丁丙甲"), settings_of(), st.integers(1, 4))
def test_pruning_after_merging_equals_pruning_while_counting(
    assert_same, first, second, how, min_count
):
    merged = count(first, how).merge(count(second, how))
    assert_same(merged.prune(min_count), count(first + second, how, min_count=min_count))


def test_merging_changes_neither_part():
    a = count_cooccurrences([["甲", "乙"]], window=1)
    b = count_cooccurrences([["丙", "甲"]], window=1)
    merged = a.merge(b)
    assert merged.vocabulary.terms == ("丙", "乙", "甲")
    assert merged.matrix.toarray().tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    assert (merged.n_documents, merged.n_tokens, merged.total) == (2, 4, 4)
    assert a.matrix.toarray().tolist() == b.matrix.toarray().tolist() == [[0, 1], [1, 0]]


def test_one_given_vocabulary_for_both_texts():
    vocabulary = Vocabulary.build([["甲", "乙"]])
    texts = [["甲", "丙", "乙"]], [["乙", "丁", "甲", "乙"]]
    parts = [count_cooccurrences(text, window=2, vocabulary=vocabulary) for text in texts]
    merged = parts[0].merge(parts[1])
    together = count_cooccurrences(texts[0] + texts[1], window=2, vocabulary=vocabulary)
    assert (merged.pairs != together.pairs).nnz == 0
    assert merged.x_margin.tolist() == together.x_margin.tolist()
    assert not merged.complete_vocabulary


def test_frequencies_of_one_given_vocabulary_are_those_of_the_merged_texts():
    vocabulary = Vocabulary.build([["甲", "乙"]])
    texts = [["甲", "乙"]], [["乙", "丁", "甲", "乙"]]
    parts = [count_cooccurrences(text, vocabulary=vocabulary) for text in texts]
    together = count_cooccurrences(texts[0] + texts[1], vocabulary=vocabulary)
    assert parts[0].merge(parts[1]).vocabulary == together.vocabulary


BASE = {"window": 2, "direction": "right"}


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"window": 3}, r"different settings cannot be merged: window is 2 here and 3 there"),
        ({"direction": "left"}, r"direction is 'right' here and 'left' there"),
        ({"scope": "sentence"}, r"scope is 'document' here and 'sentence' there"),
        ({"weighting": "linear"}, r"weighting is 'flat' here and 'linear' there"),
        ({"direction": "both", "counting": "windows"}, r"'right' here and 'both' there"),
    ],
)
def test_other_settings_are_refused(other, message):
    a = count_cooccurrences([["甲", "乙"]], **BASE)
    b = count_cooccurrences([["甲", "乙"]], **(BASE | other))
    with pytest.raises(VocabularyMismatchError, match=message):
        a.merge(b)


def test_other_weights_are_refused_and_equal_weights_are_not():
    def counted(weighting):
        return count_cooccurrences([["甲", "乙", "丙"]], window=2, weighting=weighting)

    squares = counted(lambda distance: 1 / distance**2)
    assert squares.merge(counted([1, 0.25])).total == 2 * squares.total
    with pytest.raises(VocabularyMismatchError, match=r"weighting is \[1\.0, 0\.25\] here and \[1"):
        squares.merge(counted([1, 0.5]))


@pytest.mark.parametrize("pruned", ["counted", "after", "other"])
def test_pruned_counts_are_refused(pruned):
    a = count_cooccurrences([["甲", "乙"]] * 2, min_count=2 if pruned == "counted" else 1)
    b = count_cooccurrences([["甲", "乙"]] * 2)
    if pruned == "after":
        a = a.prune(2)
    if pruned == "other":
        b = b.prune(2)
    with pytest.raises(VocabularyMismatchError, match=r"rare pairs.*min_count=1, merge, and prune"):
        a.merge(b)


def test_different_pruned_vocabularies_are_refused():
    a = count_cooccurrences([["甲", "乙", "甲"]], max_terms=1)
    b = count_cooccurrences([["甲", "乙", "乙"]], max_terms=1)
    with pytest.raises(
        VocabularyMismatchError, match=r"different pruned vocabularies.*vocabulary="
    ):
        a.merge(b)


@pytest.mark.parametrize("complete_first", [True, False])
def test_an_incomplete_part_makes_the_whole_incomplete(complete_first):
    # The second text lost its 丙: a third text with 丙 could no longer be added exactly.
    complete = count_cooccurrences([["甲", "乙"]])
    lossy = count_cooccurrences([["甲", "丙", "乙"]], vocabulary=complete.vocabulary)
    merged = complete.merge(lossy) if complete_first else lossy.merge(complete)
    assert not merged.complete_vocabulary
    with pytest.raises(VocabularyMismatchError, match="different pruned vocabularies"):
        merged.merge(count_cooccurrences([["丙", "乙"]]))


def test_a_vocabulary_of_equal_size_does_not_hide_what_was_lost():
    lossy = count_cooccurrences([["甲", "丙"]], vocabulary=Vocabulary.build([["甲", "子"]]))
    with pytest.raises(VocabularyMismatchError, match="different pruned vocabularies"):
        lossy.merge(count_cooccurrences([["丙", "甲"]]))


def test_counts_beyond_32_bits_add_up():
    a = count_cooccurrences([["甲", "乙"]], direction="right")
    huge = replace(
        a,
        slices=tuple(part * np.int64(2**40) for part in a.slices),
        x_margins=a.x_margins * 2**40,
        y_margins=a.y_margins * 2**40,
        totals=a.totals * 2**40,
    )
    merged = huge.merge(a)
    assert merged.matrix.sum() == merged.total == merged.x_margin.sum() == 2**40 + 1


def test_counts_of_text_that_was_prepared_in_another_way_are_refused():
    texts = ["我们去公园。", "公园很好。"]
    jieba, char = (count_cooccurrences(texts, how) for how in ("jieba", "char"))
    with pytest.raises(VocabularyMismatchError, match=r"segmenter is 'JiebaSegmenter\(\)' here"):
        jieba.merge(char)
    stopped = count_cooccurrences(texts, "jieba", stop_words=["很"])
    with pytest.raises(VocabularyMismatchError, match="stop_words is '' here and '很' there"):
        jieba.merge(stopped)
    with pytest.raises(VocabularyMismatchError, match="keep_punctuation is 'False' here"):
        jieba.merge(count_cooccurrences(texts, "jieba", keep_punctuation=True))
    assert jieba.merge(jieba).preparation == jieba.preparation


def test_token_lists_need_no_segmenter():
    lists = [["公园", "好"]]
    merged = count_cooccurrences(lists, "jieba").merge(count_cooccurrences(lists, "char"))
    assert merged.preparation["segmenter"] == "none: token lists"


def test_the_identity_of_a_segmenter_is_the_same_in_whatever_collection_its_words_come():
    words = ["型号A/B", "云原生底座", "甲乙"]
    identities = {
        JiebaSegmenter(user_words=collection).identity
        for collection in (words, tuple(words), set(words), words[::-1])
    }
    assert len(identities) == 1
    assert JiebaSegmenter(user_words=()).identity == JiebaSegmenter().identity


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda text: text.split("/"), lambda text: list(text)),
        (partial(re.findall, "."), partial(re.findall, "[^/]+")),
    ],
)
def test_functions_without_a_name_are_not_taken_for_one_another(one, other):
    first, second = (count_cooccurrences(["今天/天气"], function) for function in (one, other))
    with pytest.raises(VocabularyMismatchError, match=r"function without a name.*Got Function"):
        first.merge(second)
