"""From documents to ids: what is cut off, what is unknown, which part is set aside."""

import warnings
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.classifiers._reading import (
    Reading,
    chosen_vocabulary,
    documents_at,
    held,
    over,
    shortened,
)
from nlpfeat.classifiers._validation_part import split
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import as_segmenter
from nlpfeat.text.token_ids import TokenIds
from nlpfeat.text.token_spool import TextSettings
from nlpfeat.text.vocabulary import Vocabulary

few = settings(max_examples=60)


def reading(unit="char", max_length=10, *, keep_punctuation=True, stop_words=None):
    text = TextSettings(Normalization(), keep_punctuation, stop_words)
    return Reading.of(unit, as_segmenter("jieba"), text, max_length, None)


TEXTS = ["天气很好。", "天气不好！", "", "去公园，去"]


def test_ids_by_hand():
    read = reading().read(TEXTS)
    assert "".join(read.vocabulary.terms) == "。不公去园天好很气！，"
    vocabulary = chosen_vocabulary(read, 2)
    assert vocabulary.terms == ("天", "好", "气")
    assert vocabulary.document_frequencies.tolist() == [2, 2, 2]
    known = over(read, vocabulary)
    assert [ids.tolist() for ids in known.tokens] == [
        [0, 2, 3, 1, 3], [0, 2, 3, 1, 3], [], [3, 3, 3, 3, 3]
    ]  # fmt: skip
    new = reading().read(["好天！"], vocabulary)
    assert new.tokens.ids.tolist() == [1, 0, 3]


def test_what_is_not_seen_keeps_its_place():
    quiet = reading(keep_punctuation=False, stop_words=["很"])
    read = quiet.read(TEXTS)
    known = over(read, chosen_vocabulary(read, 2))
    assert [ids.tolist() for ids in known.tokens] == [
        [0, 2, -1, 1, -1], [0, 2, 3, 1, -1], [], [3, 3, 3, -1, 3]
    ]  # fmt: skip
    assert quiet.all_tokens(TEXTS) == [list(text) for text in TEXTS]
    assert quiet.stop_words == ("很",)


def test_words_and_token_lists():
    words = reading("word").read(["今天天气很好"])
    lists = reading("word").read([["今天天气", "很", "好"]])
    assert words.vocabulary == lists.vocabulary
    assert words.tokens.ids.tolist() == lists.tokens.ids.tolist()
    joined = reading("char").read([["今天天气", "很", "好"]])
    assert joined.tokens.ids.tolist() == reading("char").read(["今天天气很好"]).tokens.ids.tolist()


