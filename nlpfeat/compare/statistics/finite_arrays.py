"""The arrays of numbers that the statistics take, checked with one style of message."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import BoolArray, Float64Array
from nlpfeat.errors import InvalidInputError


def finite_array(values: ArrayLike, name: str, *dimensions: str) -> Float64Array:
    """Return finite numbers as float64.

    Parameters
    ----------
    values : array-like of numbers or bool
    name : str
        What a message calls them.
    *dimensions : str
        What each axis holds, in words.

    Returns
    -------
    ndarray of float64
        With as many axes as ``dimensions``.

    Raises
    ------
    InvalidInputError
        For anything that is no number, another number of axes, NaN and infinity.

    Examples
    --------
    >>> finite_array([0, True, 0.5], "differences", "splits")
    array([0. , 1. , 0.5])
    """
    shape = f"an array ({', '.join(dimensions)})"
    try:
        array = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise InvalidInputError(f"{name} must be {shape}; its rows differ in length.") from error
    if array.size == 0 and array.ndim == len(dimensions):
        return np.empty(array.shape)
    if array.dtype.kind not in "biuf":
        raise InvalidInputError(f"{name} must hold numbers. Got an array of {array.dtype}.")
    if array.ndim != len(dimensions):
        raise InvalidInputError(f"{name} must be {shape}. Got an array of shape {array.shape}.")
    array = array.astype(np.float64)
    finite = np.isfinite(array)
    if not finite.all():
        place = tuple(int(axis) for axis in np.argwhere(~finite)[0])
        where = place[0] if len(place) == 1 else place
        raise InvalidInputError(
            f"{name} must be finite. Got {array[place]} at index {where}: leave it out, or find "
            "out why it is missing."
        )
    return array


def runs_by_documents(values: ArrayLike, name: str) -> BoolArray | Float64Array:
    """Return a quantity of each document in each run; what is bool stays bool.

    Parameters
    ----------
    values : array-like, shape (R, N) or (N,)
        N numbers for each of R runs, or for the only one.
    name : str
        What a message calls them.

    Returns
    -------
    ndarray of bool or float64, shape (R, N)

    Raises
    ------
    InvalidInputError
        As in :func:`finite_array`; and for less than one run or two documents.

    Examples
    --------
    >>> runs_by_documents([True, False, True], "values")
    array([[ True, False,  True]])
    """
    try:
        array = np.atleast_2d(np.asarray(values))
    except ValueError:
        array = finite_array(values, name, "runs", "documents")  # it raises, and says why
    if array.dtype.kind != "b":
        array = finite_array(array, name, "runs", "documents")
    if array.ndim != 2 or array.shape[0] < 1 or array.shape[1] < 2:
        raise InvalidInputError(
            f"{name} must have the shape (runs, documents), with at least 1 run and 2 documents: "
            f"fewer cannot be resampled. Got {array.shape}."
        )
    return array
