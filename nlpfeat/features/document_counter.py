"""What the vectorizers that count share: columns are learned, chosen, counted, merged."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray
from sklearn.base import TransformerMixin, clone
from sklearn.exceptions import NotFittedError

from nlpfeat._typing import Int64Array
from nlpfeat.counts.feature_space import (
    FeatureFrequencies,
    FeatureSpace,
    count_documents,
    frequencies_of,
)
from nlpfeat.errors import InvalidParameterError
from nlpfeat.features.document_reader import DocumentReader, check_bool, warn_of_uncut_text
from nlpfeat.features.given_vocabulary import GivenVocabulary, given_names, warn_of_unmatchable
from nlpfeat.features.merging import check_mergeable
from nlpfeat.features.selection import Selection, check_selection
from nlpfeat.text.batches import Documents
from nlpfeat.text.token_ids import GAP
from nlpfeat.text.token_spool import TokenSpool

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(kw_only=True, eq=False, repr=False)
class DocumentCounter(TransformerMixin, DocumentReader):  # type: ignore[misc]
    """Base of the vectorizers that count; a subclass says what its columns are."""

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
        """Return the columns of a corpus; those in too few documents may be missing."""

    @abstractmethod
    def _given_space(self, names: list[str]) -> tuple[FeatureSpace, Int64Array]:
        """Return the columns of these names, and the place of each name among them."""

    def fit(self, documents: Documents, y: object = None) -> Self:  # noqa: ARG002
        """Learn the columns.

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
        """Learn the columns and count: ``fit(documents).transform(documents)``, cut once.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        y : ignored

        Returns
        -------
        csr_array of shape (n_documents, n_features)
        """
        self._check_parameters()
        with self._spool(documents) as spool:
            counts = self._learn(spool)
            if counts is None:
                counts = self._count(spool, self._space, self._order)
            return self._finished(counts)

    def transform(self, documents: Documents) -> "csr_array":
        """Count the columns in documents; what was not there in ``fit`` is not counted.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists

        Returns
        -------
        csr_array of shape (n_documents, n_features)
        """
        self._check_parameters()
        space, order = self._columns()
        with self._spool(documents, space.vocabulary, self._unknown_id(space)) as spool:
            return self._finished(self._count(spool, space, order))

    def partial_fit(self, documents: Documents, y: object = None) -> Self:  # noqa: ARG002
        """Add the frequencies of more documents; the columns stay as they are.

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
            When nothing fixes the columns: neither an earlier fit nor ``vocabulary``.
        """
        self._check_parameters()
        if not self.__sklearn_is_fitted__():
            if self.vocabulary is None:
                raise InvalidParameterError(
                    f"partial_fit needs columns that stay: give {type(self).__name__} a "
                    "vocabulary, or call fit on a first part. To add columns, fit both parts and "
                    "use merge."
                )
            return self.fit(documents)
        space, order = self._columns()
        with self._spool(documents, space.vocabulary, self._unknown_id(space)) as spool:
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
            When parameters differ, or when columns were left out of one of them (``min_df``,
            ``max_df``, ``max_features``), so that the frequencies of both are not known.
        """
        check_mergeable(self, other)
        merged: Self = clone(self)
        merged._order = self._order
        if self.vocabulary is not None:
            merged._space = self._space
            merged._frequencies = self._frequencies + other._frequencies
        else:
            merged._space, ours, theirs = self._space.union(other._space)
            n_columns = len(merged._space)
            merged._frequencies = self._frequencies.moved(
                ours, n_columns
            ) + other._frequencies.moved(theirs, n_columns)
        merged.n_documents_ = self.n_documents_ + other.n_documents_
        return merged

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:  # noqa: ARG002
        """Return the names of the columns.

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
        return {name: column for column, name in enumerate(self.get_feature_names_out().tolist())}

    @property
    def term_frequencies_(self) -> Int64Array:
        """How often each column was seen in ``fit``, int64, shape (n_features,)."""
        return self._frequencies.occurrences

    @property
    def document_frequencies_(self) -> Int64Array:
        """In how many documents of ``fit`` each column was seen, int64, shape (n_features,)."""
        return self._frequencies.documents

    def __sklearn_is_fitted__(self) -> bool:
        """Tell whether columns were learned."""
        return hasattr(self, "_space")

    def _check_parameters(self) -> None:
        check_bool(self.binary, "binary")
        try:
            is_number = np.issubdtype(np.dtype(self.dtype), np.number)
        except TypeError:
            is_number = False
        if not is_number:
            raise InvalidParameterError(
                f"dtype must be a numeric type, such as numpy.int64. Got {self.dtype!r}."
            )
        check_selection(self.min_df, self.max_df, self.max_features)

    def _learn(self, spool: TokenSpool) -> "csr_array | None":
        """Learn the columns, and return the counts where they had to be made for it."""
        n_documents = spool.n_documents
        self._warn_of_text(spool)
        if self.vocabulary is not None:
            space, order = self._columns_given()
            self._space, self._order, self.n_documents_ = space, order, 0
            nothing = np.zeros(len(space), dtype=np.int64)
            self._frequencies = FeatureFrequencies(nothing, nothing)
            counts = self._count(spool, space, order)
            self._add_frequencies(counts)
            return counts
        chosen = Selection.of(self.min_df, self.max_df, self.max_features, n_documents)
        space, frequencies = self._learn_space(spool, chosen.min_documents)
        columns = chosen.columns(frequencies, binary=bool(self.binary))
        if len(columns) < len(space):
            space, frequencies = space.take(columns), frequencies.take(columns)
        self._space, self._order, self._frequencies = space, None, frequencies
        self.n_documents_ = n_documents
        return None

    def _warn_of_text(self, spool: TokenSpool) -> None:
        warn_of_uncut_text(spool.vocabulary)

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
        warn_of_unmatchable(names, self._text_settings().normalization)
        space, order = self._given_space(names)
        return space, None if np.array_equal(order, np.arange(len(order))) else order

    def _unknown_id(self, space: FeatureSpace) -> int:  # noqa: ARG002
        """Return what stands for a term that no column is made of."""
        return GAP

    def _count(
        self, spool: TokenSpool, space: FeatureSpace, order: Int64Array | None
    ) -> "csr_array":
        spool.restrict(space.vocabulary, unknown=self._unknown_id(space))
        counts = count_documents(spool, space)
        return counts if order is None else self._reordered(counts, order)

    @staticmethod
    def _reordered(counts: "csr_array", order: Int64Array) -> "csr_array":
        counts = counts[:, order]
        counts.sort_indices()
        return counts

    def _finished(self, counts: "csr_array") -> "csr_array":
        """Return the counts as the user wants them."""
        if self.binary:
            counts.data[:] = 1
        return counts if counts.dtype == self.dtype else counts.astype(self.dtype)

    def _add_frequencies(self, counts: "csr_array") -> None:
        columns = np.arange(len(self._space))  # an extra column, of unknown terms, stays out
        self._frequencies = self._frequencies + frequencies_of(counts).take(columns)
        self.n_documents_ += counts.shape[0]
