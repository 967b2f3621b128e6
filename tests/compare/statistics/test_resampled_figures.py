import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score

from nlpfeat.compare.metrics import METRICS
from nlpfeat.compare.metrics.temperature import scaled
from nlpfeat.compare.statistics.resampled_figures import observed_figures, resampled_figures
from nlpfeat.errors import InvalidInputError, InvalidParameterError


def predicted(n_runs=3, n_documents=40, n_classes=4, seed=0):
    random = np.random.default_rng(seed)
    classes = random.integers(n_classes, size=n_documents)
    scores = random.normal(size=(n_runs, n_documents, n_classes))
    scores[:, np.arange(n_documents), classes] += 1.0
    return classes, scores - np.log(np.exp(scores).sum(axis=2, keepdims=True))


@pytest.mark.parametrize("name", [name for name in METRICS if not name.startswith("adaptive")])
def test_sums_give_what_computing_it_again_gives(name):
    classes, runs = predicted()
    found = resampled_figures(name, classes, runs, n_resamples=60, random_state=2)
    expected = resampled_figures(
        METRICS[name].compute, classes, runs, n_resamples=60, random_state=2
    )
    assert found.shape == (60, 3)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("accuracy", accuracy_score),
        ("macro_f1", lambda one, two: f1_score(one, two, average="macro")),
    ],
)
def test_figures_are_those_of_scikit_learn(name, function):
    # Of 12 documents and 4 classes many resamples miss a class.
    classes, runs = predicted(n_documents=12)
    found = resampled_figures(name, classes, runs, n_resamples=80)
    random = np.random.default_rng(0)
    for row in found:
        drawn = random.integers(12, size=12)
        expected = [function(classes[drawn], run[drawn].argmax(axis=1)) for run in runs]
        assert row.tolist() == pytest.approx(expected)


@pytest.mark.parametrize(("temperature", "correlation"), [(1.0, 0.6), (0.7, 0.9), (0.4, 0.99)])
def test_adaptive_bins_that_stay_are_nearly_those_of_the_drawn(temperature, correlation):
    # The first is calibrated, and its error mere chance; the others are too sure.
    name = "adaptive_calibration_error"
    classes, (logs,) = predicted(n_runs=1, n_documents=1_500)
    logs = scaled(logs, temperature)
    stay = resampled_figures(name, classes, logs, n_resamples=300)[:, 0]
    again = resampled_figures(METRICS[name].compute, classes, logs, n_resamples=300)[:, 0]
    assert np.corrcoef(stay, again)[0, 1] > correlation
    assert stay.mean() == pytest.approx(again.mean(), rel=0.05)
    assert stay.std() == pytest.approx(again.std(), rel=0.1)


def test_many_classes_stay_sparse():
    classes, runs = predicted(n_runs=2, n_documents=120, n_classes=100)
    found = resampled_figures("macro_f1", classes, runs, n_resamples=20)
    expected = resampled_figures(METRICS["macro_f1"].compute, classes, runs, n_resamples=20)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_predicted_classes_are_enough_for_accuracy_and_f1():
    classes, runs = predicted()
    for name in ("accuracy", "macro_f1"):
        found = resampled_figures(name, classes, runs.argmax(axis=2), n_resamples=30)
        np.testing.assert_array_equal(found, resampled_figures(name, classes, runs, n_resamples=30))
    one = resampled_figures("accuracy", classes, runs[0].argmax(axis=1), n_resamples=30)
    assert one.shape == (30, 1)


def test_a_class_that_is_only_predicted():
    # 2 has no document, so its F1 is 0: (1 + 2/3 + 0) / 3.
    found = observed_figures("macro_f1", np.array([0, 1, 1]), np.log(np.array([[
        [0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]
    ]])))  # fmt: skip
    assert found == pytest.approx([(1 + 2 / 3) / 3])
    assert resampled_figures("macro_f1", [0, 1, 1], [0, 1, 2], n_resamples=5).max() <= 1


@pytest.mark.parametrize(
    ("statistic", "expected", "predictions", "message"),
    [
        ("makro_f1", [0, 1], [0, 1], "must be one of 'accuracy', .*Did you mean 'macro_f1'"),
        (3, [0, 1], [0, 1], "statistic must be the name of a metric.*Got 3"),
        ("log_loss", [0, 1], [0, 1], "'log_loss' needs log-probabilities. Got predicted classes"),
    ],
)
def test_statistics_that_cannot_be(statistic, expected, predictions, message):
    with pytest.raises(InvalidParameterError, match=message):
        resampled_figures(statistic, expected, predictions)


@pytest.mark.parametrize(
    ("expected", "predictions", "message"),
    [
        ([], [], "expected must hold the class of each document"),
        ([0], [0], "expected must hold at least 2 documents to resample"),
        ([0, 1], [0, 1, 1], "predictions must be of the 2 documents of expected.*Got 3 documents"),
        ([0, 1], [0, -1], "predictions must hold classes from 0. Got -1"),
        ([0, 2], np.log([[0.5, 0.5]] * 2), "of its 3 classes. Got 2 documents and 2 classes"),
        (["好", "坏"], [0, 1], "expected must hold classes as integers.*number the labels first"),
        ([0, 1], [[0.5, 0.5]] * 2 + [[0.9, 0.9]], "add up to 1 in each row"),
        ([0, 1], [0.5, 0.5], r"predictions must be log-probabilities of the shape \(runs"),
    ],
)
def test_predictions_that_cannot_be(expected, predictions, message):
    with pytest.raises(InvalidInputError, match=message):
        resampled_figures("macro_f1", expected, predictions)
