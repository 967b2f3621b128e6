"""Tests of differences over splits whose training parts overlap.

The differences of k folds, repeated or not, are not independent: two models that were trained on
nearly the same documents differ nearly alike. Their correlation rho is taken to be the share of
documents that a split tests on, 1 / k.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_real
from nlpfeat.compare.statistics.finite_arrays import finite_array
from nlpfeat.errors import InvalidInputError, InvalidParameterError

_ROUNDING = 1e-12  # a spread up to here is none: differences of shares that were rounded


class Posterior(NamedTuple):
    """Probabilities that add up to 1."""

    p_worse: float
    p_equivalent: float
    p_better: float


def correlated_t(differences: ArrayLike, rho: float, rope: float) -> Posterior:
    """Return how probably a model is worse than, equivalent to and better than another one.

    Parameters
    ----------
    differences : array-like, shape (n,)
        Of a figure that is better when higher, a model minus the other, one for each split.
    rho : float
        Correlation of the differences, from 0 and below 1: n_test / n_total, 1 / k for k folds.
    rope : float
        The region of practical equivalence is [-rope, rope]; at least 0, in the unit of the
        differences: 0.005 is half a point of accuracy.

    Returns
    -------
    Posterior
        (p_worse, p_equivalent, p_better). Where the differences do not vary, one of them is 1.

    Raises
    ------
    InvalidInputError
        For less than 2 differences, NaN and infinity.
    InvalidParameterError
        For a ``rho`` or ``rope`` that cannot be.

    Notes
    -----
    With the mean d and the standard deviation s of the n differences, the posterior of the mean
    difference is that of d + s √(1/n + rho/(1 - rho)) · t, t of Student with n - 1 degrees of
    freedom. The prior says nothing: it is flat in the mean and in the logarithm of the variance.

    Sources: Corani and Benavoli (2015); Benavoli, Corani, Demšar and Zaffalon (2017).

    Examples
    --------
    Ten folds, a point better on the whole, but not in each:

    >>> differences = [0.02, 0.01, -0.01, 0.02, 0.0, 0.03, 0.01, 0.02, -0.01, 0.01]
    >>> posterior = correlated_t(differences, rho=0.1, rope=0.005)
    >>> [round(probability, 3) for probability in posterior]
    [0.018, 0.199, 0.782]
    """
    from scipy.special import stdtr

    values = _differences(differences)
    rho = _checked_rho(rho)
    rope = _checked_rope(rope)
    mean, scale = _mean_and_scale(values, rho)
    if scale == 0.0:
        worse, better = float(mean < -rope - _ROUNDING), float(mean > rope + _ROUNDING)
        return Posterior(worse, 1.0 - worse - better, better)
    freedom = len(values) - 1
    worse = float(stdtr(freedom, (-rope - mean) / scale))
    better = float(stdtr(freedom, (mean - rope) / scale))
    return Posterior(worse, max(1.0 - worse - better, 0.0), better)


def corrected_t_test(differences: ArrayLike, rho: float) -> float:
    """Return the two-sided p-value of the corrected resampled t-test.

    Parameters
    ----------
    differences : array-like, shape (n,)
        A model minus another one, one for each split.
    rho : float
        Share of documents that a split tests on, from 0 and below 1. With 0 it is the paired
        t-test, which finds differences too often where training parts overlap.

    Returns
    -------
    float
        Where the differences do not vary: 1 when they are 0, else 0.

    Raises
    ------
    InvalidInputError
        For less than 2 differences, NaN and infinity.
    InvalidParameterError
        For a ``rho`` that cannot be.

    Notes
    -----
    t = d / (s √(1/n + n_test / n_train)) with n - 1 degrees of freedom; n_test / n_train is
    rho / (1 - rho).

    Source: Nadeau and Bengio (2003).

    Examples
    --------
    >>> differences = [0.02, 0.01, -0.01, 0.02, 0.0, 0.03, 0.01, 0.02, -0.01, 0.01]
    >>> round(corrected_t_test(differences, rho=0.1), 3)
    0.137
    """
    from scipy.special import stdtr

    values = _differences(differences)
    mean, scale = _mean_and_scale(values, _checked_rho(rho))
    if scale == 0.0:
        return float(abs(mean) <= _ROUNDING)
    return 2.0 * float(stdtr(len(values) - 1, -abs(mean) / scale))


def _differences(differences: ArrayLike) -> Float64Array:
    values = finite_array(differences, "differences", "splits")
    if len(values) < 2:
        raise InvalidInputError(
            f"differences must be of at least 2 splits, or nothing is known of their spread. "
            f"Got {len(values)}."
        )
    return values


def _mean_and_scale(values: Float64Array, rho: float) -> tuple[float, float]:
    spread = float(values.std(ddof=1))
    if spread <= _ROUNDING:
        spread = 0.0
    return float(values.mean()), spread * float(np.sqrt(1 / len(values) + rho / (1 - rho)))


def _checked_rho(rho: float) -> float:
    rho = check_real(rho, "rho")
    if not 0.0 <= rho < 1.0:
        raise InvalidParameterError(
            "rho must be at least 0 and below 1, the share of documents that a split tests on. "
            f"Got {rho!r}."
        )
    return rho


def _checked_rope(rope: float) -> float:
    rope = check_real(rope, "rope")
    if rope < 0.0:
        raise InvalidParameterError(
            f"rope must be at least 0, half the width of the region. Got {rope!r}."
        )
    return rope
