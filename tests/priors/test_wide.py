import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat import NgramVectorizer
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.priors.wide import WidePrior
from nlpfeat.text.token_spool import TextSettings

TEXTS = ["天气很好，去公园", "天气不好！", "公园很好", "", "今天不去公园", "好，好，好"]
CLASSES = np.array([0, 1, 2, 0, 1, 2])


def read(documents=TEXTS, unit="char", *, vocabulary=None, keep_punctuation=False):
    settings = TextSettings(keep_punctuation=keep_punctuation)
    return ReadDocuments.read(documents, unit=unit, settings=settings, vocabulary=vocabulary)


def fitted(prior=None, documents=None, classes=CLASSES, n_classes=3):
    prior = WidePrior(min_df=1) if prior is None else prior
    return prior.fit(read() if documents is None else documents, classes, n_classes, seed=0)


def names(wide):
    return [name for space in wide.spaces for name in space.names()]


def test_by_hand():
    # 好 坏 车; a document for class 0: 好车, one for class 1: 坏车, 坏. Presence, alpha = 1:
    # class 0: p = (2, 1, 2) of 5, q = (1, 3, 2) of 6; class 1 the other way round.
    prior = WidePrior(word_ngrams=None, char_ngrams=(1, 1), min_df=1)
    wide = fitted(prior, read(["好车", "坏车车", "坏"]), np.array([0, 1, 1]), 2)
    assert names(wide) == ["坏", "好", "车"]
    expected = np.log([(1 / 5) / (3 / 6), (2 / 5) / (1 / 6), (2 / 5) / (2 / 6)])
    np.testing.assert_allclose(wide.ratios, [expected, -expected], rtol=1e-6)
    table = wide.inputs(read(["车坏车新", "好"])).table
    assert table.toarray().tolist() == [[1, 0, 1], [0, 1, 0]]


@pytest.mark.parametrize("keep_punctuation", [False, True])
@pytest.mark.parametrize("min_df", [1, 2])
def test_the_table_is_that_of_the_vectorizers(keep_punctuation, min_df):
    documents = read(keep_punctuation=keep_punctuation)
    wide = fitted(WidePrior(min_df=min_df), documents)
    new = ["公园很好，真的。", "", "天气ＯＫ"]
    vectorizers = [
        NgramVectorizer(
            ngram_range=ngram_range, unit=unit, binary=True, min_df=min_df,
            keep_punctuation=keep_punctuation,
        ).fit(TEXTS)
        for unit, ngram_range in (("word", (1, 2)), ("char", (1, 3)))
    ]  # fmt: skip
    assert names(wide) == [n for each in vectorizers for n in each.get_feature_names_out()]
    for texts in (TEXTS, new):
        given_texts = read(texts, keep_punctuation=keep_punctuation)
        table = wide.inputs(given_texts).table
        expected = np.hstack([each.transform(texts).toarray() for each in vectorizers])
        np.testing.assert_array_equal(table.toarray(), expected)
        assert table.dtype == np.float32
        assert table.indices.dtype == np.int32
        assert table.has_sorted_indices


@pytest.mark.parametrize("alpha", [0.1, 1.0])
def test_the_ratios_are_those_of_the_formula(alpha):
    wide = fitted(WidePrior(min_df=1, alpha=alpha))
    table = wide.inputs(read()).table.toarray().astype(np.float64)
    for place in range(3):
        p = alpha + table[place == CLASSES].sum(axis=0)
        q = alpha + table[place != CLASSES].sum(axis=0)
        expected = np.log((p / p.sum()) / (q / q.sum()))
        np.testing.assert_allclose(wide.ratios[place], expected, rtol=1e-5, atol=1e-7)
    assert wide.ratios.dtype == np.float32
    assert wide.scale == pytest.approx(wide.ratios[wide.ratios != 0].std())


def test_two_classes_have_opposite_rows():
    ratios = fitted(classes=np.array([0, 1, 1, 0, 1, 0]), n_classes=2).ratios
    np.testing.assert_array_equal(ratios[0], -ratios[1])


def test_a_class_without_documents_is_finite():
    assert np.isfinite(fitted(n_classes=4).ratios).all()


def test_the_unit_of_the_model_does_not_matter():
    of_words, of_characters = (fitted(documents=read(unit=unit)) for unit in ("word", "char"))
    assert names(of_words) == names(of_characters)
    np.testing.assert_array_equal(of_words.ratios, of_characters.ratios)


def test_token_lists_give_what_their_texts_give():
    lists = [["天气", "很", "好"], ["不", "好"], []]
    classes = np.array([0, 1, 0])
    from_lists = fitted(documents=read(lists, "word"), classes=classes, n_classes=2)
    assert "天气 很" in names(from_lists)
    characters = WidePrior(word_ngrams=None, min_df=1)
    texts = ["".join(tokens) for tokens in lists]
    assert names(fitted(characters, read(lists), classes, 2)) == names(
        fitted(characters, read(texts), classes, 2)
    )


