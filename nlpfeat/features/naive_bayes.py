"""Counts weighted by how much each term speaks for one of two classes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted

from nlpfeat._validation import check_bool, check_real
from nlpfeat.errors import InvalidInputError
from nlpfeat.features.classes import check_classes, check_several
from nlpfeat.features.count_matrix import check_counts
from nlpfeat.measures.naive_bayes import log_count_ratio, presence, weighted

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
    check_bool(binary, "binary")
