"""Measures of how much of two terms' occurrences is shared: Dice, logDice, delta P."""

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.counts.pair_cells import PairCells


def dice_scores(cells: PairCells) -> Float64Array:
    """Dice coefficient, 2 n_xy / (n_x + n_y).

    Parameters
    ----------
    cells : PairCells
        The pairs.

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        In [0, 1]; 1 for terms that only come together.

    Notes
    -----
    N plays no part, so tables of texts of different length can be compared.

    Source: Dice (1945).

    Examples
    --------
    茶 杯 in the text 茶 叶 茶 水 茶 杯 水 杯, one token to the right: 2 * 1 / (3 + 2).

    >>> cells = PairCells(
    ...     n_xy=np.array([1]), n_x=np.array([3]), n_y=np.array([2]), total=7,
    ...     twice=None, y_margin=np.array([2, 1, 2, 2]),
    ... )
    >>> dice_scores(cells)
    array([0.4])
    """
    return np.asarray(2.0 * cells.n_xy / (cells.n_x + cells.n_y), dtype=np.float64)


def logdice_scores(cells: PairCells) -> Float64Array:
    """Logarithmic Dice, 14 + log2 dice.

    Parameters
    ----------
    cells : PairCells
        The pairs.

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        At most 14. One point more means twice the Dice coefficient; the base is always 2.

    Notes
    -----
    Source: Rychlý (2008).
    """
    return np.asarray(14.0 + np.log2(dice_scores(cells)), dtype=np.float64)


def delta_p_scores(cells: PairCells) -> Float64Array:
    """Delta P, p(y|x) - p(y|not x): how much x raises the probability of y.

    Parameters
    ----------
    cells : PairCells
        The pairs.

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        In [-1, 1]. It has a direction: swapping x and y gives another number. NaN when
        n_x = N, since nothing was seen without x.

    Notes
    -----
    Source: Ellis (2006); Gries (2013).
    """
    given_x = cells.n_xy / cells.n_x
    without_x = cells.remainder(cells.n_x)
    y_without_x = cells.n_y - cells.n_xy
    given_not_x = np.divide(
        y_without_x, without_x, out=np.full(without_x.shape, np.nan), where=without_x > 0
    )
    return np.asarray(given_x - given_not_x, dtype=np.float64)
