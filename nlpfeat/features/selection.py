"""Which columns a vectorizer keeps: ``min_df``, ``max_df`` and ``max_features``."""

import math
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from nlpfeat._typing import Int64Array
from nlpfeat._validation import check_int, check_real
from nlpfeat.counts.feature_space import FeatureFrequencies
from nlpfeat.errors import InvalidInputError, InvalidParameterError


@dataclass(frozen=True)
class Selection:
    """The bounds of document frequencies, in documents.

    Attributes
    ----------
    least, most : float
        A column is kept when so many documents have it, bounds included.
    max_features : int or None
        How many columns at most.
    """

    least: float
    most: float
    max_features: int | None

    @classmethod
    def of(
        cls, min_df: float, max_df: float, max_features: int | None, n_documents: int
    ) -> "Selection":
        """Turn parameters, as scikit-learn has them, into numbers of documents.

        Parameters
        ----------
        min_df, max_df : int or float
            An integer is a number of documents, a float between 0 and 1 a share of them.
        max_features : int or None
        n_documents : int

        Raises
        ------
        InvalidParameterError
            For values that cannot be, or that leave nothing between them.
        InvalidInputError
            When there are no documents.

        Examples
        --------
        >>> Selection.of(2, 0.5, None, 10)
        Selection(least=2, most=5.0, max_features=None)
        """
        if not n_documents:
            raise InvalidInputError(
                "There are no documents, and features are learned from documents. Give at least "
                "one, or a vocabulary."
            )
        least = _documents(min_df, "min_df", n_documents)
        most = _documents(max_df, "max_df", n_documents)
        if max_features is not None:
            max_features = check_int(max_features, "max_features", minimum=1)
        if most < least:
            raise InvalidParameterError(
                f"max_df must allow at least as many documents as min_df asks for. Got "
                f"max_df={max_df!r} and min_df={min_df!r}: {most:g} and {least:g} of "
                f"{n_documents:,} documents."
            )
        return cls(least, most, max_features)

    @property
    def min_documents(self) -> int:
        """The least whole number of documents that a column needs."""
        return max(math.ceil(self.least), 1)

    def columns(self, frequencies: FeatureFrequencies, *, binary: bool) -> Int64Array:
        """Return the columns to keep, in order.

        Parameters
        ----------
        frequencies : FeatureFrequencies
        binary : bool
            Whether the most frequent columns are those in most documents (as in scikit-learn,
            which sums the binary matrix), or those with most occurrences. Ties go to the first
            column, so they do not depend on the order of the documents.

        Raises
        ------
        InvalidInputError
            When nothing is left.
        """
        documents = frequencies.documents
        kept = np.flatnonzero((documents >= self.least) & (documents <= self.most))
        if self.max_features is not None:
            weight = documents if binary else frequencies.occurrences
            order = np.argsort(-weight[kept], kind="stable")
            kept = np.sort(kept[order[: self.max_features]])
        if not len(kept):
            raise InvalidInputError(_nothing_left(documents))
        return kept


def check_selection(min_df: float, max_df: float, max_features: int | None) -> None:
    """Raise what `Selection.of` would raise whatever the number of documents."""
    _documents(min_df, "min_df", 1)
    _documents(max_df, "max_df", 1)
    if max_features is not None:
        check_int(max_features, "max_features", minimum=1)


def _documents(bound: object, name: str, n_documents: int) -> float:
    if isinstance(bound, Integral):
        return check_int(bound, f"{name} (an integer, or a float from 0 to 1)", minimum=0)
    share = check_real(bound, f"{name} (an integer, or a float from 0 to 1)", at_most=1.0)
    if share < 0:
        raise InvalidParameterError(
            f"{name} must be an integer of at least 0, or a float from 0 to 1. Got {bound!r}."
        )
    bound_documents = share * n_documents
    whole = round(bound_documents)
    # .07 of 100 documents are 7, though the product is 7.000000000000001.
    is_whole = math.isclose(bound_documents, whole, rel_tol=1e-9)
    return float(whole) if is_whole else bound_documents


def _nothing_left(documents: Int64Array) -> str:
    if not len(documents):
        return (
            "No feature is left to count: the documents hold nothing but blanks, punctuation, "
            "stop words and what min_df leaves out."
        )
    return (
        "No feature is left between min_df and max_df: they occur in "
        f"{documents.min():,} to {documents.max():,} documents. Lower min_df or raise max_df."
    )
