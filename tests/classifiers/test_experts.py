from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from nlpfeat import BagOfWordsVectorizer, NBSVMClassifier, NgramVectorizer, SegmentTransformer
from nlpfeat.classifiers._experts import (
    default_expert,
    expert_decisions,
    fit_expert,
    stratified_folds,
)
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.priors.expert import ExpertPrior

TEXTS = [
    f"{subject}{word}"
    for word in ("好", "不好", "真好", "坏", "太坏", "坏了", "贵", "不贵", "太贵")
    for subject in ("天气", "房间", "股票", "电影")
]
LABELS = np.repeat(["好评", "差评", "价格"], 12)
NEW = ["公园好", "", "很贵很贵"]


def characters(classifier):
    return make_pipeline(NgramVectorizer(unit="char", ngram_range=(1, 2)), classifier)


def fit(expert="nbsvm", documents=TEXTS, y=LABELS, n_folds=3, seed=0, **more):
    return fit_expert(ExpertPrior(expert=expert, n_folds=n_folds), documents, y, seed, **more)


class Recorder(ClassifierMixin, BaseEstimator):
    """Remembers what it was given; decides by whether it has seen a document, and its own class."""

    seen: ClassVar[list[list[str]]] = []

    def fit(self, documents, y):
        self.classes_ = np.unique(y)
        self.known_ = dict(zip(documents, y))
        Recorder.seen.append(list(documents))
        return self

    def decision_function(self, documents):
        rows = [[1.0 * (self.known_.get(d) == c) for c in self.classes_] for d in documents]
        return np.array(rows)


def test_no_decision_is_of_an_expert_that_has_seen_the_document():
    Recorder.seen.clear()
    expert, out_of_fold = fit(Recorder())
    assert not out_of_fold.any()
    assert expert_decisions(expert, TEXTS).sum(axis=1).tolist() == [1.0] * len(TEXTS)
    assert list(map(len, Recorder.seen)) == [24, 24, 24, 36]
    # Documents keep their order in each part, and every one is left out once.
    assert all(part == [text for text in TEXTS if text in part] for part in Recorder.seen)
    left_out = [text for part in Recorder.seen[:3] for text in TEXTS if text not in part]
    assert sorted(left_out) == sorted(TEXTS)


@pytest.mark.parametrize(
    "classifier",
    [LinearSVC(random_state=0), MultinomialNB(), NBSVMClassifier(random_state=0)],
    ids=["decisions", "probabilities", "nbsvm"],
)
def test_out_of_fold_is_what_a_loop_gives(classifier):
    expert = characters(classifier)
    fitted, out_of_fold = fit(expert)
    classes, places = np.unique(LABELS, return_inverse=True)
    folds = stratified_folds(places, 3, seed=0)
    name = "decision_function" if hasattr(classifier, "decision_function") else "predict_log_proba"
    for fold in range(3):
        learn, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        alone = clone(expert).fit([TEXTS[place] for place in learn], LABELS[learn])
        assert alone.classes_.tolist() == classes.tolist()
        expected = getattr(alone, name)([TEXTS[place] for place in test])
        np.testing.assert_allclose(out_of_fold[test], expected, rtol=1e-10)
    whole = clone(expert).fit(TEXTS, LABELS)
    expected = getattr(whole, name)(NEW)
    np.testing.assert_allclose(expert_decisions(fitted, NEW), expected, rtol=1e-10)
    assert expert_decisions(fitted, []).shape == (0, 3)


def test_the_default_learns():
    expert, out_of_fold = fit()
    classes = np.unique(LABELS)
    assert (classes[out_of_fold.argmax(axis=1)] == LABELS).mean() > 0.8
    assert classes[expert_decisions(expert, NEW).argmax(axis=1)][[0, 2]].tolist() == [
        "好评",
        "价格",
    ]
    tokens = SegmentTransformer().transform(TEXTS)
    from_tokens, of_tokens = fit(documents=tokens)
    np.testing.assert_array_equal(of_tokens, out_of_fold)
    np.testing.assert_array_equal(
        expert_decisions(from_tokens, SegmentTransformer().transform(NEW)),
        expert_decisions(expert, NEW),
    )


