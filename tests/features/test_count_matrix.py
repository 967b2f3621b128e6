import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix
from sklearn.base import BaseEstimator

from nlpfeat import (
    Corpus,
    LdaTransformer,
    NaiveBayesRatioTransformer,
    NBSVMClassifier,
    SurprisalTransformer,
)
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.count_matrix import check_counts, check_row, column_names

DENSE = np.array([[0, 2, 0], [1, 0, 3]])


@pytest.mark.parametrize(
    "form", [csr_array, csr_matrix, csc_array, coo_array, np.array, np.ndarray.tolist, pd.DataFrame]
)
def test_every_form_of_a_matrix_gives_the_same(form):
    counts = check_counts(BaseEstimator(), form(DENSE), reset=True)
    assert isinstance(counts, csr_array)
    assert counts.toarray().tolist() == DENSE.tolist()
    assert counts.has_canonical_format
    assert (counts.dtype, counts.indices.dtype, counts.indptr.dtype) == ("int64", "int32", "int32")


@pytest.mark.parametrize(
    ("given", "kept"),
    [("int8", "int64"), ("bool", "int64"), ("uint16", "int64"), ("float32", "float64"),
     ("float64", "float64"), ("object", "float64")],
)  # fmt: skip
def test_integers_stay_integers(given, kept):
    assert check_counts(BaseEstimator(), DENSE.astype(given), reset=True).dtype == kept


def test_zeros_and_duplicates_go_and_the_caller_keeps_his():
    given = csr_array((np.array([1, 2, 0, 4]), np.array([2, 2, 0, 1]), np.array([0, 3, 4])))
    before = [array.copy() for array in (given.data, given.indices, given.indptr)]
    counts = check_counts(BaseEstimator(), given, reset=True)
    assert (counts.data.tolist(), counts.indices.tolist()) == ([3, 4], [2, 1])
    for array, copy in zip((given.data, given.indices, given.indptr), before):
        assert array.tolist() == copy.tolist()


def test_wide_indices_become_narrow_without_touching_the_callers():
    given = csr_array(DENSE)
    given.indices, given.indptr = given.indices.astype(np.int64), given.indptr.astype(np.int64)
    assert check_counts(BaseEstimator(), given, reset=True).indices.dtype == np.int32
    assert given.indices.dtype == np.int64


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[1, -1]], "Negative values in data passed to X"),
        (csr_array([[1.0, -0.5]]), "Negative values in data passed to X"),
        ([[1, np.nan]], "Input X contains NaN"),
        (csr_array([[1, np.inf]]), "Input X contains infinity"),
        ([1, 2], "Expected 2D array, got 1D array"),
        (np.empty((0, 3)), "Found array with 0 sample"),
        ([[1j]], "Complex data not supported"),
    ],
)
def test_what_is_no_matrix_of_counts(given, message):
    with pytest.raises(InvalidInputError, match=message):
        check_counts(BaseEstimator(), given, reset=True)


def documents(form):
    texts = ["房间很好", "很差"]
    return {
        "text": "房间很好", "bytes": [b"a", b"b"], "list": texts, "tuple": tuple(texts),
        "tokens": [["房间", "好"], ["差"]], "even tokens": [["房间", "好"], ["很", "差"]],
        "array": np.array(texts), "column": np.array(texts, dtype=object)[:, None],
        "arrays of tokens": np.array([["房间"], ["很", "差"]], dtype=object),
        "Series": pd.Series(texts), "frame": pd.DataFrame({"text": texts, "n": [1, 2]}),
        "generator": (text for text in texts), "Corpus": Corpus.from_texts(texts),
        "missing": [None, "差"], "digits": ["1", "2"],
    }[form]  # fmt: skip


@pytest.mark.parametrize(
    "form",
    ["text", "bytes", "list", "tuple", "tokens", "even tokens", "array", "column",
     "arrays of tokens", "Series", "frame", "generator", "Corpus", "missing", "digits"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("estimator", "called"),
    [
        (NBSVMClassifier(), "fit"), (NaiveBayesRatioTransformer(), "fit"),
        (SurprisalTransformer(), "fit"), (LdaTransformer(5), "fit"),
        (LdaTransformer(5), "fit_transform"),
    ],
    ids=lambda each: each if isinstance(each, str) else type(each).__name__,
)  # fmt: skip
def test_documents_are_told_what_makes_counts_of_them(estimator, called, form):
    name = type(estimator).__name__
    with pytest.raises(
        InvalidInputError,
        match=rf"^X must hold counts, .* Got texts or tokens: put a vectorizer before {name}, as "
        rf"in make_pipeline\(BagOfWordsVectorizer\(\), {name}\(\.\.\.\)\)\.$",
    ):
        getattr(estimator, called)(documents(form), ["好评", "差评"])


def test_documents_for_what_is_fitted():
    fitted = NBSVMClassifier(random_state=0).fit(DENSE, ["好评", "差评"])
    with pytest.raises(InvalidInputError, match="put a vectorizer before NBSVMClassifier"):
        fitted.predict(["房间很好"])


def test_columns_are_learned_and_compared():
    estimator = BaseEstimator()
    check_counts(estimator, pd.DataFrame(DENSE, columns=["茶", "水", "杯"]), reset=True)
    assert estimator.feature_names_in_.tolist() == ["茶", "水", "杯"]
    with pytest.raises(InvalidInputError, match="feature names should match"):
        check_counts(estimator, pd.DataFrame(DENSE, columns=["茶", "杯", "水"]), reset=False)
    check_counts(estimator, DENSE, reset=True)
    with pytest.raises(InvalidInputError, match=r"X has 2 features, but .* is expecting 3"):
        check_counts(estimator, [[1, 2]], reset=False)


@pytest.mark.parametrize(
    "row",
    [
        [1, 0, 3], np.array([1, 0, 3]), DENSE[[1]], csr_array(DENSE)[1], csr_array(DENSE)[[1]],
        csr_matrix(DENSE)[1], pd.Series([1, 0, 3]), pd.DataFrame(DENSE).iloc[[1]],
    ],
    ids=lambda row: type(row).__name__,
)  # fmt: skip
def test_every_form_of_a_row_gives_the_same(row):
    estimator = BaseEstimator()
    check_counts(estimator, DENSE, reset=True)
    assert check_row(estimator, row).toarray().tolist() == [[1, 0, 3]]


def test_what_is_no_row():
    estimator = BaseEstimator()
    check_counts(estimator, DENSE, reset=True)
    for row in ([1, 2], DENSE, 3):
        with pytest.raises(InvalidInputError, match="row must be the counts of one document, 3 of"):
            check_row(estimator, row)
    with pytest.raises(InvalidInputError, match="Negative values in data"):
        check_row(estimator, [1, -2, 0])


def test_names_of_columns():
    estimator = BaseEstimator()
    check_counts(estimator, DENSE, reset=True)
    assert column_names(estimator, None) == ["x0", "x1", "x2"]
    for names in (
        ["茶", "水", "杯"],
        ("茶", "水", "杯"),
        np.array(["茶", "水", "杯"], dtype=object),
    ):
        assert column_names(estimator, names) == ["茶", "水", "杯"]
    for names, got in ((["茶"], "Got 1"), ("茶水杯", "Got '茶水杯'")):
        with pytest.raises(InvalidParameterError, match=f"feature_names must be the 3 .*{got}"):
            column_names(estimator, names)
    check_counts(estimator, pd.DataFrame(DENSE, columns=["山", "路", "龙"]), reset=True)
    assert column_names(estimator, None) == ["山", "路", "龙"]
