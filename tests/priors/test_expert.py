import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_softmax
from sklearn.metrics import log_loss
from sklearn.naive_bayes import MultinomialNB

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.priors.expert import ExpertPrior, learned_temperature
from nlpfeat.priors.prior import FittedTextPrior, TextPrior


def decisions_of(n_documents=400, n_classes=4, noise=1.5, seed=0):
    """Decisions that are often right, and the classes."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, n_classes, n_documents)
    decisions = rng.normal(0, noise, (n_documents, n_classes))
    decisions[np.arange(n_documents), classes] += 2
    return decisions, classes


def smoothed_loss(temperature, decisions, classes):
    """The loss with a document of no class in N + 2, written as what it means."""
    n_documents, n_classes = decisions.shape
    targets = np.full(decisions.shape, 1 / (n_documents + 2) / n_classes)
    targets[np.arange(n_documents), classes] += (n_documents + 1) / (n_documents + 2)
    return -(targets * log_softmax(decisions / temperature, axis=1)).sum(axis=1).mean()


def test_temperature_by_hand():
    # 9 of 10 are right by 1, so the mean of the own decision is .4, of which 11 / 12 count.
    decisions = np.tile([1.0, 0.0], (10, 1))
    temperature = learned_temperature(decisions, np.array([0] * 9 + [1]))
    share = 0.5 + 0.4 * 11 / 12
    assert 1 / temperature == pytest.approx(np.log(share / (1 - share)), rel=1e-6)


@pytest.mark.parametrize("factor", [1e-9, 1.0, 1e9], ids=str)
def test_no_other_temperature_is_better(factor):
    decisions, classes = decisions_of()
    temperature = learned_temperature(factor * decisions, classes) / factor
    around = temperature * np.exp(np.linspace(-2, 2, 401))
    losses = [smoothed_loss(each, decisions, classes) for each in around]
    assert np.argmin(losses) == 200


def test_of_many_documents_the_extra_one_does_not_matter():
    decisions, classes = decisions_of(50_000)
    temperature = learned_temperature(decisions, classes)
    around = temperature * np.exp(np.linspace(-0.05, 0.05, 21))
    losses = [log_loss(classes, np.exp(log_softmax(decisions / t, axis=1))) for t in around]
    assert abs(np.argmin(losses) - 10) <= 1


@given(st.floats(-100, 100), st.floats(1e-3, 1e3), st.integers(0, 9))
def test_shifts_change_nothing_and_scales_scale(shift, scale, seed):
    decisions, classes = decisions_of(30, seed=seed)
    temperature = learned_temperature(decisions, classes)
    assert learned_temperature(decisions + shift, classes) == pytest.approx(temperature, rel=1e-4)
    scaled = learned_temperature(scale * decisions, classes)
    assert scaled == pytest.approx(scale * temperature, rel=1e-4)


@pytest.mark.parametrize("value", [0.0, -3.7, 1e12], ids=str)
def test_constant_decisions(value):
    decisions = np.full((5, 3), value)
    assert learned_temperature(decisions, np.array([0, 1, 2, 0, 1])) == 1.0
    logs = ExpertPrior().fit_logits(decisions, np.array([0, 1, 2, 0, 1])).calibrated(decisions)
    np.testing.assert_allclose(logs, -np.log(3), rtol=1e-6)


def test_perfect_decisions_are_believed_as_far_as_they_were_tried():
    for n_documents in (10, 1000):
        classes = np.arange(n_documents) % 2
        decisions = np.eye(2)[classes]
        logs = ExpertPrior().fit_logits(decisions, classes).calibrated(decisions)
        # All documents decide alike: their probability is the target itself.
        expected = (n_documents + 1.5) / (n_documents + 2)
        np.testing.assert_allclose(np.exp(logs.max(axis=1)), expected, rtol=1e-6)


def test_decisions_that_are_always_wrong_are_not_believed():
    classes = np.arange(20) % 2
    decisions = np.eye(2)[1 - classes]
    probabilities = np.exp(ExpertPrior().fit_logits(decisions, classes).calibrated(decisions))
    np.testing.assert_allclose(probabilities, 0.5, atol=1e-3)


def test_calibrated_is_the_log_softmax():
    decisions, classes = decisions_of()
    fitted = ExpertPrior().fit_logits(decisions, classes)
    new = decisions[:7] + 1
    logs = fitted.calibrated(new)
    assert logs.dtype == np.float32
    np.testing.assert_allclose(logs, log_softmax(new / fitted.temperature, axis=1), rtol=1e-5)
    np.testing.assert_array_equal(logs.argmax(axis=1), new.argmax(axis=1))
    assert fitted.scale == pytest.approx(fitted.calibrated(decisions).std(), rel=1e-5)
    assert fitted.calibrated(decisions[:0]).shape == (0, 4)


def test_huge_decisions_stay_finite():
    decisions, classes = decisions_of()
    fitted = ExpertPrior().fit_logits(decisions, classes)
    assert np.isfinite(fitted.calibrated(1e9 * decisions)).all()


def test_placebo():
    decisions, classes = decisions_of(2000, noise=1.0)
    true = ExpertPrior().fit_logits(decisions, classes)
    placebo = ExpertPrior().shuffled(3).fit_logits(decisions, classes)
    assert placebo.temperature == true.temperature
    logs, shuffled = true.calibrated(decisions), placebo.calibrated(decisions)
    assert set(map(tuple, shuffled)) <= set(map(tuple, logs))
    assert len(set(map(tuple, shuffled))) > 1000  # 1 - 1/e of 2,000 is expected
    assert (logs.argmax(axis=1) == classes).mean() > 0.7
    assert (shuffled.argmax(axis=1) == classes).mean() == pytest.approx(0.25, abs=0.05)
    np.testing.assert_allclose(shuffled.mean(axis=0), logs.mean(axis=0), atol=0.15)
    np.testing.assert_allclose(shuffled.std(axis=0), logs.std(axis=0), rtol=0.1)


def test_placebo_of_a_document_is_the_same_alone_and_again():
    decisions, classes = decisions_of()
    fitted = ExpertPrior(placebo=3).fit_logits(decisions, classes)
    batch = fitted.calibrated(decisions)
    wobble = decisions * (1 + 1e-15)
    for place in (0, 5, 399):
        np.testing.assert_array_equal(fitted.calibrated(wobble[[place]])[0], batch[place])
    again = pickle.loads(pickle.dumps(fitted)).calibrated(decisions)
    np.testing.assert_array_equal(again, batch)
    other = ExpertPrior(placebo=4).fit_logits(decisions, classes).calibrated(decisions)
    assert not np.array_equal(other, batch)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf], ids=str)
def test_infinities_are_refused(value):
    decisions, classes = decisions_of()
    fitted = ExpertPrior().fit_logits(decisions, classes)
    decisions[2, 1] = value
    for ask in (
        lambda: ExpertPrior().fit_logits(decisions, classes),
        lambda: fitted.calibrated(decisions),
    ):
        with pytest.raises(InvalidInputError, match=r"must be finite.*row 3"):
            ask()


@pytest.mark.parametrize("shape", [(5,), (5, 1), (5, 3)], ids=str)
def test_wrong_shapes(shape):
    decisions, classes = decisions_of()
    fitted = ExpertPrior().fit_logits(decisions, classes)
    with pytest.raises(InvalidInputError, match=r"shape \(documents, 4 classes\)\. Got \(5"):
        fitted.calibrated(np.zeros(shape))


@pytest.mark.parametrize(
    "classes",
    [np.zeros(3, int), np.array([0, 1, 2, 9]), np.zeros(4), np.array([-1, 0, 0, 0])],
    ids=["too few", "too high", "floats", "negative"],
)
def test_wrong_classes(classes):
    with pytest.raises(InvalidInputError, match="classes must hold one class from 0 to 2 for each"):
        learned_temperature(np.eye(4)[:, :3], classes)


def test_it_is_fitted_on_decisions_not_on_text():
    """What cannot be asked of it is not there: no method that always fails."""
    fitted = ExpertPrior().fit_logits(np.eye(2), np.array([0, 1]))
    assert not isinstance(ExpertPrior(), TextPrior)
    assert not isinstance(fitted, FittedTextPrior)
    assert not hasattr(ExpertPrior, "fit")
    assert not hasattr(fitted, "inputs")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"expert": "nbsvn"}, r"ExpertPrior\.expert must be one of 'nbsvm'.*Did you mean"),
        ({"expert": MultinomialNB}, r"ExpertPrior\.expert must be 'nbsvm', or a scikit-learn"),
        ({"expert": 3}, r"ExpertPrior\.expert must be 'nbsvm', or a scikit-learn.*Got 3"),
        ({"n_folds": 1}, r"ExpertPrior\.n_folds must be an integer that is at least 2"),
        ({"strength": np.inf}, r"ExpertPrior\.strength must be a finite number"),
        ({"learned": "all"}, r"ExpertPrior\.learned must be one of 'no', 'scalar', 'class'"),
        ({"auxiliary": -0.1}, r"ExpertPrior\.auxiliary must be at least 0\. Got -0\.1"),
        ({"head": "one"}, r"ExpertPrior\.head must be one of 'zero', 'random'"),
    ],
    ids=["name", "class", "number", "folds", "strength", "learned", "auxiliary", "head"],
)
def test_settings_that_cannot_be(settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        ExpertPrior(**settings).validate()
