"""The seen cells of a co-occurrence table: what the association measures read."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from nlpfeat._typing import BoolArray, Float64Array, NumberArray
from nlpfeat.errors import InvalidInputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Weighted counts are sums of rounded numbers: a share of the total below this is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class PairCells:
    """The cells of a co-occurrence table, one entry a pair.

    Parameters
    ----------
    n_xy : ndarray of shape (n_pairs,), int64, or float64 when weighted
        Count of each pair, above 0 unless ``holds_unseen``. A diagonal cell of a symmetric table
        holds each pair twice.
    n_x, n_y : ndarray of shape (n_pairs,)
        Margins of the pair's term and of its context term, of the table before any pruning.
    total : int or float
        N, the sum of all cells or, where presence is counted, the number of units.
    twice : ndarray of shape (n_pairs,), bool, or None
        True where the cell holds every pair twice (the diagonal of a symmetric table);
        None: nowhere.
    y_margin : ndarray of shape (n_terms,)
        The whole margin of the context terms, which context smoothing needs.
    contingency : bool, default True
        False for Text GCN counts: there ``n_xy`` may exceed ``n_x``, so that the pair has no
        2x2 table.
    holds_unseen : bool, default False
        True where pairs that were never seen are cells too, with an ``n_xy`` of 0. ``g2`` weighs
        such a cell; a measure that takes the logarithm of ``n_xy`` cannot.

    Raises
    ------
    InvalidInputError
        When the arrays of the pairs differ in shape, or a count is below 0, or is 0 although
        ``holds_unseen`` is False.

    Examples
    --------
    The text 茶 叶 茶 水 茶 杯 水 杯 with a window of one token to the right has 7 pairs:
    茶 comes first in 3, 杯 comes second in 2, and 茶 杯 is one of them.

    >>> cells = PairCells(
    ...     n_xy=np.array([1]), n_x=np.array([3]), n_y=np.array([2]), total=7,
    ...     twice=None, y_margin=np.array([2, 1, 2, 2]),
    ... )
    >>> cells.remainder(cells.n_x)
    array([4.])
    """

    n_xy: NumberArray
    n_x: NumberArray
    n_y: NumberArray
    total: int | float
    twice: BoolArray | None
    y_margin: NumberArray
    contingency: bool = True
    holds_unseen: bool = False

    def __post_init__(self) -> None:
        shape = self.n_xy.shape
        for name in ("n_x", "n_y", "twice"):
            array = getattr(self, name)
            if array is not None and array.shape != shape:
                raise InvalidInputError(
                    f"{name} must have one entry a pair, as n_xy has: {shape}. Got {array.shape}."
                )
        if self.holds_unseen:
            if not np.all(self.n_xy >= 0):
                raise InvalidInputError(
                    f"n_xy must be at least 0 in every cell. Got {np.min(self.n_xy)}."
                )
        elif not np.all(self.n_xy > 0):
            raise InvalidInputError(
                "n_xy must be above 0 in every cell: a pair never seen is no cell. "
                f"Got {np.min(self.n_xy)}."
            )

    def remainder(self, counts: NumberArray) -> Float64Array:
        """Return ``total - counts``, exactly 0 where only rounding is left.

        Parameters
        ----------
        counts : ndarray of shape (n_pairs,)
            ``n_xy``, ``n_x`` or ``n_y``.

        Returns
        -------
        ndarray of shape (n_pairs,), float64
            At least 0. In weighted counts a share of the total below 1e-12 is rounding of the
            sums, and a formula that divides by the remainder would turn it into a number.
        """
        rest = np.asarray(self.total - counts, dtype=np.float64)
        if np.issubdtype(counts.dtype, np.floating):
            rest[rest <= _ROUNDING * self.total] = 0.0
        return rest


class CountsLike(Protocol):
    """Counts that the association measures can weigh."""

    @property
    def matrix(self) -> "csr_array":
        """The seen pairs, a canonical csr_array of shape (n_terms, n_terms)."""

    def cells(self) -> PairCells:
        """Return the stored cells of ``matrix``, in the order in which it stores them."""
