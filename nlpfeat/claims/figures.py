"""Figures that claims are judged by, and what follows from how far each is known."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, stdev
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["exact", "built", "counted", "listed", "drawn", "timed"]

KINDS: tuple[Kind, ...] = ("exact", "built", "counted", "listed", "drawn", "timed")
REPEATING: tuple[Kind, ...] = ("exact", "built", "counted", "listed")
"""Kinds of figures that are the same each time."""
_KNOWN: tuple[Kind, ...] = ("exact", "built", "counted")
LEVEL = 0.95
"""Of intervals, where no other is asked for."""
#: Fewer values than these say nothing of how far they spread.
_FEWEST = 3
LEARNED = 0.6
"""Accuracies on two classes above it are more than a little above chance."""
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
        An exact one is computed. A built one follows from how the texts are written, so that no
        measurement could refute it. A counted one is a count of kept runs. A listed one follows
        from a list that somebody wrote, a drawn one from seeds, a timed one from the clock.
    trials : int, default 0
        Of how many independent draws, such as groups of test texts, each drawn value is a share,
        or a difference of shares; of how many things a counted one is the count. 0 when it is none.
    interval : pair of float, optional
        Of a listed figure its 95 % interval over the items of the list.
    overlap : float, default 0
        Where seeds do not draw texts but split the same ones anew; see `overlap_of_splits`. 0 where
        seeds are independent.

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
    overlap: float = 0.0

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

        Where seeds split the same texts anew, n values are not independent: the variance of their
        mean is s² (1/n + overlap) (Nadeau and Bengio 2003), and n values of `trials` draws count
        as trials / (1/n + overlap) draws.
        """
        return self.bounds_at(LEVEL)

    def bounds_at(self, level: float) -> tuple[float, float] | None:
        """Return the same at another level: a listed figure has none but its own.

        Parameters
        ----------
        level : float
            Above 0 and below 1, such as 1 − .05/4 where four figures are looked at.
        """
        if self.kind in _KNOWN:
            return self.value, self.value
        if self.kind == "listed":
            return self.interval if level == LEVEL else None
        if len(self.values) < _FEWEST:
            return None
        if self.kind == "timed":
            return min(self.values), max(self.values)
        return self._over_seeds(level)

    def _over_seeds(self, level: float) -> tuple[float, float]:
        from scipy.stats import norm, t

        n = len(self.values)
        error = stdev(self.values) * math.sqrt(1 / n + self.overlap)
        width = float(t.ppf((1 + level) / 2, n - 1)) * error
        low, high = self.value - width, self.value + width
        z, is_share = float(norm.ppf((1 + level) / 2)), self.unit in _SHARES
        if self.trials:
            n_trials = self.trials / (1 / n + self.overlap)
            ends = _wilson(self.value if is_share else 0.0, n_trials, z)
            least = ends if is_share else (self.value - ends[1], self.value + ends[1])
            low, high = min(low, least[0]), max(high, least[1])
        return (max(low, 0.0), min(high, 1.0)) if is_share else (low, high)


def _wilson(share: float, n: float, z: float) -> tuple[float, float]:
    center, scale = share + z * z / (2 * n), 1 + z * z / n
    width = z * math.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    return (center - width) / scale, (center + width) / scale


def overlap_of_splits(n_train: int, n_test: int, n_all: int) -> float:
    """Return what the variance of a mean over random splits has more than independent ones.

    That is n_test / n_train where each split takes all texts (Nadeau and Bengio 2003), and as much
    less as it takes fewer of them: splits that share nothing are independent.

    Examples
    --------
    >>> overlap_of_splits(600, 300, 900), overlap_of_splits(600, 300, 9_000)
    (0.5, 0.05)
    """
    return n_test / n_train * (n_train + n_test) / n_all


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
    overlap: float = 0.0,
) -> Iterator[Figure]:
    """Yield a figure for each name that one seed gives, with the values of all seeds.

    Parameters
    ----------
    measured : callable
        ``measured(seed)`` returns numbers by name, the same names for each seed.
    seeds : sequence of int
    unit : str
    trials : int
    overlap : float

    Examples
    --------
    >>> (found,) = over_seeds(lambda seed: {"双倍": 2.0 * seed}, [1, 2])
    >>> found.name, found.values, found.kind
    ('双倍', (2.0, 4.0), 'drawn')
    """
    rows = [measured(seed) for seed in seeds]
    for name in rows[0]:
        values = tuple(float(row[name]) for row in rows)
        yield Figure(name, values, unit, "drawn", trials, overlap=overlap)


def difference(name: str, first: Figure, second: Figure) -> Figure:
    """Return the first minus the second, seed by seed.

    Examples
    --------
    >>> first, second = Figure("甲", (1.0, 0.5), "", "drawn"), Figure("乙", (0.5, 0.5), "", "drawn")
    >>> difference("甲 − 乙", first, second).values
    (0.5, 0.0)
    """
    values = tuple(one - other for one, other in zip(first.values, second.values))
    return replace(first, name=name, values=values, unit="difference")


def is_above(figure: Figure, least: float, level: float = LEVEL) -> bool | None:
    """Tell whether a figure is above a number; None when its interval of a level holds both.

    Examples
    --------
    >>> is_above(Figure("", (0.9, 0.92, 0.91), "", "drawn"), 0.5), is_above(Figure("", (0.4,)), 0.5)
    (True, False)
    >>> is_above(Figure("", (0.9, 0.9), "", "drawn"), 0.5) is None
    True
    """
    bounds = figure.bounds_at(level)
    if bounds is None:
        return None
    low, high = bounds
    if low > least:
        return True
    return False if high <= least else None


def is_below(figure: Figure, most: float, level: float = LEVEL) -> bool | None:
    """Tell whether a figure is below a number; None when its interval of a level holds both.

    Examples
    --------
    >>> is_below(Figure("", (0.4,)), 0.5), is_below(Figure("", (0.5,)), 0.5)
    (True, False)
    """
    bounds = figure.bounds_at(level)
    if bounds is None:
        return None
    low, high = bounds
    if high < most:
        return True
    return False if low >= most else None


def shared_level(n: int) -> float:
    """Return the level of each of n intervals that all hold together at 95 % at least (Bonferroni).

    Examples
    --------
    >>> shared_level(4)
    0.9875
    """
    return 1 - (1 - LEVEL) / n


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
    return all(is_above(each, LEARNED) for each in figures)
