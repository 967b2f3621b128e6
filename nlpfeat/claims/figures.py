"""Figures that claims are judged by, and what follows from how far each is known."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["exact", "built", "counted", "listed", "drawn", "timed"]

KINDS: tuple[Kind, ...] = ("exact", "built", "counted", "listed", "drawn", "timed")
REPEATING: tuple[Kind, ...] = ("exact", "built", "counted", "listed")
"""Kinds of figures that are the same each time."""
_KNOWN: tuple[Kind, ...] = ("exact", "built", "counted")
_LEVEL = 0.95
#: Fewer values than these say nothing of how far they spread.
_FEWEST = 3
_LEARNED = 0.6
#: Units of numbers that lie between 0 and 1.
_SHARES = ("accuracy", "of all pairs")


@dataclass(frozen=True)
class Figure:
    """One measured number.

    Parameters
    ----------
    name : str
        What was measured, in a few words.
    values : tuple of float
        Of a drawn figure a value for each seed, of a timed one a value for each repetition, of any
        other its one value.
    unit : str
        Such as "accuracy", "bits"; may be empty.
    kind : {"exact", "built", "counted", "listed", "drawn", "timed"}
        An exact one is computed. A built one is what the grammar of the texts makes it, so that no
        linear model can give another. A counted one is a count of kept runs. A listed one follows
        from a list that somebody wrote, a drawn one from seeds, a timed one from the clock.
    trials : int, default 0
        Of how many independent draws, such as groups of test texts, each drawn value is a share,
        or a difference of shares; 0 when it is none.
    interval : pair of float, optional
        Of a listed figure its 95 % interval over the items of the list.

    Examples
    --------
    >>> found = Figure("好 near 坏", (0.5, 0.6, 0.7), "cosine", "drawn")
    >>> round(found.value, 3), [round(end, 3) for end in found.bounds]
    (0.6, [0.352, 0.848])
    >>> Figure("weight", (0.25,)).bounds
    (0.25, 0.25)
    >>> [round(end, 3) for end in Figure("对", (1.0, 1.0, 1.0), "accuracy", "drawn", 100).bounds]
    [0.987, 1.0]
    """

    name: str
    values: tuple[float, ...]
    unit: str = ""
    kind: Kind = "exact"
    trials: int = 0
    interval: tuple[float, float] | None = None

    @property
    def value(self) -> float:
        """The mean."""
        return fmean(self.values)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """What it is known to lie between; None when nothing is known, of fewer than three values.

        Of a drawn figure the 95 % interval of the mean over its seeds, Student's t, and never less
        than what its draws leave open when all seeds gave the same: Wilson's interval (1927) of a
        share, and of another figure what no case in as many draws leaves. Of a listed one its
        interval, of a timed one the least and the greatest value, of any other the value.
        """
        if self.kind in _KNOWN:
            return self.value, self.value
        if self.kind == "listed":
            return self.interval
        if len(self.values) < _FEWEST:
            return None
        if self.kind == "timed":
            return min(self.values), max(self.values)
        return self._over_seeds()

    def _over_seeds(self) -> tuple[float, float]:
        from scipy.stats import norm, t

        n = len(self.values)
        width = float(t.ppf((1 + _LEVEL) / 2, n - 1)) * stdev(self.values) / math.sqrt(n)
        low, high = self.value - width, self.value + width
        z, is_share = float(norm.ppf((1 + _LEVEL) / 2)), self.unit in _SHARES
        if self.trials:
            ends = _wilson(self.value if is_share else 0.0, n * self.trials, z)
            least = ends if is_share else (self.value - ends[1], self.value + ends[1])
            low, high = min(low, least[0]), max(high, least[1])
        return (max(low, 0.0), min(high, 1.0)) if is_share else (low, high)


def _wilson(share: float, n: int, z: float) -> tuple[float, float]:
    center, scale = share + z * z / (2 * n), 1 + z * z / n
    width = z * math.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    return (center - width) / scale, (center + width) / scale


Figures: TypeAlias = Mapping[str, Figure]
"""By name, in the order in which they are shown."""


def by_name(figures: Iterable[Figure]) -> dict[str, Figure]:
    """Return figures by their names."""
    return {figure.name: figure for figure in figures}


def over_seeds(
    measured: Callable[[int], Mapping[str, float]],
    seeds: Sequence[int],
    unit: str = "",
    trials: int = 0,
) -> Iterator[Figure]:
    """Yield a figure for each name that one seed gives, with the values of all seeds.

    Parameters
    ----------
    measured : callable
        ``measured(seed)`` returns numbers by name, the same names for each seed.
    seeds : sequence of int
    unit : str
    trials : int

    Examples
    --------
    >>> (found,) = over_seeds(lambda seed: {"双倍": 2.0 * seed}, [1, 2])
    >>> found.name, found.values, found.kind
    ('双倍', (2.0, 4.0), 'drawn')
    """
    rows = [measured(seed) for seed in seeds]
    for name in rows[0]:
        yield Figure(name, tuple(float(row[name]) for row in rows), unit, "drawn", trials)


def difference(name: str, first: Figure, second: Figure) -> Figure:
    """Return the first minus the second, seed by seed.

    Examples
    --------
    >>> first, second = Figure("甲", (1.0, 0.5), "", "drawn"), Figure("乙", (0.5, 0.5), "", "drawn")
    >>> difference("甲 − 乙", first, second).values
    (0.5, 0.0)
    """
    values = tuple(one - other for one, other in zip(first.values, second.values))
    return Figure(name, values, "difference", first.kind, first.trials)


def is_above(figure: Figure, least: float) -> bool | None:
    """Tell whether a figure is above a number; None when its interval holds both.

    Examples
    --------
    >>> is_above(Figure("", (0.9, 0.92, 0.91), "", "drawn"), 0.5), is_above(Figure("", (0.4,)), 0.5)
    (True, False)
    >>> is_above(Figure("", (0.9, 0.9), "", "drawn"), 0.5) is None
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


def have_learned(figures: Iterable[Figure]) -> bool:
    """Tell whether all accuracies on two classes are above chance, and by more than a little: .6.

    Models that learned nothing are as good as each other, and that says nothing of them.

    Examples
    --------
    >>> have_learned([Figure("对", (0.9, 0.9, 0.8), "accuracy", "drawn")])
    True
    >>> have_learned([Figure("对", (0.9, 0.5, 0.7), "accuracy", "drawn")])
    False
    """
    return all(is_above(each, _LEARNED) for each in figures)