def test_words_that_were_not_cut_are_told():
    with pytest.warns(UserWarning, match="seems not to be cut into words"):
        reading("word").read([["今天天气很好我们去公园"]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reading("char", max_length=20).read([["今天天气很好我们去公园"]])


def test_long_documents_are_cut_with_a_warning():
    with pytest.warns(
        UserWarning,
        match=r"3 of 4 documents have more than max_length=2 tokens, the longest 5: .* Raise",
    ) as caught:
        read = reading(max_length=2).read(TEXTS)
    assert [warning.filename for warning in caught] == [__file__]
    assert [read.vocabulary.decode(ids) for ids in read.tokens] == [
        ["天", "气"], ["天", "气"], [], ["去", "公"]
    ]  # fmt: skip
    assert reading(max_length=2).all_tokens(TEXTS)[3] == ["去", "公"]


def test_all_forms_of_documents_are_held():
    assert held(iter(TEXTS)) == held(tuple(TEXTS)) == held(np.array(TEXTS)) == TEXTS
    assert held(iter([["好"], ("天", "气")])) == [["好"], ["天", "气"]]
    with pytest.raises(InvalidInputError, match="Row 2 of the documents"):
        held(["好", None])


documents_of_ids = st.lists(st.lists(st.lists(st.integers(-1, 4), max_size=4), max_size=3))


def tokens_of(documents):
    """Return documents of sentences of ids as one flat array."""
    sentences = [sentence for document in documents for sentence in document]
    flat = np.array([number for sentence in sentences for number in sentence], dtype=np.int32)
    ends = np.cumsum([0, *(sum(map(len, document)) for document in documents)])
    sentence_ends = np.unique(np.cumsum([0, *map(len, sentences)]))
    return TokenIds(flat, ends, sentence_ends)


def sentences_of(tokens):
    """Return the sentences of each document that hold a token."""
    bounds = tokens.sentence_indptr
    inner = [bounds[(bounds > start) & (bounds < stop)]
             for start, stop in zip(tokens.indptr, tokens.indptr[1:])]  # fmt: skip
    return [
        [part.tolist() for part in np.split(ids, cuts - start) if len(part)]
        for ids, cuts, start in zip(tokens, inner, tokens.indptr)
    ]


@few
@given(documents_of_ids, st.integers(1, 6))
def test_shortened_documents(documents, max_length):
    wanted = []
    for document in documents:
        left, sentences = max_length, []
        for sentence in document:
            sentences.append(sentence[:left])
            left -= len(sentences[-1])
        wanted.append([sentence for sentence in sentences if sentence])
    assert sentences_of(shortened(tokens_of(documents), max_length)) == wanted


@few
@given(documents_of_ids.filter(len), st.data())
def test_some_documents(documents, data):
    rows = data.draw(st.lists(st.integers(0, len(documents) - 1)))
    read = reading().read([str(row) for row in range(len(documents))])
    read = type(read)(read.documents, "char", read.segmenter, read.vocabulary, tokens_of(documents))
    found = documents_at(read, np.array(rows, dtype=np.int64))
    assert found.documents == [str(row) for row in rows]
    assert sentences_of(found.tokens) == [
        [sentence for sentence in documents[row] if sentence] for row in rows
    ]


@few
@given(st.lists(st.text("天气好。", max_size=6), min_size=1).filter(any), st.integers(1, 3))
def test_the_vocabulary_is_counted_over_the_documents(texts, min_df):
    read = reading().read(texts)
    in_documents = Counter(character for text in texts for character in set(text))
    wanted = sorted(term for term, count in in_documents.items() if count >= min_df)
    if not wanted:
        with pytest.raises(InvalidInputError, match="No term is left"):
            chosen_vocabulary(read, min_df)
        return
    vocabulary = chosen_vocabulary(read, min_df)
    assert list(vocabulary.terms) == wanted
    whole = Vocabulary.build(list(map(list, texts)))
    assert vocabulary == whole.take(whole.encode(wanted).astype(np.int64))


def test_nothing_to_learn_from():
    with pytest.raises(InvalidInputError, match="There are no documents"):
        chosen_vocabulary(reading().read([]), 2)
    with pytest.raises(InvalidInputError, match="All documents are empty"):
        chosen_vocabulary(reading(keep_punctuation=False).read(["", "。！"]), 1)
    with pytest.raises(InvalidInputError, match=r"min_df=4 .* the most frequent one is in 2"):
        chosen_vocabulary(reading().read(TEXTS), 4)


@few
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=60),
    st.floats(0.05, 0.6),
    st.integers(0, 3),
)
def test_the_part_that_is_set_aside(classes, fraction, seed):
    classes = np.array(classes)
    counts = np.bincount(classes)
    wanted = round(fraction * len(classes))
    spare = int((counts - 1).clip(0).sum())
    if not min(wanted, spare):
        with pytest.raises(InvalidParameterError, match="none that could be set aside"):
            split(classes, fraction, np.random.default_rng(seed))
        return
    training, validation = split(classes, fraction, np.random.default_rng(seed))
    assert np.union1d(training, validation).tolist() == list(range(len(classes)))
    assert len(training) + len(validation) == len(classes)
    assert abs(len(validation) - min(wanted, spare)) <= 1e-9
    assert set(classes[training].tolist()) == set(classes.tolist())
    share = min(wanted / spare, 1.0)
    for number, count in enumerate(counts.tolist()):
        aside = int((classes[validation] == number).sum())
        assert abs(aside - share * max(count - 1, 0)) < 1 + 1e-9


def test_a_class_seen_once_is_learned_from():
    classes = np.array([0] * 20 + [1] + [2] * 20)
    for seed in range(20):
        training, _ = split(classes, 0.4, np.random.default_rng(seed))
        assert 20 in training


def test_nothing_is_set_aside_when_nothing_is_to_be():
    training, validation = split(np.array([0, 1, 1]), 0.0, np.random.default_rng(0))
    assert (training.tolist(), validation.tolist()) == ([0, 1, 2], [])
