"""What holds of a fitted classifier: finite numbers, and parameters that are set too late."""

import math

import numpy as np
import pytest
from estimators import DOCUMENTS, LABELS, content, loaded, saved

from nlpfeat import AttentionClassifier, CharSegmenter
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.priors import WidePrior

SMALL = {
    "d_model": 16, "n_layers": 1, "n_heads": 2, "min_df": 1, "random_state": 0, "max_epochs": 2,
    "batch_size": 8,
}  # fmt: skip


def small(**parameters):
    return AttentionClassifier(**{**SMALL, **parameters})


@pytest.mark.parametrize(("parameters", "what"), [
    ({"learning_rate": 3e38}, "weights are no longer finite"),
    ({"learning_rate": 1e10}, "log-scores are no longer finite"),
    ({"learning_rate": 1e10, "averaging": None}, "log-scores are no longer finite"),
    ({"learning_rate": 1e10, "validation_fraction": 0.3}, "loss on the validation part is nan"),
    ({"weight_decay": 3e38, "learning_rate": 1.0}, "log-scores are no longer finite"),
    ({"weight_decay": 3e38, "learning_rate": 100.0}, "weights are no longer finite"),
], ids=["weights", "log-scores", "no mean", "validation", "decay",
        "more decay"])  # fmt: skip
def test_a_training_that_overflows_in_its_last_step_is_an_error(parameters, what):
    classifier = small(max_epochs=1, batch_size=64, **parameters)
    message = (
        rf"lost its way in epoch 1: .*{what}\. Lower learning_rate .* or weight_decay .*warmup"
    )
    with pytest.raises(InvalidParameterError, match=message):
        classifier.fit(DOCUMENTS, LABELS)
    assert not hasattr(classifier, "classes_")


def test_weights_that_are_too_large_are_told_in_prediction(monkeypatch):
    monkeypatch.setattr("nlpfeat.classifiers._training._Run.check_answers", lambda _: None)
    classifier = small(max_epochs=1, batch_size=64, learning_rate=1e10).fit(DOCUMENTS, LABELS)
    for method in (classifier.predict, classifier.predict_proba, classifier.predict_log_proba):
        with pytest.raises(InvalidInputError, match=r"log-scores .* must be finite.*Fit again"):
            method(DOCUMENTS)
    classifier.set_params(calibration_fraction=0.3)
    with pytest.raises(InvalidParameterError, match="not learned from are no longer finite"):
        classifier.fit(DOCUMENTS, LABELS)


def test_log_probabilities_are_finite_where_probabilities_are_0():
    classifier = small(priors=[WidePrior(strength=1e4)], calibration_fraction=0).fit(
        DOCUMENTS, LABELS
    )
    shares = classifier.predict_proba(DOCUMENTS)
    logs = classifier.predict_log_proba(DOCUMENTS)
    assert (shares == 0).any()
    assert np.isfinite(logs).all()
    assert logs.dtype == np.float64
    assert np.exp(logs) == pytest.approx(shares, abs=1e-15)
    for row, share in zip(logs[shares > 0], shares[shares > 0]):
        assert row == pytest.approx(math.log(share), rel=1e-9, abs=1e-12)
    assert classifier.predict_log_proba([]).shape == (0, 2)


READ_OTHERWISE = {
    "unit": "word", "keep_punctuation": False, "max_length": 1, "lowercase": False,
    "fold_width": False, "segmenter": "whitespace", "stop_words": ["很"], "d_model": 12,
    "priors": ["wide"], "min_df": 5, "random_state": 9,
}  # fmt: skip
TEXTS = [*DOCUMENTS, "Ａ股，很好！", "AbＣ"]


@pytest.mark.parametrize("name", READ_OTHERWISE)
@pytest.mark.parametrize("unit", ["char", "word"])
def test_a_parameter_that_is_set_after_fit_waits_for_the_next(name, unit):
    classifier = small(unit=unit).fit(TEXTS, [*LABELS, "好", "坏"])
    shares = content(classifier.predict_proba(TEXTS))
    tokens = [each.tokens for each in classifier.attention_weights(TEXTS)]
    changed = "char" if (name, unit) == ("unit", "word") else READ_OTHERWISE[name]
    for each in (classifier, loaded(saved(classifier))):
        each.set_params(**{name: changed})
        for same in (each, loaded(saved(each))):
            assert content(same.predict_proba(TEXTS)) == shares
            assert [found.tokens for found in same.attention_weights(TEXTS)] == tokens
            assert same.get_params()[name] == changed


def test_a_segmenter_that_is_an_object_is_kept_once():
    classifier = small(unit="word", segmenter=CharSegmenter()).fit(DOCUMENTS, LABELS)
    wanted = content(classifier.predict_proba(DOCUMENTS))
    data = saved(classifier)
    assert saved(loaded(data)) == data
    copied = loaded(data).set_params(segmenter="jieba")
    assert content(copied.predict_proba(DOCUMENTS)) == wanted
