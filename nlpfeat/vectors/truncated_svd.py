"""The largest singular values of a sparse matrix, with their vectors."""

from typing import TYPE_CHECKING

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_int

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# The iteration works with squares of singular values: half of the digits are lost.
_ROUNDING = 1e-7


def truncated_svd(
    matrix: "csr_array", n_components: int, *, seed: int = 0
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Return U, s and Vᵀ of the best approximation U diag(s) Vᵀ of a rank.

    Parameters
    ----------
    matrix : csr_array of float64, shape (n_rows, n_columns)
        Never made dense, unless it is no larger than what is returned.
    n_components : int
        At most the smaller side of the matrix.
    seed : int, default 0
        Of the vector that the iteration starts from. The result does not depend on it beyond
        rounding, where singular values differ.

    Returns
    -------
    u : ndarray of float64, shape (n_rows, n_components)
        Of each column the entry that is largest in size is positive.
    s : ndarray of float64, shape (n_components,)
        Not negative, highest first. Below 1e-7 of the highest it is 0, since it may be rounding;
        the vectors that belong to it are zero vectors, since any others would be arbitrary.
    vt : ndarray of float64, shape (n_components, n_columns)

    Notes
    -----
    Source: the Lanczos iteration of ARPACK (Lehoucq, Sorensen & Yang 1998).

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> u, s, vt = truncated_svd(csr_array(np.diag([1.0, 3.0, 2.0])), 2)
    >>> s.round(6).tolist(), (u.round(6) + 0.0).tolist()
    ([3.0, 2.0], [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    """
    from sklearn.utils.extmath import svd_flip
    from threadpoolctl import threadpool_limits

    check_int(n_components, "n_components", minimum=1)
    # Threads gain nothing here, wait for one another on a busy machine, and add up in an order
    # that depends on their number.
    with threadpool_limits(limits=1, user_api="blas"):
        if n_components >= min(matrix.shape) - 1 or not matrix.nnz:
            u, s, vt = np.linalg.svd(matrix.toarray(), full_matrices=False)
            u, s, vt = u[:, :n_components], s[:n_components], vt[:n_components]
        else:
            u, s, vt = _lanczos(matrix, n_components, seed)
    u, vt = svd_flip(u, vt)
    is_zero = s <= _ROUNDING * s.max(initial=0.0)
    s[is_zero] = 0.0
    u[:, is_zero] = 0.0
    vt[is_zero] = 0.0
    return u, s, vt


def _lanczos(
    matrix: "csr_array", n_components: int, seed: int
) -> tuple[Float64Array, Float64Array, Float64Array]:
    from scipy.sparse.linalg import svds

    start = np.random.default_rng(seed).uniform(-1.0, 1.0, min(matrix.shape))
    u, s, vt = svds(matrix, k=n_components, v0=start, solver="arpack")
    order = np.argsort(-s, kind="stable")
    return u[:, order].copy(), s[order].copy(), vt[order].copy()
