"""Settings of models: as text, with the seed of a run, and drawn from a grid."""

import subprocess
import sys
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from nlpfeat import AttentionClassifier, BagOfWordsVectorizer, LdaTransformer
from nlpfeat.compare.models import MODELS
from nlpfeat.compare.settings import described, drawn_settings, seeded
from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors.key import KeyPrior
from nlpfeat.priors.pmi import PmiPrior
from nlpfeat.text.segmenters import JiebaSegmenter, Segmenter


class Strange:
    """Shows an address."""

    def __init__(self, value):
        self.value = value


@dataclass
class Row:
    name: str


def test_every_kind_of_setting_is_text_without_an_address():
    value = {"a": [1, None, "词"], "b": (Row("x"), Strange(2)), "c": {"y", "x"}, "d": np.arange(3)}
    text = described(value)
    assert text.replace(f"{__name__}.", "").startswith(
        "{a=[1, None, '词'], b=[Row(name='x'), Strange(value=2)], c=['x', 'y']"
    )
    assert "0x" not in text
    assert described(np.arange(3)) == described(np.arange(3)) != described(np.arange(1, 4))
    assert described(described) == "nlpfeat.compare.settings.described"


class Silent(Strange):
    """Shows nothing of what it holds."""

    def __repr__(self):
        return "Silent()"

    def use(self, text):
        return text


class Mark(Segmenter):
    def __init__(self, mark):
        self.mark = mark

    def segment(self, text):
        return text.split(self.mark)


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


def use(text, how):
    return text


@pytest.mark.parametrize(
    "make",
    [
        Strange, Silent, Slotted, Row, np.random.RandomState, np.random.default_rng,
        lambda n: partial(use, how=n), lambda n: partial(use, n), lambda n: Silent(n).use,
        lambda n: np.array([None, Silent(n)]), lambda n: JiebaSegmenter(user_words=[f"词{n}"]),
        Mark,
    ],
)  # fmt: skip
def test_what_holds_the_same_is_told_alike_and_nothing_else(make):
    assert described(make(1)) == described(make(1)) != described(make(2))
    assert "0x" not in described(make(1))


def test_classes_of_one_name_in_two_modules_are_two():
    other = type("LinearSVC", (LinearSVC,), {"__module__": "elsewhere"})
    assert described(LinearSVC()).startswith("sklearn.svm._classes.LinearSVC(C=1.0, ")
    assert described(other()).startswith("elsewhere.LinearSVC(C=1.0, ")


@pytest.mark.slow
def test_another_process_says_the_same():
    code = (
        "from nlpfeat.compare.models import MODELS\n"
        "for model in MODELS.values(): print(model.settings)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
    assert told.splitlines() == [model.settings for model in MODELS.values()]


def test_the_seed_reaches_all_that_draws_and_the_given_model_stays():
    model = make_pipeline(BagOfWordsVectorizer(), LdaTransformer(3), LinearSVC())
    found = seeded(model, 5)
    assert found[1].random_state == 5
    assert found[2].random_state == 5
    assert model[2].random_state is None


def test_placebos_are_drawn_by_the_seed_and_other_priors_stay():
    model = AttentionClassifier(priors=(KeyPrior().shuffled(0), PmiPrior()))
    found = seeded(model, 7)
    assert found.priors == (KeyPrior(placebo=7), PmiPrior())
    assert found.random_state == 7


def test_a_model_without_parameters_is_copied():
    assert seeded(Strange(3), 1).value == 3


@pytest.mark.parametrize("n_trials", [1, 2, 5, 12, 40])
def test_settings_differ_and_the_first_is_the_default(n_trials):
    grid = {"C": (0.1, 1.0, 10.0), "fit_intercept": (True, False), "max_iter": (50, 100)}
    drawn = drawn_settings(LogisticRegression(), grid, n_trials, np.random.default_rng(0))
    assert len(drawn) == min(n_trials, 12)
    assert drawn[0] == {}
    tried = [{"C": 1.0, "fit_intercept": True, "max_iter": 100} | each for each in drawn]
    assert len({tuple(each.items()) for each in tried}) == len(drawn)


def test_a_grid_of_what_is_no_parameter_is_told():
    with pytest.raises(InvalidParameterError, match=r"The grid of LinearSVC .*Got 'c'; it has 'C'"):
        drawn_settings(LinearSVC(), {"c": (1,)}, 1, np.random.default_rng(0))
