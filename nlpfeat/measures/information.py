"""Measures that compare logarithms of probabilities: PMI, NPMI, PPMI."""

import math

import numpy as np

from nlpfeat._typing import Float64Array, NumberArray
from nlpfeat.counts.pair_cells import PairCells


def pmi_scores(cells: PairCells, *, base: float = 2.0, smoothing: float = 1.0) -> Float64Array:
    """Pointwise mutual information, log( n_xy N / (n_x n_y) ).

    Parameters
    ----------
    cells : PairCells
        The pairs.
    base : float, default 2.0
        Base of the logarithm, above 1.
    smoothing : float, default 1.0
        Exponent a of context-distribution smoothing, 0 < a <= 1: p(y) becomes
        n_y^a / sum of n_y^a over all context terms, which keeps rare contexts from winning
        everywhere. 1 is none, 0.75 is usual.

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        Without smoothing at most -log p(x,y), and exactly 0 where the integer counts are
        independent.

    Notes
    -----
    Where presence is counted (``window="all"``, ``counting="windows"`` or ``"textgcn"``) the
    margins do not sum to N: p(y) is then the probability that a unit holds y, while smoothing
    makes it a distribution over terms. That moves all values by one constant, so compare values
    under one setting only.

    Source: Church and Hanks (1990); smoothing: Levy, Goldberg and Dagan (2015).

    Examples
    --------
    茶 杯 in the text 茶 叶 茶 水 茶 杯 水 杯, one token to the right: log2(1 * 7 / (3 * 2)).

    >>> cells = PairCells(
    ...     n_xy=np.array([1]), n_x=np.array([3]), n_y=np.array([2]), total=7,
    ...     twice=None, y_margin=np.array([2, 1, 2, 2]),
    ... )
    >>> pmi_scores(cells).round(3)
    array([0.222])
    """
    # Floating point, as the products of int64 counts may overflow. Equal products round to equal
    # numbers, so independence gives log(1) = 0 exactly.
    joint = np.asarray(cells.n_xy, dtype=np.float64)
    n_x = np.asarray(cells.n_x, dtype=np.float64)
    n_y = np.asarray(cells.n_y, dtype=np.float64)
    total = float(cells.total)
    if smoothing != 1.0:
        n_y = n_y**smoothing
        total = float(np.sum(np.asarray(cells.y_margin, dtype=np.float64) ** smoothing))
    return _log((joint * total) / (n_x * n_y), base)


def npmi_scores(cells: PairCells, *, base: float = 2.0) -> Float64Array:
    """NPMI (normalized PMI), pmi / -log p(x,y), and 1 when p(x,y) = 1.

    Parameters
    ----------
    cells : PairCells
        The pairs.
    base : float, default 2.0
        Has no influence: the unit cancels.

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        In [-1, 1]: 1 for terms that only come together, 0 at independence.

    Notes
    -----
    Computed as (log p(x) + log p(y)) / log p(x,y) - 1, which is the same number and keeps its
    precision when p(x,y) is close to 1.

    Source: Bouma (2009).
    """
    del base  # accepted, so that a run over several measures can pass its base to all of them
    log_joint = _log_share(cells, cells.n_xy)
    certain = log_joint == 0.0
    shares = _log_share(cells, cells.n_x) + _log_share(cells, cells.n_y)
    values = shares / np.where(certain, -1.0, log_joint) - 1.0
    values[pmi_scores(cells) == 0.0] = 0.0
    values[certain] = 1.0
    return values


def ppmi_scores(
    cells: PairCells, *, base: float = 2.0, shift: float = 1.0, smoothing: float = 1.0
) -> Float64Array:
    """Positive PMI, max(pmi - log k, 0).

    Parameters
    ----------
    cells : PairCells
        The pairs.
    base : float, default 2.0
        Base of the logarithm, above 1.
    shift : float, default 1.0
        k, above 0: the number of negative samples in the word2vec reading; 1 is none.
    smoothing : float, default 1.0
        As in :func:`pmi_scores`.

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        At least 0.

    Notes
    -----
    Source: Bullinaria and Levy (2007); shift: Levy and Goldberg (2014).
    """
    pmi = pmi_scores(cells, base=base, smoothing=smoothing)
    return np.maximum(pmi - float(_log(np.array([shift]), base)[0]), 0.0)


def _log(values: Float64Array, base: float) -> Float64Array:
    """Logarithm in ``base``; powers of two come out exact in base 2."""
    if base == 2.0:
        return np.asarray(np.log2(values), dtype=np.float64)
    return np.asarray(np.log(values) / math.log(base), dtype=np.float64)


def _log_share(cells: PairCells, counts: NumberArray) -> Float64Array:
    """Natural log of ``counts / total``, from the distance to 1 where the share is above half."""
    rest = cells.remainder(counts)
    nearly_all = np.log1p(-np.minimum(rest, counts) / cells.total)
    return np.where(rest < counts, nearly_all, np.log(counts / cells.total))
