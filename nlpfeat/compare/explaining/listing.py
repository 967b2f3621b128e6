"""Arrays as lists that JSON holds, and back."""

from collections.abc import Sequence

import numpy as np

from nlpfeat._typing import Float64Array


def listed(values: Float64Array) -> list[float | None]:
    """Return numbers as a list; None stands for NaN.

    Examples
    --------
    >>> listed(np.array([0.5, np.nan]))
    [0.5, None]
    """
    return [None if np.isnan(each) else each for each in values.tolist()]


def array(values: Sequence[float | None]) -> Float64Array:
    """Return what ``listed`` was given.

    Examples
    --------
    >>> array([0.5, None])
    array([0.5, nan])
    """
    return np.array([np.nan if each is None else each for each in values], dtype=np.float64)
