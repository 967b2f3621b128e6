"""Scores on phenomena: texts that nothing was chosen on, whole groups, and intervals over them."""

import numpy as np
import pytest

from nlpfeat import Corpus
from nlpfeat.compare.models import ComparedModel
from nlpfeat.compare.phenomenon_scores import SEED_STEP, phenomenon_plan, phenomenon_scores
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.runs.plan import make_plan, runs_of
from nlpfeat.compare.runs.store import RunResult, RunStore, Trial
from nlpfeat.compare.statistics.bootstrap import bootstrap_mean
from nlpfeat.compare.summarizing.finished import FinishedRun
from nlpfeat.datasets.phenomena import PHENOMENA, make_phenomenon
from nlpfeat.errors import InvalidInputError

PROTOCOL = Protocol(seeds=(0, 1), n_resamples=2000)
N_TRAIN, N_TEST = 800, 400


class Guess:
    """Takes part where nothing is fitted."""

    def fit(self, documents, labels):
        """Learn nothing."""
        return self

    def predict(self, documents):
        """Know nothing."""
        return np.array([documents[0]] * len(documents))


MODEL = ComparedModel(name="guess", estimator=Guess(), sees="bag", family="classical")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return RunStore(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module", params=["order", "negation", "repeated_word"])
def plan(request, store):
    """Groups of two, four and eight."""
    return phenomenon_plan(request.param, PROTOCOL, store)


def score_of(plan, right):
    """Score a model of which it is known where it is right: a row of ``right`` for each run."""
    finished = []
    for run, row in zip(runs_of(plan, [MODEL]), right, strict=True):
        expected = plan.expected[run.parts.test]
        predicted = np.where(row, expected, 1 - expected)
        logs = np.log(np.where(np.eye(2)[predicted] == 1.0, 0.9, 0.1)).astype(np.float32)
        result = RunResult(logs, 1.0, [Trial({}, 0.5, 1.0)], 0, {})
        finished.append(FinishedRun(run, result))
    (score,) = phenomenon_scores(plan, [MODEL], {"guess": finished})
    return score


def test_the_texts_are_not_those_that_settings_were_chosen_on(plan, store):
    parts = make_phenomenon(plan.phenomenon, random_state=1)
    assert SEED_STEP == 1
    assert plan.texts.texts == (*parts.train, *parts.test)
    chosen_on = make_phenomenon(plan.phenomenon)
    assert plan.texts.texts != (*chosen_on.train, *chosen_on.test)
    other = phenomenon_plan(plan.phenomenon, Protocol(split_seed=4), store)
    assert other.texts.texts[:N_TRAIN] == tuple(make_phenomenon(plan.phenomenon, random_state=5)[0])


def test_no_part_tears_a_group(plan):
    size = PHENOMENA[plan.phenomenon].group_size
    assert np.bincount(plan.groups).tolist() == [size] * ((N_TRAIN + N_TEST) // size)
    devs = []
    for run in runs_of(plan, [MODEL]):
        parts = run.parts
        for rows in (parts.fit, parts.dev, parts.test):
            assert set(np.bincount(plan.groups[rows]).tolist()) <= {0, size}
            assert np.bincount(plan.expected[rows]).tolist() == [len(rows) // 2] * 2
        assert len(parts.dev) == 80
        devs.append(parts.dev.tolist())
    assert devs[0] != devs[1]
    assert plan.sizes() == ([], [])


def test_twins_have_an_interval_without_a_width(plan):
    """Whoever answers the same for both labels is right for half of each group."""
    right = plan.expected[N_TRAIN:] == 0
    score = score_of(plan, [right, ~right])
    assert (score.mean, score.low, score.high) == (0.5, 0.5, 0.5)


def test_the_interval_is_that_of_groups(plan):
    """Second method: groups that are right or wrong as a whole, as so many documents."""
    random = np.random.default_rng(0)
    size = PHENOMENA[plan.phenomenon].group_size
    groups = plan.groups[N_TRAIN:] - plan.groups[N_TRAIN:].min()
    by_group = random.random((2, N_TEST // size)) < 0.75
    score = score_of(plan, by_group[:, groups])
    wanted = bootstrap_mean(by_group, n_resamples=2000)
    assert (score.mean, score.low, score.high) == pytest.approx(
        (wanted.value, wanted.low, wanted.high), abs=1e-12
    )
    # Runs that are the same add nothing, and what is left grows with the root of the group.
    same = by_group[[0, 0]]
    score, of_texts = score_of(plan, same[:, groups]), bootstrap_mean(same[:, groups])
    ratio = (score.high - score.low) / (of_texts.high - of_texts.low)
    assert ratio == pytest.approx(np.sqrt(size), rel=0.1)


def test_the_mean_is_the_accuracy(plan):
    right = np.random.default_rng(1).random((2, N_TEST)) < 0.6
    score = score_of(plan, right)
    assert score.mean == pytest.approx(right.mean(), abs=1e-12)
    assert score.low < score.mean < score.high
    assert (score.ceiling, score.n_runs) == (0.5, 2)


def test_without_groups_each_text_is_one(store):
    parts = make_phenomenon("order", n_train=80, n_test=40)
    protocol = Protocol(split="given", seeds=(0,), n_resamples=500)
    plan = make_plan(parts.train, protocol, store, test=parts.test, phenomenon="order")
    right = np.arange(40) % 4 > 0
    score, wanted = score_of(plan, [right]), bootstrap_mean(right, n_resamples=500)
    assert (score.mean, score.low, score.high) == (wanted.value, wanted.low, wanted.high)


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ("train", "1 document of the corpus repeats an earlier text and was left out."),
        ("test", "1 document of the test corpus has a text that stands in the training part and"),
    ],
)
def test_a_phenomenon_that_loses_a_text_is_told(part, told, store, monkeypatch):
    """A text of training with a space behind it is that text: it is repeated, or shared."""
    parts = make_phenomenon("order", n_train=80, n_test=40)
    texts, labels = list(getattr(parts, part)), getattr(parts, part).labels()
    texts[0], labels[0] = f"{parts.train_items[1].text} ", parts.train_items[1].label
    torn = parts._replace(**{part: Corpus.from_texts(texts, labels, name=f"order.{part}")})
    monkeypatch.setattr("nlpfeat.datasets.phenomena.make_phenomenon", lambda *_, **__: torn)
    message = rf"^order\.train: .* Got 120 in groups and 119 that take part\. {told}"
    with pytest.raises(InvalidInputError, match=message):
        phenomenon_plan("order", PROTOCOL, store)
