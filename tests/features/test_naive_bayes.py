import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.naive_bayes import MultinomialNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.naive_bayes import NaiveBayesRatioTransformer

# 好 坏 车
REVIEWS = np.array([[2, 0, 1], [1, 0, 0], [0, 1, 1], [0, 3, 0]])
LABELS = ["差评", "差评", "好评", "好评"]  # in code-point order 好评 comes first


@parametrize_with_checks(
    [NaiveBayesRatioTransformer(), NaiveBayesRatioTransformer(binary=False, alpha=0.1)]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_by_hand():
    transformer = NaiveBayesRatioTransformer().fit(REVIEWS, LABELS)
    assert transformer.classes_.tolist() == ["好评", "差评"]
    # Presence: p = (3, 1, 2) of 6 for 差评, q = (1, 3, 2) of 6.
    assert transformer.log_count_ratio_ == pytest.approx([np.log(3), -np.log(3), 0], abs=1e-15)
    values = transformer.transform(REVIEWS)
    assert isinstance(values, csr_array)
    assert values.toarray() == pytest.approx(
        np.log(3) * np.array([[1, 0, 0], [1, 0, 0], [0, -1, 0], [0, -1, 0]]), abs=1e-15
    )


def test_counts_by_hand():
    transformer = NaiveBayesRatioTransformer(binary=False, alpha=2).fit(REVIEWS, LABELS)
    # p = (5, 2, 3) of 10, q = (2, 6, 3) of 11.
    expected = np.log([5 / 10 / (2 / 11), 2 / 10 / (6 / 11), 3 / 10 / (3 / 11)])
    assert transformer.log_count_ratio_ == pytest.approx(expected, rel=1e-14)
    assert transformer.transform(REVIEWS).toarray() == pytest.approx(REVIEWS * expected, rel=1e-14)


@given(
    counts=arrays(np.int64, (6, 4), elements=st.integers(0, 9)),
    y=arrays(np.int64, 6, elements=st.integers(0, 1)).filter(lambda y: 0 < y.sum() < 6),
    binary=st.booleans(),
)
def test_the_sum_of_a_row_is_the_decision_of_naive_bayes(counts, y, binary):
    transformer = NaiveBayesRatioTransformer(binary=binary)
    values = transformer.fit(csr_array(counts), y).transform(csr_array(counts))
    taken = np.minimum(counts, 1) if binary else counts
    bayes = MultinomialNB(fit_prior=False).fit(taken, y)
    logs = bayes.predict_log_proba(taken)
    assert values.sum(axis=1) == pytest.approx(logs[:, 1] - logs[:, 0], abs=1e-9)
    assert values.toarray() == pytest.approx(taken * transformer.log_count_ratio_)


def test_the_input_stays_as_it_is():
    given = csr_array(REVIEWS.astype(float))
    values = NaiveBayesRatioTransformer(binary=False).fit(given, LABELS).transform(given)
    values.data[:] = 7
    values.indices[:] = 0
    assert given.toarray().tolist() == REVIEWS.tolist()
    assert values.indices.dtype == np.int32


def test_names_pickles_and_clones():
    transformer = NaiveBayesRatioTransformer(alpha=0.5).fit(REVIEWS, LABELS)
    names = transformer.get_feature_names_out(["好", "坏", "车"])
    assert names.tolist() == ["好", "坏", "车"]
    again = pickle.loads(pickle.dumps(transformer))
    assert again.log_count_ratio_.tolist() == transformer.log_count_ratio_.tolist()
    assert clone(transformer).get_params() == {"alpha": 0.5, "binary": True}


def test_more_than_two_classes_are_told_the_remedy():
    message = (
        r"y must hold two classes.* Got 3: use NBSVMClassifier\(\), or OneVsRestClassifier\("
        r"make_pipeline\(NaiveBayesRatioTransformer\(\), LinearSVC\(C=0.01\)\)\)"
    )
    with pytest.raises(InvalidInputError, match=message):
        NaiveBayesRatioTransformer().fit(REVIEWS, ["好", "中", "差", "差"])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed, but the target y is None"),
        (["好"] * 4, "y must hold at least two classes. Got one class: .*'好'"),
        (["好", "差"], "inconsistent numbers of samples"),
        ([0.5, 1.7, 2.2, 3.1], "Unknown label type: continuous"),
        ([[1, 0], [0, 1], [1, 0], [0, 1]], "y should be a 1d array"),
        ([1, 0, np.nan, 1], "Input y contains NaN"),
    ],
)
def test_bad_classes(y, message):
    with pytest.raises(InvalidInputError, match=message):
        NaiveBayesRatioTransformer().fit(REVIEWS, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": 0}, "alpha must be a finite number above 0"),
        ({"binary": 1}, "binary must be True or False. Got 1"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        NaiveBayesRatioTransformer(**parameters).fit(REVIEWS, LABELS)
