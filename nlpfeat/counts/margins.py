"""How often each term takes part: the margins of the table, before any pair is pruned."""

from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import Int32Array, Int64Array


@dataclass(frozen=True)
class Margins:
    """Row sums, column sums and the sum of a table of ordered pairs (right of x stands y).

    Attributes
    ----------
    x, y : ndarray of int64, shape (n_terms,)
    total : int
    """

    x: Int64Array
    y: Int64Array
    total: int

    def __add__(self, other: "Margins") -> "Margins":
        """Return the margins of both texts together."""
        return Margins(self.x + other.x, self.y + other.y, self.total + other.total)


def presence_margins(ids: Int32Array, bounds: Int64Array, n_terms: int) -> Margins:
    """Count the units that hold each term, and the units."""
    places = np.flatnonzero(ids >= 0)
    unit = np.searchsorted(bounds, places, side="right") - 1
    keys = np.unique(unit * n_terms + ids[places])
    units_with = np.bincount(keys % n_terms, minlength=n_terms).astype(np.int64)
    return Margins(units_with, units_with, len(bounds) - 1)
