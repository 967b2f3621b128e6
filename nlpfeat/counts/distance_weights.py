"""How much a pair counts at each distance."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Float64Array
from nlpfeat.errors import InvalidParameterError

Weighting: TypeAlias = str | Callable[[int], float] | Sequence[float]


def flat(distance: int, window: int) -> float:  # noqa: ARG001 - all weightings are called alike
    """Let every pair in the window count 1."""
    return 1.0


def harmonic(distance: int, window: int) -> float:  # noqa: ARG001
    """Let a pair at distance d count 1/d, as in GloVe (Pennington, Socher & Manning 2014)."""
    return 1.0 / distance


def linear(distance: int, window: int) -> float:
    """Let a pair at distance d count (w - d + 1)/w, as word2vec does on average."""
    return (window - distance + 1) / window


WEIGHTINGS: dict[str, Callable[[int, int], float]] = {
    "flat": flat,
    "harmonic": harmonic,
    "linear": linear,
}


def distance_weights(weighting: Weighting, window: int) -> Float64Array:
    """Return the weights of the distances 1 … window.

    Parameters
    ----------
    weighting : {"flat", "harmonic", "linear"}, callable, or sequence of float
        A callable takes the distance and returns its weight; a sequence holds one weight for each
        distance. Weights are finite and not negative.
    window : int

    Returns
    -------
    ndarray of float64, shape (window,)

    Examples
    --------
    >>> distance_weights("linear", 4).tolist()
    [1.0, 0.75, 0.5, 0.25]
    >>> distance_weights(lambda d: 1 / d**2, 2).tolist()
    [1.0, 0.25]
    """
    distances = range(1, window + 1)
    if isinstance(weighting, str):
        function = lookup(WEIGHTINGS, weighting, "weighting")
        return np.array([function(distance, window) for distance in distances])
    try:
        values = map(weighting, distances) if callable(weighting) else weighting
        weights = np.array([float(value) for value in values])
    except (TypeError, ValueError) as error:
        raise InvalidParameterError(
            f"weighting must be one of {', '.join(map(repr, WEIGHTINGS))}, a function from the "
            f"distance to its weight, or a sequence of weights. Got {weighting!r} ({error})."
        ) from error
    if len(weights) != window:
        raise InvalidParameterError(
            f"weighting must hold one weight for each of the {window} distances of the window. "
            f"Got {len(weights)}."
        )
    if not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise InvalidParameterError(
            "weighting must give a finite number, not negative, for each distance, and not 0 for "
            f"all. Got {weights.tolist()} for the distances 1 to {window}."
        )
    return weights
