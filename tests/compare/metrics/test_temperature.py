import numpy as np
import pytest
from scipy.special import log_softmax

from nlpfeat.compare.metrics import METRICS
from nlpfeat.compare.metrics.temperature import fit_temperature, scaled
from nlpfeat.errors import InvalidInputError, InvalidParameterError


def too_sure(factor, n_documents=4_000, seed=0):
    """Decisions that are ``factor`` times what the classes were drawn by."""
    random = np.random.default_rng(seed)
    logits = random.normal(scale=1.5, size=(n_documents, 3))
    sums = np.exp(log_softmax(logits, axis=1)).cumsum(axis=1)
    classes = (random.random((n_documents, 1)) > sums[:, :2]).sum(axis=1)
    return factor * logits, classes


@pytest.mark.parametrize("factor", [0.2, 1.0, 5.0])
def test_the_factor_is_found_again(factor):
    logits, classes = too_sure(factor)
    temperature = fit_temperature(logits, classes)
    assert temperature == pytest.approx(factor, rel=0.05)
    around = temperature * np.exp(np.linspace(-0.3, 0.3, 31))
    losses = [METRICS["log_loss"].compute(classes, scaled(logits, each)) for each in around]
    assert abs(np.argmin(losses) - 15) <= 1


def test_it_mends_calibration_and_changes_no_decision():
    logits, classes = too_sure(5.0)
    before, after = scaled(logits, 1.0), scaled(logits, fit_temperature(logits, classes))
    error = METRICS["calibration_error"].compute
    assert error(classes, before) > 0.15
    assert error(classes, after) < 0.03
    np.testing.assert_array_equal(before.argmax(axis=1), after.argmax(axis=1))


def test_where_every_document_is_right():
    logits = np.where(np.arange(30)[:, None] % 3 == np.arange(3), 1.0, 0.0)
    temperature = fit_temperature(logits, np.arange(30) % 3)
    assert 0.05 < temperature < 1
    assert 0.9 < np.exp(scaled(logits, temperature)).max() < 1


def test_where_nothing_is_known():
    assert fit_temperature(np.zeros((4, 2)), [0, 1, 0, 1]) == 1.0


def test_probabilities_of_0():
    logits = np.array([[0.0, -np.inf], [0.0, -np.inf], [-0.5, -0.9], [-0.9, -0.5]])
    temperature = fit_temperature(logits, [0, 0, 0, 1])
    assert np.isfinite(temperature)
    assert np.isfinite(scaled(logits, temperature)).all()


def test_what_is_ruled_out_is_so_beside_the_others_of_its_row():
    # Decisions have no fixed level: -inf is below the highest, however low that is.
    found = scaled([[-800.0, -np.inf], [800.0, -np.inf]], 1.0)
    assert found[:, 0].tolist() == [0.0, 0.0]
    assert np.exp(found[:, 1]) == pytest.approx([1e-30, 1e-30])


def test_scaled_is_log_softmax():
    logits = np.random.default_rng(0).normal(size=(5, 4)) * 100
    found = scaled(logits, 2.5)
    np.testing.assert_allclose(np.exp(found).sum(axis=1), 1)
    expected = logits / 2.5 - np.logaddexp.reduce(logits / 2.5, axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    ("logits", "classes", "message"),
    [
        (np.empty((0, 2)), [], "logits must be numbers of the shape .* of at least 1 document"),
        ([0.5, 0.5], [0, 1], r"Got an array of float64 of shape \(2,\)"),
        ([["好", "坏"]], [0], "logits must be numbers"),
        ([[0.0, 1.0], [float("nan"), 0.0]], [0, 1], r"finite or -inf. Got \[nan, 0.0\] in row 1"),
        ([[0.0, float("inf")]], [0], r"finite or -inf. Got \[0.0, inf\] in row 0"),
        (
            [[0.0, 1.0], [-np.inf, -np.inf]],
            [0, 1],
            "must leave a class possible in each row. Got -inf alone in row 1",
        ),
        ([[0.0, 1.0]], [2], "classes must hold one class from 0 to 1"),
        ([[0.0, 1.0]], [0, 1], "for each of the 1 documents"),
        ([[0.0, 1.0]], ["好"], "expected must hold classes as integers"),
    ],
)
def test_what_cannot_be_fitted(logits, classes, message):
    with pytest.raises(InvalidInputError, match=message):
        fit_temperature(logits, classes)


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan"), "1"])
def test_temperatures_that_cannot_be(temperature):
    with pytest.raises(InvalidParameterError, match="temperature must be a finite number above 0"):
        scaled([[0.0, 1.0]], temperature)
