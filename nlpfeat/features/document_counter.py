"""What the vectorizers that count share: features are learned, chosen, counted, merged."""

from abc import abstractmethod
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import DTypeLike, NDArray
from sklearn.base import TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from nlpfeat._typing import Int64Array
from nlpfeat._validation import check_bool
from nlpfeat.counts.feature_space import (
    FeatureFrequencies,
    FeatureSpace,
    count_documents,
    frequencies_of,
)
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.document_reader import DocumentReader
from nlpfeat.features.given_vocabulary import GivenVocabulary, given_names, warn_of_unmatchable
from nlpfeat.features.merging import check_mergeable
from nlpfeat.features.selection import Selection, check_selection
from nlpfeat.text.batches import Documents
from nlpfeat.text.token_spool import TokenSpool

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_COLUMNS: "WeakKeyDictionary[DocumentCounter, tuple[FeatureSpace, dict[str, int]]]" = (
    WeakKeyDictionary()
)
"""The column of each feature name, made when it is asked for, and the space of which it was made.

Not among the attributes, so that it is neither copied nor stored with a vectorizer.
"""


@dataclass(kw_only=True, eq=False, repr=False)
class DocumentCounter(TransformerMixin, DocumentReader):  # type: ignore[misc]
    """Base of the vectorizers that count; a subclass says what its features are.

    "Column" is the place of a feature in the matrix.
    """

    binary: bool = False
    min_df: float = 1
    max_df: float = 1.0
    max_features: int | None = None
    vocabulary: GivenVocabulary = None
    dtype: DTypeLike = np.int64

    @abstractmethod
    def _learn_space(
        self, spool: TokenSpool, min_documents: int
    ) -> tuple[FeatureSpace, FeatureFrequencies]:
        """Return the features of a corpus; those in too few documents may be missing."""

    @abstractmethod
    def _given_space(self, names: list[str]) -> tuple[FeatureSpace, Int64Array]:
        """Return the features with these names, and the column of each name."""

    def fit(self, documents: Documents, y: object = None) -> Self:  # noqa: ARG002
        """Learn the features.

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
            For documents that cannot be used (a lone string, a missing value), and when no
            feature is left.
        InvalidParameterError
            For a parameter that cannot be.
        """
        self._check_parameters()
        with self._spool(documents) as spool:
            self._learn(spool)
        return self

    def fit_transform(self, documents: Documents, y: object = None) -> "csr_array":  # noqa: ARG002
        """Learn the features and count them: ``fit(documents).transform(documents)``, cut once.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        y : ignored

        Returns
        -------
        csr_array of shape (n_documents, n_features)

        Raises
        ------
        InvalidInputError
            As ``fit`` and ``transform`` do.
        """
        self._check_parameters()
        with self._spool(documents) as spool:
            counts = self._learn(spool)
            if counts is None:
                counts = self._count(spool, self._space, self._order)
            return self._finished(counts)

    def transform(self, documents: Documents) -> "csr_array":
        """Count the features in documents; what was not there in ``fit`` is not counted.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists

        Returns
        -------
        csr_array of shape (n_documents, n_features)

        Raises
        ------
        InvalidInputError
            For documents that cannot be used, and for a count that ``dtype`` does not hold.
        """
        self._check_parameters()
        space, order = self._columns()
        with self._spool(documents, space.vocabulary, space.unknown_id) as spool:
            return self._finished(self._count(spool, space, order))

    def partial_fit(self, documents: Documents, y: object = None) -> Self:  # noqa: ARG002
        """Add the frequencies of more documents; the features stay as they are.

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
            When nothing fixes the features: neither an earlier fit nor ``vocabulary``.
        """
        self._check_parameters()
        if not self.__sklearn_is_fitted__():
            if self.vocabulary is None:
                raise InvalidParameterError(
                    f"partial_fit needs features that stay: give {type(self).__name__} a "
                    "vocabulary, or call fit on a first part. To add features, fit both parts and "
                    "use merge."
                )
            return self.fit(documents)
        space, order = self._columns()
        with self._spool(documents, space.vocabulary, space.unknown_id) as spool:
            self._add_frequencies(self._count(spool, space, order))
        return self

    def merge(self, other: Self) -> Self:
        """Return a vectorizer fitted on both texts: equal to fitting it on them together.

        Parameters
        ----------
        other : the same class of vectorizer, fitted with the same parameters

        Raises
        ------
        VocabularyMismatchError
            When parameters differ, or when features were left out of one of them (``min_df``,
            ``max_df``, ``max_features``), so that the frequencies of both are not known.
        """
        check_mergeable(self, other)
        merged = copy(self)
        space, frequencies, more = self._space, self._frequencies, other._frequencies
        if self.vocabulary is None:
            space, columns, more_columns = space.union(other._space)
            frequencies = frequencies.reindexed(columns, len(space))
            more = more.reindexed(more_columns, len(space))
        n_documents = self.n_documents_ + other.n_documents_
        merged._settle(space, self._order, frequencies + more, n_documents)
        return merged

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:  # noqa: ARG002
        """Return the names of the features, by column.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        ndarray of str objects, shape (n_features,)
        """
        space, order = self._columns()
        names = np.array(space.names(), dtype=object)
        return names if order is None else names[order]

    @property
    def vocabulary_(self) -> dict[str, int]:
        """The column of each feature name, as plain ints."""
        known = _COLUMNS.get(self)
        if known is not None and known[0] is self._space:
            return known[1]
        names = self.get_feature_names_out().tolist()
        columns = {name: column for column, name in enumerate(names)}
        if self.__sklearn_is_fitted__():
            _COLUMNS[self] = self._space, columns
        return columns

    @property
    def term_frequencies_(self) -> Int64Array:
        """How often each feature was seen in ``fit``, int64, shape (n_features,)."""
        return self._learned_frequencies().occurrences

    @property
    def document_frequencies_(self) -> Int64Array:
        """In how many documents of ``fit`` each feature was seen, int64, shape (n_features,)."""
        return self._learned_frequencies().documents

    def __sklearn_is_fitted__(self) -> bool:
        """Tell whether features were learned."""
        return hasattr(self, "_space")

    def _check_parameters(self) -> None:
        check_bool(self.binary, "binary")
        try:
            dtype = np.dtype(self.dtype)
            is_number = dtype.kind in "iuf" and dtype != np.float16  # which SciPy cannot store
        except TypeError:
            is_number = False
        if not is_number:
            raise InvalidParameterError(
                "dtype must be a type of integers or reals, such as numpy.int64 or numpy.float32. "
                f"Got {self.dtype!r}."
            )
        check_selection(self.min_df, self.max_df, self.max_features)

    def _learn(self, spool: TokenSpool) -> "csr_array | None":
        """Learn the features, and return the counts where they had to be made for it."""
        counts = order = None
        if self.vocabulary is not None:
            space, order = self._columns_given()
            counts = self._count(spool, space, order)
            frequencies = frequencies_of(counts)
        else:
            space, frequencies = self._choose_space(spool)
            if len(space) > len(frequencies.occurrences):  # one more column, of what was not chosen
                counts = self._count(spool, space, None)
                frequencies = frequencies_of(counts)
        self._settle(space, order, frequencies, spool.n_documents)
        self._keep_text(spool)
        return counts

    def _choose_space(self, spool: TokenSpool) -> tuple[FeatureSpace, FeatureFrequencies]:
        """Return the features that ``min_df``, ``max_df`` and ``max_features`` leave."""
        chosen = Selection.of(self.min_df, self.max_df, self.max_features, spool.n_documents)
        space, frequencies = self._learn_space(spool, chosen.min_documents)
        columns = chosen.columns(frequencies, binary=bool(self.binary))
        if len(columns) < len(space):
            space, frequencies = space.take(columns), frequencies.take(columns)
        return space, frequencies

    def _settle(
        self,
        space: FeatureSpace,
        order: Int64Array | None,
        frequencies: FeatureFrequencies,
        n_documents: int,
    ) -> None:
        """Take what was learned in place of what was learned before."""
        self._space, self._order = space, order
        self._frequencies, self.n_documents_ = frequencies, n_documents

    def _learned_frequencies(self) -> FeatureFrequencies:
        check_is_fitted(self)
        return self._frequencies

    def _columns(self) -> tuple[FeatureSpace, Int64Array | None]:
        if self.__sklearn_is_fitted__():
            return self._space, self._order
        if self.vocabulary is not None:
            return self._columns_given()
        raise NotFittedError(
            f"This {type(self).__name__} is not fitted yet. Call fit with documents first, or "
            "give it a vocabulary."
        )

    def _columns_given(self) -> tuple[FeatureSpace, Int64Array | None]:
        names = given_names(self.vocabulary)
        keep_punctuation = check_bool(self.keep_punctuation, "keep_punctuation")
        warn_of_unmatchable(names, self._normalization(), keep_punctuation=keep_punctuation)
        space, order = self._given_space(names)
        return space, None if np.array_equal(order, np.arange(len(order))) else order

    @staticmethod
    def _count(spool: TokenSpool, space: FeatureSpace, order: Int64Array | None) -> "csr_array":
        counts = count_documents(spool, space)
        if order is not None:
            counts = counts[:, order]
            counts.sort_indices()
        return counts

    def _add_frequencies(self, counts: "csr_array") -> None:
        self._frequencies = self._frequencies + frequencies_of(counts)
        self.n_documents_ += counts.shape[0]

    def _finished(self, counts: "csr_array") -> "csr_array":
        """Return the counts as the user wants them."""
        if self.binary:
            counts.data[:] = 1
        dtype = np.dtype(self.dtype)
        highest = counts.data.max(initial=0)
        if dtype.kind in "iu" and highest > np.iinfo(dtype).max:
            raise InvalidInputError(
                f"A feature occurs {highest:,} times in one document, and dtype={dtype.name} holds "
                f"numbers up to {np.iinfo(dtype).max:,}. Set dtype=numpy.int64."
            )
        return counts.astype(dtype, copy=False)
