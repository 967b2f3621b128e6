"""The features behind the columns of a document matrix, and how documents fill these columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import Int64Array
from nlpfeat.counts.indices import with_fitting_indices
from nlpfeat.text.token_ids import TokenIds
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Space = TypeVar("Space", bound="FeatureSpace")


class FeatureSpace(Protocol):
    """Features of one family, one column each: terms, n-grams of terms, or terms at positions.

    A space is immutable and small: it pickles as its terms and a few integer arrays.
    """

    @property
    def vocabulary(self) -> Vocabulary:
        """The single terms that the features are made of; token ids refer to it."""
        ...

    @property
    def unknown_id(self) -> int:
        """The token id that stands for all other terms: a gap, or the number of terms."""
        ...

    def __len__(self) -> int:
        """Return the number of columns."""
        ...

    def names(self) -> list[str]:
        """Return the name of the feature of each column."""
        ...

    def count(self, tokens: TokenIds) -> "csr_array":
        """Return how often each document holds each feature, int64, (n_documents, n_columns)."""
        ...

    def take(self: Space, columns: Int64Array) -> Space:
        """Return the space of some columns, which must be in order."""
        ...

    def union(self: Space, other: Space) -> tuple[Space, Int64Array, Int64Array]:
        """Return the columns of both, and where the columns of each stand among them."""
        ...


@dataclass(frozen=True, eq=False)
class FeatureFrequencies:
    """How frequent the features of a space are in a corpus.

    Attributes
    ----------
    occurrences : ndarray of int64, shape (n_columns,)
        How often each feature occurs: column sums.
    documents : ndarray of int64, shape (n_columns,)
        How many documents hold it: rows in which its column is not 0.
    """

    occurrences: Int64Array
    documents: Int64Array

    def take(self, columns: Int64Array) -> "FeatureFrequencies":
        """Return the frequencies of some columns."""
        return FeatureFrequencies(self.occurrences[columns], self.documents[columns])

    def __add__(self, other: "FeatureFrequencies") -> "FeatureFrequencies":
        """Return the frequencies in both corpora."""
        return FeatureFrequencies(
            self.occurrences + other.occurrences, self.documents + other.documents
        )

    def reindexed(self, columns: Int64Array, n_columns: int) -> "FeatureFrequencies":
        """Return the frequencies in these columns of a larger space; other features have 0."""
        frequencies = np.zeros((2, n_columns), dtype=np.int64)
        frequencies[:, columns] = self.occurrences, self.documents
        return FeatureFrequencies(*frequencies)


def count_documents(spool: TokenSpool, space: FeatureSpace) -> "csr_array":
    """Return how often each document of a spool holds each feature of a space.

    From then on the spool is restricted to the vocabulary of the space.

    Returns
    -------
    csr_array of int64, shape (n_documents, n_columns)
        Sorted indices, no explicit zeros.
    """
    from scipy.sparse import csr_array, vstack

    spool.restrict(space.vocabulary, unknown=space.unknown_id)
    blocks = [space.count(tokens) for tokens in spool.blocks()]
    if len(blocks) == 1:
        return blocks[0]
    if not blocks:
        return csr_array((0, len(space)), dtype=np.int64)
    return with_fitting_indices(vstack(blocks, format="csr"))


def frequencies_of(counts: "csr_array") -> FeatureFrequencies:
    """Return the column sums, and the number of rows with each column, of a count matrix."""
    occurrences = np.zeros(counts.shape[1], dtype=np.int64)
    np.add.at(occurrences, counts.indices, counts.data)
    documents = np.bincount(counts.indices, minlength=counts.shape[1]).astype(np.int64)
    return FeatureFrequencies(occurrences, documents)


def rows_of_cells(
    documents: Int64Array, columns: NDArray[np.integer], shape: tuple[int, int]
) -> "csr_array":
    """Return the matrix that holds how often each column was seen in each document.

    Parameters
    ----------
    documents : ndarray of int64, shape (n_cells,)
        The document of each thing seen, ascending.
    columns : ndarray of int, shape (n_cells,)
        Its column.
    shape : (int, int)
        Number of documents and of columns.

    Examples
    --------
    >>> rows_of_cells(np.array([0, 0, 1]), np.array([1, 1, 0]), (2, 2)).toarray()
    array([[0, 2],
           [1, 0]])
    """
    from scipy.sparse import csr_array

    indptr = np.searchsorted(documents, np.arange(shape[0] + 1))
    table = csr_array((np.ones(len(columns), dtype=np.int64), columns, indptr), shape=shape)
    table.sum_duplicates()
    return with_fitting_indices(table)


def documents_of(tokens: TokenIds) -> Int64Array:
    """Return the number of the document in which each token stands."""
    return np.repeat(np.arange(tokens.n_documents), np.diff(tokens.indptr))


def ids_in(vocabulary: Vocabulary, terms: Sequence[str]) -> Int64Array:
    """Return the id of each term, all of which the vocabulary holds."""
    return vocabulary.encode(terms).astype(np.int64)
