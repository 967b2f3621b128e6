import warnings

import numpy as np
import pytest
from sklearn.metrics import f1_score

from nlpfeat.compare.metrics.macro_f1 import macro_f1


def sure(classes, n_classes):
    return np.where(np.asarray(classes)[:, None] == np.arange(n_classes), 0.0, -np.inf)


@pytest.mark.parametrize(
    ("expected", "predicted", "value"),
    [
        ([0, 0, 1, 1], [0, 0, 1, 1], 1.0),
        ([0, 0, 1, 1], [1, 1, 0, 0], 0.0),
        ([0, 0, 1, 1], [0, 0, 0, 0], (4 / 6 + 0) / 2),
        ([0, 0, 0], [0, 0, 0], 1.0),  # 1 and 2 are nowhere, and no part of the mean
        ([0, 0, 0], [0, 0, 2], (4 / 5 + 0) / 2),
    ],
)
def test_by_hand(expected, predicted, value):
    found = macro_f1(expected, sure(predicted, 3))
    assert found == pytest.approx(value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn says that a class is never predicted
        assert found == pytest.approx(f1_score(expected, predicted, average="macro"))
