"""A figure with the interval that it is known to."""

from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_real


@dataclass(frozen=True)
class Interval:
    """A figure and its interval.

    Parameters
    ----------
    value : float
        As observed.
    low, high : float
    """

    value: float
    low: float
    high: float


def percentile_interval(value: float, resampled: Float64Array, level: float = 0.95) -> Interval:
    """Return the interval that holds the middle of what resampling gave.

    Parameters
    ----------
    value : float
        As observed.
    resampled : ndarray of float64, shape (n_resamples,)
    level : float, default 0.95
        Share of the resamples that it holds, above 0 and below 1.

    Returns
    -------
    Interval

    Raises
    ------
    InvalidParameterError
        For another level.

    Notes
    -----
    Between two resamples it interpolates linearly. Source: Efron (1979).

    Examples
    --------
    >>> percentile_interval(0.5, np.linspace(0.0, 1.0, 5), 0.5)
    Interval(value=0.5, low=0.25, high=0.75)
    """
    level = checked_level(level)
    low, high = np.percentile(resampled, [50 - 50 * level, 50 + 50 * level])
    return Interval(value, float(low), float(high))


def checked_level(level: float) -> float:
    """Return the level of an interval.

    Raises
    ------
    InvalidParameterError
        When it is not above 0 and below 1.

    Examples
    --------
    >>> checked_level(0.95)
    0.95
    """
    return check_real(level, "level", above=0.0, at_most=float(np.nextafter(1.0, 0.0)))
