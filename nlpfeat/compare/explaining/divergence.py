"""How far apart two weightings of the tokens of a document are."""

from collections.abc import Sequence

import numpy as np

from nlpfeat._typing import Float64Array


def divergences(first: Sequence[Float64Array], second: Sequence[Float64Array]) -> Float64Array:
    """Return the Jensen-Shannon divergence of two weightings of each document, in bits.

    Parameters
    ----------
    first, second : sequence of ndarray of shape (L,)
        For each of N documents weights of at least 0; they are divided by their sums.

    Returns
    -------
    ndarray of float64, shape (N,)
        From 0, the same weights, to 1, no token that both weigh; NaN where all weights are 0.

    Notes
    -----
    (KL(p, m) + KL(q, m)) / 2 with m = (p + q) / 2. Source: Lin (1991); for two seeds of an
    attention Wiegreffe and Pinter (2019).

    Examples
    --------
    >>> divergences([np.array([1.0, 0.0])], [np.array([0.5, 0.5])]).round(4)
    array([0.3113])
    """
    from scipy.special import rel_entr

    found = np.full(len(first), np.nan)
    for row, (one, other) in enumerate(zip(first, second)):
        if one.sum() > 0 and other.sum() > 0:
            p, q = one / one.sum(), other / other.sum()
            both = p + q  # not halved: half of the least number is 0
            found[row] = 1 + (rel_entr(p, both).sum() + rel_entr(q, both).sum()) / (2 * np.log(2))
    bounded: Float64Array = np.clip(found, 0.0, 1.0)
    return bounded


def uniform_like(weights: Sequence[Float64Array]) -> list[Float64Array]:
    """Return equal weights for the tokens of each document."""
    return [np.ones(len(each)) for each in weights]
