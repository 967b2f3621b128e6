"""The matrix of counts that the transformers and classifiers of counts take: checked once, here."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array, validate_data

from nlpfeat.counts.indices import with_fitting_indices
from nlpfeat.errors import InvalidInputError, InvalidParameterError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def check_counts(estimator: Any, X: Any, *, reset: bool) -> "csr_array":  # noqa: N803
    """Return a matrix of counts as a sparse array that the estimator may keep and read.

    Parameters
    ----------
    estimator : estimator
        Whose input this is. It gets, or is held to, ``n_features_in_`` and ``feature_names_in_``.
    X : sparse array or matrix, ndarray, data frame or list of lists
        Shape (n_documents, n_terms). Counts may be fractional; none is negative or missing.
    reset : bool
        True in ``fit``, which learns the columns; False in ``transform`` and ``predict``, which
        compare them.

    Returns
    -------
    csr_array of shape (n_documents, n_terms), int64 or float64
        Integers (and booleans) stay integers. Sorted indices, no duplicates, no explicit zeros,
        and indices of int32 when they fit. It may share memory with ``X``: never write to it.

    Raises
    ------
    InvalidInputError
        For texts or token lists, which are no counts yet. Else with scikit-learn's own message,
        where there is one: no matrix, no row, no column, another number or other names of columns
        than in ``fit``, a value that is negative, infinite, missing or no number.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> check_counts(BaseEstimator(), [[0, 2], [1, 0]], reset=True).toarray()
    array([[0, 2],
           [1, 0]])
    """
    try:
        checked = validate_data(
            estimator, X, reset=reset, accept_sparse="csr", ensure_non_negative=True
        )
    except ValueError as error:
        if _holds_texts(X):
            name = type(estimator).__name__
            raise InvalidInputError(
                "X must hold counts, a row for each document and a column for each term. Got texts "
                f"or tokens: put a vectorizer before {name}, as in "
                f"make_pipeline(BagOfWordsVectorizer(), {name}(...))."
            ) from error
        raise InvalidInputError(str(error)) from error
    return _canonical(checked)


def check_row(estimator: Any, row: Any) -> "csr_array":
    """Return the counts of one document as a matrix of one row.

    Parameters
    ----------
    estimator : fitted estimator
        Its ``n_features_in_`` says how many counts there must be.
    row : ndarray or list of shape (n_terms,), or matrix of shape (1, n_terms)
        Dense or sparse, such as ``X[3]`` or ``X[[3]]``.

    Returns
    -------
    csr_array of shape (1, n_terms), int64 or float64

    Raises
    ------
    InvalidInputError
        For what `check_counts` refuses, and for more than one row.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> estimator = BaseEstimator()
    >>> fitted = check_counts(estimator, [[0, 2], [1, 0]], reset=True)
    >>> check_row(estimator, fitted[0]).toarray()
    array([[0, 2]])
    """
    from scipy.sparse import issparse

    row = row if issparse(row) else np.asarray(row)
    row = row.reshape(1, -1) if row.ndim == 1 else row
    n_terms = estimator.n_features_in_
    if row.shape != (1, n_terms):
        raise InvalidInputError(
            f"row must be the counts of one document, {n_terms} of them, as in fit. "
            f"Got the shape {row.shape}."
        )
    try:
        checked = check_array(row, accept_sparse="csr", ensure_non_negative=True, input_name="row")
    except ValueError as error:
        raise InvalidInputError(str(error)) from error
    return _canonical(checked)


def column_names(estimator: Any, feature_names: Sequence[str] | NDArray[Any] | None) -> list[str]:
    """Return what the columns of the counts are called.

    Parameters
    ----------
    estimator : fitted estimator
        Its ``n_features_in_`` says how many names there must be.
    feature_names : sequence of str, shape (n_terms,), or None
        None takes the column names of ``fit``, or x0, x1, … when it saw none.

    Returns
    -------
    list of str, length n_terms

    Raises
    ------
    InvalidParameterError
        When there is not one name a column.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> estimator = BaseEstimator()
    >>> counts = check_counts(estimator, [[0, 2], [1, 0]], reset=True)
    >>> column_names(estimator, ["茶", "水"]), column_names(estimator, None)
    (['茶', '水'], ['x0', 'x1'])
    """
    n_terms = estimator.n_features_in_
    if feature_names is None:
        default = [f"x{column}" for column in range(n_terms)]
        return [str(name) for name in getattr(estimator, "feature_names_in_", default)]
    if isinstance(feature_names, str) or len(feature_names) != n_terms:
        got = repr(feature_names) if isinstance(feature_names, str) else len(feature_names)
        raise InvalidParameterError(
            f"feature_names must be the {n_terms} terms of the columns of fit. Got {got}."
        )
    return [str(name) for name in feature_names]


def _holds_texts(X: Any) -> bool:  # noqa: N803
    """Tell whether these are documents, and no matrix of numbers.

    Examples
    --------
    >>> [_holds_texts(X) for X in (["猫"], [["猫", "狗"], []], np.array([[1]]), [[1, None]])]
    [True, True, False, False]
    """
    if isinstance(X, str | bytes):
        return True
    if isinstance(X, list | tuple):
        return any(map(_holds_texts, X))
    if hasattr(X, "__array__"):
        cells = np.asarray(X)
        return cells.dtype.kind in "OSU" and any(map(_holds_texts, cells.ravel().tolist()))
    # A Corpus or a generator: of matrices, all have a length.
    return isinstance(X, Iterable) and not hasattr(X, "__len__")


def _canonical(checked: Any) -> "csr_array":
    from scipy.sparse import csr_array

    counts = csr_array(checked)
    dtype = np.int64 if counts.dtype.kind in "biu" else np.float64
    counts = counts.astype(dtype, copy=False)
    if not counts.has_canonical_format or not np.all(counts.data):
        counts = counts.copy()  # the caller's arrays stay as they are
        counts.sum_duplicates()
        counts.eliminate_zeros()
    return with_fitting_indices(counts)
