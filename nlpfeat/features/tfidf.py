"""TF-IDF: any of the vectorizers that count, followed by scikit-learn's weighting."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.utils.validation import check_is_fitted

from nlpfeat._names import lookup
from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_bool
from nlpfeat.errors import InvalidInputError, InvalidParameterError, VocabularyMismatchError
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
from nlpfeat.features.document_counter import DocumentCounter
from nlpfeat.measures.idf import idf
from nlpfeat.text.batches import Documents

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_NORMS = {"l1": "sum of absolute values", "l2": "Euclidean length"}


@dataclass(kw_only=True, eq=False, repr=False)
class TfidfVectorizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Documents → TF-IDF.

    The count of each feature times its idf, ln((1 + N) / (1 + df)) + 1 with ``smooth_idf`` and
    ln(N / df) + 1 without, and each row divided by its norm: scikit-learn's definition, by its own
    ``TfidfTransformer``. The result is of float64, or of float32 where the vectorizer's ``dtype``
    is float32.

    Parameters
    ----------
    vectorizer : BagOfWordsVectorizer, NgramVectorizer or PositionalBagOfWordsVectorizer
        What counts; None is ``BagOfWordsVectorizer()``. Its parameters are set from outside as
        ``vectorizer__min_df`` and so on.
    norm : {"l2", "l1"} or None, default "l2"
        What each row is divided by.
    use_idf : bool, default True
        Whether counts are weighted by idf.
    smooth_idf : bool, default True
        Whether document frequencies are taken as if one more document held every feature. Without
        it every feature must occur, those of a given vocabulary too.
    sublinear_tf : bool, default False
        Whether a count c becomes 1 + ln c.

    Attributes
    ----------
    vectorizer_ : the fitted vectorizer
    idf_ : ndarray of float64, shape (n_features,)
        There with ``use_idf`` alone.

    References
    ----------
    K. Spärck Jones, A statistical interpretation of term specificity and its application in
    retrieval, Journal of Documentation 28, 1972.

    Examples
    --------
    >>> from nlpfeat import NgramVectorizer
    >>> vectorizer = TfidfVectorizer(NgramVectorizer(ngram_range=(1, 2)))
    >>> X = vectorizer.fit_transform(["天气很好", "天气不好"])
    >>> vectorizer.get_feature_names_out().tolist()
    ['不好', '天气', '好', '很', '天气 不好', '天气 很', '很 好']
    >>> X.toarray().round(2)
    array([[0.  , 0.34, 0.47, 0.47, 0.  , 0.47, 0.47],
           [0.63, 0.45, 0.  , 0.  , 0.63, 0.  , 0.  ]])
    """

    vectorizer: DocumentCounter | None = field(default=None, kw_only=False)
    norm: str | None = "l2"
    use_idf: bool = True
    smooth_idf: bool = True
    sublinear_tf: bool = False

    def fit(self, documents: Documents, y: object = None) -> Self:  # noqa: ARG002
        """Learn the features and their document frequencies.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        y : ignored

        Returns
        -------
        self

        Raises
        ------
        InvalidInputError
            For documents that cannot be used, when no feature is left, and for a feature in no
            document without ``smooth_idf``.
        InvalidParameterError
            For a parameter that cannot be.
        """
        weighting, vectorizer = self._new_weighting(), self._new_vectorizer()
        self._learn(vectorizer.fit(documents), weighting)
        return self

    def fit_transform(self, documents: Documents, y: object = None) -> "csr_array":  # noqa: ARG002
        """Learn the features, and weigh the documents: as ``fit`` and ``transform``, cut once.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        y : ignored

        Returns
        -------
        csr_array of float64 or float32, shape (n_documents, n_features)
        """
        weighting, vectorizer = self._new_weighting(), self._new_vectorizer()
        counts = vectorizer.fit_transform(documents)
        self._learn(vectorizer, weighting)
        return self._weighed(counts)

    def partial_fit(self, documents: Documents, y: object = None) -> Self:  # noqa: ARG002
        """Add the document frequencies of more documents; the features stay as they are.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        y : ignored

        Returns
        -------
        self

        Raises
        ------
        InvalidParameterError
            When nothing fixes the features: neither an earlier fit nor the vectorizer's
            ``vocabulary``.
        InvalidInputError
            When there were no documents yet. A feature that has been in none of them, without
            ``smooth_idf``, is refused by ``transform`` alone: it may still come.
        """
        weighting = self._new_weighting()
        vectorizer = getattr(self, "vectorizer_", None) or self._new_vectorizer()
        self._learn(vectorizer.partial_fit(documents), weighting, is_whole=False)
        return self

    def merge(self, other: Self) -> Self:
        """Return a vectorizer fitted on both texts: equal to fitting it on them together.

        Parameters
        ----------
        other : TfidfVectorizer, fitted with the same parameters

        Raises
        ------
        VocabularyMismatchError
            As the vectorizer's ``merge`` does.
        InvalidInputError
            For a feature in no document of both, without ``smooth_idf``.
        """
        if not isinstance(other, TfidfVectorizer):
            raise InvalidParameterError(
                f"merge needs another TfidfVectorizer. Got a {type(other).__name__}."
            )
        check_is_fitted(self)
        check_is_fitted(other)
        for name in ("norm", "use_idf", "smooth_idf", "sublinear_tf"):
            here, there = getattr(self, name), getattr(other, name)
            if here != there:
                raise VocabularyMismatchError(
                    f"Vectorizers with different parameters cannot be merged: {name} is {here!r} "
                    f"here and {there!r} there."
                )
        merged: Self = clone(self)
        merged._learn(self.vectorizer_.merge(other.vectorizer_), self._new_weighting())
        return merged

    def transform(self, documents: Documents) -> "csr_array":
        """Weigh documents; what was not there in ``fit`` has no part in it.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists

        Returns
        -------
        csr_array of float64 or float32, shape (n_documents, n_features)
            A document without a known feature is a row of zeros.

        Raises
        ------
        InvalidInputError
            For documents that cannot be used, and when ``partial_fit`` saw a feature in no
            document so far, without ``smooth_idf``.
        """
        check_is_fitted(self)
        if self._weighting.use_idf:
            _check_finite(self._weighting.idf_, self.vectorizer_)
        return self._weighed(self.vectorizer_.transform(documents))

    @property
    def idf_(self) -> Float64Array:
        """The weight of each feature."""
        check_is_fitted(self)
        weights: Float64Array = self._weighting.idf_
        return weights

    @property
    def vocabulary_(self) -> dict[str, int]:
        """The column of each feature name, as plain ints."""
        check_is_fitted(self)
        return self.vectorizer_.vocabulary_

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """Return the names of the features, by column.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        ndarray of str objects, shape (n_features,)
        """
        check_is_fitted(self)
        return self.vectorizer_.get_feature_names_out(input_features)

    def __sklearn_tags__(self) -> Any:
        """Say that documents come in, and no table of numbers."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags

    def _new_vectorizer(self) -> DocumentCounter:
        if self.vectorizer is None:
            return BagOfWordsVectorizer()
        if not isinstance(self.vectorizer, DocumentCounter):
            raise InvalidParameterError(
                "TfidfVectorizer's vectorizer must be a BagOfWordsVectorizer, NgramVectorizer or "
                f"PositionalBagOfWordsVectorizer. Got {self.vectorizer!r}."
            )
        fresh: DocumentCounter = clone(self.vectorizer)
        return fresh

    def _new_weighting(self) -> TfidfTransformer:
        if self.norm is not None:
            lookup(_NORMS, self.norm, "norm")
        switches = {
            name: check_bool(getattr(self, name), name)
            for name in ("use_idf", "smooth_idf", "sublinear_tf")
        }
        return TfidfTransformer(norm=self.norm, **switches)

    def _learn(
        self, vectorizer: DocumentCounter, weighting: TfidfTransformer, *, is_whole: bool = True
    ) -> None:
        """Take the weights that the frequencies of a fitted vectorizer give.

        They are scikit-learn's, which would count the documents of each feature once more, and
        cannot add those of earlier documents.
        """
        n_documents = vectorizer.n_documents_
        if not n_documents:
            raise InvalidInputError("There are no documents to learn idf from. Give at least one.")
        frequencies = vectorizer.document_frequencies_
        weighting.n_features_in_ = len(frequencies)
        if self.use_idf:
            weighting.idf_ = idf(frequencies, n_documents, smooth=bool(self.smooth_idf))
            if is_whole:
                _check_finite(weighting.idf_, vectorizer)
        self.vectorizer_, self._weighting = vectorizer, weighting

    def _weighed(self, counts: "csr_array") -> "csr_array":
        """Return the weights of counts, which are gone then."""
        from scipy.sparse import csr_array

        dtype = np.float32 if counts.dtype == np.float32 else np.float64
        weights = counts.astype(dtype, copy=False)
        if not weights.shape[0]:  # which scikit-learn refuses
            return weights
        return csr_array(self._weighting.transform(weights, copy=False))


def _check_finite(weights: Float64Array, vectorizer: DocumentCounter) -> None:
    """Make sure that every feature has a weight."""
    missing = np.flatnonzero(np.isinf(weights))
    if len(missing):
        name = vectorizer.get_feature_names_out()[missing[0]]
        raise InvalidInputError(
            f"Without smooth_idf every feature must be in a document, and {name!r} "
            f"{f'and {len(missing) - 1:,} more are' if len(missing) > 1 else 'is'} in none. Leave "
            "such features out of the vocabulary, or set smooth_idf=True."
        )
