"""Counts weighted by how much each term speaks for one of two classes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from nlpfeat._validation import check_real
from nlpfeat.counts.indices import with_fitting_indices
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.count_matrix import check_counts
from nlpfeat.measures.naive_bayes import log_count_ratio

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(kw_only=True, eq=False, repr=False)
class NaiveBayesRatioTransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Counts of two classes of documents → counts times the log-count ratio of their terms.

    Each column is multiplied by r = ln( (p / |p|) / (q / |q|) ), where p is ``alpha`` plus the sum
    of the rows of ``classes_[1]``, and q the same of ``classes_[0]``. A linear classifier behind it
    (NBSVM) starts from what naive Bayes knows.

    Parameters
    ----------
    alpha : float, default 1.0
        Added to the sum of each term in each class, above 0.
    binary : bool, default True
        Whether counts above 1 are taken as 1, in ``fit`` and in ``transform``.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The two classes, sorted.
    log_count_ratio_ : ndarray of shape (n_terms,), float64
        r: above 0 for terms that speak for ``classes_[1]``.
    n_features_in_ : int
    feature_names_in_ : ndarray of str objects
        Only when ``fit`` was given a data frame.

    See Also
    --------
    nlpfeat.classifiers.nbsvm.NBSVMClassifier : with the classifier, for any number of classes.

    Notes
    -----
    Source: Wang and Manning (2012).

    Examples
    --------
    Columns 好, 坏, 车; two good reviews, then a bad one:

    >>> X = np.array([[2, 0, 1], [1, 0, 0], [0, 1, 1]])
    >>> transformer = NaiveBayesRatioTransformer().fit(X, ["好评", "好评", "差评"])
    >>> transformer.classes_.tolist(), transformer.log_count_ratio_.round(2).tolist()
    (['好评', '差评'], [-0.92, 0.88, 0.18])
    >>> transformer.transform(X).toarray().round(2)
    array([[-0.92,  0.  ,  0.18],
           [-0.92,  0.  ,  0.  ],
           [ 0.  ,  0.88,  0.18]])
    """

    alpha: float = 1.0
    binary: bool = True

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803
        """Learn the ratio of each term.

        Parameters
        ----------
        X : sparse or dense matrix of counts, shape (n_documents, n_terms)
        y : array-like of shape (n_documents,)
            The class of each document, one of two.

        Returns
        -------
        self

        Raises
        ------
        InvalidInputError
            For a matrix that is none of counts, and for classes that are missing, not one a
            document, or not two.
        InvalidParameterError
            For a parameter that cannot be.
        """
        check_ratio_parameters(self.alpha, self.binary)
        counts, labels = check_counts(self, X, reset=True), check_classes(self, X, y)
        classes = np.unique(labels)
        if len(classes) > 2:
            raise InvalidInputError(
                "Only binary classification is supported. y must hold two classes, as the ratio "
                f"compares one with the other. Got {len(classes)}: use NBSVMClassifier(), or "
                "OneVsRestClassifier(make_pipeline(NaiveBayesRatioTransformer(), "
                "LinearSVC(C=0.01))), which compare each class with the rest."
            )
        self.classes_ = check_several(classes)
        self.log_count_ratio_ = log_count_ratio(
            presence(counts) if self.binary else counts, labels == classes[1], alpha=self.alpha
        )
        return self

    def transform(self, X: Any) -> "csr_array":  # noqa: N803
        """Return the counts times the ratio of their terms.

        Parameters
        ----------
        X : sparse or dense matrix of counts, shape (n_documents, n_terms)

        Returns
        -------
        csr_array of shape (n_documents, n_terms), float64

        Raises
        ------
        InvalidInputError
            For a matrix that is none of counts, or has other columns than in ``fit``.
        """
        check_is_fitted(self)
        check_ratio_parameters(self.alpha, self.binary)
        counts = check_counts(self, X, reset=False)
        return weighted(presence(counts) if self.binary else counts, self.log_count_ratio_)

    def __sklearn_tags__(self) -> Any:
        """Say that counts are at least 0 and may be sparse, and that there are two classes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags


def check_ratio_parameters(alpha: object, binary: object) -> None:
    """Raise `InvalidParameterError` unless ``alpha`` is above 0 and ``binary`` a truth value."""
    check_real(alpha, "alpha", above=0.0)
    if not isinstance(binary, bool | np.bool_):
        raise InvalidParameterError(f"binary must be True or False. Got {binary!r}.")


def check_classes(estimator: Any, X: Any, y: Any) -> NDArray[Any]:  # noqa: N803
    """Return the class of each document as a vector.

    Raises
    ------
    InvalidInputError
        When ``y`` is missing or no vector, has not one class a document, or holds numbers that
        are no classes.
    """
    if y is None:
        raise InvalidInputError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y "
            "is None. Give the class of each document."
        )
    try:
        labels = column_or_1d(
            check_array(y, ensure_2d=False, dtype=None, input_name="y"), warn=True
        )
        check_consistent_length(X, labels)
        check_classification_targets(labels)
    except ValueError as error:
        raise InvalidInputError(str(error)) from error
    return np.asarray(labels)


def check_several(classes: NDArray[Any]) -> NDArray[Any]:
    """Return the classes when there are at least two.

    Raises
    ------
    InvalidInputError
        When there is one class only.
    """
    if len(classes) < 2:
        raise InvalidInputError(
            f"y must hold at least two classes. Got one class: {classes[0]!r} for every document."
        )
    return classes


def presence(counts: "csr_array") -> "csr_array":
    """Return 1 where there is a count, as float64.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> presence(csr_array([[0, 2, 1]])).toarray()
    array([[0., 1., 1.]])
    """
    from scipy.sparse import csr_array

    ones = np.ones(counts.nnz)
    return csr_array((ones, counts.indices, counts.indptr), shape=counts.shape)


def weighted(counts: "csr_array", ratio: NDArray[np.float64]) -> "csr_array":
    """Return the counts times the ratio of their column, without explicit zeros.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> weighted(csr_array([[0, 2, 1]]), np.array([1.0, -0.5, 0.0])).toarray()
    array([[ 0., -1.,  0.]])
    """
    from scipy.sparse import csr_array

    data = counts.data * ratio[counts.indices]
    # Copied, as who gets the result may change it, and the counts may be the caller's.
    cells = (data, counts.indices.copy(), counts.indptr.copy())
    result = csr_array(cells, shape=counts.shape)
    result.eliminate_zeros()
    return with_fitting_indices(result)
