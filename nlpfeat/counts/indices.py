"""How wide the indices of a sparse table are."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

INT32_LIMIT = int(np.iinfo(np.int32).max)


def with_fitting_indices(table: "csr_array") -> "csr_array":
    """Return the table with int32 indices where they suffice, and int64 ones where they do not.

    SciPy keeps whatever a sum or a product gave; scikit-learn's solvers take int32 alone.

    Parameters
    ----------
    table : csr_array
        Changed in place where the width does not fit.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> wide = csr_array(np.eye(2, dtype=np.int64))
    >>> wide.indptr = wide.indptr.astype(np.int64)
    >>> with_fitting_indices(wide).indptr.dtype
    dtype('int32')
    """
    dtype = np.int32 if max(table.nnz, *table.shape) <= INT32_LIMIT else np.int64
    table.indices = table.indices.astype(dtype, copy=False)
    table.indptr = table.indptr.astype(dtype, copy=False)
    return table
