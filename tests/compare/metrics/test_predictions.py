import numpy as np
import pytest

from nlpfeat.compare.metrics.predictions import (
    LEAST_LOG_PROBABILITY,
    checked_log_probabilities,
    log_probabilities_of_runs,
)
from nlpfeat.errors import InvalidInputError


def test_there_is_one_floor():
    assert np.exp(LEAST_LOG_PROBABILITY) == pytest.approx(1e-30)
    logs = [[0.0, -np.inf], [0.0, -500.0], [0.0, -69.0]]
    found = checked_log_probabilities(logs, "logs")
    assert found[:, 1].tolist() == [LEAST_LOG_PROBABILITY, LEAST_LOG_PROBABILITY, -69.0]


def test_classes_become_log_probabilities():
    found = log_probabilities_of_runs([[0, 2], [1, 1]], "predictions", n_classes=4)
    assert found.shape == (2, 2, 4)
    assert found.argmax(axis=2).tolist() == [[0, 2], [1, 1]]
    assert sorted(np.unique(found)) == [LEAST_LOG_PROBABILITY, 0.0]


def test_one_run_or_several():
    logs = np.log(np.full((2, 3), 1 / 3))
    assert log_probabilities_of_runs(logs, "predictions").shape == (1, 2, 3)
    assert log_probabilities_of_runs([logs, logs], "predictions").shape == (2, 2, 3)


@pytest.mark.parametrize(
    "predictions", [np.empty((0, 2, 3)), np.empty(0), np.zeros((1, 1, 1, 1)), "好", [[["好"]]]]
)
def test_shapes_that_cannot_be(predictions):
    with pytest.raises(InvalidInputError, match="predictions_a must be"):
        log_probabilities_of_runs(predictions, "predictions_a")
