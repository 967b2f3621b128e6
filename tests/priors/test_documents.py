"""Documents as a classifier has read them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors import ReadDocuments
from nlpfeat.priors.documents import whole
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import as_segmenter
from nlpfeat.text.token_spool import TextSettings, spool_tokens
from nlpfeat.text.vocabulary import Vocabulary

TEXTS = ["天气很好。", "", "好，很好！", "ＶＩＰ"]


def test_characters_of_texts():
    read = ReadDocuments.read(TEXTS, unit="char")
    assert read.vocabulary.terms == ("i", "p", "v", "天", "好", "很", "气")
    assert [ids.tolist() for ids in read.tokens] == [
        [3, 6, 5, 4, -1], [], [4, -1, 5, 4, -1], [2, 0, 1],
    ]  # fmt: skip
    assert read.n_documents == 4
    assert read.counts.toarray()[2].tolist() == [0, 0, 0, 0, 2, 1, 0]


def test_words_are_cut_by_the_segmenter():
    read = ReadDocuments.read(["今天 天气", "天气"], unit="word", segmenter="whitespace")
    assert read.vocabulary.terms == ("今天", "天气")
    assert read.tokens.ids.tolist() == [0, 1, 1]


def test_characters_of_token_lists_are_those_of_the_lists_put_together():
    lists = ReadDocuments.read([["天气", "很"], [], ["好"]], unit="char")
    texts = ReadDocuments.read(["天气很", "", "好"], unit="char")
    assert lists.vocabulary == texts.vocabulary
    assert lists.tokens.ids.tolist() == texts.tokens.ids.tolist()
    assert lists.tokens.indptr.tolist() == texts.tokens.indptr.tolist()


def test_unknown_is_not_a_gap():
    first = ReadDocuments.read(["天气好"], unit="char")
    read = first.alike(["好冷，天"])
    assert first.vocabulary.terms == ("天", "好", "气")
    assert read.tokens.ids.tolist() == [1, 3, -1, 0]
    assert read.known.ids.tolist() == [1, -1, -1, 0]
    assert read.counts.toarray().tolist() == [[1, 1, 0]]


def test_settings_are_used_every_time():
    settings = TextSettings(
        Normalization(lowercase=False), keep_punctuation=True, stop_words=["的"]
    )
    read = ReadDocuments.read(["A的，a"], unit="char", settings=settings)
    assert read.vocabulary.terms == ("A", "a", "，")
    assert read.tokens.ids.tolist() == [0, -1, 2, 1]
    with read.spool("word") as spool:
        assert spool.vocabulary.terms == ("A", "a", "，")
    assert read.alike(["，的B"]).tokens.ids.tolist() == [2, -1, 3]


def test_spool_of_another_unit():
    read = ReadDocuments.read(["今天 天气"], unit="char", segmenter="whitespace")
    with read.spool("word") as words, read.spool() as characters:
        assert words.vocabulary.terms == ("今天", "天气")
        assert characters.vocabulary == read.vocabulary


def test_spool_over_a_vocabulary():
    read = ReadDocuments.read(["今天 天气"], unit="word", segmenter="whitespace")
    with read.spool(vocabulary=Vocabulary.build([["天气"]]), unknown=1) as spool:
        assert whole(spool).ids.tolist() == [1, 0]


def test_unknown_unit():
    with pytest.raises(InvalidParameterError, match=r"unit must be one of 'word', 'char'.*'chars'"):
        ReadDocuments.read(["好"], unit="chars")
    read = ReadDocuments.read(["好"], unit="char")
    with pytest.raises(InvalidParameterError, match=r"unit must be one of 'word', 'char'.*'words'"):
        read.spool("words")


def test_known_spool_counts_in_these_documents():
    """The vocabulary may have been counted elsewhere, and may hold terms that do not occur."""
    vocabulary = Vocabulary.build([["天", "冷"], ["天"], ["好"], ["好"]])
    read = ReadDocuments.read(["天天好", "", "雨，天"], unit="char", vocabulary=vocabulary)
    with read.known_spool() as spool:
        assert spool.vocabulary.terms == vocabulary.terms == ("冷", "天", "好")
        assert spool.vocabulary.term_frequencies.tolist() == [0, 3, 1]
        assert spool.vocabulary.document_frequencies.tolist() == [0, 2, 1]
        assert spool.n_documents == 3
        assert [ids.tolist() for ids in whole(spool)] == [[1, 1, 2], [], [-1, -1, 1]]


@given(st.lists(st.text("天气好，。冷", max_size=6), max_size=6))
@settings(max_examples=30)
def test_known_spool_is_what_cutting_again_gives(texts):
    vocabulary = Vocabulary.build([list("天气好")])
    read = ReadDocuments.read(texts, unit="char", vocabulary=vocabulary)
    with read.known_spool() as quick, read.spool(vocabulary=vocabulary) as again:
        for name in ("ids", "indptr", "sentence_indptr"):
            assert np.array_equal(getattr(whole(quick), name), getattr(whole(again), name))


@pytest.mark.parametrize("documents", [[], [""], ["", ""]], ids=["none", "empty", "two empty"])
def test_documents_without_a_token(documents):
    read = ReadDocuments.read(documents, unit="char")
    assert read.tokens.n_documents == len(documents)
    assert read.counts.shape == (len(documents), 0)
    with read.known_spool() as spool:
        assert spool.n_documents == len(documents)


def test_many_documents_are_one_piece():
    with spool_tokens(["好"] * 100_001 + [""] * 3, as_segmenter("char")) as spool:
        assert whole(spool).n_documents == 100_004


def test_chosen_documents_are_as_if_read_alone():
    texts = ["天气很好。", "", "天气不好！去公园", "龘"]
    read = ReadDocuments.read(texts, unit="char")
    chosen = read.chosen(np.array([2, 0, 2, 1]))
    alone = read.alike([texts[row] for row in (2, 0, 2, 1)])
    assert chosen.documents == alone.documents
    assert chosen.vocabulary is read.vocabulary
    for name in ("ids", "indptr", "sentence_indptr"):
        found, wanted = (getattr(each.tokens, name) for each in (chosen, alone))
        assert found.tolist() == wanted.tolist()
        assert found.dtype == wanted.dtype
