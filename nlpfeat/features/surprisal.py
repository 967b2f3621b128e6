"""Signed surprisal of counts, as a transformer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat._validation import check_real
from nlpfeat.counts.indices import with_fitting_indices
from nlpfeat.errors import InvalidInputError
from nlpfeat.features.count_matrix import check_counts, check_row, column_names
from nlpfeat.measures.surprisal import (
    check_dispersion,
    q_values,
    signed_surprisal,
    two_sided_p_values,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_CELLS = 1 << 20  # cells of absent terms that are looked at together


class SignificantTerm(NamedTuple):
    """A term whose count in a document is more, or less, than chance allows."""

    term: str
    """The term, or x0, x1, … where the columns have no names."""
    count: int | float  # type: ignore[assignment]  # the name is worth more than tuple.count
    expected: float
    surprisal: float
    """In bits; below 0 for a term that is too rare, or missing."""
    p_value: float
    """Two-sided."""
    q_value: float
    """The p value, adjusted for all terms that were tested."""


@dataclass(kw_only=True, eq=False, repr=False)
class SurprisalTransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Counts → signed surprisal in bits, the absence of frequent terms included.

    A term with the share p of all tokens in ``fit`` occurs k times in a document of n tokens. Its
    value is -log2 P(K >= k) when k is above n p, log2 P(K <= k), which is below 0, when k is below
    n p, and 0 when it is n p. n is the sum of the document's row: terms without a column do not
    count.

    Parameters
    ----------
    dispersion : float, default None
        None: K is binomial. Above 0 and below 1: beta-binomial with this correlation between the
        tokens of a document; words that come in bursts are then less surprising. Counts must be
        whole numbers.
    min_expected : float, default 3.0
        A term that a document lacks has a value only where n p is at least this, above 0: at the
        default, where absence is no likelier than 5 percent (4.3 bits). Other absent terms are not
        stored, which reads as 0; a value for each would fill the matrix.

    Attributes
    ----------
    rates_ : ndarray of shape (n_terms,), float64
        p of each term; their sum is 1.
    n_tokens_ : int or float
        The sum of all counts in ``fit``.
    n_features_in_ : int
    feature_names_in_ : ndarray of str objects
        Only when ``fit`` was given a data frame.

    Notes
    -----
    A term that was not seen in ``fit`` has the rate 0, and any occurrence would be infinitely
    surprising. Its tail is computed with the rate 1 / (N + 1) instead, N tokens seen, and its value
    is 0 where even that rate expects as many. So it is more surprising than any term that was seen,
    but no more than the size of the corpus warrants. In the same way, when only one term was seen
    and is missing now, its tail is computed with the rate N / (N + 1).

    With ``dispersion`` each value is a sum of up to n terms: for the most frequent terms about 2 ms
    at n = 100,000 and 15 ms at n = 1,000,000, where a binomial tail takes microseconds.

    See Also
    --------
    nlpfeat.measures.surprisal.signed_surprisal : the formula, its sources and its precision.

    Examples
    --------
    Columns 茶, 水 and 杯. 茶 is half of all 200 tokens and missing among the 8 of the first
    document: log2(1 / 2^8). 水 is a quarter of all, and all of these 8: -log2(1 / 4^8). 杯 is
    missing too, but just 2 are expected.

    >>> X = np.array([[0, 8, 0], [100, 42, 50]])
    >>> SurprisalTransformer().fit_transform(X).toarray().round(2)
    array([[-8.  , 16.  ,  0.  ],
           [ 1.7 , -2.47,  1.34]])
    """

    dispersion: float | None = None
    min_expected: float = 3.0

    def fit(self, X: Any, y: object = None) -> Self:  # noqa: ARG002, N803
        """Learn the rate of each term.

        Parameters
        ----------
        X : sparse or dense matrix of counts, shape (n_documents, n_terms)
        y : ignored

        Returns
        -------
        self

        Raises
        ------
        InvalidInputError
            For a matrix that is none of counts, or that holds no count above 0.
        InvalidParameterError
            For a parameter that cannot be.
        """
        self._check_parameters()
        counts = check_counts(self, X, reset=True)
        sums = np.asarray(counts.sum(axis=0))
        total = sums.sum()
        if not total > 0:
            raise InvalidInputError(
                "X must hold at least one count above 0: the rates of the terms are shares of all "
                "tokens. Got zeros only."
            )
        self.n_tokens_ = total.item()
        self.rates_ = np.asarray(sums / total, dtype=np.float64)
        return self

    def transform(self, X: Any) -> "csr_array":  # noqa: N803
        """Return the signed surprisal of each count.

        Parameters
        ----------
        X : sparse or dense matrix of counts, shape (n_documents, n_terms)

        Returns
        -------
        csr_array of shape (n_documents, n_terms), float64
            Bits. Stored: every term that a document holds, unless it is just as frequent as
            expected, and absent terms by ``min_expected``.

        Raises
        ------
        InvalidInputError
            For a matrix that is none of counts, or has other columns than in ``fit``.
        """
        from scipy.sparse import csr_array

        check_is_fitted(self)
        self._check_parameters()
        counts = check_counts(self, X, reset=False)
        lengths = _lengths(counts)
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        present = self._surprisal(counts.data, lengths[rows], counts.indices)
        absent_rows, absent_columns = self._absences(counts, rows, lengths)
        absent = self._surprisal(np.zeros(len(absent_rows)), lengths[absent_rows], absent_columns)
        result = csr_array(
            (
                np.concatenate([present, absent]),
                (
                    np.concatenate([rows, absent_rows]),
                    np.concatenate([counts.indices, absent_columns]),
                ),
            ),
            shape=counts.shape,
        )
        result.eliminate_zeros()
        result.sort_indices()
        return with_fitting_indices(result)

    def significant_terms(
        self,
        row: Any,
        alpha: float = 0.05,
        *,
        feature_names: Sequence[str] | NDArray[Any] | None = None,
    ) -> list[SignificantTerm]:
        """Return the terms that one document holds too often or too rarely to be chance.

        All terms are tested, those that the document lacks too, whatever ``min_expected``. The
        tests are two-sided, since each looks at the side on which the count lies, and corrected
        for their number by Benjamini and Hochberg.

        Parameters
        ----------
        row : array of shape (n_terms,), or matrix of shape (1, n_terms)
            The counts of the document, dense or sparse.
        alpha : float, default 0.05
            The share of false finds that is allowed: the largest q value, above 0 and at most 1.
        feature_names : sequence of str, shape (n_terms,), default None
            The terms of the columns, such as ``vectorizer.get_feature_names_out()``. None takes
            the column names of ``fit``, or x0, x1, … when it saw none.

        Returns
        -------
        list of SignificantTerm
            The most surprising first; ties by count, then by term.

        Raises
        ------
        InvalidInputError
            When ``row`` does not fit the columns.
        InvalidParameterError
            When ``feature_names`` do not fit the columns, and when ``alpha`` is out of its range.

        Examples
        --------
        >>> surprisal = SurprisalTransformer().fit([[300, 100, 100]])
        >>> names = ["的", "天气", "公园"]
        >>> for found in surprisal.significant_terms([2, 3, 15], feature_names=names):
        ...     print(found.term, found.count, found.expected, round(found.surprisal, 1))
        公园 15 4.0 22.4
        的 2 12.0 -17.6
        """
        check_is_fitted(self)
        self._check_parameters()
        alpha = check_real(alpha, "alpha", above=0.0, at_most=1.0)
        terms = column_names(self, feature_names)
        document = check_row(self, row)
        length = _lengths(document).item()
        counts = document.toarray()[0]
        bits = self._surprisal(counts, np.full(len(counts), length), np.arange(len(counts)))
        p = two_sided_p_values(bits)
        q = q_values(p)
        found = [
            SignificantTerm(
                terms[i], counts[i].item(), length * self.rates_[i].item(), bits[i].item(),
                p[i].item(), q[i].item(),
            )
            for i in np.flatnonzero(q <= alpha).tolist()
        ]  # fmt: skip
        return sorted(found, key=lambda each: (-abs(each.surprisal), -each.count, each.term))

    def __sklearn_tags__(self) -> Any:
        """Say that counts are at least 0 and may be sparse."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags

    def _check_parameters(self) -> None:
        check_dispersion(self.dispersion)
        check_real(self.min_expected, "min_expected", above=0.0)

    def _surprisal(self, counts: Any, lengths: Float64Array, columns: Any) -> Float64Array:
        """Return the signed surprisal of counts; what is impossible by the rates stays finite."""
        rates = self.rates_[columns]
        bits = signed_surprisal(counts, lengths, rates, dispersion=self.dispersion)
        impossible = np.isinf(bits)
        if np.any(impossible):
            unseen = 1.0 / (self.n_tokens_ + 1.0)
            sign = np.sign(bits[impossible])
            finite = signed_surprisal(
                counts[impossible],
                lengths[impossible],
                np.where(sign > 0.0, unseen, 1.0 - unseen),
                dispersion=self.dispersion,
            )
            bits[impossible] = np.where(np.sign(finite) == sign, finite, 0.0)
        return bits

    def _absences(
        self, counts: "csr_array", stored_rows: Int64Array, lengths: Float64Array
    ) -> tuple[Int64Array, Int64Array]:
        """Return rows and columns of the absent terms that are expected often enough.

        ``stored_rows`` is the row of each stored count.
        """
        n_terms = counts.shape[1]
        order = np.argsort(-self.rates_, kind="stable")
        falling = self.rates_[order]
        # Of row i the first n_expected[i] terms of the order are expected often enough.
        needed = np.divide(self.min_expected, lengths, out=np.full(len(lengths), np.inf),
                           where=lengths > 0)  # fmt: skip
        n_expected = np.searchsorted(-falling, -needed, side="right")
        step = max(_CELLS // max(int(n_expected.max()), 1), 1)
        found: list[tuple[Int64Array, Int64Array]] = []
        for start in range(0, len(lengths), step):
            sizes = n_expected[start : start + step]
            rows = np.repeat(np.arange(start, start + len(sizes)), sizes)
            places = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            columns = order[places]
            held = slice(counts.indptr[start], counts.indptr[start + len(sizes)])
            missing = ~np.isin(
                rows * n_terms + columns, stored_rows[held] * n_terms + counts.indices[held],
                assume_unique=True,
            )  # fmt: skip
            found.append((rows[missing], columns[missing]))
        rows, columns = (np.concatenate(part) for part in zip(*found))
        return rows, columns


def _lengths(counts: "csr_array") -> Float64Array:
    """Return the tokens of each document; the same to the last bit in any matrix."""
    return np.asarray(counts.sum(axis=1), dtype=np.float64)
