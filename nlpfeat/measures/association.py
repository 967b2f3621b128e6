"""Weigh co-occurrence counts: one measure on the cells, or a sparse matrix of a whole table.

Every matrix has the shape of ``counts.matrix`` and stores only values that are numbers other
than 0. An absent entry therefore is *no* statement that the value is 0: the pair was never seen,
or its value is 0 (independence, for PMI), or it is undefined (delta P when n_x = N).
"""

from typing import TYPE_CHECKING

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_bool, check_real
from nlpfeat.counts.pair_cells import CountsLike, PairCells
from nlpfeat.errors import InvalidParameterError
from nlpfeat.measures import MEASURES

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_NEUTRAL: dict[str, float | bool] = {"base": 2.0, "shift": 1.0, "smoothing": 1.0, "signed": False}


def score(
    cells: PairCells,
    name: str,
    *,
    base: float = 2.0,
    shift: float = 1.0,
    smoothing: float = 1.0,
    signed: bool = False,
) -> Float64Array:
    """Return one measure of every pair.

    Parameters
    ----------
    cells : PairCells
        The pairs.
    name : str
        A name in ``MEASURES``.
    base : float, default 2.0
        Base of the logarithm of ``pmi`` and ``ppmi``, above 1. ``npmi`` takes it and is the same
        in every base.
    shift : float, default 1.0
        k of ``ppmi``, above 0.
    smoothing : float, default 1.0
        Exponent of the context distribution of ``pmi`` and ``ppmi``, above 0 and at most 1.
    signed : bool, default False
        Whether ``g2`` is negative for pairs rarer than expected.

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        The values in the order of the cells. Only ``delta_p`` can be NaN (when n_x = N).

    Raises
    ------
    InvalidParameterError
        For an unknown name, an option out of its range, an option other than its default with a
        measure that has no such option, and a measure that the counts do not allow.

    Examples
    --------
    茶 叶 and 茶 杯 in the text 茶 叶 茶 水 茶 杯 水 杯, one token to the right:

    >>> cells = PairCells(
    ...     n_xy=np.array([1, 1]), n_x=np.array([3, 3]), n_y=np.array([1, 2]), total=7,
    ...     twice=None, y_margin=np.array([2, 1, 2, 2]),
    ... )
    >>> score(cells, "pmi").round(3)
    array([1.222, 0.222])
    >>> score(cells, "dice")
    array([0.5, 0.4])
    """
    options = check_score(
        name, contingency=cells.contingency, base=base, shift=shift, smoothing=smoothing,
        signed=signed,
    )  # fmt: skip
    measure = MEASURES[name]
    return measure.function(cells, **{option: options[option] for option in measure.options})


def check_score(
    name: str,
    *,
    contingency: bool = True,
    base: float = 2.0,
    shift: float = 1.0,
    smoothing: float = 1.0,
    signed: bool = False,
) -> dict[str, float | bool]:
    """Return the options of `score` as plain numbers, when it would take them.

    Parameters
    ----------
    name : str
        A name in ``MEASURES``.
    contingency : bool, default True
        Whether the counts give each pair a 2x2 table, as all but Text GCN's do.
    base, shift, smoothing, signed :
        As in `score`.

    Raises
    ------
    InvalidParameterError
        As in `score`.
    """
    measure = lookup(MEASURES, name, "measure")
    options: dict[str, float | bool] = {
        "base": check_real(base, "base", above=1.0),
        "shift": check_real(shift, "shift", above=0.0),
        "smoothing": check_real(smoothing, "smoothing", above=0.0, at_most=1.0),
        "signed": check_bool(signed, "signed"),
    }
    for option, value in options.items():
        if option not in measure.options and value != _NEUTRAL[option]:
            takers = _listed([key for key, row in MEASURES.items() if option in row.options])
            raise InvalidParameterError(
                f"{option} is an option of {takers}; {name!r} has no such option. "
                f"Got {option}={value!r}: leave it at {_NEUTRAL[option]!r} or choose another "
                "measure."
            )
    if measure.needs_contingency and not contingency:
        allowed = _listed([key for key, row in MEASURES.items() if not row.needs_contingency])
        raise InvalidParameterError(
            f"measure must be {allowed} on counts made with counting='textgcn', where n_xy may "
            f"exceed n_x. Got {name!r}: choose one of these, or count with counting='pairs' or "
            "'windows'."
        )
    return options


def pmi(counts: CountsLike, *, base: float = 2.0, smoothing: float = 1.0) -> "csr_array":
    """Pointwise mutual information, log( n_xy N / (n_x n_y) ).

    Parameters
    ----------
    counts : CountsLike
        Counts with n_terms terms, such as ``CooccurrenceCounts``.
    base : float, default 2.0
        Base of the logarithm, above 1.
    smoothing : float, default 1.0
        Exponent a of context-distribution smoothing, above 0 and at most 1: n_y becomes n_y^a
        and N the sum of n_y^a. 1 is none, 0.75 is usual.

    Returns
    -------
    csr_array of shape (n_terms, n_terms), float64
        At most -log p(x,y) without smoothing. Absent: pairs never seen, and pairs whose PMI is
        exactly 0.

    Raises
    ------
    InvalidParameterError
        When ``base`` or ``smoothing`` is out of its range.

    See Also
    --------
    nlpfeat.measures.information.pmi_scores : the formula, its sources and its precision.
    """
    return _weigh(counts, score(counts.cells(), "pmi", base=base, smoothing=smoothing))


