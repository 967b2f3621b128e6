"""Bag of words: documents × terms."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from nlpfeat._typing import Int64Array
from nlpfeat.counts.feature_space import FeatureFrequencies, documents_of, ids_in, rows_of_cells
from nlpfeat.errors import InvalidInputError, VocabularyMismatchError
from nlpfeat.text.token_ids import GAP, TokenIds
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array


UNKNOWN = "<unknown>"
"""The name of the feature that counts all terms that have no column."""


@dataclass(frozen=True)
class TermSpace:
    """Terms, one column each, in code-point order.

    Parameters
    ----------
    vocabulary : Vocabulary
    unknown_column : bool, default False
        Whether a last column counts the id behind the last term, which stands for all other terms.

    Raises
    ------
    InvalidInputError
        When a term is called as the last column is.

    Examples
    --------
    >>> space = TermSpace(Vocabulary.build([["好", "天气"]]))
    >>> tokens = TokenIds(np.array([1, -1, 1, 0], np.int32), np.array([0, 3, 4]), np.array([0, 4]))
    >>> space.names(), space.count(tokens).toarray().tolist()
    (['天气', '好'], [[0, 2], [1, 0]])
    >>> space.with_unknown_column().names()
    ['天气', '好', '<unknown>']
    """

    vocabulary: Vocabulary
    unknown_column: bool = False

    def __post_init__(self) -> None:
        """Make sure that no two features have the same name."""
        if self.unknown_column and UNKNOWN in self.vocabulary.ids:
            raise InvalidInputError(
                f"The documents hold the token {UNKNOWN!r}, which is the name of the column of "
                "unknown terms. Spell the token differently, or set count_unknown=False."
            )

    @classmethod
    def learn(cls, spool: TokenSpool) -> tuple["TermSpace", FeatureFrequencies]:
        """Return the terms of a corpus, and how frequent they are."""
        found = spool.vocabulary
        return cls(found), FeatureFrequencies(found.term_frequencies, found.document_frequencies)

    @classmethod
    def from_names(
        cls, names: Sequence[str], *, unknown_column: bool = False
    ) -> tuple["TermSpace", Int64Array]:
        """Return the space of named features.

        Parameters
        ----------
        names : sequence of str
            Distinct terms.
        unknown_column : bool, default False
            Whether there is a column of unknown terms too. It stands where ``<unknown>`` stands
            among the names, and at the end where it does not.

        Returns
        -------
        space : TermSpace
        order : ndarray of int64, shape (n_columns,)
            The column of each name.

        Examples
        --------
        >>> space, order = TermSpace.from_names(["好", "天气"], unknown_column=True)
        >>> space.names(), order.tolist()
        (['天气', '好', '<unknown>'], [1, 0, 2])
        """
        names = list(names)
        if unknown_column and UNKNOWN not in names:
            names.append(UNKNOWN)
        terms = sorted(name for name in names if not (unknown_column and name == UNKNOWN))
        nothing = np.zeros(len(terms), dtype=np.int64)
        space = cls(Vocabulary(tuple(terms), nothing, nothing), unknown_column)
        order = ids_in(space.vocabulary, names)
        order[order == GAP] = len(terms)
        return space, order

    def with_unknown_column(self) -> "TermSpace":
        """Return the space with a last column that counts all other terms."""
        return replace(self, unknown_column=True)

    @property
    def unknown_id(self) -> int:
        """The token id that stands for all other terms: a gap, or the number of terms."""
        return len(self.vocabulary) if self.unknown_column else GAP

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self.vocabulary) + self.unknown_column

    def names(self) -> list[str]:
        """Return the terms, and ``<unknown>`` where that has a column."""
        return [*self.vocabulary.terms, *[UNKNOWN] * self.unknown_column]

    def count(self, tokens: TokenIds) -> "csr_array":
        """Return how often each document holds each term."""
        known = tokens.ids >= 0
        shape = (tokens.n_documents, len(self))
        return rows_of_cells(documents_of(tokens)[known], tokens.ids[known], shape)

    def take(self, columns: Int64Array) -> "TermSpace":
        """Return the space of some columns, which must be in order.

        The terms of the others are unknown from then on.
        """
        is_term = columns < len(self.vocabulary)
        return TermSpace(self.vocabulary.take(columns[is_term]), not is_term.all())

    def union(self, other: "TermSpace") -> tuple["TermSpace", Int64Array, Int64Array]:
        """Return the columns of both, and where the columns of each stand among them.

        Raises
        ------
        VocabularyMismatchError
            When only one of them has a column of unknown terms.
        """
        if self.unknown_column != other.unknown_column:
            raise VocabularyMismatchError(
                "Terms counted with different settings cannot be merged: count_unknown is "
                f"{self.unknown_column} here and {other.unknown_column} there. Fit both with the "
                "same."
            )
        both = TermSpace(self.vocabulary.merge(other.vocabulary), self.unknown_column)
        return both, both._columns_of(self), both._columns_of(other)

    def _columns_of(self, part: "TermSpace") -> Int64Array:
        """Return the columns here of the columns of a part."""
        columns = ids_in(self.vocabulary, part.names())
        columns[len(part.vocabulary) :] = len(self.vocabulary)
        return columns
