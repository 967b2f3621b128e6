"""Keys that come from a file, which may be damaged or crafted."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def are_keys(values: NDArray[Any], limit: int) -> bool:
    """Tell whether these can be the keys of columns.

    Parameters
    ----------
    values : ndarray
    limit : int
        Keys are below it.

    Returns
    -------
    bool
        Whether they are int64 from 0 to ``limit - 1``, in one dimension, ascending, each once.

    Examples
    --------
    >>> are_keys(np.array([0, 2]), 3), are_keys(np.array([0, 3]), 3), are_keys(np.array([2, 0]), 3)
    (True, False, False)
    """
    if values.dtype != np.int64 or values.ndim != 1:
        return False
    is_ascending = bool((values[1:] > values[:-1]).all())
    return is_ascending and (not len(values) or bool(values[0] >= 0 and values[-1] < limit))
