"""Figures made by hand that claims are judged by, for several test files."""

from dataclasses import replace

from nlpfeat.claims.figures import Figure

HOLDS, PART, NOT, OPEN = "holds", "holds in part", "does not hold", "not decidable here"


def figures(named):
    """Figures by name: numbers are exact ones, lists are values of seeds, pairs are intervals.

    A figure is given its name.
    """

    def figure(name, value):
        if isinstance(value, Figure):
            return replace(value, name=name)
        if isinstance(value, list):
            return Figure(name, tuple(value), "", "drawn")
        if isinstance(value, tuple):
            return Figure(name, (sum(value) / 2,), "AUC", "listed", interval=value)
        return Figure(name, (float(value),))

    return {name: figure(name, value) for name, value in named.items()}


def alike(value):
    """Three seeds that gave the same."""
    return [value] * 3


CHANCE, RIGHT, UNSURE = alike(0.5), alike(1.0), [0.4, 0.9, 0.6]
