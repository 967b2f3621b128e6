import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.compare.findings import CalibrationBin
from nlpfeat.compare.metrics.calibration_error import (
    adaptive_calibration_error,
    calibration_bins,
    calibration_error,
)
from nlpfeat.errors import InvalidInputError, InvalidParameterError


def two_classes(confidences, correct):
    """Log-probabilities with these confidences, all for class 0, and the classes."""
    confidences = np.asarray(confidences, dtype=float)
    with np.errstate(divide="ignore"):
        logs = np.log(np.stack([confidences, 1 - confidences], axis=1))
    return np.where(correct, 0, 1), logs


def slow(confidences, correct, bins):
    """The definition, bin by bin; a bin is a list of documents."""
    return sum(
        abs(np.mean([correct[i] for i in each]) - np.mean([confidences[i] for i in each]))
        * len(each) / len(confidences)
        for each in bins
        if len(each)
    )  # fmt: skip


DOCUMENTS = st.lists(
    st.tuples(st.floats(0.5, 0.999).map(lambda x: round(x, 3)), st.booleans()),
    min_size=1,
    max_size=40,
)


@given(DOCUMENTS, st.integers(1, 20))
def test_equal_width_by_its_definition(documents, n_bins):
    confidences, correct = zip(*documents)
    edges = [(b / n_bins, (b + 1) / n_bins) for b in range(n_bins)]
    bins = [
        [i for i, c in enumerate(confidences) if low + 1e-9 < c <= high + 1e-9]
        for low, high in edges
    ]
    found = calibration_error(*two_classes(confidences, correct), n_bins=n_bins)
    assert found == pytest.approx(slow(confidences, correct, bins), abs=1e-9)


@given(DOCUMENTS, st.integers(1, 20))
def test_the_diagram_adds_up_to_the_error(documents, n_bins):
    confidences, correct = zip(*documents)
    classes, logs = two_classes(confidences, correct)
    bins = calibration_bins(classes, logs, n_bins)
    assert sum(each.n_documents for each in bins) == len(documents)
    gaps = sum(each.n_documents * abs(each.confidence - each.accuracy) for each in bins)
    assert gaps / len(documents) == pytest.approx(calibration_error(classes, logs, n_bins))
    assert bins == sorted(bins)
    for each in bins:
        assert each.low - 1e-9 < each.confidence <= each.high + 1e-9
        assert CalibrationBin(*each).accuracy == each.accuracy
        assert type(each.n_documents) is int


@given(DOCUMENTS.filter(lambda documents: len({c for c, _ in documents}) == len(documents)))
def test_equal_mass_without_ties_is_cutting_the_sorted_documents(documents):
    confidences, correct = zip(*documents)
    n, n_bins = len(documents), 5
    order = np.argsort(confidences)
    bins = [order[-(-b * n // n_bins) : -(-(b + 1) * n // n_bins)] for b in range(n_bins)]
    sizes = [len(each) for each in bins]
    assert max(sizes) - min(sizes) <= 1
    found = adaptive_calibration_error(*two_classes(confidences, correct), n_bins=n_bins)
    assert found == pytest.approx(slow(confidences, correct, bins), abs=1e-9)


def test_equal_confidences_share_a_bin():
    # 50 documents of .9 and 50 of .6, shuffled: two bins though fifteen were asked for.
    random = np.random.default_rng(0)
    confidences = random.permutation(np.repeat([0.9, 0.6], 50))
    correct = random.random(100) < 0.7
    expected = slow(confidences, correct, [np.flatnonzero(confidences == c) for c in (0.9, 0.6)])
    assert adaptive_calibration_error(*two_classes(confidences, correct)) == pytest.approx(expected)


def test_equal_mass_sees_what_equal_width_does_not():
    # All in the last bin of fifteen: half is too sure, half not sure enough, and it cancels.
    confidences = np.repeat([0.94, 0.99], 500) + np.linspace(0, 1e-6, 1000)
    correct = np.ones(1000, bool)
    correct[500:535] = False
    classes, logs = two_classes(confidences, correct)
    assert calibration_error(classes, logs) == pytest.approx(0.0, abs=1e-4)
    assert adaptive_calibration_error(classes, logs) > 0.05


@pytest.mark.parametrize("n_classes", [2, 3, 5, 7, 15])
def test_a_confidence_on_an_edge_is_in_the_bin_below(n_classes):
    logs = np.log(np.full((3, n_classes), 1 / n_classes))
    (found,) = calibration_bins([0, 0, 0], logs, n_bins=n_classes)
    assert (found.low, found.high) == (0.0, 1 / n_classes)


def test_sure_of_everything():
    classes, logs = two_classes([1.0, 1.0], [True, False])
    (found,) = calibration_bins(classes, logs)
    assert found == (14 / 15, 1.0, 2, 1.0, 0.5)
    assert calibration_error(classes, logs) == adaptive_calibration_error(classes, logs) == 0.5


def test_a_calibrated_model_has_an_error_by_chance():
    random = np.random.default_rng(0)
    confidences = random.uniform(0.5, 1, 10_000)
    classes, logs = two_classes(confidences, random.random(10_000) < confidences)
    bins = calibration_bins(classes, logs)
    by_chance = sum(
        np.sqrt(2 / np.pi * each.confidence * (1 - each.confidence) * each.n_documents)
        for each in bins
    )
    assert calibration_error(classes, logs) == pytest.approx(by_chance / 10_000, rel=0.5)
    assert by_chance / 10_000 == pytest.approx(0.01, abs=0.003)


@pytest.mark.parametrize(
    "function", [calibration_error, adaptive_calibration_error, calibration_bins]
)
def test_what_cannot_be(function):
    with pytest.raises(InvalidParameterError, match="n_bins must be an integer that is at least 1"):
        function([0], [[0.0]], n_bins=0)
    with pytest.raises(InvalidInputError, match="must be natural logarithms of probabilities"):
        function([0], [[0.0, 0.0]])
