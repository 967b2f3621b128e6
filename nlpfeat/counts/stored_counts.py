"""Whether the parts of a file of co-occurrence counts fit together."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nlpfeat._validation import check_bool, check_int
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidInputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_LEAST = {"min_count": 1, "highest": 0, "n_documents": 0, "n_tokens": 0}


def check_stored(
    arrays: Mapping[str, NDArray[Any]],
    terms: Sequence[str],
    metadata: Mapping[str, Any],
    settings: CountingSettings,
) -> None:
    """Check everything but the pairs, which `stored_slice` checks.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        The margins, the totals and the frequencies of the terms.
    terms : sequence of str
    metadata : mapping
    settings : CountingSettings
        Validated; they say how many slices there are.

    Raises
    ------
    InvalidInputError, InvalidParameterError
        When a part is not what it must be; the message names it.
    """
    if any(first >= second for first, second in pairwise(terms)):
        raise InvalidInputError("the terms must be distinct and in code-point order")
    n_terms, n_slices = len(terms), len(settings.reaches)
    if metadata["n_slices"] != n_slices:
        raise InvalidInputError(
            f"n_slices must be {n_slices}, as the settings say. Got {metadata['n_slices']!r}"
        )
    for name in ("term_frequencies", "document_frequencies"):
        _check_counts(name, arrays[name], (n_terms,))
    for name in ("x_margins", "y_margins"):
        _check_counts(name, arrays[name], (n_slices, n_terms))
    _check_counts("totals", arrays["totals"], (n_slices,))
    for name, least in _LEAST.items():
        check_int(metadata[name], name, minimum=least)
    check_bool(metadata["complete_vocabulary"], "complete_vocabulary")
    preparation = metadata["preparation"]
    if not isinstance(preparation, dict) or not all(
        isinstance(value, str) for value in preparation.values()
    ):
        raise InvalidInputError(f"preparation must map names to texts. Got {preparation!r}")


def stored_slice(
    arrays: Mapping[str, NDArray[Any]], number: int, n_terms: int, *, is_symmetric: bool
) -> "csr_array":
    """Return the pairs of a slice, once they are known to be sound.

    Parameters
    ----------
    arrays : mapping of str to ndarray
    number : int
        Of the slice, from 0 on.
    n_terms : int
    is_symmetric : bool
        Whether each pair must stand once, above the diagonal or on it.

    Returns
    -------
    csr_array of int64, shape (n_terms, n_terms)
        Canonical: columns ascend in each row, and no count is 0.

    Raises
    ------
    ValueError
        When the arrays make up no such table; InvalidInputError is one.
    """
    from scipy.sparse import csr_array

    name = f"slice_{number}"
    data, indices, indptr = (arrays[f"{name}_{part}"] for part in ("data", "indices", "indptr"))
    _check_counts(f"{name}_data", data, indices.shape, least=1)
    for part, places in (("indices", indices), ("indptr", indptr)):
        # SciPy would cut fractions off.
        if places.dtype not in (np.int32, np.int64):
            raise InvalidInputError(f"{name}_{part} must be int32 or int64. Got {places.dtype}")
    table = csr_array((data, indices, indptr), shape=(n_terms, n_terms))
    table.check_format(full_check=True)
    if table.nnz != len(indices) or not table.has_canonical_format:
        raise InvalidInputError(
            f"{name}_indices must ascend in each row, and {name}_indptr must end with their "
            f"number, {len(indices)}"
        )
    rows = np.flatnonzero(np.diff(indptr))
    if is_symmetric and (indices[indptr[rows]] < rows).any():
        raise InvalidInputError(f"{name} must have no pair below the diagonal")
    return table


def _check_counts(
    name: str, counts: NDArray[Any], shape: tuple[int, ...], *, least: int = 0
) -> None:
    if counts.dtype != np.int64 or counts.shape != shape or (counts < least).any():
        raise InvalidInputError(
            f"{name} must be int64 of shape {shape}, at least {least}. Got {counts.dtype} of shape "
            f"{counts.shape}, from {counts.min(initial=0)} on"
        )
