"""What a counting kernel takes and gives."""

from dataclasses import dataclass
from typing import Protocol

from nlpfeat._typing import Int32Array, Int64Array
from nlpfeat.counts.margins import Margins


@dataclass(frozen=True)
class Block:
    """Tokens of whole units, with the rows of the table that are wanted.

    Attributes
    ----------
    ids : ndarray of int32, shape (n_tokens,)
    bounds : ndarray of int64, shape (n_units + 1,)
    n_terms : int
    first_row, last_row : int
        Rows ``first_row <= x < last_row`` are counted.
    min_count : int
        Cells below it are left out.
    n_threads : int
    """

    ids: Int32Array
    bounds: Int64Array
    n_terms: int
    first_row: int
    last_row: int
    min_count: int = 1
    n_threads: int = 1


@dataclass(frozen=True)
class Rows:
    """Rows of a table in CSR form, columns in order.

    Attributes
    ----------
    indptr : ndarray of int64, shape (n_rows + 1,)
    columns : ndarray of int32, shape (n_cells,)
    counts : ndarray of int64, shape (n_cells,)
    highest : int
        The highest count of all, left-out cells included; 0 when there is none.
    """

    indptr: Int64Array
    columns: Int32Array
    counts: Int64Array
    highest: int


class Kernel(Protocol):
    """What a counting kernel can do."""

    def pair_margins(
        self, ids: Int32Array, bounds: Int64Array, n_terms: int, nearest: int, farthest: int
    ) -> Margins:
        """Count the partners to the right and to the left of each term, without the pairs.

        ``x`` counts what stands right of a term, ``y`` what stands left of it, at the distances
        from ``nearest`` to ``farthest`` and within a unit.
        """

    def count_pairs(self, block: Block, nearest: int, farthest: int, ordered: bool) -> Rows:
        """Count pairs of positions i < j with ``nearest <= j - i <= farthest``.

        With ``ordered`` the row is the term at i and the column that at j; without, the row is
        the lower id of the two.
        """

    def count_windows(self, block: Block, first: Int64Array, last: Int64Array, window: int) -> Rows:
        """Count windows that hold both of two different terms, the row being the lower id.

        A pair of positions i < j less than ``window`` apart stands for the windows whose last
        token lies from ``first[j]`` up to ``min(last[i], last[j])``.
        """

    def count_presence(self, block: Block) -> Rows:
        """Count units that hold both of two different terms, the row being the lower id."""
