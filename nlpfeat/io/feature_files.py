"""Documents × features in one .npz file: the matrix, what its rows and columns are, and its making.

Members, as `nlpfeat.io.matrices` writes them: of a sparse matrix ``arrays/data.npy``,
``arrays/indices.npy``, ``arrays/indptr.npy`` and ``arrays/shape.npy`` (CSR), of a dense one
``arrays/matrix.npy``; the texts ``feature_names``, ``document_ids`` and, when documents have
labels, ``labels``, one for each row; and the metadata ``kind``, ``made_with`` and ``settings``.
"""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpfeat import __version__
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.io.matrices import load_arrays, save_arrays

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_KIND = "nlpfeat.features"


class Features(NamedTuple):
    """What `load_features` returns.

    Attributes
    ----------
    matrix : csr_array or ndarray, shape (n_documents, n_features)
    feature_names : list of str
    document_ids : list of str
    labels : list of str, or None
        The label of each document.
    metadata : dict
        How the features were made.
    """

    matrix: "csr_array | NDArray[Any]"
    feature_names: list[str]
    document_ids: list[str]
    labels: list[str] | None
    metadata: dict[str, Any]


def save_features(
    target: str | os.PathLike[str] | BinaryIO,
    matrix: "csr_array | NDArray[Any]",
    feature_names: Sequence[str],
    document_ids: Sequence[str],
    labels: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Write features into one file, without pickle; the same input gives the same bytes.

    Parameters
    ----------
    target : str, path-like or binary file
        A path is written whole or not at all.
    matrix : sparse or dense, shape (n_documents, n_features)
        Anything sparse is written as CSR, its stored zeros too.
    feature_names, document_ids : sequence of str
    labels : sequence of str, optional
        One for each document.
    metadata : mapping, optional
        How the features were made; what JSON can hold.

    Raises
    ------
    InvalidParameterError
        When names, ids or labels are not as many as columns or rows.
    OutputError
        When the file cannot be written.

    Examples
    --------
    >>> import io
    >>> stream = io.BytesIO()
    >>> save_features(stream, np.array([[1, 0]]), ["今天", "天气"], ["诗:1"], ["晴"])
    >>> load_features(stream)[:4]
    (array([[1, 0]]), ['今天', '天气'], ['诗:1'], ['晴'])
    """
    arrays = _as_arrays(matrix)
    n_rows, n_columns = matrix.shape
    texts = {"feature_names": list(feature_names), "document_ids": list(document_ids)}
    _check_length("feature_names", feature_names, n_columns, "columns")
    _check_length("document_ids", document_ids, n_rows, "rows")
    if labels is not None:
        _check_length("labels", labels, n_rows, "rows")
        texts["labels"] = list(labels)
    about = {
        "kind": _KIND,
        "made_with": f"nlpfeat {__version__}",
        "settings": dict(metadata or {}),
    }
    save_arrays(target, arrays, texts, about)


def load_features(source: str | os.PathLike[str] | BinaryIO) -> Features:
    """Read what `save_features` and ``nlpfeat features --output X.npz`` write.

    Parameters
    ----------
    source : str, path-like or binary file

    Returns
    -------
    Features
        The matrix as it was saved: a csr_array, or an ndarray.

    Raises
    ------
    InvalidInputError
        When the file is missing, damaged, or holds something else.

    Examples
    --------
    >>> import io
    >>> stream = io.BytesIO()
    >>> save_features(stream, np.eye(2), ["好", "坏"], ["诗:1", "诗:2"], metadata={"min_df": 1})
    >>> features = load_features(stream)
    >>> features.matrix.shape, features.feature_names, features.metadata
    ((2, 2), ['好', '坏'], {'min_df': 1})
    """
    arrays, texts, metadata = load_arrays(source)
    shown = source if isinstance(source, (str, os.PathLike)) else getattr(source, "name", "stream")
    if metadata.get("kind") != _KIND:
        raise InvalidInputError(
            f"cannot load {str(shown)!r}: it holds no features. Give a file that nlpfeat features "
            "or save_features wrote."
        )
    try:
        matrix = _as_matrix(arrays)
        n_rows, n_columns = matrix.shape
        names, ids, labels = texts["feature_names"], texts["document_ids"], texts.get("labels")
        _check_length("feature_names", names, n_columns, "columns")
        _check_length("document_ids", ids, n_rows, "rows")
        if labels is not None:
            _check_length("labels", labels, n_rows, "rows")
        return Features(matrix, names, ids, labels, metadata["settings"])
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInputError(
            f"cannot load {str(shown)!r}: its parts do not fit together ({error}). Make it again."
        ) from error


def _as_arrays(matrix: Any) -> dict[str, NDArray[Any]]:
    if isinstance(matrix, np.ndarray):
        if matrix.ndim != 2:
            raise InvalidParameterError(
                f"matrix must have two dimensions, documents and features. Got {matrix.ndim}."
            )
        return {"matrix": np.ascontiguousarray(matrix)}
    from scipy.sparse import issparse

    if not issparse(matrix):
        raise InvalidParameterError(
            f"matrix must be a sparse matrix or a NumPy array. Got a {type(matrix).__name__}."
        )
    rows = matrix.tocsr()
    shape = np.array(rows.shape, dtype=np.int64)
    return {"data": rows.data, "indices": rows.indices, "indptr": rows.indptr, "shape": shape}


def _as_matrix(arrays: dict[str, NDArray[Any]]) -> "csr_array | NDArray[Any]":
    if "matrix" in arrays:
        dense = arrays["matrix"]
        if dense.ndim != 2:
            raise ValueError(f"the matrix has {dense.ndim} dimensions")
        return dense
    from scipy.sparse import csr_array

    shape = tuple(arrays["shape"].tolist())
    matrix = csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
    matrix.check_format(full_check=True)
    return matrix


def _check_length(what: str, values: Sequence[str], n: int, of: str) -> None:
    if len(values) != n:
        raise InvalidParameterError(
            f"{what} must be as many as the {of} of the matrix, {n}. Got {len(values)}."
        )
