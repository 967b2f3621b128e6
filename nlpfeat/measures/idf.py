"""Inverse document frequency: how rare a term is among documents."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_int
from nlpfeat.errors import InvalidInputError


def idf(document_frequencies: ArrayLike, n_documents: int, *, smooth: bool = True) -> Float64Array:
    """Inverse document frequency, 1 + ln( (N + 1) / (df + 1) ), or 1 + ln(N / df) unsmoothed.

    Parameters
    ----------
    document_frequencies : array-like of numbers
        df: the number of documents that hold each term, from 0 to ``n_documents``.
    n_documents : int
        N, at least 1.
    smooth : bool, default True
        Count one more document that holds every term, so that a term in no document has a weight
        too.

    Returns
    -------
    ndarray of float64, the shape of ``document_frequencies``
        At least 1: a term in every document keeps its count. Without ``smooth`` it is inf for a
        term in no document.

    Raises
    ------
    InvalidParameterError
        When ``n_documents`` is no integer above 0.
    InvalidInputError
        When a frequency is below 0 or above ``n_documents``.

    Notes
    -----
    Natural logarithm, and the very numbers of scikit-learn's ``TfidfTransformer``.

    Source: Spärck Jones (1972).

    Examples
    --------
    Of two documents 天气 is in both and 公园 in one: 1 + ln(3 / 3) and 1 + ln(3 / 2).

    >>> idf([2, 1], 2).round(4)
    array([1.    , 1.4055])
    """
    n_documents = check_int(n_documents, "n_documents", minimum=1)
    df = np.asarray(document_frequencies, dtype=np.float64)
    if df.size and not (df.min() >= 0 and df.max() <= n_documents):
        raise InvalidInputError(
            f"document_frequencies must lie between 0 and n_documents, {n_documents}. "
            f"Got {df.min():g} to {df.max():g}."
        )
    with np.errstate(divide="ignore"):  # the inf is documented
        ratio = (n_documents + smooth) / (df + smooth)
    return np.asarray(np.log(ratio) + 1.0, dtype=np.float64)
