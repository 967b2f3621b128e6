"""TF-IDF: by hand, by scikit-learn, and added up from parts."""

import math

import numpy as np
import pytest
from estimators import COUNTERS, DOCUMENTS, TOY, TOY_TERMS, content, few, over
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.feature_extraction.text import TfidfVectorizer as Peer

from nlpfeat import BagOfWordsVectorizer, NgramVectorizer, TfidfVectorizer
from nlpfeat.errors import InvalidInputError, InvalidParameterError, VocabularyMismatchError

corpora = st.lists(
    st.lists(st.sampled_from("天地人你我"), max_size=8), min_size=1, max_size=7
).filter(any)
weightings = {
    "norm": st.sampled_from(["l1", "l2", None]),
    "use_idf": st.booleans(),
    "smooth_idf": st.booleans(),
    "sublinear_tf": st.booleans(),
}


def test_by_hand():
    vectorizer = TfidfVectorizer().fit(TOY)
    # 4 documents; in 1, 2 and 3 of them.
    once, twice, thrice = (math.log(5 / (1 + df)) + 1 for df in (1, 2, 3))
    assert vectorizer.get_feature_names_out().tolist() == TOY_TERMS
    assert vectorizer.idf_.tolist() == pytest.approx(
        [once, once, twice, twice, once, twice, thrice, twice, once]
    )
    row = np.array([0, 0, 0, 0, 0, 0, 2 * thrice, 2 * twice, 0])
    assert vectorizer.transform(TOY[3:]).toarray()[0] == pytest.approx(row / np.linalg.norm(row))


def test_without_norm_by_hand():
    plain = TfidfVectorizer(norm=None, smooth_idf=False, sublinear_tf=True).fit(TOY)
    thrice, twice = math.log(4 / 3) + 1, math.log(4 / 2) + 1
    row = plain.transform([["很", "好", "很", "很", "鑫"]])
    assert row.toarray()[0, [6, 7]] == pytest.approx([thrice, (1 + math.log(3)) * twice])
    assert row.nnz == 2


@few
@given(documents=corpora, min_df=st.integers(1, 2), **weightings)
def test_equals_scikit_learn(documents, min_df, **weighting):
    peer = Peer(analyzer=list, min_df=min_df, **weighting)
    try:
        wanted = peer.fit_transform(documents)
    except ValueError:
        with pytest.raises((InvalidInputError, InvalidParameterError)):
            TfidfVectorizer(BagOfWordsVectorizer(min_df=min_df), **weighting).fit(documents)
        return
    vectorizer = TfidfVectorizer(BagOfWordsVectorizer(min_df=min_df), **weighting)
    found = vectorizer.fit_transform(documents)
    assert vectorizer.vocabulary_ == peer.vocabulary_
    assert found.toarray() == pytest.approx(wanted.toarray(), rel=1e-14)
    new = [*documents[0], "鑫"]
    wanted = peer.transform([new]).toarray()
    assert vectorizer.transform([new]).toarray() == pytest.approx(wanted, rel=1e-14)
    if weighting["use_idf"]:
        assert vectorizer.idf_.tolist() == peer.idf_.tolist()


def test_equals_scikit_learn_on_n_grams():
    documents = [[token for token in tokens if token not in "，。"] for tokens in TOY]
    peer = Peer(tokenizer=list, preprocessor=lambda tokens: tokens, token_pattern=None,
                ngram_range=(1, 2))  # fmt: skip
    wanted = peer.fit_transform(documents).toarray()
    vectorizer = TfidfVectorizer(NgramVectorizer(ngram_range=(1, 2)))
    found = vectorizer.fit_transform(documents).toarray()
    names = vectorizer.get_feature_names_out()
    assert sorted(names) == sorted(peer.vocabulary_)
    assert found == pytest.approx(wanted[:, [peer.vocabulary_[name] for name in names]])


