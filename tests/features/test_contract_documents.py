"""What estimators of documents take: every form of documents, every odd document."""

import copy
import pickle
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from estimators import (
    DOCUMENTS,
    TAKE_DOCUMENTS,
    VECTORIZERS,
    content,
    fitted,
    loaded,
    output_of,
    over,
    saved,
)
from sklearn.pipeline import make_pipeline

from nlpfeat import BagOfWordsVectorizer, Corpus, SegmentTransformer, TfidfVectorizer
from nlpfeat.errors import InvalidInputError, InvalidParameterError

TOKENS = SegmentTransformer().transform(DOCUMENTS)
TRANSFORMERS = {name: make for name, make in TAKE_DOCUMENTS.items() if name != "embedding"}
VARIED = {name: make for name, make in TAKE_DOCUMENTS.items() if name != "segment"}


def learned(make, documents):
    """Return what an estimator learns from documents, and what it makes of all of them."""
    estimator = make().fit(documents)
    return content(output_of(estimator, DOCUMENTS))


@over(VARIED)
def test_any_form_of_documents(make, tmp_path):
    file = tmp_path / "documents.csv"
    pd.DataFrame({"text": DOCUMENTS}).to_csv(file, index=False)
    wanted = learned(make, DOCUMENTS)
    for form in (
        tuple(DOCUMENTS),
        np.array(DOCUMENTS),
        np.array(DOCUMENTS, dtype=object),
        pd.Series(DOCUMENTS, index=range(50, 50 + len(DOCUMENTS))),
        pd.Series(DOCUMENTS, dtype="string"),
        (text for text in DOCUMENTS),
        map(str, DOCUMENTS),
        Corpus(file, text_column="text"),
    ):
        assert learned(make, form) == wanted, type(form)


@over(VARIED)
def test_texts_and_their_tokens_are_the_same(make):
    wanted = learned(make, DOCUMENTS)
    ragged = np.empty(len(TOKENS), dtype=object)
    ragged[:] = TOKENS
    for form in (TOKENS, tuple(map(tuple, TOKENS)), iter(TOKENS), ragged, pd.Series(TOKENS)):
        assert learned(make, form) == wanted, type(form)


@over(TRANSFORMERS)
def test_transform_takes_the_same_forms(make):
    estimator = fitted(make)
    wanted = content(estimator.transform(DOCUMENTS))
    for form in (TOKENS, np.array(DOCUMENTS), pd.Series(DOCUMENTS), iter(DOCUMENTS), iter(TOKENS)):
        assert content(estimator.transform(form)) == wanted, type(form)


@over(TAKE_DOCUMENTS)
def test_documents_are_not_touched(make):
    for documents in (DOCUMENTS, TOKENS, np.array(DOCUMENTS, dtype=object), pd.Series(DOCUMENTS)):
        before = copy.deepcopy(documents)
        output_of(make().fit(documents), documents)
        assert list(before) == list(documents)


def methods_of(make):
    """Return the methods that take documents, of an estimator that is fitted."""
    estimator = fitted(make)
    names = ["fit", "fit_transform", "transform", "partial_fit"]
    if isinstance(estimator, SegmentTransformer):
        names.remove("fit")  # it does not read them
    return [getattr(estimator, name) for name in names if hasattr(estimator, name)]


@over(TAKE_DOCUMENTS)
def test_a_lone_string_is_refused(make):
    for method in methods_of(make):
        with pytest.raises(InvalidInputError, match=r"not one string\. Got '今天'; .*\[text\]\.$"):
            method("今天")
        with pytest.raises(InvalidInputError, match=r"use Corpus\(path\)"):
            method(Path("texts.txt"))


@pytest.mark.parametrize("odd", [None, np.nan, pd.NA, 5, b"\xe5", {"text": "好"}, {"好"}])
@over(TAKE_DOCUMENTS)
def test_what_is_no_document_is_named_by_its_row(make, odd):
    for method in methods_of(make):
        with pytest.raises(
            InvalidInputError, match=r"Row 3 of the documents \(documents\[2\]\) is "
        ):
            method(["好", "坏", odd])


@over(TAKE_DOCUMENTS)
def test_odd_tokens_and_mixed_kinds_are_named_by_their_row(make):
    for method in methods_of(make):
        with pytest.raises(InvalidInputError, match=r"Row 2 .* holds the token 5"):
            method([["好"], ["坏", 5]])
        with pytest.raises(
            InvalidInputError, match=r"Row 2 .* is a token list and row 1 is a text"
        ):
            method(["好", ["坏"]])


@over(TAKE_DOCUMENTS)
def test_tables_are_refused(make):
    table = pd.DataFrame({"text": DOCUMENTS})
    for method in methods_of(make):
        with pytest.raises(InvalidInputError, match=r"not a table.*table\['text'\]"):
            method(table)


@over(VECTORIZERS)
def test_a_failed_fit_leaves_what_was_learned(make):
    estimator = fitted(make)
    wanted = content(estimator.transform(DOCUMENTS))
    with pytest.raises(InvalidInputError):
        estimator.fit(["好", None])
    assert content(estimator.transform(DOCUMENTS)) == wanted


@over(VECTORIZERS)
def test_documents_without_a_known_feature_are_zero_rows(make):
    estimator = fitted(make)
    unknown = ["", "　\n", "。！", "鑫淼"]
    matrix = estimator.transform(unknown)
    dense = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
    assert matrix.shape == (4, len(estimator.get_feature_names_out()))
    assert np.isfinite(dense).all()
    counted = [name.endswith("<unknown>") for name in estimator.get_feature_names_out()]
    assert not dense[:, ~np.array(counted)].any()
    assert not dense[:3].any()