def test_the_segmenter_is_that_of_the_default():
    expert, _ = fit(segmenter="char")
    assert expert.steps[0][1].segmenter == "char"


def test_texts_are_cut_once():
    n_calls = []

    def cut(text):
        n_calls.append(text)
        return list(text)

    expert = make_pipeline(
        SegmentTransformer(segmenter=cut), BagOfWordsVectorizer(), LinearSVC(random_state=0)
    )
    fitted, out_of_fold = fit(expert)
    assert len(n_calls) == len(TEXTS)
    expected = fit(make_pipeline(BagOfWordsVectorizer(segmenter="char"), *expert[2:]))[1]
    np.testing.assert_array_equal(out_of_fold, expected)
    assert expert_decisions(fitted, NEW).shape == (3, 3)
    assert not hasattr(expert[1], "vocabulary_")  # what the prior holds is never fitted


def test_the_same_seed_gives_the_same_and_another_other_folds():
    expert = characters(RandomForestClassifier(5))
    first, second, other = (fit(expert, seed=seed)[1] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)


def test_a_state_of_its_own_stays():
    expert = characters(RandomForestClassifier(5, random_state=7))
    assert fit(expert, seed=1)[0][-1].random_state == 7
    assert fit(characters(RandomForestClassifier(5)), seed=1)[0][-1].random_state == 1


@pytest.mark.slow
def test_processes_change_nothing():
    expert = make_pipeline(SegmentTransformer(), BagOfWordsVectorizer(), MultinomialNB())
    np.testing.assert_array_equal(fit(expert, n_jobs=2)[1], fit(expert)[1])


@pytest.mark.parametrize(
    "classifier", [LinearSVC(random_state=0), MultinomialNB()], ids=["decisions", "probabilities"]
)
def test_two_classes_have_two_columns(classifier):
    y = np.repeat([True, False], [12, 24])
    expert, out_of_fold = fit(characters(classifier), y=y)
    assert out_of_fold.shape == (36, 2)
    decisions = expert_decisions(expert, TEXTS)
    np.testing.assert_array_equal(
        expert.predict(TEXTS), np.array([False, True])[decisions.argmax(axis=1)]
    )
    if isinstance(classifier, LinearSVC):
        np.testing.assert_array_equal(decisions[:, 0], -decisions[:, 1])


def test_a_class_of_one_document():
    y = LABELS.copy()
    y[5] = "单独"
    _, out_of_fold = fit(characters(LinearSVC(random_state=0)), y=y)
    column = np.unique(y).tolist().index("单独")
    others = np.delete(out_of_fold, column, axis=1)
    folds = stratified_folds(np.unique(y, return_inverse=True)[1], 3, seed=0)
    same = folds == folds[5]  # decided without it: never as likely as another class
    np.testing.assert_array_equal(out_of_fold[same, column], others[same].min(axis=1))
    assert np.isfinite(out_of_fold).all()


def test_weights_of_classes_by_their_names():
    expert = characters(NBSVMClassifier(random_state=0, class_weight={"价格": 5.0}))
    weighted = fit(expert)[1]
    plain = fit(characters(NBSVMClassifier(random_state=0)))[1]
    column = np.unique(LABELS).tolist().index("价格")
    assert weighted[:, column].mean() > plain[:, column].mean()


def test_fewer_documents_than_folds():
    _, out_of_fold = fit(Recorder(), documents=["a", "b", "c", "d"], y=[0, 0, 1, 1], n_folds=10)
    assert out_of_fold.shape == (4, 2)


def test_impossible_classes_are_finite():
    forest = characters(RandomForestClassifier(3, random_state=0))
    _, out_of_fold = fit(forest)
    assert out_of_fold.min() == pytest.approx(np.log(1e-6))
    # Log-probabilities that underflow as probabilities stay.
    documents = [text * 300 for text in TEXTS]
    _, out_of_fold = fit(characters(BernoulliNB()), documents=documents)
    _, of_counts = fit(characters(MultinomialNB()), documents=documents)
    assert np.isfinite(out_of_fold).all()
    assert of_counts.min() < -700