@pytest.mark.parametrize(
    ("ranges", "example", "absent"),
    [
        ({"char_ngrams": None}, "天气", "气很"),
        ({"word_ngrams": None}, "气很", "天气 很"),
    ],
    ids=["words", "characters"],
)
def test_one_side_alone(ranges, example, absent):
    wide = fitted(WidePrior(min_df=1, **ranges))
    assert len(wide.spaces) == 1
    assert example in names(wide)
    assert absent not in names(wide)


def test_plain_ngrams_weigh_1():
    wide = fitted(WidePrior(weights="none", start="zero", min_df=1))
    assert (wide.ratios == 1).all()
    assert wide.ratios.shape == (3, len(names(wide)))


def test_ratios_with_weights_1_and_no_attention_are_naive_bayes():
    wide = fitted()
    table = wide.inputs(read()).table
    logits = table @ wide.ratios.T
    row = table.toarray()[0].astype(bool)
    np.testing.assert_allclose(logits[0], wide.ratios[:, row].sum(axis=1), rtol=1e-5)
    assert (logits[CLASSES == 1].argmax(axis=1) == 1).all()
    np.testing.assert_array_equal(logits[3], 0)  # the empty document


def test_placebo():
    true, placebo = fitted(), fitted(WidePrior(min_df=1).shuffled(7))
    assert names(true) == names(placebo)
    assert not np.array_equal(true.ratios, placebo.ratios)
    # Whole columns changed places.
    assert sorted(map(tuple, true.ratios.T)) == sorted(map(tuple, placebo.ratios.T))
    assert placebo.scale == pytest.approx(true.scale)
    np.testing.assert_array_equal(
        true.inputs(read()).table.toarray(), placebo.inputs(read()).table.toarray()
    )
    again = fitted(WidePrior(min_df=1, placebo=7))
    np.testing.assert_array_equal(placebo.ratios, again.ratios)
    other = fitted(WidePrior(min_df=1, placebo=8))
    assert not np.array_equal(placebo.ratios, other.ratios)


@given(st.lists(st.text(alphabet="天气很好a ，\n", max_size=8), min_size=1, max_size=6))
@settings(max_examples=25, deadline=None)
def test_a_document_has_the_same_ngrams_alone_and_in_a_batch(texts):
    wide = fitted()
    table = wide.inputs(read(texts)).table.toarray()
    for text, row in zip(texts, table):
        np.testing.assert_array_equal(wide.inputs(read([text])).table.toarray()[0], row)


def test_no_documents():
    wide = fitted()
    assert wide.inputs(read([])).table.shape == (0, wide.ratios.shape[1])


def test_it_pickles():
    wide = fitted()
    copy = pickle.loads(pickle.dumps(wide))
    np.testing.assert_array_equal(copy.ratios, wide.ratios)
    np.testing.assert_array_equal(
        copy.inputs(read()).table.toarray(), wide.inputs(read()).table.toarray()
    )


@pytest.mark.parametrize("texts", [["", ""], ["天", "气"]], ids=["empty", "all rare"])
def test_no_ngram_is_an_error(texts):
    with pytest.raises(InvalidInputError, match=r"no n-gram in at least min_df=2 .*Lower min_df"):
        fitted(WidePrior(), read(texts), np.array([0, 1]), 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"word_ngrams": None, "char_ngrams": None}, "needs word_ngrams, char_ngrams, or both"),
        ({"word_ngrams": (2, 1)}, "shortest length first"),
        ({"alpha": 0.0}, r"WidePrior\.alpha must be a finite number above 0"),
        ({"weights": "bn"}, r"WidePrior\.weights must be one of .*Did you mean 'nb'"),
        ({"start": "one"}, r"WidePrior\.start must be one of 'nb', 'zero'"),
        ({"dropout": 1.0}, r"WidePrior\.dropout must be from 0 to below 1\. Got 1\.0"),
        ({"l2": -1.0}, r"WidePrior\.l2 must be at least 0"),
        ({"learning_rate_factor": -1.0}, r"learning_rate_factor must be at least 0"),
        ({"min_df": 0}, r"WidePrior\.min_df must be an integer that is at least 1"),
        ({"strength": float("nan")}, r"WidePrior\.strength must be a finite number"),
        ({"weights": "none"}, "weights='none' has the same weight"),
        ({"weights": "none", "start": "zero", "placebo": 1}, "nothing to shuffle"),
        ({"placebo": -1}, r"WidePrior\.placebo"),
    ],
    ids=lambda value: ", ".join(value) if isinstance(value, dict) else "",
)
def test_settings_that_cannot_be(settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        WidePrior(**settings).validate()
