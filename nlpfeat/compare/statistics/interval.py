"""A figure with the interval that it is known to."""

from dataclasses import dataclass, replace
from typing import Self

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

    def within(self, low: float, high: float) -> Self:
        """Return the same with ends that lie within what can be.

        Examples
        --------
        >>> Interval(0.99, 0.95, 1.01).within(0.0, 1.0)
        Interval(value=0.99, low=0.95, high=1.0)
        """
        return replace(self, low=max(self.low, low), high=min(self.high, high))


@dataclass(frozen=True)
class DifferenceInterval(Interval):
    """A difference of two figures, its interval, and how surprising it is where there is none.

    Parameters
    ----------
    value, low, high : float
    p_value : float
        Twice the smaller share of the resamples on one side of 0, itself one of them; at most 1.
    """

    p_value: float


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


def difference_of_resamples(
    value: float, resampled: Float64Array, level: float = 0.95
) -> DifferenceInterval:
    """Return the interval of a difference, and its p-value.

    Parameters
    ----------
    value : float
        As observed.
    resampled : ndarray of float64, shape (n_resamples,)
    level : float, default 0.95

    Returns
    -------
    DifferenceInterval

    Raises
    ------
    InvalidParameterError
        As in :func:`percentile_interval`.

    Notes
    -----
    Of B resamples b lie at 0 or beyond it. The p-value is 2 (b + 1) / (B + 1), which is never 0.
    Source: Davison and Hinkley (1997), chapter 4.

    Examples
    --------
    One of four lies below 0, so two of five, twice:

    >>> difference_of_resamples(0.1, np.array([-0.1, 0.1, 0.2, 0.2])).p_value
    0.8
    """
    found = percentile_interval(value, resampled, level)
    fewer = min(int((resampled <= 0).sum()), int((resampled >= 0).sum()))
    p_value = min(1.0, 2 * (fewer + 1) / (len(resampled) + 1))
    return DifferenceInterval(found.value, found.low, found.high, p_value)


def exact_at_the_ends(interval: Interval, n: int) -> Interval:
    """Return the exact interval of 95 % of a share that is 0 or 1, and any other as it is.

    Where all of n documents are right, every resample says so, and the bootstrap has no width.

    Parameters
    ----------
    interval : Interval
        Of a share.
    n : int
        Documents, or groups of such that depend on each other.

    Returns
    -------
    Interval

    Notes
    -----
    Of n right ones of n the lower end is .025^(1/n). Source: Clopper and Pearson (1934).

    Examples
    --------
    >>> exact_at_the_ends(Interval(1.0, 1.0, 1.0), 43).low.__round__(3)
    0.918
    >>> exact_at_the_ends(Interval(0.9, 0.8, 1.0), 43)
    Interval(value=0.9, low=0.8, high=1.0)
    """
    width = 1 - 0.025 ** (1 / n)
    if interval.value == 1.0:
        return Interval(1.0, 1.0 - width, 1.0)
    if interval.value == 0.0:
        return Interval(0.0, 0.0, width)
    return interval


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
