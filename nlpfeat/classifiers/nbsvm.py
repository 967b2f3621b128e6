"""NBSVM: a linear support vector machine on counts weighted by naive Bayes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.svm import LinearSVC
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from nlpfeat._typing import BoolArray, Float64Array
from nlpfeat._validation import check_int, check_real
from nlpfeat.classifiers._class_weights import is_balanced, mapped_weights
from nlpfeat.features.classes import check_classes, check_several
from nlpfeat.features.count_matrix import check_counts
from nlpfeat.features.naive_bayes import check_ratio_parameters
from nlpfeat.features.random_states import check_seed
from nlpfeat.measures.naive_bayes import log_count_ratio, presence, weighted
from nlpfeat.parallel.pool import resolve_n_jobs

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(kw_only=True, eq=False, repr=False)
class NBSVMClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Counts → class: a linear support vector machine on counts weighted by log-count ratios.

    Each class is told from the rest by a ``LinearSVC`` on what ``NaiveBayesRatioTransformer``
    gives. The answer is that of scikit-learn's ``OneVsRestClassifier(make_pipeline(
    NaiveBayesRatioTransformer(), LinearSVC(C=0.01)))``, but the counts are checked once, and ratio
    and coefficient become one weight.

    Parameters
    ----------
    C : float, default 0.01
        How much an error counts against large weights, above 0.
    alpha : float, default 1.0
        Added to the sum of each term in each class, above 0.
    binary : bool, default True
        Whether counts above 1 are taken as 1.
    class_weight : mapping of class to float, "balanced" or None, default None
        A mapping multiplies the ``C`` of each document by the weight of its class (1 when it has
        none). "balanced": against the rest, every class weighs as much as the rest does.
    max_iter : int, default 1000
        Rounds of the solver for each class, at least 1.
    random_state : int, RandomState or None, default None
        The order in which the solver takes the documents, where there are fewer of them than terms.
        An integer makes the result the same each time.
    n_jobs : int, default None
        Processes; the classes are shared among them. -1 takes all processors. The result is the
        same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    log_count_ratio_ : ndarray of shape (n_classes, n_terms), float64, or (1, n_terms) for two
        The ratio of each class against the rest; for two classes of ``classes_[1]``.
    coef_ : ndarray of the same shape, float64
        What a count of 1 adds to the decision: ratio times coefficient of the SVM.
    intercept_ : ndarray of shape (n_classes,), float64, or (1,) for two
    n_iter_ : int
        The rounds of the solver for the class that took the most.
    n_features_in_ : int
    feature_names_in_ : ndarray of str objects
        Only when ``fit`` was given a data frame.

    Notes
    -----
    Wang and Manning also let weights shrink to their mean (their beta); this is beta = 1. Their C
    is 1; 0.01 suits ratios of character n-grams of short Chinese texts.

    Source: Wang and Manning (2012).

    Examples
    --------
    >>> from nlpfeat import BagOfWordsVectorizer
    >>> texts = ["房间很好", "很好，很干净", "房间不好", "很差，不干净"]
    >>> vectorizer = BagOfWordsVectorizer()
    >>> X = vectorizer.fit_transform(texts)
    >>> classifier = NBSVMClassifier(random_state=0).fit(X, ["好评", "好评", "差评", "差评"])
    >>> classifier.predict(vectorizer.transform(["房间很干净", "房间很差"])).tolist()
    ['好评', '差评']
    """

    C: float = 0.01
    alpha: float = 1.0
    binary: bool = True
    class_weight: Mapping[Any, float] | str | None = None
    max_iter: int = 1000
    random_state: Any = None
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803
        """Learn ratio and weight of each term for each class.

        Parameters
        ----------
        X : sparse or dense matrix of counts, shape (n_documents, n_terms)
        y : array-like of shape (n_documents,)
            The class of each document.

        Returns
        -------
        self

        Raises
        ------
        InvalidInputError
            For a matrix that is none of counts, and for classes that are missing, not one a
            document, or fewer than two.
        InvalidParameterError
            For a parameter that cannot be.
        """
        svm = self._checked_svm()
        counts, labels = check_counts(self, X, reset=True), check_classes(self, X, y)
        classes, places = np.unique(labels, return_inverse=True)
        self.classes_ = check_several(classes)
        if self.binary:
            counts = presence(counts)
        weights = self._document_weights(places)
        jobs = (
            delayed(_fit_class)(svm, counts, places == place, self.alpha, weights)
            for place in self._told_apart()
        )
        ratios, coefficients, intercepts, rounds = zip(*Parallel(n_jobs=self.n_jobs)(jobs))
        self.log_count_ratio_ = np.stack(ratios)
        self.coef_ = self.log_count_ratio_ * np.stack(coefficients)
        self.intercept_ = np.array(intercepts)
        self.n_iter_ = max(rounds)
        return self

    def decision_function(self, X: Any) -> Float64Array:  # noqa: N803
        """Return how clearly each document belongs to each class.

        Parameters
        ----------
        X : sparse or dense matrix of counts, shape (n_documents, n_terms)

        Returns
        -------
        ndarray of shape (n_documents, n_classes), or (n_documents,) for two classes, float64
            Distances to the boundary; above 0 for the class, for two classes for ``classes_[1]``.

        Raises
        ------
        InvalidInputError
            For a matrix that is none of counts, or has other columns than in ``fit``.
        """
        check_is_fitted(self)
        counts = check_counts(self, X, reset=False)
        decisions = (presence(counts) if self.binary else counts) @ self.coef_.T + self.intercept_
        return np.asarray(decisions[:, 0] if len(self.coef_) == 1 else decisions, dtype=np.float64)

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the class of each document.

        Parameters
        ----------
        X : sparse or dense matrix of counts, shape (n_documents, n_terms)

        Returns
        -------
        ndarray of shape (n_documents,)
            The class with the largest decision; the first of equals.

        Raises
        ------
        InvalidInputError
            As ``decision_function``.
        """
        decisions = self.decision_function(X)
        places = decisions.argmax(axis=1) if decisions.ndim == 2 else (decisions > 0).astype(int)
        return np.asarray(self.classes_[places])

    def __sklearn_tags__(self) -> Any:
        """Say that counts are at least 0 and may be sparse."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        # Presence of every term, as in dense measurements, tells nothing.
        tags.classifier_tags.poor_score = bool(self.binary)
        return tags

    def _told_apart(self) -> range:
        """Return the places of the classes that are compared with the rest."""
        return range(1, 2) if len(self.classes_) == 2 else range(len(self.classes_))

    def _checked_svm(self) -> LinearSVC:
        check_ratio_parameters(self.alpha, self.binary)
        balanced = is_balanced(self.class_weight)
        resolve_n_jobs(self.n_jobs)
        if not isinstance(self.random_state, np.random.RandomState):
            # For its error alone: LinearSVC is to draw as it does in the pipeline.
            check_seed(self.random_state)
        return LinearSVC(
            C=check_real(self.C, "C", above=0.0),
            class_weight="balanced" if balanced else None,
            max_iter=check_int(self.max_iter, "max_iter", minimum=1),
            random_state=self.random_state,
        )

    def _document_weights(self, places: NDArray[np.intp]) -> Float64Array | None:
        if not isinstance(self.class_weight, Mapping):
            return None
        by_class: Float64Array = mapped_weights(self.class_weight, self.classes_)
        return by_class[places]


def _fit_class(
    svm: LinearSVC,
    counts: "csr_array",
    is_positive: BoolArray,
    alpha: float,
    weights: Float64Array | None,
) -> tuple[Float64Array, Float64Array, float, int]:
    """Return ratio, coefficients, intercept and rounds of one class against the rest."""
    ratio = log_count_ratio(counts, is_positive, alpha=alpha)
    fitted = clone(svm).fit(weighted(counts, ratio), is_positive.astype(int), weights)
    return ratio, fitted.coef_[0], float(fitted.intercept_[0]), int(fitted.n_iter_)
