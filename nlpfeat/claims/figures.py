"""Figures that claims are judged by, and what follows from how far each is known."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["exact", "listed", "drawn", "timed"]

KINDS: tuple[Kind, ...] = ("exact", "listed", "drawn", "timed")
_LEVEL = 0.95
#: Units of numbers that lie between 0 and 1.
_SHARES = ("accuracy", "AUC", "of all pairs")


@dataclass(frozen=True)
class Figure:
    """One measured number.

    Parameters
    ----------
    name : str
        What was measured, in a few words.
    values : tuple of float
        Of an exact figure its one value, of a listed one a value for each item of a list, of a
        drawn one a value for each seed, of a timed one a value for each repetition.
    unit : str
        Such as "accuracy", "bits"; may be empty.
    kind : {"exact", "listed", "drawn", "timed"}
        Exact and listed ones are the same each time, a drawn one follows from seeds, a timed one
        from the clock.

    Examples
    --------
    >>> found = Figure("好 near 坏", (0.5, 0.6, 0.7), "cosine", "drawn")
    >>> round(found.value, 3), [round(end, 3) for end in found.bounds]
    (0.6, [0.352, 0.848])
    >>> Figure("weight", (0.25,)).bounds
    (0.25, 0.25)
    """

    name: str
    values: tuple[float, ...]
    unit: str = ""
    kind: Kind = "exact"

    @property
    def value(self) -> float:
        """The mean."""
        return fmean(self.values)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """What it is known to lie between; None when nothing is known, of one seed.

        The 95 % interval of the mean over its values, Student's t; of an exact figure the value.
        """
        if self.kind == "exact":
            return self.value, self.value
        if len(self.values) < 2:
            return None
        from scipy.stats import t

        n = len(self.values)
        width = float(t.ppf((1 + _LEVEL) / 2, n - 1)) * stdev(self.values) / math.sqrt(n)
        low, high = self.value - width, self.value + width
        return (max(low, 0.0), min(high, 1.0)) if self.unit in _SHARES else (low, high)


Figures: TypeAlias = Mapping[str, Figure]
"""By name, in the order in which they are shown."""


def by_name(figures: Iterable[Figure]) -> dict[str, Figure]:
    """Return figures by their names."""
    return {figure.name: figure for figure in figures}


def over_seeds(
    measured: Callable[[int], Mapping[str, float]],
    seeds: Sequence[int],
    unit: str = "",
    kind: Kind = "drawn",
) -> Iterator[Figure]:
    """Yield a figure for each name that one seed gives, with the values of all seeds.

    Parameters
    ----------
    measured : callable
        ``measured(seed)`` returns numbers by name, the same names for each seed.
    seeds : sequence of int
    unit : str
    kind : {"drawn", "timed"}

    Examples
    --------
    >>> list(over_seeds(lambda seed: {"双倍": 2.0 * seed}, [1, 2]))
    [Figure(name='双倍', values=(2.0, 4.0), unit='', kind='drawn')]
    """
    rows = [measured(seed) for seed in seeds]
    for name in rows[0]:
        yield Figure(name, tuple(float(row[name]) for row in rows), unit, kind)


def difference(name: str, first: Figure, second: Figure) -> Figure:
    """Return the first minus the second, seed by seed.

    Examples
    --------
    >>> first, second = Figure("甲", (1.0, 0.5), "", "drawn"), Figure("乙", (0.5, 0.5), "", "drawn")
    >>> difference("甲 − 乙", first, second).values
    (0.5, 0.0)
    """
    values = tuple(one - other for one, other in zip(first.values, second.values))
    return Figure(name, values, "difference", first.kind)


def is_above(figure: Figure, least: float) -> bool | None:
    """Tell whether a figure is above a number; None when its interval holds both.

    Examples
    --------
    >>> is_above(Figure("", (0.9, 0.92, 0.91), "", "drawn"), 0.5), is_above(Figure("", (0.4,)), 0.5)
    (True, False)
    >>> is_above(Figure("", (0.9,), "", "drawn"), 0.5) is None
    True
    """
    if figure.bounds is None:
        return None
    low, high = figure.bounds
    if low > least:
        return True
    return False if high <= least else None


def is_below(figure: Figure, most: float) -> bool | None:
    """Tell whether a figure is below a number; None when its interval holds both.

    Examples
    --------
    >>> is_below(Figure("", (0.4,)), 0.5), is_below(Figure("", (0.5,)), 0.5)
    (True, False)
    """
    if figure.bounds is None:
        return None
    low, high = figure.bounds
    if high < most:
        return True
    return False if low >= most else None


def is_within(figure: Figure, center: float, margin: float) -> bool | None:
    """Tell whether a figure is at most so far from a number; None when its interval says both.

    Examples
    --------
    >>> is_within(Figure("", (0.1875,)), 0.1875, 1e-9), is_within(Figure("", (0.2,)), 0.1875, 1e-9)
    (True, False)
    """
    if figure.bounds is None:
        return None
    low, high = figure.bounds
    if center - margin <= low and high <= center + margin:
        return True
    return False if high < center - margin or low > center + margin else None
