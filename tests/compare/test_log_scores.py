"""Log-probabilities of any fitted model, whatever it offers."""

import numpy as np
import pytest
from scipy.special import expit, softmax
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from nlpfeat import BagOfWordsVectorizer
from nlpfeat.compare.log_scores import ModelScores
from nlpfeat.compare.metrics import METRICS
from nlpfeat.compare.metrics.predictions import LEAST_LOG_PROBABILITY
from nlpfeat.errors import InvalidInputError

DOCUMENTS = [["好"], ["好", "好"], ["坏"], ["差", "坏"], ["冷"], ["冷", "雨"]]
LABELS = np.array(["正", "正", "负", "负", "天", "天"])
NEW = [["好", "坏"], ["雨"], []]


def fitted(classifier, n_documents=6):
    model = make_pipeline(BagOfWordsVectorizer(), classifier)
    return model.fit(DOCUMENTS[:n_documents], LABELS[:n_documents])


def test_probabilities_and_decisions_become_logarithms():
    bayes, svm = fitted(MultinomialNB()), fitted(LinearSVC(random_state=0))
    classes = ["天", "正", "负"]
    np.testing.assert_allclose(ModelScores(bayes, classes)(NEW), bayes.predict_log_proba(NEW))
    decisions = svm.decision_function(NEW)
    np.testing.assert_allclose(np.exp(ModelScores(svm, classes)(NEW)), softmax(decisions, axis=1))


def test_of_two_classes_a_decision_is_a_logistic_function():
    svm = fitted(LinearSVC(random_state=0), 4)
    found = np.exp(ModelScores(svm, ["正", "负"])(NEW))
    np.testing.assert_allclose(found[:, 1], expit(svm.decision_function(NEW)))


def test_for_logistic_regression_both_ways_agree():
    class Decides:
        def __init__(self, model):
            self.classes_, self.decision_function = model.classes_, model.decision_function

    model = fitted(LogisticRegression())
    classes = ["天", "正", "负"]
    np.testing.assert_allclose(
        ModelScores(Decides(model), classes)(NEW), ModelScores(model, classes)(NEW), atol=1e-12
    )


def test_a_class_that_was_not_learned_gets_the_least():
    scores = ModelScores(fitted(MultinomialNB(), 4), ["天", "正", "负"])
    assert (scores(NEW)[:, 0] == LEAST_LOG_PROBABILITY).all()
    assert np.isfinite(scores(NEW)).all()
    assert scores([]).shape == (0, 3)


class Votes:
    def __init__(self, answers):
        self.answers = answers

    def predict(self, documents):
        return self.answers[: len(documents)]


def test_votes_are_nearly_sure():
    found = np.exp(ModelScores(Votes(["b", "a"]), ["a", "b", "c"])([["x"], ["y"]]))
    np.testing.assert_allclose(found, [[5e-7, 1 - 1e-6, 5e-7], [1 - 1e-6, 5e-7, 5e-7]])


class Always(Votes):
    def predict(self, documents):
        return self.answers


class Sure(Votes):
    def predict_proba(self, documents):
        return np.array(self.answers)


def test_a_probability_of_0_is_finite_and_nonsense_is_told():
    assert ModelScores(Sure([[1.0, 0.0]]), ["a", "b"])([["x"]]).tolist() == [
        [0.0, LEAST_LOG_PROBABILITY]
    ]
    # The metrics have the same floor: what was ruled out and came costs 69.1 nats.
    ruled_out = ModelScores(Sure([[1.0, 0.0]]), ["a", "b"])([["x"]])
    assert METRICS["log_loss"].compute([1], ruled_out) == METRICS["log_loss"].bounds[1]
    with pytest.raises(InvalidInputError, match=r"Got NaN\."):
        ModelScores(Sure([[np.nan, 0.0]]), ["a", "b"])([["x"]])
    with pytest.raises(InvalidInputError, match=r"shape \(1, 2\). Got shape \(1, 3\)"):
        ModelScores(Sure([[0.2, 0.3, 0.5]]), ["a", "b"])([["x"]])
    with pytest.raises(InvalidInputError, match=r"probabilities of at least 0\. Got -0\.5\."):
        ModelScores(Sure([[-0.5, 1.5]]), ["a", "b"])([["x"]])
    for answers in (["a"], ["a", "b", "a"]):
        with pytest.raises(InvalidInputError, match=r"one class for each of 2 documents\. Got"):
            ModelScores(Always(answers), ["a", "b"])([["x"], ["y"]])
    with pytest.raises(InvalidInputError, match="Got 'z'"):
        ModelScores(Votes(["z"]), ["a", "b"])([["x"]])
    with pytest.raises(InvalidInputError, match=r"Got '天' among its classes_"):
        ModelScores(fitted(MultinomialNB()), ["正", "负"])
