"""Cosines between word vectors, and the nearest words."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import Float64Array, Int64Array

FloatMatrix: TypeAlias = NDArray[np.floating[Any]]
"""float32 or float64."""

# Beyond this a cosine is rounding, which would make ties of equal vectors depend on their place.
_DECIMALS = {np.dtype(np.float32): 6, np.dtype(np.float64): 12}


def row_norms(matrix: FloatMatrix) -> Float64Array:
    """Return the Euclidean length of each row.

    Parameters
    ----------
    matrix : ndarray of float32 or float64, shape (n_rows, n_dims)

    Returns
    -------
    ndarray of float64, shape (n_rows,)
        Not finite where a row is not.

    Examples
    --------
    >>> row_norms(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [5.0, 0.0]
    """
    squares: Float64Array = np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64)
    return np.sqrt(squares)


def cosines(matrix: FloatMatrix, norms: Float64Array, query: FloatMatrix) -> Float64Array:
    """Return the cosine of each row with a vector.

    Parameters
    ----------
    matrix : ndarray of float32 or float64, shape (n_rows, n_dims)
    norms : ndarray of float64, shape (n_rows,)
        The lengths of the rows.
    query : ndarray, shape (n_dims,)

    Returns
    -------
    ndarray of float64, shape (n_rows,)
        In [-1, 1], rounded to 12 decimals (6 for float32), so that equal rows have equal cosines.
        0 where the row or the query is the zero vector, which is near nothing; never NaN.

    Examples
    --------
    >>> matrix = np.array([[1.0, 1.0], [-2.0, 0.0], [0.0, 0.0]])
    >>> cosines(matrix, row_norms(matrix), np.array([3.0, 0.0])).round(3).tolist()
    [0.707, -1.0, 0.0]
    """
    length = float(row_norms(query[None, :])[0])
    if not length:
        return np.zeros(len(matrix))
    products = (matrix @ (query / length).astype(matrix.dtype)).astype(np.float64)
    known = norms > 0
    result = np.zeros(len(matrix))
    result[known] = np.clip(products[known] / norms[known], -1.0, 1.0)
    rounded: Float64Array = result.round(_DECIMALS[matrix.dtype]) + 0.0  # no -0
    return rounded


def ranked(similarity: Float64Array, frequencies: Int64Array | None, n_first: int) -> Int64Array:
    """Return the places of the highest values; ties go to the more frequent, then the earlier.

    Parameters
    ----------
    similarity : ndarray of float64, shape (n_rows,)
        -inf for rows that must not be returned.
    frequencies : ndarray of int64, shape (n_rows,), or None
    n_first : int

    Returns
    -------
    ndarray of int64
        At most ``n_first`` places.

    Examples
    --------
    >>> ranked(np.array([0.5, 0.9, 0.5]), np.array([3, 1, 7]), 2).tolist()
    [1, 2]
    """
    allowed = np.flatnonzero(similarity > -np.inf)
    if n_first < len(allowed):
        # Of all rows only those that may be among the first are sorted.
        least = np.partition(similarity[allowed], -n_first)[-n_first]
        allowed = allowed[similarity[allowed] >= least]
    keys = [allowed, -similarity[allowed]]
    if frequencies is not None:
        keys.insert(1, -frequencies[allowed])
    order: Int64Array = allowed[np.lexsort(keys)][:n_first]
    return order
