"""Bag of words: documents × terms."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nlpfeat._typing import Int64Array
from nlpfeat.counts.feature_space import FeatureFrequencies, documents_of, placed, rows_of_cells
from nlpfeat.text.token_ids import TokenIds
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array


UNKNOWN = "<unknown>"
"""The name of the column that counts all terms that have no column."""


@dataclass(frozen=True)
class TermSpace:
    """One column a term, in code-point order.

    Parameters
    ----------
    vocabulary : Vocabulary
    unknown_column : bool, default False
        Whether a last column counts the id behind the last term, which stands for all other terms.

    Examples
    --------
    >>> import numpy as np
    >>> space = TermSpace(Vocabulary.build([["好", "天气"]]))
    >>> tokens = TokenIds(np.array([1, -1, 1, 0], np.int32), np.array([0, 3, 4]), np.array([0, 4]))
    >>> space.names(), space.count(tokens).toarray().tolist()
    (['天气', '好'], [[0, 2], [1, 0]])
    """

    vocabulary: Vocabulary
    unknown_column: bool = False

    @classmethod
    def learn(cls, spool: TokenSpool) -> tuple["TermSpace", FeatureFrequencies]:
        """Return the columns of a corpus, and how frequent they are."""
        found = spool.vocabulary
        return cls(found), FeatureFrequencies(found.term_frequencies, found.document_frequencies)

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self.vocabulary) + self.unknown_column

    def names(self) -> list[str]:
        """Return the terms."""
        return [*self.vocabulary.terms, *[UNKNOWN] * self.unknown_column]

    def count(self, tokens: TokenIds) -> "csr_array":
        """Return how often each document holds each term."""
        known = tokens.ids >= 0
        shape = (tokens.n_documents, len(self))
        return rows_of_cells(documents_of(tokens)[known], tokens.ids[known], shape)

    def take(self, columns: Int64Array) -> "TermSpace":
        """Return the space of some columns, which must be in order."""
        return TermSpace(self.vocabulary.take(columns))

    def union(self, other: "TermSpace") -> tuple["TermSpace", Int64Array, Int64Array]:
        """Return the columns of both, and where the columns of each stand among them."""
        both = self.vocabulary.merge(other.vocabulary)
        return (
            TermSpace(both),
            placed(self.vocabulary.terms, both),
            placed(other.vocabulary.terms, both),
        )