@over(COUNTERS)
def test_weighs_the_counts_of_any_vectorizer(make):
    counts = make().fit_transform(DOCUMENTS)
    wanted = TfidfTransformer().fit_transform(counts).toarray()
    vectorizer = TfidfVectorizer(make())
    assert vectorizer.fit_transform(DOCUMENTS).toarray().tolist() == wanted.tolist()
    assert vectorizer.vectorizer is not vectorizer.vectorizer_
    assert not hasattr(vectorizer.vectorizer, "n_documents_")


def test_test_documents_have_no_part_in_idf():  # P38
    vectorizer = TfidfVectorizer().fit(TOY)
    before = vectorizer.idf_.copy()
    vectorizer.transform([["鑫", "好"]] * 10)
    assert vectorizer.idf_.tolist() == before.tolist()
    assert "鑫" not in vectorizer.vocabulary_


def test_unknown_documents_have_norm_0():  # P39
    rows = TfidfVectorizer().fit(TOY).transform([["鑫"], [], ["好"]])
    assert rows.toarray()[:2].tolist() == [[0] * 9] * 2
    assert rows.sum() == 1


@few
@given(documents=corpora, cut=st.integers(0, 7), **weightings)
def test_parts_add_up_to_the_whole(documents, cut, **weighting):  # P30
    weighting["smooth_idf"] = True  # a given term may be in no document
    make = lambda: TfidfVectorizer(  # noqa: E731
        BagOfWordsVectorizer(vocabulary=["我", "天", "地"]), **weighting
    )
    whole = make().fit(documents)
    if not cut:
        with pytest.raises(InvalidInputError, match="no documents"):
            make().partial_fit([])
        return
    parts = make().partial_fit(documents[:cut]).partial_fit(documents[cut:])
    assert content(parts.transform(documents)) == content(whole.transform(documents))


@few
@given(documents=corpora, cut=st.integers(0, 7), **weightings)
def test_merging_is_fitting_on_both(documents, cut, **weighting):
    if not (any(documents[:cut]) and any(documents[cut:])):
        return
    one, other = (
        TfidfVectorizer(**weighting).fit(part) for part in (documents[:cut], documents[cut:])
    )
    whole, merged = TfidfVectorizer(**weighting).fit(documents), one.merge(other)
    assert merged.vocabulary_ == whole.vocabulary_
    assert content(merged.transform(documents)) == content(whole.transform(documents))


def test_partial_fit_goes_on_from_fit():
    vectorizer = TfidfVectorizer(BagOfWordsVectorizer(max_features=2)).fit(TOY)
    vectorizer.partial_fit([["好", "鑫"]])
    assert vectorizer.get_feature_names_out().tolist() == ["好", "很"]
    assert vectorizer.idf_.tolist() == pytest.approx([math.log(6 / 5) + 1, math.log(6 / 3) + 1])
    with pytest.raises(InvalidParameterError, match="partial_fit needs features that stay"):
        TfidfVectorizer().partial_fit(TOY)


def test_merging_needs_the_same_parameters():
    one = TfidfVectorizer().fit(TOY)
    for other, error, message in (
        (TfidfVectorizer(norm="l1").fit(TOY), VocabularyMismatchError, "norm is 'l2' here and "),
        (TfidfVectorizer(BagOfWordsVectorizer(binary=True)).fit(TOY), VocabularyMismatchError,
         "binary is False here"),
        (TfidfVectorizer(NgramVectorizer()).fit(TOY), InvalidParameterError,
         "merge needs another BagOfWordsVectorizer"),
        (BagOfWordsVectorizer().fit(TOY), InvalidParameterError,
         "merge needs another TfidfVectorizer. Got a BagOfWordsVectorizer"),
        (TfidfVectorizer(), NotFittedError, "not fitted"),
    ):  # fmt: skip
        with pytest.raises(error, match=message):
            one.merge(other)


