"""What all metrics share, and each against scikit-learn and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sklearn

from nlpfeat.compare.metrics import METRICS
from nlpfeat.errors import InvalidInputError


def predicted(seed, n_documents, n_classes):
    random = np.random.default_rng(seed)
    scores = random.normal(scale=2.0, size=(n_documents, n_classes))
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return random.integers(n_classes, size=n_documents), logs


DRAWN = st.builds(predicted, st.integers(0, 2**32), st.integers(1, 40), st.integers(2, 6))


@settings(max_examples=40)
@given(DRAWN)
def test_those_of_scikit_learn(drawn):
    classes, logs = drawn
    predictions, every = logs.argmax(axis=1), np.arange(logs.shape[1])
    for name, expected in {
        "accuracy": sklearn.accuracy_score(classes, predictions),
        "macro_f1": sklearn.f1_score(classes, predictions, average="macro"),
        "log_loss": sklearn.log_loss(classes, np.exp(logs), labels=every),
        "brier": ((np.exp(logs) - (classes[:, None] == every)) ** 2).sum(axis=1).mean(),
    }.items():
        assert METRICS[name].compute(classes, logs) == pytest.approx(expected), name


@given(DRAWN, st.sampled_from(sorted(METRICS)), st.randoms())
def test_properties_of_all(drawn, name, random):
    classes, logs = drawn
    metric = METRICS[name]
    value = metric.compute(classes, logs)
    assert isinstance(value, float)
    assert metric.bounds[0] <= value <= metric.bounds[1]
    # Neither the order of the documents matters nor that of the classes.
    order = list(range(len(classes)))
    random.shuffle(order)
    assert metric.compute(classes[order], logs[order]) == pytest.approx(value, abs=1e-12)
    assert metric.compute(logs.shape[1] - 1 - classes, logs[:, ::-1]) == pytest.approx(value)
    sums = np.asarray(metric.sums.terms(classes, logs).sum(axis=0), dtype=np.float64)
    assert metric.sums.figure(sums, len(classes)) == pytest.approx(value, abs=1e-12)
    if not metric.reads_probabilities:
        sharper = np.where(logs == logs.max(axis=1, keepdims=True), 0.0, -np.inf)
        assert metric.compute(classes, sharper) == value


@pytest.mark.parametrize("name", METRICS)
def test_the_catalog(name):
    metric = METRICS[name]
    assert metric.name == name
    perfect = np.log(np.eye(3), out=np.full((3, 3), -np.inf), where=np.eye(3) > 0)
    best, worst = metric.compute([0, 1, 2], perfect), metric.compute([1, 2, 0], perfect)
    assert best == pytest.approx(metric.bounds[metric.is_higher_better], abs=1e-50)
    assert worst == pytest.approx(metric.bounds[not metric.is_higher_better])


def test_a_probability_of_0_is_seen_and_stays_finite():
    logs = [[0.0, -np.inf]] + [[np.log(0.5), np.log(0.5)]] * 99
    expected = (69.0776 + 99 * np.log(2)) / 100
    assert METRICS["log_loss"].compute([1] + [0] * 99, logs) == pytest.approx(expected, abs=1e-4)


def test_what_knows_nothing():
    logs = np.log(np.full((4, 4), 0.25))
    assert METRICS["log_loss"].compute([0, 1, 2, 3], logs) == pytest.approx(np.log(4))
    assert METRICS["brier"].compute([0, 1, 2, 3], logs) == pytest.approx(3 / 4)
    assert METRICS["accuracy"].compute([0, 1, 2, 3], logs) == 0.25  # of equals the first
    assert METRICS["calibration_error"].compute([0, 1, 2, 3], logs) == pytest.approx(0)


def test_one_class_and_one_document():
    for name, metric in METRICS.items():
        value = metric.compute([0, 0], [[0.0], [0.0]])
        assert value == metric.bounds[metric.is_higher_better], name
        assert np.isfinite(metric.compute([1], np.log([[0.4, 0.6]])))


def test_float32_is_precise_enough():
    random = np.random.default_rng(0)
    scores = random.normal(size=(50, 5_000)).astype(np.float32)
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    assert logs.dtype == np.float32
    assert METRICS["log_loss"].compute(np.arange(50), logs) > 0


@pytest.mark.parametrize(
    ("expected", "logs", "message"),
    [
        ([], np.empty((0, 2)), r"expected must hold the class of each document.*shape \(0,\)"),
        ([[0]], [[0.0]], r"Got shape \(1, 1\)"),
        ([0.0, 1.0], np.log([[0.5, 0.5]] * 2), "classes as integers from 0.*Got float64"),
        (["好"], [[0.0]], "number the labels first"),
        ([-1], [[0.0]], "integers from 0, the columns.*Got -1"),
        ([True], [[0.0]], "Got bool"),
        ([0, 1, 2], np.log([[0.5, 0.5]] * 3), "Got class 2 and 2 columns"),
        ([0], np.log([[0.5, 0.5]] * 2), "of the same documents. Got 1 and 2"),
        (
            [0],
            [0.0],
            r"of the shape \(documents, classes\). Got an array of float64 of shape \(1,\)",
        ),
        ([0], [["好"]], "log_probabilities must be numbers"),
        ([0], [[float("nan"), 0.0]], r"Got \[nan, 0.0\] in row 0, which adds up to nan"),
        ([0], [[0.5, 0.5]], "neither probabilities nor decisions"),
        ([0, 0], [[0.0, -np.inf], [800.0, -800.0]], "in row 1, which adds up to inf"),
        ([0], [[-np.inf, -np.inf]], "which adds up to 0"),
    ],
)
def test_predictions_that_cannot_be(expected, logs, message):
    for metric in METRICS.values():
        with pytest.raises(InvalidInputError, match=message):
            metric.compute(expected, logs)