STOPPED = {name: make for name, make in VECTORIZERS.items() if not name.startswith("tfidf of")}


def stopping(make, stop_words):
    """Return the estimator with stop words, which the vectorizer of TF-IDF takes."""
    estimator = make()
    if isinstance(estimator, TfidfVectorizer):
        # Not by set_params: scikit-learn copies a parameter of a vectorizer, and no generator.
        return TfidfVectorizer(BagOfWordsVectorizer(stop_words=stop_words))
    return estimator.set_params(stop_words=stop_words)


@over({name: make for name, make in STOPPED.items() if name != "tfidf"})
def test_a_generator_of_stop_words_is_read_once(make):
    wanted = content(stopping(make, ["很", "我们"]).fit(DOCUMENTS).transform(DOCUMENTS))
    estimator = stopping(make, iter(["很", "我们"]))
    for method in (estimator.fit_transform, estimator.transform, estimator.transform):
        assert content(method(DOCUMENTS)) == wanted
    assert estimator.stop_words_ == ("很", "我们")


@over(STOPPED)
def test_a_file_of_stop_words_is_read_once(make, tmp_path):
    file = tmp_path / "stop.txt"
    file.write_text("很\n我们\n", "utf-8")
    estimator = stopping(make, str(file)).fit(DOCUMENTS)
    wanted = content(estimator.transform(DOCUMENTS))
    assert wanted == content(stopping(make, ["很", "我们"]).fit(DOCUMENTS).transform(DOCUMENTS))
    file.write_text("天气\n", "utf-8")
    assert content(estimator.transform(DOCUMENTS)) == wanted
    file.unlink()
    for copied in (estimator, loaded(saved(estimator)), pickle.loads(pickle.dumps(estimator))):
        assert content(copied.transform(DOCUMENTS)) == wanted
        if hasattr(copied, "partial_fit"):
            copied.partial_fit(DOCUMENTS)
    with pytest.raises(InvalidInputError, match=r"stop\.txt"):
        estimator.fit(DOCUMENTS)
    assert estimator.transform(DOCUMENTS).shape[0] == len(DOCUMENTS)


def test_an_unfitted_one_with_a_vocabulary_reads_its_stop_words():
    vectorizer = BagOfWordsVectorizer(vocabulary=["很", "好"], stop_words=["很"])
    assert vectorizer.transform([["很", "好"]]).toarray().tolist() == [[0, 1]]


def test_a_failed_fit_leaves_the_stop_words():
    vectorizer = BagOfWordsVectorizer(stop_words=["很"]).fit([["很", "好"]])
    with pytest.raises(InvalidInputError, match="No feature is left"):
        vectorizer.set_params(stop_words=["好"]).fit([["好"]])
    assert vectorizer.stop_words_ == ("很",)
    assert vectorizer.transform([["很", "好"]]).toarray().tolist() == [[1]]


LEARN_FROM_WORDS = {
    name: make for name, make in TAKE_DOCUMENTS.items()
    if name != "segment" and "characters" not in name
}  # fmt: skip


@over(LEARN_FROM_WORDS)
def test_a_warning_points_at_the_line_that_asked_for_it(make):
    texts = [["今天天气很好我们去公园"], ["今天天气不好所以我们不去"]] * 3
    pipeline = make_pipeline(make())
    calls = [make().fit, pipeline.fit]
    if hasattr(make(), "fit_transform"):
        calls += [make().fit_transform, pipeline.fit_transform]
    for call in calls:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call(texts)
        places = [each.filename for each in caught if "cut into words" in str(each.message)]
        assert places == [__file__]


def test_a_warning_about_names_points_at_the_line_that_asked_for_it():
    vectorizer = BagOfWordsVectorizer(vocabulary=["VIP"])
    for call in (vectorizer.transform, vectorizer.fit, TfidfVectorizer(vectorizer).fit_transform):
        with pytest.warns(UserWarning, match="cannot be found") as caught:
            call([["vip"]])
        assert [warning.filename for warning in caught] == [__file__]


@over(VECTORIZERS)
def test_no_documents_to_transform(make):
    estimator = fitted(make)
    matrix = estimator.transform([])
    assert matrix.shape == (0, len(estimator.get_feature_names_out()))


@over({name: make for name, make in TAKE_DOCUMENTS.items() if name != "segment"})
def test_no_documents_to_learn_from(make):
    for nothing in ([], ["", "！"], [[], ["。"]]):
        with pytest.raises(InvalidInputError, match=r"no documents|No feature|hold no term"):
            make().fit(nothing)


# Characters need no segmenter, and the vectorizer of "tfidf" is the one by default.
@over({name: make for name, make in TAKE_DOCUMENTS.items()
       if "characters" not in name and name != "tfidf"})  # fmt: skip
def test_unknown_segmenters_are_told_what_is_known(make):
    estimator = make()
    name = "segmenter" if "segmenter" in estimator.get_params() else "vectorizer__segmenter"
    with pytest.raises(InvalidParameterError, match=r"Got 'jeiba'. Did you mean 'jieba'\?"):
        estimator.set_params(**{name: "jeiba"}).fit(DOCUMENTS)


@over(TAKE_DOCUMENTS)
def test_switches_must_be_true_or_false(make):
    estimator = make()
    for name in ("fold_width", "vectorizer__fold_width"):
        if name in estimator.get_params():
            with pytest.raises(InvalidParameterError, match="fold_width must be True or False"):
                estimator.set_params(**{name: "yes"}).fit(DOCUMENTS)
