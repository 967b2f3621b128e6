"""Comprehensiveness and sufficiency of orders of tokens, raw and normalized."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.compare.explaining.aopc import FIGURES, SHARES, aopc, size_weights
from nlpfeat.compare.explaining.bounds import (
    Problem,
    Search,
    beam_bounds,
    exact_bounds,
    solve_together,
)
from nlpfeat.compare.explaining.deletion import Evaluations
from nlpfeat.compare.explaining.document_means import mean_of_told
from nlpfeat.errors import InvalidInputError, InvalidParameterError

MIN_RANGE = 1e-6
"""Bounds of AOPC that are no further apart tell no order from another."""

_MOST_EXACT = 14


@dataclass(frozen=True, eq=False)
class OrderFigures:
    """What an order gives on each of N documents.

    Parameters
    ----------
    raw, normalized : dict of str to ndarray of float64, shape (N,)
        For "comprehensiveness" and "sufficiency": AOPC, and (AOPC - lower) / (upper - lower), which
        is NaN where ``upper`` and ``lower`` are no more than ``MIN_RANGE`` apart.
    """

    raw: dict[str, Float64Array]
    normalized: dict[str, Float64Array]

    def mean(self, figure: str) -> float:
        """Return the mean AOPC over documents."""
        return float(self.raw[figure].mean())

    def normalized_mean(self, figure: str) -> float | None:
        """Return the mean over the documents whose bounds differ; None when there is none."""
        return mean_of_told(self.normalized[figure])


def faithfulness(
    evaluations: Evaluations,
    documents: Sequence[Sequence[str]],
    orders: Mapping[str, Sequence[Int64Array]],
    *,
    shares: Sequence[float] = SHARES,
    width: int = 2,
    max_exact: int = 8,
) -> dict[str, OrderFigures]:
    """Return how much the predicted class loses when tokens are deleted in given orders.

    Parameters
    ----------
    evaluations : Evaluations
        Of the model.
    documents : sequence of sequences of str
        N documents, each of at least one token.
    orders : mapping of str to sequence of ndarray of int, shape (R, L)
        Under each name R orders of each document: its places from 0, the first to be deleted first.
        The figures are their mean.
    shares : sequence of float, default SHARES
        Shares of tokens that are deleted, or kept, from the beginning of the order.
    width : int, default 2
        How many sets of tokens the search for the bounds follows; more find wider bounds.
    max_exact : int, default 8
        Documents of at most so many tokens (up to 14) get exact bounds.

    Returns
    -------
    dict of str to OrderFigures
        Under the names of the orders.

    Raises
    ------
    InvalidInputError
        For an empty document, and for what is no order of its tokens.
    InvalidParameterError
        For a parameter that cannot be.

    Notes
    -----
    y is the class predicted for the whole document and r the first ⌈k·L⌉ tokens of the order.
    Comprehensiveness is p(y | x) - p(y | x without r), sufficiency p(y | x) - p(y | r); AOPC is the
    mean over the shares k. An order is the better, the higher its comprehensiveness and the lower
    its sufficiency. Raw AOPC depends on how steep the probabilities of a model are, so that only
    the normalized ones compare between models. The bounds take in all given orders.

    Source: DeYoung et al. (2020); Edin et al. (2024) for the normalization.

    Examples
    --------
    >>> def score(documents):
    ...     good = np.array([["好" in document] for document in documents])
    ...     return np.log(np.where(good, [[0.1, 0.9]], [[0.5, 0.5]]))
    >>> orders = {"own": [np.array([[1, 0]])], "position": [np.array([[0, 1]])]}
    >>> found = faithfulness(Evaluations(score), [["很", "好"]], orders)
    >>> round(found["own"].mean("comprehensiveness"), 3)
    0.4
    >>> [each.normalized_mean("comprehensiveness") for each in found.values()]
    [1.0, 0.0]
    >>> [each.normalized_mean("sufficiency") for each in found.values()]
    [0.0, 1.0]
    """
    width = check_int(width, "width", minimum=1)
    if check_int(max_exact, "max_exact", minimum=0) > _MOST_EXACT:
        raise InvalidParameterError(
            f"max_exact must be at most {_MOST_EXACT}, since 2 to that power sets are asked about. "
            f"Got {max_exact}."
        )
    _check(documents, orders)
    problems = _problems(evaluations, documents, shares)
    curves = _curves(evaluations, problems, orders)
    bounds = _bounds(evaluations, problems, width, max_exact)
    found = {}
    for name in orders:
        raw: dict[str, Float64Array] = {}
        normalized: dict[str, Float64Array] = {}
        for figure in FIGURES:
            values = curves[name, figure]
            every = [np.concatenate(each) for each in zip(*(curves[other, figure]
                                                            for other in orders))]  # fmt: skip
            raw[figure] = np.array([each.mean() for each in values])
            lower, upper = np.array([
                (min(low, each.min()), max(high, each.max()))
                for (low, high), each in zip(bounds[figure], every)
            ]).T  # fmt: skip
            normalized[figure] = _normalized(raw[figure], lower, upper)
        found[name] = OrderFigures(raw, normalized)
    return found


def _check(documents: Sequence[Sequence[str]], orders: Mapping[str, Sequence[Int64Array]]) -> None:
    if not documents or not all(len(document) for document in documents):
        raise InvalidInputError(
            "documents must hold documents of at least one token each: nothing can be deleted from "
            "an empty one. Leave empty documents out."
        )
    for name, each in orders.items():
        if len(each) != len(documents):
            raise InvalidInputError(
                f"orders[{name!r}] must hold orders for each of the {len(documents)} documents. "
                f"Got {len(each)}."
            )
        for row, (document, rows) in enumerate(zip(documents, each)):
            places = np.arange(len(document))
            if rows.ndim != 2 or not len(rows) or not (np.sort(rows, axis=1) == places).all():
                raise InvalidInputError(
                    f"orders[{name!r}][{row}] must hold each place from 0 to {len(document) - 1} "
                    f"once in every row. Got {rows.tolist()}."
                )


def _problems(
    evaluations: Evaluations, documents: Sequence[Sequence[str]], shares: Sequence[float]
) -> dict[str, list[Problem]]:
    """Return each document with its prediction, for each figure."""
    answers = evaluations.log_probabilities(documents)
    predicted = answers.argmax(axis=1)
    probabilities = np.exp(answers.max(axis=1))
    return {
        figure: [
            Problem(document, int(column), float(probability),
                    size_weights(len(document), shares), rest)
            for document, column, probability in zip(documents, predicted, probabilities)
        ]
        for figure, rest in FIGURES.items()
    }  # fmt: skip


def _curves(
    evaluations: Evaluations,
    problems: Mapping[str, Sequence[Problem]],
    orders: Mapping[str, Sequence[Int64Array]],
) -> dict[tuple[str, str], list[Float64Array]]:
    """Return AOPC of each order of each document, under the name of the order and the figure."""
    asked = {
        (name, figure, number, row): problem.left([
            tuple(order[:size].tolist()) for size in problem.weights
        ])
        for figure, each in problems.items()
        for name, given in orders.items()
        for number, (problem, rows) in enumerate(zip(each, given))
        for row, order in enumerate(rows)
    }  # fmt: skip
    # All of them in one call; what is asked for again is known.
    if asked:
        evaluations.log_probabilities(left for lefts in asked.values() for left in lefts)
    curves: dict[tuple[str, str], list[Float64Array]] = {}
    for figure, each in problems.items():
        for name, given in orders.items():
            curves[name, figure] = []
            for number, (problem, rows) in enumerate(zip(each, given)):
                values = []
                for row in range(len(rows)):
                    answers = evaluations.log_probabilities(asked[name, figure, number, row])
                    losses = dict(zip(problem.weights, problem.losses(answers)))
                    values.append(aopc(losses, problem.weights))
                curves[name, figure].append(np.array(values))
    return curves


def _bounds(
    evaluations: Evaluations,
    problems: Mapping[str, Sequence[Problem]],
    width: int,
    max_exact: int,
) -> dict[str, list[tuple[float, float]]]:
    searches: list[Search] = [
        exact_bounds(problem) if len(problem.document) <= max_exact else beam_bounds(problem, width)
        for each in problems.values()
        for problem in each
    ]
    found = iter(solve_together(searches, evaluations))
    return {figure: [next(found) for _ in each] for figure, each in problems.items()}


def _normalized(values: Float64Array, lower: Float64Array, upper: Float64Array) -> Float64Array:
    is_told = upper - lower > MIN_RANGE
    normalized = np.full(len(values), np.nan)
    normalized[is_told] = (values - lower)[is_told] / (upper - lower)[is_told]
    # A mean of random orders may round past its own bounds.
    return np.asarray(np.clip(normalized, 0.0, 1.0), dtype=np.float64)
