"""Log-count ratio: how much a term speaks for one of two classes."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_real
from nlpfeat.counts.indices import with_fitting_indices
from nlpfeat.errors import InvalidInputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def log_count_ratio(
    counts: "csr_array | NDArray[Any]", is_positive: ArrayLike, *, alpha: float = 1.0
) -> Float64Array:
    """Log-count ratio of naive Bayes, r = ln( (p / |p|) / (q / |q|) ).

    With f the row of counts of a document, p = alpha + sum of f over the positive documents, q the
    same over the others, and |p| the sum of p over all terms.

    Parameters
    ----------
    counts : csr_array or ndarray of shape (n_documents, n_terms)
        Counts, or 0 and 1 (or booleans) for presence; at least 0.
    is_positive : array-like of bool, shape (n_documents,)
        Which documents are of the positive class. Without any, p is the uniform distribution.
    alpha : float, default 1.0
        Added to each sum, above 0: no term is impossible in a class.

    Returns
    -------
    ndarray of shape (n_terms,), float64
        Above 0 for terms of the positive class, below 0 for terms of the other; finite.

    Raises
    ------
    InvalidParameterError
        When ``alpha`` is not above 0.
    InvalidInputError
        When ``is_positive`` has not one truth value a document.

    Notes
    -----
    Source: Wang and Manning (2012).

    Examples
    --------
    Columns 好, 坏, 车; two good reviews, then a bad one. p = (3, 1, 2) of 6 and q = (1, 2, 2) of 5.

    >>> counts = np.array([[1, 0, 1], [1, 0, 0], [0, 1, 1]])
    >>> log_count_ratio(counts, [True, True, False]).round(4)
    array([ 0.9163, -0.8755, -0.1823])
    """
    alpha = check_real(alpha, "alpha", above=0.0, at_most=1e100)
    positive = np.asarray(is_positive)
    if positive.dtype != np.bool_ or positive.shape != (counts.shape[0],):
        raise InvalidInputError(
            f"is_positive must hold one truth value for each of the {counts.shape[0]} documents. "
            f"Got {positive.dtype} of shape {positive.shape}."
        )
    # Booleans would be joined by "or", and small integers would wrap around.
    dtype = np.int64 if counts.dtype.kind in "biu" else np.float64
    sides = np.stack([positive, ~positive]).astype(dtype)
    p, q = alpha + np.asarray(sides @ counts.astype(dtype, copy=False), dtype=np.float64)
    return np.asarray(np.log(p / p.sum()) - np.log(q / q.sum()), dtype=np.float64)


def presence(counts: "csr_array") -> "csr_array":
    """Return 1 where there is a count, as float64.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> presence(csr_array([[0, 2, 1]])).toarray()
    array([[0., 1., 1.]])
    """
    from scipy.sparse import csr_array

    ones = np.ones(counts.nnz)
    return csr_array((ones, counts.indices, counts.indptr), shape=counts.shape)


def weighted(counts: "csr_array", ratio: Float64Array) -> "csr_array":
    """Return the counts times the ratio of their column, without explicit zeros.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> weighted(csr_array([[0, 2, 1]]), np.array([1.0, -0.5, 0.0])).toarray()
    array([[ 0., -1.,  0.]])
    """
    from scipy.sparse import csr_array

    data = counts.data * ratio[counts.indices]
    # Copied, as who gets the result may change it, and the counts may be the caller's.
    cells = (data, counts.indices.copy(), counts.indptr.copy())
    result = csr_array(cells, shape=counts.shape)
    result.eliminate_zeros()
    return with_fitting_indices(result)
