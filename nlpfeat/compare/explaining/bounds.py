"""The lowest and the highest AOPC that any order of the tokens can have for a model.

An order takes tokens one after the other, so the sets of its first tokens lie in one another. For
short documents all sets are asked about, and the best chain of sets is found exactly; longer ones
are searched by beam. A search asks for what it needs and goes on with the answers, so that the
questions of many documents can be put together.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import TypeAlias

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.compare.explaining.aopc import Rest
from nlpfeat.compare.explaining.deletion import Evaluations, Tokens

Search: TypeAlias = Generator[list[Tokens], Float64Array, tuple[float, float]]
"""Yields what is left of a document, takes log-probabilities, shape (n, C), and returns the lowest
and the highest AOPC."""

Places: TypeAlias = tuple[int, ...]

_MAX_STEPS = 12


@dataclass(frozen=True)
class Problem:
    """A document whose bounds are wanted.

    Parameters
    ----------
    document : sequence of str
        L tokens.
    predicted : int
        The column of the predicted class.
    probability : float
        p(y | document).
    weights : mapping of int to float
        Of ``size_weights``.
    rest : callable
        A value of ``FIGURES``.
    """

    document: Sequence[str]
    predicted: int
    probability: float
    weights: Mapping[int, float]
    rest: Rest

    def left(self, sets: Sequence[Places]) -> list[Tokens]:
        """Return what is left for each set of first tokens."""
        return [self.rest(self.document, places) for places in sets]

    def losses(self, log_probabilities: Float64Array) -> list[float]:
        """Return the loss of each set from the answers."""
        losses: list[float] = (
            self.probability - np.exp(log_probabilities[:, self.predicted])
        ).tolist()
        return losses


def exact_bounds(problem: Problem) -> Search:
    """Return the bounds over all orders, by dynamic programming over sets of tokens.

    The best order that begins with the tokens of a set S ends in one of them, i, and before that
    is the best for S without i. Only sets of the sizes that count are asked about.

    Parameters
    ----------
    problem : Problem
        Of few tokens: about half of all 2^L sets are asked about.
    """
    n_tokens, weights = len(problem.document), problem.weights
    counted = [
        places for size in weights for places in combinations(range(n_tokens), size)
    ]  # fmt: skip
    losses = dict(zip(counted, problem.losses((yield problem.left(counted)))))
    bounds: dict[Places, tuple[float, float]] = {(): (0.0, 0.0)}
    for size in range(1, max(weights) + 1):
        weight, longer = weights.get(size, 0.0), {}
        for places in combinations(range(n_tokens), size):
            gain = weight * losses[places] if weight else 0.0
            before = [bounds[places[:at] + places[at + 1 :]] for at in range(size)]
            longer[places] = (
                min(low for low, _ in before) + gain,
                max(high for _, high in before) + gain,
            )
        bounds = longer
    return min(low for low, _ in bounds.values()), max(high for _, high in bounds.values())


def beam_bounds(problem: Problem, width: int) -> Search:
    """Return bounds that a beam search finds: the true ones are no narrower.

    Exact for a model of two classes whose log-odds are a sum over tokens: there the next token that
    changes most is the best one whatever was taken before.

    Parameters
    ----------
    problem : Problem
    width : int
        How many sets of tokens are followed.
    """
    highest = yield from _beam(problem, width, 1.0)
    lowest = yield from _beam(problem, width, -1.0)
    return -lowest, highest


def _beam(
    problem: Problem, width: int, sign: float
) -> Generator[list[Tokens], Float64Array, float]:
    """Return the highest ``sign`` times AOPC that was found.

    A set is judged as if its loss stayed the same from there on.
    """
    beam: dict[Places, float] = {(): 0.0}  # each set, and the weighted losses on the way to it
    size, open_weight = 0, 1.0
    for target in _steps(problem.weights):
        one_more = [
            (places, tuple(sorted((*places, place))), place)
            for places in beam
            for place in range(len(problem.document))
            if place not in places
        ]
        sets = list(dict.fromkeys(longer for _, longer, _ in one_more))
        losses = dict(zip(sets, problem.losses((yield problem.left(sets)))))
        children: dict[Places, list[Places]] = {}
        for places in beam:
            found = [(-sign * losses[longer], place) for start, longer, place in one_more
                     if start == places]  # fmt: skip
            children[places] = _children(places, sorted(found), target - size, width)
        if target - size > 1:
            sets = list(dict.fromkeys(child for each in children.values() for child in each))
            losses = dict(zip(sets, problem.losses((yield problem.left(sets)))))
        weight = problem.weights.get(target, 0.0)
        open_weight -= weight
        totals: dict[Places, float] = {}
        for places, total in beam.items():
            for child in children[places]:
                new = total + sign * weight * losses[child]
                totals[child] = max(new, totals.get(child, new))
        promise = {
            child: total + open_weight * sign * losses[child] for child, total in totals.items()
        }
        kept = sorted(totals, key=lambda child: (-promise[child], child))[:width]
        beam, size = {child: totals[child] for child in kept}, target
    return max(beam.values())


def _children(
    places: Places, ranked: list[tuple[float, int]], n_more: int, width: int
) -> list[Places]:
    """Return larger sets: the best tokens, of which the last one varies."""
    order = [place for _, place in ranked]
    common = order[: n_more - 1]
    return [
        tuple(sorted((*places, *common, last)))
        for last in order[n_more - 1 : n_more - 1 + width]
    ]  # fmt: skip


def _steps(weights: Mapping[int, float]) -> list[int]:
    """Return the sizes that a beam goes through: one by one, for long documents in larger steps."""
    stride = ceil(max(weights) / _MAX_STEPS)
    steps, size = [], 0
    for target in sorted(weights):
        while size < target:
            size = min(size + stride, target)
            steps.append(size)
    return steps


def solve_together(
    searches: Sequence[Search], evaluations: Evaluations
) -> list[tuple[float, float]]:
    """Run searches side by side: what all of them ask in a round goes to the model together.

    Parameters
    ----------
    searches : sequence of Search
    evaluations : Evaluations

    Returns
    -------
    list of (float, float)
        The lowest and the highest AOPC of each.
    """
    found: dict[int, tuple[float, float]] = {}
    waiting = [(number, search, next(search)) for number, search in enumerate(searches)]
    while waiting:
        answers = evaluations.log_probabilities(each for _, _, asked in waiting for each in asked)
        start, going = 0, []
        for number, search, asked in waiting:
            stop = start + len(asked)
            try:
                going.append((number, search, search.send(answers[start:stop])))
            except StopIteration as end:
                found[number] = end.value
            start = stop
        waiting = going
    return [found[number] for number in range(len(searches))]
