"""Documents and runs that are drawn with replacement."""

from typing import TYPE_CHECKING

import numpy as np

from nlpfeat._typing import BoolArray, Float64Array
from nlpfeat._validation import check_int

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_DRAWN = 2_000_000  # documents that are drawn and multiplied at once: 16 MB of float64
_EXACT = 2**24  # float32 holds all integers up to here
_SPARSE = 0.025  # below this share of numbers that are not 0, a sparse product is quicker


def resampled_sums(
    terms: "BoolArray | Float64Array | csr_array", n_resamples: int = 10_000, random_state: int = 0
) -> Float64Array:
    """Return the sums over documents that are drawn with replacement, N of N.

    All columns see the same documents: figures that are made of them are paired. So do calls with
    the same N, ``n_resamples`` and ``random_state``.

    Parameters
    ----------
    terms : ndarray or scipy.sparse.csr_array of bool or float64, shape (N, K)
        What each document adds to each sum.
    n_resamples : int, default 10_000
    random_state : int, default 0
        Seed, at least 0.

    Returns
    -------
    ndarray of float64, shape (n_resamples, K)

    Raises
    ------
    InvalidParameterError
        For a number of resamples below 1, and for a seed that is no such number.

    Notes
    -----
    How often each document was drawn is counted, and the counts are multiplied by the terms, some
    2 million counts at a time whatever N and ``n_resamples``. Source: Efron (1979).

    Examples
    --------
    Two of four documents are right. In three resamples:

    >>> right = np.array([[True], [False], [True], [False]])
    >>> resampled_sums(right, n_resamples=3).ravel().tolist()
    [2.0, 3.0, 2.0]
    """
    n_resamples = check_int(n_resamples, "n_resamples", minimum=1)
    random = np.random.default_rng(check_int(random_state, "random_state", minimum=0))
    n_documents, n_terms = terms.shape
    # Sums of 0 and 1 are exact in float32, and twice as quick.
    kind = np.float32 if terms.dtype == np.bool_ and n_documents < _EXACT else np.float64
    columns = _columns(terms, kind)
    size = max(1, min(_DRAWN // n_documents, n_resamples))
    counts = np.empty((size, n_documents), dtype=kind)
    sums = np.empty((n_resamples, n_terms))
    for start in range(0, n_resamples, size):
        block = counts[: n_resamples - start]
        for row in block:
            drawn = random.integers(n_documents, size=n_documents)
            row[:] = np.bincount(drawn, minlength=n_documents)
        sums[start : start + size] = block @ columns
    return sums


def mean_of_drawn_runs(figures: Float64Array, random: np.random.Generator) -> Float64Array:
    """Return the mean figure of R runs that are drawn with replacement of R, for each resample.

    Of two runs or more the drawn mean is moved away from the mean m of all of them, to
    m + √(R / (R - 1)) · (drawn - m).

    Parameters
    ----------
    figures : ndarray of float64, shape (n_resamples, R)
        Of each run, on the documents of each resample.
    random : numpy.random.Generator
        It moves on. In the same state it draws the same runs.

    Returns
    -------
    ndarray of float64, shape (n_resamples,)
        It may lie outside of the figures: a bound of a metric is the caller's to keep.

    Notes
    -----
    The mean of R of R drawn runs has the variance σ² / R with σ² = Σ (x_i - m)² / R, where the mean
    of R new ones has s² / R with s² = Σ (x_i - m)² / (R - 1). The factor makes them equal; without
    it the spread of three runs would be drawn too small by √(2/3) = .82. Of one run no spread is
    known and none is drawn.

    Source: Rao and Wu (1988).

    Examples
    --------
    One run is always drawn; of two with the figures 0 and 1 the mean is 1/2 - 1/√2, 1/2 or
    1/2 + 1/√2.

    >>> random = np.random.default_rng(0)
    >>> mean_of_drawn_runs(np.array([[0.25], [0.5]]), random).tolist()
    [0.25, 0.5]
    >>> mean_of_drawn_runs(np.tile([0.0, 1.0], (5, 1)), random).round(3).tolist()
    [1.207, 0.5, -0.207, -0.207, 0.5]
    """
    n_runs = figures.shape[1]
    runs = random.integers(n_runs, size=figures.shape)
    drawn = np.asarray(np.take_along_axis(figures, runs, axis=1).mean(axis=1))
    if n_runs == 1:
        return drawn
    means = figures.mean(axis=1)
    return np.asarray(means + (drawn - means) * np.sqrt(n_runs / (n_runs - 1)))


def _columns(
    terms: "BoolArray | Float64Array | csr_array", kind: type
) -> "Float64Array | csr_array":
    """Return the terms as numbers, and dense where that is quicker."""
    if isinstance(terms, np.ndarray):
        return terms.astype(kind)
    n_documents, n_terms = terms.shape
    if terms.nnz >= _SPARSE * n_documents * n_terms:
        return terms.toarray().astype(kind)
    return terms.astype(kind)
