"""The classical models of bench_bridge.py: families of settings, and the choice among them."""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from bridge_data import Labels, Tokens
from joblib import Memory
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC

from nlpfeat import NBSVMClassifier, NgramVectorizer

Scores: TypeAlias = NDArray[np.float64]

FOLDS = 5


def with_marks(documents: Tokens) -> Tokens:
    """Return the documents with a token at each end, so that n-grams know where they stand."""
    return [["⊢", *tokens, "⊣"] for tokens in documents]


def ngrams(longest_word: int, longest_character: int) -> Any:
    """Return n-grams of words and of characters, with punctuation and marks, side by side."""
    vectorizer = partial(NgramVectorizer, binary=True, keep_punctuation=True)
    return make_pipeline(
        FunctionTransformer(with_marks),
        make_union(
            vectorizer(ngram_range=(1, longest_word)),
            vectorizer(ngram_range=(1, longest_character), unit="char"),
        ),
    )


FEATURES: dict[str, Any] = {
    "words, characters 1–2": ngrams(1, 2),
    "words 1–2, characters 1–3": ngrams(2, 3),
}


def tfidf(classifier: Any) -> Any:
    return make_pipeline(TfidfTransformer(sublinear_tf=True), classifier)


def settings_of(make: Callable[..., Any], **grid: tuple[float, ...]) -> dict[str, Any]:
    """Return the classifier of each combination, by its name."""
    combinations = (dict(zip(grid, values)) for values in product(*grid.values()))
    return {
        ", ".join(f"{name}={value:g}" for name, value in each.items()): make(**each)
        for each in combinations
    }


FAMILIES: dict[str, dict[str, Any]] = {
    "NBSVM": settings_of(
        partial(NBSVMClassifier, random_state=0), C=(0.01, 0.03), alpha=(0.1, 0.3)
    ),
    "multinomial naive Bayes": settings_of(MultinomialNB, alpha=(0.1, 0.3, 0.5, 1.0)),
    "complement naive Bayes": settings_of(ComplementNB, alpha=(0.1, 0.3, 1.0)),
    "TF-IDF, linear SVM": settings_of(
        lambda C: tfidf(LinearSVC(C=C, random_state=0)),  # noqa: N803
        C=(0.3, 1.0, 3.0),
    ),
    "linear SVM": settings_of(partial(LinearSVC, random_state=0), C=(0.03, 0.1)),
    "TF-IDF, logistic regression": settings_of(
        lambda C: tfidf(LogisticRegression(C=C, max_iter=300)),  # noqa: N803
        C=(30.0,),
    ),
}
ONLY_SMALL = ("TF-IDF, logistic regression", "linear SVM", "multinomial naive Bayes")
"""Families that are not tried at 45,000 texts: at fewer they are not the best, or take hours."""

THREE = ["NBSVM", "TF-IDF, linear SVM", "complement naive Bayes"]
"""Families that err in different ways, for the rows with three experts."""


def scores_of(classifier: Any, X: Any) -> Scores:  # noqa: N803
    """Return what the classifier decides by: decisions, or log-probabilities."""
    decide = getattr(classifier, "decision_function", None) or classifier.predict_log_proba
    return np.asarray(decide(X), dtype=np.float64)


def cross_validated(
    settings: dict[str, Any], documents: Tokens, labels: Labels
) -> dict[tuple[str, str], Scores]:
    """Return the decisions out of fold of each setting, by the names of features and classifier.

    Each fold is counted once for all classifiers.
    """
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    n_classes = len(np.unique(labels))
    decisions = {key: np.empty((len(labels), n_classes)) for key in product(FEATURES, settings)}
    for learn, test in folds.split(labels, labels):
        for name, features in FEATURES.items():
            counter = clone(features)
            counts = counter.fit_transform([documents[place] for place in learn])
            test_counts = counter.transform([documents[place] for place in test])
            for setting, classifier in settings.items():
                fitted = clone(classifier).fit(counts, labels[learn])
                decisions[name, setting][test] = scores_of(fitted, test_counts)
    return decisions


def best_setting(
    family: str, documents: Tokens, labels: Labels
) -> tuple[tuple[str, str], float, Scores]:
    """Return the setting that is best out of fold (the first of equals), its accuracy, and more.

    Returns
    -------
    setting : (str, str)
        Names of the features and of the classifier.
    accuracy : float
    decisions : ndarray of shape (n_documents, n_classes)
        Out of fold.
    """
    decisions = cross_validated(FAMILIES[family], documents, labels)
    accuracies = {
        key: float(np.mean(each.argmax(axis=1) == labels)) for key, each in decisions.items()
    }
    best = max(accuracies, key=accuracies.__getitem__)
    return best, accuracies[best], decisions[best]


def pipeline(family: str, setting: tuple[str, str]) -> Any:
    """Return the model of a setting, over token lists."""
    features, classifier = setting
    return make_pipeline(clone(FEATURES[features]), clone(FAMILIES[family][classifier]))


def _decisions(model: Any, learn: tuple[Tokens, Labels], documents: Tokens) -> Scores:
    return scores_of(clone(model).fit(*learn), documents)


class KeptExpert(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose decisions are kept on disk: rows with the same expert ask once.

    It learns when it is first asked of documents that it has not been asked of before.
    """

    def __init__(self, model: Any, folder: str) -> None:
        self.model = model
        self.folder = folder

    def fit(self, documents: Tokens, y: Labels) -> "KeptExpert":
        """Remember what is to be learned."""
        self.classes_ = np.unique(y)
        self.learn_ = documents, y
        return self

    def decision_function(self, documents: Tokens) -> Scores:
        """Return decisions or log-probabilities, kept ones where there are."""
        ask = Memory(self.folder, verbose=0).cache(_decisions)
        return np.asarray(ask(self.model, self.learn_, documents))
