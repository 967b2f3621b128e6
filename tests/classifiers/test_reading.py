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
    held,
    over,
)
from nlpfeat.classifiers._validation_part import split
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.text.segmenters import CharSegmenter
from nlpfeat.text.vocabulary import Vocabulary

few = settings(max_examples=60)


def reading(
    unit="char", max_length=10, *, keep_punctuation=True, stop_words=None, segmenter="jieba"
):
    return Reading.of(
        {
            "unit": unit, "segmenter": segmenter, "lowercase": True, "fold_width": True,
            "keep_punctuation": keep_punctuation, "max_length": max_length,
        },
        stop_words, None,
    )  # fmt: skip


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
    again, tokens = quiet.read_with_tokens(TEXTS, known.vocabulary)
    assert tokens == [list(text) for text in TEXTS]
    assert [ids.tolist() for ids in again.tokens] == [ids.tolist() for ids in known.tokens]
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
    told = "3 of 4 documents have more than max_length=2 .* not read; max_length is that of fit\\.$"
    with pytest.warns(UserWarning, match=told):
        reading(max_length=2).read(TEXTS, read.vocabulary)
    with pytest.warns(UserWarning, match=told):
        _, tokens = reading(max_length=2).read_with_tokens(TEXTS, read.vocabulary)
    assert tokens[3] == ["去", "公"]


class CountingSegmenter(CharSegmenter):
    """Counts how many characters it has cut."""

    n_cut = 0

    def cut_joined(self, texts):
        type(self).n_cut += sum(map(len, texts))
        return super().cut_joined(texts)


@few
@given(
    st.lists(st.text("天气很，。 \nＡa!1①", max_size=12), max_size=5), st.booleans(),
    st.booleans(), st.integers(1, 12),
)  # fmt: skip
def test_tokens_and_ids_come_from_one_cut(texts, keep_punctuation, in_lists, max_length):
    """The ids are those of ``read``, to the last sentence."""
    vocabulary = Vocabulary.build([list("天气。a1")])
    documents = [text.split(" ") for text in texts] if in_lists else texts
    for unit in ("char", "word"):
        how = reading(
            unit, max_length, keep_punctuation=keep_punctuation, stop_words=["很", "A"],
            segmenter=CountingSegmenter(),
        )  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = how.read(documents, vocabulary)
            CountingSegmenter.n_cut = 0
            found, tokens = how.read_with_tokens(documents, vocabulary)
            once, CountingSegmenter.n_cut = CountingSegmenter.n_cut, 0
            how.read(documents, vocabulary)
        assert once == CountingSegmenter.n_cut
        for name in ("ids", "indptr", "sentence_indptr"):
            assert getattr(found.tokens, name).tolist() == getattr(wanted.tokens, name).tolist()
        assert list(map(len, tokens)) == np.diff(wanted.tokens.indptr).tolist()
        assert (found.vocabulary, found.settings) == (wanted.vocabulary, wanted.settings)
        for ids, names in zip(found.tokens, tokens):
            for number, token in zip(ids.tolist(), names):
                assert number in (-1, vocabulary.ids.get(token, len(vocabulary)))


def test_all_forms_of_documents_are_held():
    assert held(iter(TEXTS)) == held(tuple(TEXTS)) == held(np.array(TEXTS)) == TEXTS
    assert held(iter([["好"], ("天", "气")])) == [["好"], ["天", "气"]]
    with pytest.raises(InvalidInputError, match="Row 2 of the documents"):
        held(["好", None])


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


@pytest.mark.parametrize("unit", ["char", "word"])
@pytest.mark.parametrize("lists", [False, True], ids=["texts", "lists"])
def test_half_a_character_is_told_with_its_row_and_its_text_alone(unit, lists):
    documents = ["天气", "好" * 20 + "a\ud800b", "公园"]
    documents = [[each] for each in documents] if lists else documents
    with pytest.raises(InvalidInputError) as caught:
        reading(unit, 99).read(documents)
    assert str(caught.value) == (
        "Row 2 of the documents (documents[1]) holds a lone surrogate, which is no character: "
        "'好好好好好好好好好a\\ud800b'. Remove it, or decode with errors='replace'."
    )
