"""Holm's correction: many tests, and hardly a chance that any of them is wrong."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array
from nlpfeat.compare.statistics.finite_arrays import finite_array
from nlpfeat.errors import InvalidInputError


def holm(p_values: ArrayLike) -> Float64Array:
    """Return p-values that stay honest though there are several.

    Parameters
    ----------
    p_values : array-like, shape (m,)
        From 0 to 1, of all the tests that were made; the correction is for as many as are given.

    Returns
    -------
    ndarray of float64, shape (m,)
        In the same order, none below what was given, at most 1. Where those below a level are
        called differences, the probability that any of them is none is at most that level.

    Raises
    ------
    InvalidInputError
        For numbers that are not from 0 to 1, and for NaN.

    Notes
    -----
    The smallest is multiplied by m, the next by m - 1 and so on; then none may be below one that
    was smaller. Tests may depend on one another.

    Source: Holm (1979).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(6).tolist()
    [0.03, 0.06, 0.06]
    """
    values = finite_array(p_values, "p_values", "tests")
    outside = (values < 0.0) | (values > 1.0)
    if outside.any():
        place = int(np.argmax(outside))
        raise InvalidInputError(
            f"p_values must be from 0 to 1. Got {values[place]} at index {place}."
        )
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return adjusted