def npmi(counts: CountsLike, *, base: float = 2.0) -> "csr_array":
    """NPMI (normalized PMI), pmi / -log p(x,y), and 1 when p(x,y) = 1.

    Parameters
    ----------
    counts : CountsLike
        Counts with n_terms terms.
    base : float, default 2.0
        Has no influence on the values: the unit cancels.

    Returns
    -------
    csr_array of shape (n_terms, n_terms), float64
        In [-1, 1]. Absent: pairs never seen (-1 in the limit, not 0), and pairs whose NPMI is
        exactly 0.

    Raises
    ------
    InvalidParameterError
        For Text GCN counts, or a ``base`` not above 1.
    """
    return _weigh(counts, score(counts.cells(), "npmi", base=base))


def ppmi(
    counts: CountsLike, *, base: float = 2.0, shift: float = 1.0, smoothing: float = 1.0
) -> "csr_array":
    """Positive PMI, max(pmi - log k, 0).

    Parameters
    ----------
    counts : CountsLike
        Counts with n_terms terms.
    base : float, default 2.0
        Base of the logarithm, above 1.
    shift : float, default 1.0
        k, above 0; 1 is none.
    smoothing : float, default 1.0
        As in :func:`pmi`.

    Returns
    -------
    csr_array of shape (n_terms, n_terms), float64
        Above 0: only positive cells stay.

    Raises
    ------
    InvalidParameterError
        When an option is out of its range.
    """
    cells = counts.cells()
    return _weigh(counts, score(cells, "ppmi", base=base, shift=shift, smoothing=smoothing))


def g2(counts: CountsLike, *, signed: bool = False) -> "csr_array":
    """Log-likelihood ratio, 2 sum of O ln(O / E) over the 2x2 table.

    Parameters
    ----------
    counts : CountsLike
        Counts with n_terms terms. The diagonal of a symmetric table is tested on half its counts.
    signed : bool, default False
        Whether pairs rarer than expected get a negative value.

    Returns
    -------
    csr_array of shape (n_terms, n_terms), float64
        At least 0 unless ``signed``. Absent: pairs never seen, and pairs that are independent.

    Raises
    ------
    InvalidParameterError
        For Text GCN counts.
    """
    return _weigh(counts, score(counts.cells(), "g2", signed=signed))


def t(counts: CountsLike) -> "csr_array":
    """T score, (O - E) / sqrt(O).

    Parameters
    ----------
    counts : CountsLike
        Counts with n_terms terms. The diagonal of a symmetric table is tested on half its counts.

    Returns
    -------
    csr_array of shape (n_terms, n_terms), float64
        Absent: pairs never seen, and pairs that are independent.

    Raises
    ------
    InvalidParameterError
        For Text GCN counts.
    """
    return _weigh(counts, score(counts.cells(), "t"))


def chi2(counts: CountsLike) -> "csr_array":
    """Pearson's chi-squared, sum of (O - E)^2 / E over the 2x2 table.

    Parameters
    ----------
    counts : CountsLike
        Counts with n_terms terms. The diagonal of a symmetric table is tested on half its counts.

    Returns
    -------
    csr_array of shape (n_terms, n_terms), float64
        At least 0. Absent: pairs never seen, and pairs that are independent.

    Raises
    ------
    InvalidParameterError
        For Text GCN counts.
    """
    return _weigh(counts, score(counts.cells(), "chi2"))


def dice(counts: CountsLike) -> "csr_array":
    """Dice coefficient, 2 n_xy / (n_x + n_y).

    Parameters
    ----------
    counts : CountsLike
        Counts with n_terms terms.

    Returns
    -------
    csr_array of shape (n_terms, n_terms), float64
        In (0, 1]. Absent: pairs never seen, whose value is 0.

    Raises
    ------
    InvalidParameterError
        For Text GCN counts.
    """
    return _weigh(counts, score(counts.cells(), "dice"))


def logdice(counts: CountsLike) -> "csr_array":
    """Logarithmic Dice, 14 + log2 dice.

    Parameters
    ----------
    counts : CountsLike
        Counts with n_terms terms.

    Returns
    -------
    csr_array of shape (n_terms, n_terms), float64
        At most 14. Absent: pairs never seen, and pairs whose Dice coefficient is exactly 2^-14.

    Raises
    ------
    InvalidParameterError
        For Text GCN counts.
    """
    return _weigh(counts, score(counts.cells(), "logdice"))


def delta_p(counts: CountsLike) -> "csr_array":
    """Delta P, p(y|x) - p(y|not x).

    Parameters
    ----------
    counts : CountsLike
        Counts with n_terms terms; x is the row, y the column.

    Returns
    -------
    csr_array of shape (n_terms, n_terms), float64
        In [-1, 1]. Absent: pairs never seen, independent pairs, and the row of a term with
        n_x = N, where p(y|not x) is undefined.

    Raises
    ------
    InvalidParameterError
        For Text GCN counts.
    """
    return _weigh(counts, score(counts.cells(), "delta_p"))


def _weigh(counts: CountsLike, values: Float64Array) -> "csr_array":
    """Put the values where ``counts.matrix`` stores its cells, less NaN and 0."""
    from scipy.sparse import csr_array

    seen = counts.matrix
    data = np.nan_to_num(values, nan=0.0)
    weighted = csr_array((data, seen.indices.copy(), seen.indptr.copy()), shape=seen.shape)
    weighted.eliminate_zeros()
    return weighted


def _listed(names: list[str]) -> str:
    """Return ``"'pmi' or 'ppmi'"``."""
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
