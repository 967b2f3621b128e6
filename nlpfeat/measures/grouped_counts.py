"""A matrix of counts, checked, and its rows added up by label."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpfeat.errors import InvalidInputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def checked_counts(counts: Any, names: Sequence[str]) -> "csr_array":
    """Return the counts as a matrix in canonical CSR form, without stored zeros.

    Parameters
    ----------
    counts : sparse or dense matrix of shape (n_documents, n_terms)
        Stays as it is.
    names : sequence of str
        The terms.

    Returns
    -------
    csr_array of int64 or float64

    Raises
    ------
    InvalidInputError
        When the counts are no counts, or the names do not fit them.
    """
    from scipy.sparse import csr_array

    try:
        matrix = csr_array(counts)
    except (TypeError, ValueError) as error:
        raise InvalidInputError(
            f"counts must be a sparse or dense matrix of numbers. Got a {type(counts).__name__} "
            f"of which none can be made: {error}."
        ) from error
    if matrix.dtype.kind not in "biuf":
        raise InvalidInputError(f"counts must be a matrix of numbers. Got {matrix.dtype}.")
    integers = matrix.dtype.kind in "biu"
    matrix = matrix.astype(np.int64 if integers else np.float64)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise InvalidInputError(
            f"counts must be a matrix of documents and terms, at least one each. Got the shape "
            f"{matrix.shape}."
        )
    if not matrix.nnz:
        raise InvalidInputError("counts must hold at least one count above 0. Got zeros only.")
    if not np.all((matrix.data > 0) & np.isfinite(matrix.data)):
        raise InvalidInputError(
            f"counts must be at least 0 and finite. Got {matrix.data.min()} to {matrix.data.max()}."
        )
    if isinstance(names, str) or len(names) != matrix.shape[1]:
        raise InvalidInputError(
            f"names must hold one term for each of the {matrix.shape[1]} columns of counts. Got "
            f"{len(names)}."
        )
    return matrix


def grouped(matrix: "csr_array", groups: Sequence[Any] | None) -> tuple[list[str], "csr_array"]:
    """Return the names of the groups in code-point order, and the sum of the rows of each.

    Parameters
    ----------
    matrix : csr_array of shape (n_documents, n_terms)
    groups : sequence of str or int, length n_documents, or None
        None: each row is a group, named by its number.

    Returns
    -------
    names : list of str
    sums : csr_array of shape (n_groups, n_terms)

    Raises
    ------
    InvalidInputError
        When the labels are none, or do not fit the matrix.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> names, sums = grouped(csr_array([[1, 0], [2, 0], [0, 4]]), ["旅游", "旅游", "财经"])
    >>> names, sums.toarray().tolist()
    (['旅游', '财经'], [[3, 0], [0, 4]])
    """
    from scipy.sparse import csr_array

    n_documents = matrix.shape[0]
    if groups is None:
        return [str(row) for row in range(n_documents)], matrix
    if isinstance(groups, str) or len(groups) != n_documents:
        raise InvalidInputError(
            f"groups must hold one label for each of the {n_documents} rows of counts. Got "
            f"{len(groups)}."
        )
    is_text: dict[str, bool] = {}
    for row, label in enumerate(groups):
        if not isinstance(label, str | int | np.integer):
            raise InvalidInputError(
                f"groups must hold texts or integers. Got {label!r} in row {row}."
            )
        if is_text.setdefault(str(label), isinstance(label, str)) != isinstance(label, str):
            raise InvalidInputError(
                f"groups must not hold {str(label)!r} both as a text and as a number. Got "
                f"{label!r} in row {row}: make all of them texts, or give the two different names."
            )
    texts = [str(label) for label in groups]
    labels = sorted(is_text)
    places = {label: place for place, label in enumerate(labels)}
    cells = (np.ones(n_documents, dtype=np.int64),
             ([places[text] for text in texts], np.arange(n_documents)))  # fmt: skip
    return labels, csr_array(cells, shape=(len(labels), n_documents)) @ matrix
