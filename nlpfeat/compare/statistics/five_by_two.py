"""Tests of five repeats of two-fold cross-validation."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array
from nlpfeat.compare.statistics.finite_arrays import finite_array
from nlpfeat.errors import InvalidInputError

_ROUNDING = 1e-12  # a difference up to here is none: shares that were rounded


class FiveByTwo(NamedTuple):
    """The statistic, infinite where differences are not 0 but do not vary, and its p-value."""

    statistic: float
    p_value: float


def five_by_two_t(differences: ArrayLike) -> FiveByTwo:
    """Return Dietterich's 5x2cv paired t-test, two-sided.

    Parameters
    ----------
    differences : array-like, shape (5, 2)
        A model minus another one. In each of five repeats the documents are cut into two halves
        anew: the first difference is of models that learned from one half and were tested on the
        other, the second the other way round.

    Returns
    -------
    FiveByTwo
        (statistic, p_value); five degrees of freedom.

    Raises
    ------
    InvalidInputError
        For another shape, NaN and infinity.

    Notes
    -----
    t = d_1^(1) / √(Σ_i s_i² / 5), where s_i² is the sum of the squared distances of the two
    differences of repeat i from their mean. The two halves share no training document, so the
    differences are nearly independent. Only one of ten differences is in the numerator: which one
    is first matters, and :func:`five_by_two_f` mends that.

    Source: Dietterich (1998).

    Examples
    --------
    >>> differences = [[0.04, 0.02], [0.03, 0.03], [0.01, 0.03], [0.05, 0.02], [0.02, 0.04]]
    >>> t = five_by_two_t(differences)
    >>> round(t.statistic, 3), round(t.p_value, 3)
    (2.76, 0.04)
    """
    from scipy.special import stdtr

    values = _checked(differences)
    first, spread = float(values[0, 0]), _sum_of_variances(values)
    if spread == 0.0:
        return _without_spread(abs(first), first)
    statistic = first / float(np.sqrt(spread / 5))
    return FiveByTwo(statistic, 2.0 * float(stdtr(5, -abs(statistic))))


def five_by_two_f(differences: ArrayLike) -> FiveByTwo:
    """Return Alpaydin's combined 5x2cv F-test.

    Parameters
    ----------
    differences : array-like, shape (5, 2)
        As in :func:`five_by_two_t`; all ten count alike.

    Returns
    -------
    FiveByTwo
        (statistic, p_value); 10 and 5 degrees of freedom.

    Raises
    ------
    InvalidInputError
        For another shape, NaN and infinity.

    Notes
    -----
    F = Σ_i Σ_j (d_i^(j))² / (2 Σ_i s_i²).

    Source: Alpaydin (1999).

    Examples
    --------
    >>> differences = [[0.04, 0.02], [0.03, 0.03], [0.01, 0.03], [0.05, 0.02], [0.02, 0.04]]
    >>> f = five_by_two_f(differences)
    >>> round(f.statistic, 3), round(f.p_value, 3)
    (4.619, 0.053)
    """
    from scipy.special import fdtrc

    values = _checked(differences)
    squares, spread = float((values**2).sum()), _sum_of_variances(values)
    if spread == 0.0:
        return _without_spread(float(np.abs(values).max()), squares)
    statistic = squares / (2 * spread)
    return FiveByTwo(statistic, float(fdtrc(10, 5, statistic)))


def _checked(differences: ArrayLike) -> Float64Array:
    values = finite_array(differences, "differences", "repeats", "halves")
    if values.shape != (5, 2):
        raise InvalidInputError(
            f"differences must have the shape (5, 2), five repeats of two halves. "
            f"Got {values.shape}."
        )
    return values


def _sum_of_variances(values: Float64Array) -> float:
    distances = values[:, 0] - values[:, 1]
    distances[np.abs(distances) <= _ROUNDING] = 0.0
    return float((distances**2).sum() / 2)


def _without_spread(size: float, statistic: float) -> FiveByTwo:
    if size <= _ROUNDING:
        return FiveByTwo(0.0, 1.0)
    return FiveByTwo(float(np.copysign(np.inf, statistic)), 0.0)
