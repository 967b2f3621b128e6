"""Measures that test the 2x2 table of a pair against independence: G2, t, chi-squared.

The table of a pair (x, y), with N = all pairs of the text:

========  =====================  ==========================
..        y                      not y
========  =====================  ==========================
x         O11 = n_xy             O12 = n_x - n_xy
not x     O21 = n_y - n_xy       O22 = N - n_x - n_y + n_xy
========  =====================  ==========================

Under independence E11 = n_x n_y / N, and so on. All four cells are off by the same amount:
O11 - E11 = D, O12 - E12 = -D, O21 - E21 = -D, O22 - E22 = D.

**The diagonal of a symmetric table.** With ``direction="both"`` each of the P pairs of positions
is entered twice, so N = 2P. Off the diagonal its two entries lie in two cells, (x, y) and (y, x),
and each cell counts every pair once. On the diagonal both lie in the one cell (x, x), which holds
n_xx = 2 O for O pairs. A test must see O, or each self pair would be two observations. A token
drawn from all pair ends is x with probability n_x / (2P), so of P unordered pairs
E = P (n_x / 2P)^2 = n_x^2 / (2N) are expected to be x with x. That is the E11 of the table with
n_xy, n_x, n_y and N all halved, so for the diagonal the whole table is halved.
"""

from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.counts.pair_cells import PairCells


def g2_scores(cells: PairCells, *, signed: bool = False) -> Float64Array:
    """Log-likelihood ratio, 2 sum of O ln(O / E) over the 2x2 table, with 0 ln 0 = 0.

    Parameters
    ----------
    cells : PairCells
        The pairs. The diagonal of a symmetric table is halved (see the module).
    signed : bool, default False
        Give the value the sign of O11 - E11: negative for a pair rarer than expected.

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        At least 0, in natural units whatever the base of other measures; asymptotically
        chi-squared with one degree of freedom. With ``signed`` any sign.

    Notes
    -----
    The sums of O and of E are equal, so the formula equals 2 sum of [O ln(O / E) - (O - E)], which
    is computed. Its terms are all at least 0; those of the formula are up to N and would cancel
    to noise in a large table.

    Source: Dunning (1993).
    """
    table = _table(cells)
    half = np.zeros(cells.n_xy.shape)
    for difference, expected in table.terms():
        half += expected * _divergence(_ratio(difference, expected))
    values = 2.0 * half
    return values * np.sign(table.difference) if signed else values


def t_scores(cells: PairCells) -> Float64Array:
    """T score, (O - E) / sqrt(O) of the pair's own cell.

    Parameters
    ----------
    cells : PairCells
        The pairs. The diagonal of a symmetric table is halved (see the module).

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        Below sqrt(O); negative for a pair rarer than expected.

    Notes
    -----
    Source: Church, Gale, Hanks and Hindle (1991).
    """
    table = _table(cells)
    return np.asarray(table.difference / np.sqrt(table.observed), dtype=np.float64)


def chi2_scores(cells: PairCells) -> Float64Array:
    """Pearson's chi-squared, sum of (O - E)^2 / E over the 2x2 table.

    Parameters
    ----------
    cells : PairCells
        The pairs. The diagonal of a symmetric table is halved (see the module).

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        At least 0, without continuity correction. A cell with O = E = 0 adds 0.

    Notes
    -----
    Source: Pearson (1900).
    """
    values = np.zeros(cells.n_xy.shape)
    for difference, expected in _table(cells).terms():
        values += difference * _ratio(difference, expected)
    return values


@dataclass(frozen=True)
class _Table:
    """The 2x2 tables of all pairs: O11, D = O11 - E11 and the four expected counts."""

    observed: Float64Array
    difference: Float64Array
    e11: Float64Array
    e12: Float64Array
    e21: Float64Array
    e22: Float64Array

    def terms(self) -> list[tuple[Float64Array, Float64Array]]:
        """Return (O - E, E) of each of the four cells."""
        plus, minus = self.difference, -self.difference
        return [(plus, self.e11), (minus, self.e12), (minus, self.e21), (plus, self.e22)]


def _table(cells: PairCells) -> _Table:
    total = float(cells.total)
    scale = 1.0 if cells.twice is None else np.where(cells.twice, 0.5, 1.0)
    n_xy = np.asarray(cells.n_xy, dtype=np.float64)
    n_x, n_y = (np.asarray(n, dtype=np.float64) for n in (cells.n_x, cells.n_y))
    not_x, not_y = cells.remainder(cells.n_x), cells.remainder(cells.n_y)
    # Halving n_x, n_y and N halves n_x n_y / N. D comes from the products, which are equal, and
    # so round to equal numbers, when the pair is independent.
    return _Table(
        observed=n_xy * scale,
        difference=(n_xy * total - n_x * n_y) / total * scale,
        e11=n_x * n_y / total * scale,
        e12=n_x * not_y / total * scale,
        e21=not_x * n_y / total * scale,
        e22=not_x * not_y / total * scale,
    )


def _ratio(difference: Float64Array, expected: Float64Array) -> Float64Array:
    """(O - E) / E, and 0 where E = 0, since O = 0 there too."""
    return np.divide(difference, expected, out=np.zeros(expected.shape), where=expected > 0)


def _divergence(u: Float64Array) -> Float64Array:
    """(1 + u) ln(1 + u) - u for u >= -1: at least 0, and 1 at u = -1, where 0 ln 0 = 0."""
    log = np.log1p(u, out=np.zeros(u.shape), where=u > -1.0)
    # The last digit of log1p is the platform's: near 0 it must not make the sum negative.
    return np.maximum((1.0 + u) * log - u, 0.0)
