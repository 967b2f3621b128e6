"""The class of each document: what is taken, and what the errors say."""

import re

import numpy as np
import pandas as pd
import pytest

from nlpfeat.errors import InvalidInputError
from nlpfeat.features.classes import check_classes, check_several
from nlpfeat.features.naive_bayes import NaiveBayesRatioTransformer


def checked(y):
    return check_classes(NaiveBayesRatioTransformer(), y, y)


@pytest.mark.parametrize(("y", "wanted"), [
    (["a", "b"], ["a", "b"]),
    ((1, 2), [1, 2]),
    (np.array([1, 0], dtype=object), [1, 0]),
    (np.array([True, False], dtype=object), [True, False]),
    (np.array(["好", "坏"], dtype=object), ["好", "坏"]),
    (pd.Series(["a", "b"], index=[5, 6]), ["a", "b"]),
    (pd.Series([1, 2], dtype=object), [1, 2]),
], ids=["texts", "numbers", "object numbers", "object truths", "object texts", "series",
        "object series"])  # fmt: skip
def test_classes_that_are_taken(y, wanted):
    assert checked(y).tolist() == wanted
    assert list(map(type, checked(y).tolist())) == list(map(type, wanted))


@pytest.mark.parametrize(("y", "message"), [
    (None, "estimator requires y to be passed, but the target y is None. Give the class of each"),
    ([], "y is empty: there is nothing to learn from"),
    (["a", None], "No class may be missing: y[1] is None. Leave such documents out"),
    ([None, None], "y[0] is None"),
    (pd.Series(["a", None, "b"], dtype=object), "y[1] is None"),
    ([float("nan"), 1.0], "NaN. No class may be missing: leave such documents out."),
    ([0.5, 1.5], "Unknown label type: continuous"),
    ([0.5, 1.5], "y.astype(str) makes texts of numbers."),
    (["a", 1], "y must hold texts, or numbers, and not both. Got both: [str(each)"),
    (np.array(["a", 1], dtype=object), "y must hold texts, or numbers, and not both"),
    ("abc", "y must be a list or an array with the class of each document. Got 'abc'."),
    (5, "y must be a list or an array with the class of each document. Got a int."),
    ({"a": 1}, "Got a dict."),
    ({1, 2}, "Got a set."),
    (np.array(3), "Got a ndarray."),
    ((each for each in [0, 1]), "Got a generator; give list(y)."),
    ([[0, 1], [1, 0]], "y should be a 1d array"),
], ids=range(17))  # fmt: skip
def test_classes_that_cannot_be(y, message):
    with pytest.raises(InvalidInputError, match=re.escape(message)):
        checked(y)


def test_one_class_is_shown_plainly():
    for classes, shown in ((np.array(["a"]), "'a'"), (np.array([3]), "3")):
        with pytest.raises(InvalidInputError, match=f"Got one class: {shown} for every"):
            check_several(classes)
