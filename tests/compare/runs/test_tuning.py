"""The choice on the dev part: the best of what is tried, and nothing of the test part."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, log_loss
from sklearn.pipeline import make_pipeline

from nlpfeat import BagOfWordsVectorizer
from nlpfeat.compare.metrics.temperature import scaled
from nlpfeat.compare.models import ComparedModel
from nlpfeat.compare.runs.tuning import LearningPart, tune

WORDS = list("天地人你我他好坏冷热")


def part() -> LearningPart:
    random = np.random.default_rng(0)
    documents = [random.choice(WORDS, 6).tolist() for _ in range(120)]
    places = np.array(
        [int(document.count("好") + document.count("热") > 1) for document in documents]
    )
    places ^= random.random(120) < 0.2  # so that no temperature is best at an end
    labels = np.array(["坏", "好"])[places]
    return LearningPart(
        documents[:60], labels[:60].tolist(), documents[60:], places[60:].astype(np.int64),
        ["坏", "好"],
    )  # fmt: skip


MODEL = ComparedModel(
    name="词",
    estimator=make_pipeline(BagOfWordsVectorizer(), LogisticRegression(C=1e-4)),
    grid={"logisticregression__C": (1e-4, 1e-2, 1.0, 100.0)},
)


def test_the_chosen_setting_is_the_best_on_the_dev_part_by_a_second_count():
    learn = part()
    tuned = tune(MODEL, learn, n_trials=4, seed=0, split=0)
    scored = []
    for trial in tuned.trials:
        strength = trial.setting.get("logisticregression__C", 1e-4)
        model = make_pipeline(BagOfWordsVectorizer(), LogisticRegression(C=strength))
        model.fit(learn.fit_documents, learn.fit_labels)
        accuracy = accuracy_score(learn.dev_places, model.predict(learn.dev_documents) == "好")
        assert trial.accuracy == pytest.approx(accuracy)
        logs = model.predict_log_proba(learn.dev_documents)

        def loss(log_temperature, logs=logs):
            return log_loss(learn.dev_places, np.exp(scaled(logs, np.exp(log_temperature))))

        best = minimize_scalar(loss, bounds=(-7, 7), method="bounded")
        assert trial.log_loss == pytest.approx(best.fun, abs=5e-3)
        scored.append((accuracy, -trial.log_loss))
    assert len({trial.setting.get("logisticregression__C") for trial in tuned.trials}) == 4
    assert tuned.chosen == max(range(4), key=lambda place: scored[place])
    assert tuned.chosen > 0
    logs = tuned.scores(learn.dev_documents)
    assert np.mean(logs.argmax(axis=1) == learn.dev_places) == scored[tuned.chosen][0]
    assert tuned.seconds >= tuned.times.wall > 0


class Fails(ClassifierMixin, BaseEstimator):
    def __init__(self, how="default"):
        self.how = how

    def fit(self, documents, labels):
        if self.how == "never":
            raise ValueError("不行")
        self.label_ = labels[0]

    def predict(self, documents):
        return np.array([self.label_] * len(documents))


def test_a_setting_that_fails_is_noted_and_another_one_is_chosen():
    model = ComparedModel(name="f", estimator=Fails("never"), grid={"how": ("never", "well")})
    tuned = tune(model, part(), n_trials=2, seed=0, split=0)
    assert tuned.chosen == 1
    assert tuned.trials[0].error == "ValueError: 不行"
    assert tuned.trials[0].accuracy is None
    assert tuned.trials[1].setting == {"how": "well"}


def test_when_all_settings_fail_the_first_error_is_raised():
    model = ComparedModel(name="f", estimator=Fails("never"))
    with pytest.raises(ValueError, match="不行"):
        tune(model, part(), n_trials=3, seed=0, split=0)


def test_settings_are_drawn_by_seed_split_and_name():
    tried = [
        [trial.setting for trial in tune(MODEL, part(), n_trials=3, seed=seed, split=0).trials]
        for seed in (0, 0, 1, 2, 3)
    ]
    assert tried[0] == tried[1]
    assert any(each != tried[0] for each in tried[2:])