def test_unknown_terms_have_a_weight_from_parts_too():
    make = lambda: TfidfVectorizer(  # noqa: E731
        BagOfWordsVectorizer(count_unknown=True, vocabulary=["好", "天气"])
    )
    whole = make().fit(TOY)
    # 好, 天气 and other terms are in 3, 2 and 4 of 4 documents.
    assert whole.idf_.tolist() == [math.log(5 / (1 + df)) + 1 for df in (3, 2, 4)]
    parts = make().partial_fit(TOY[:1]).partial_fit(TOY[1:])
    merged = make().fit(TOY[:1]).merge(make().fit(TOY[1:]))
    for found in (parts, merged):
        assert content(found.transform(TOY)) == content(whole.transform(TOY))


def test_a_feature_in_no_document_needs_smoothing():
    counting = BagOfWordsVectorizer(vocabulary=["好", "鑫"])
    vectorizer = TfidfVectorizer(counting, smooth_idf=False)
    message = r"Without smooth_idf .* '鑫' is in none. Leave .*smooth_idf=True"
    for method in (vectorizer.fit, vectorizer.fit_transform):
        with pytest.raises(InvalidInputError, match=message):
            method(TOY)
        assert not hasattr(vectorizer, "vectorizer_")
    vectorizer.partial_fit(TOY)
    with pytest.raises(InvalidInputError, match=message):
        vectorizer.transform(TOY)
    vectorizer.partial_fit([["鑫"]])
    assert vectorizer.idf_.tolist() == [math.log(5 / 3) + 1, math.log(5) + 1]
    assert vectorizer.transform([["鑫"]]).toarray().tolist() == [[0, 1]]
    several = TfidfVectorizer(BagOfWordsVectorizer(vocabulary=list("鑫淼好焱")), smooth_idf=False)
    with pytest.raises(InvalidInputError, match="'鑫' and 2 more are in none"):
        several.fit(TOY)
    assert several.set_params(use_idf=False).fit_transform(TOY).sum() == 3
    unknown = TfidfVectorizer(BagOfWordsVectorizer(count_unknown=True), smooth_idf=False)
    with pytest.raises(InvalidInputError, match="'<unknown>' is in none"):
        unknown.fit(TOY)


@pytest.mark.parametrize(
    ("dtype", "wanted"),
    [(np.int64, np.float64), (np.int8, np.float64), (np.float64, np.float64),
     (np.float32, np.float32)],
)  # fmt: skip
def test_type_of_the_weights(dtype, wanted):
    vectorizer = TfidfVectorizer(BagOfWordsVectorizer(dtype=dtype))
    results = [vectorizer.fit_transform(TOY), *map(vectorizer.transform, (TOY, [], [["鑫"]]))]
    assert {result.dtype for result in results} == {np.dtype(wanted)}
    assert vectorizer.idf_.dtype == np.float64
    exact = TfidfVectorizer().fit_transform(TOY).toarray()
    assert results[0].toarray() == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"norm": "l3"}, "norm must be one of 'l1', 'l2'. Got 'l3'"),
        ({"use_idf": "yes"}, "use_idf must be True or False. Got 'yes'"),
        ({"smooth_idf": 1}, "smooth_idf must be True or False"),
        ({"sublinear_tf": None}, "sublinear_tf must be True or False"),
        ({"vectorizer": CountVectorizer()}, "vectorizer must be a BagOfWordsVectorizer"),
        ({"vectorizer": BagOfWordsVectorizer}, "vectorizer must be a BagOfWordsVectorizer"),
        ({"vectorizer": BagOfWordsVectorizer(min_df=-1)}, "min_df"),
    ],
)
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        TfidfVectorizer(**parameters).fit(TOY)


def test_nothing_to_learn_idf_from():
    given = TfidfVectorizer(BagOfWordsVectorizer(vocabulary=["好"]))
    with pytest.raises(InvalidInputError, match="no documents to learn idf from"):
        given.fit([])
