"""Terms as two arrays, which are small and quick to store."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpfeat.errors import InvalidInputError


def pack_terms(terms: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the terms as ``text``, UTF-8 end to end, and ``ends``, where each of them ends.

    Parameters
    ----------
    terms : sequence of str
        Lone surrogates are taken.

    Returns
    -------
    dict
        ``text``: ndarray of uint8; ``ends``: ndarray of int64, shape (n_terms,).

    Examples
    --------
    >>> pack_terms(["a", "好"])["ends"].tolist()
    [1, 4]
    """
    encoded = [term.encode("utf-8", "surrogatepass") for term in terms]
    return {
        "text": np.frombuffer(b"".join(encoded), np.uint8),
        "ends": np.cumsum([len(term) for term in encoded], dtype=np.int64),
    }


def unpack_terms(text: NDArray[Any], ends: NDArray[Any]) -> tuple[str, ...]:
    """Return the terms that `pack_terms` packed.

    Parameters
    ----------
    text : ndarray of uint8
    ends : ndarray of int64, shape (n_terms,)

    Returns
    -------
    tuple of str

    Raises
    ------
    InvalidInputError
        When the arrays do not fit together, and when the terms are not distinct and in code-point
        order.

    Examples
    --------
    >>> unpack_terms(**pack_terms(["a", "好"]))
    ('a', '好')
    """
    last = ends[-1] if ends.shape != (0,) else 0
    if (
        text.dtype != np.uint8
        or ends.dtype != np.int64
        or not text.ndim == ends.ndim == 1
        or last != len(text)
        or (np.diff(ends, prepend=0) < 0).any()
    ):
        raise InvalidInputError("The ends of the terms do not fit their text.")
    encoded = text.tobytes()
    try:
        terms = tuple(
            encoded[start:end].decode("utf-8", "surrogatepass")
            for start, end in pairwise([0, *ends.tolist()])
        )
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"The text of the terms is no UTF-8: {error}.") from error
    if any(first >= second for first, second in pairwise(terms)):
        raise InvalidInputError("The terms must be distinct and in code-point order.")
    return terms
