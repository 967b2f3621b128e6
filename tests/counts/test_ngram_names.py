import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.counts.ngram_names import check_distinct, check_ngram_range, split_names
from nlpfeat.errors import InvalidInputError, InvalidParameterError

NGRAMS = st.lists(st.lists(st.sampled_from("甲乙丙"), min_size=1, max_size=4), unique_by=tuple)


@given(NGRAMS, st.sampled_from([" ", ""]))
def test_names_are_taken_apart_as_they_were_joined(ngrams, separator):
    names = [separator.join(ngram) for ngram in ngrams]
    terms, lengths = split_names(names, (1, 4), separator)
    assert terms == [term for ngram in ngrams for term in ngram]
    assert lengths.tolist() == [len(ngram) for ngram in ngrams]


def test_characters():
    terms, lengths = split_names(["天气", "好"], (1, 2), "")
    assert (terms, lengths.tolist()) == (["天", "气", "好"], [2, 1])
    with pytest.raises(InvalidParameterError, match=r"\(''\) between them. Got ''"):
        split_names(["好", ""], (1, 2), "")


def test_a_single_term_may_hold_what_would_be_an_empty_one():
    with pytest.raises(InvalidParameterError, match="Got ''"):
        split_names(["好  天气", ""], (1, 1), " ")


@pytest.mark.parametrize("name", ["", " ", "好 ", " 好", "好  天气"])
def test_empty_terms(name):
    with pytest.raises(InvalidParameterError, match="terms are not empty.*Got " + repr(name)):
        split_names(["天气 好", name], (1, 3), " ")


def test_ranges():
    assert check_ngram_range((2, 3)) == (2, 3)
    with pytest.raises(InvalidParameterError, match=r"such as \(1, 2\). Got '12'"):
        check_ngram_range("12")


def test_names_that_are_the_same():
    check_distinct(["甲 乙", "甲"], ["甲", "乙"], " ")
    check_distinct(["甲 乙", "甲"], ["甲 乙", "甲"], " ")
    with pytest.raises(InvalidInputError, match=r"name '甲 乙', since.* '甲 乙' holds ' '"):
        check_distinct(["甲 乙", "甲", "甲 乙"], ["甲", "甲 乙", "乙"], " ")


@pytest.mark.parametrize(
    ("names", "ngram_range", "message"),
    [
        (["好", "很 好 天气"], (1, 2), r"1 to 2 terms.*Got '很 好 天气', which has 3"),
        (["好"], (2, 2), r"2 to 2 terms.*Got '好', which has 1"),
        (["好", "很  好"], (1, 3), "Got '很  好'"),
        (["好", ""], (1, 3), "Got ''"),
        (["好", 3], (1, 3), "must hold texts. Got 3"),
    ],
)
def test_names_that_cannot_be(names, ngram_range, message):
    with pytest.raises(InvalidParameterError, match=message):
        split_names(names, ngram_range, " ")