class Pairs(Recorder):
    """Decides between each two classes."""

    def decision_function(self, documents):
        return np.ones((len(documents), 6))


class PairsAndProbabilities(Pairs):
    def predict_proba(self, documents):
        return np.tile([0.5, 0.25, 0.25, 0.0], (len(documents), 1))


def test_probabilities_where_decisions_are_of_pairs():
    y = np.repeat(["a", "b", "c", "d"], 9)
    _, out_of_fold = fit(PairsAndProbabilities(), y=y)
    expected = np.log([0.5, 0.25, 0.25, 1e-6])
    np.testing.assert_allclose(out_of_fold, np.tile(expected, (36, 1)))
    with pytest.raises(InvalidInputError, match=r"must give 4 finite decisions .*\(12, 6\)"):
        fit(Pairs(), y=y)


def test_a_search_is_a_classifier():
    expert = GridSearchCV(characters(LogisticRegression()), {"logisticregression__C": [1, 9]}, cv=2)
    fitted, out_of_fold = fit(expert)
    assert out_of_fold.shape == (36, 3)
    assert fitted.best_params_["logisticregression__C"] in (1, 9)


class OnlyPredicts(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):  # noqa: N803
        return self

    def predict(self, X):  # noqa: N803
        return [0] * len(X)


class Unsure(Recorder):
    def decision_function(self, documents):
        return np.full((len(documents), len(self.classes_)), np.nan)


@pytest.mark.parametrize(
    ("expert", "message"),
    [
        (characters(LinearRegression()), r"must be a scikit-learn classifier, or a pipeline"),
        (NgramVectorizer(), r"must be a scikit-learn classifier.*Got NgramVectorizer"),
        (OnlyPredicts(), r"must have decision_function or predict_proba\. Got OnlyPredicts"),
    ],
    ids=["regression", "vectorizer", "predict only"],
)
def test_no_classifier(expert, message):
    with pytest.raises(InvalidParameterError, match=message):
        fit(expert)


def test_an_expert_that_takes_no_documents():
    with pytest.raises(InvalidInputError, match=r"could not learn from the doc.*a vectorizer"):
        fit(LinearSVC())
    tokens = SegmentTransformer().transform(TEXTS)
    with pytest.raises(InvalidInputError, match=r"texts, or token lists\).*'list' object has no"):
        fit(make_pipeline(TfidfVectorizer(), Perceptron()), documents=tokens)


def test_an_expert_that_is_not_sure():
    with pytest.raises(InvalidInputError, match=r"3 finite decisions.*numbers that are not finite"):
        fit(Unsure())


def test_errors_of_its_own_come_through():
    expert = make_pipeline(NgramVectorizer(ngram_range=(2, 1)), MultinomialNB())
    with pytest.raises(InvalidParameterError, match="shortest length first"):
        fit(expert)


@pytest.mark.parametrize("y", [[0, 1], [0, 0, 1]], ids=str)
def test_too_few_documents(y):
    with pytest.raises(InvalidInputError, match=r"two classes must remain.*two documents of each"):
        fit(Recorder(), documents=TEXTS[: len(y)], y=y)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=40), st.integers(2, 6), st.integers(0, 3))
def test_folds_are_even(classes, n_folds, seed):
    places = np.unique(classes, return_inverse=True)[1]
    folds = stratified_folds(places, n_folds, seed)
    for members in (np.ones(len(places), bool), *(places == each for each in np.unique(places))):
        sizes = np.bincount(folds[members], minlength=n_folds)
        assert sizes.max() - sizes.min() <= 1
    np.testing.assert_array_equal(folds, stratified_folds(places, n_folds, seed))


def test_the_default_is_what_the_documentation_says():
    expert = default_expert("whitespace")
    _, union, classifier = (step for _, step in expert.steps)
    words, chars = (vectorizer for _, vectorizer in union.transformer_list)
    assert (words.unit, words.ngram_range) == ("word", (1, 2))
    assert (chars.unit, chars.ngram_range) == ("char", (1, 3))
    assert all(each.binary and each.keep_punctuation for each in (words, chars))
    assert (classifier.alpha, classifier.random_state) == (0.3, 0)
