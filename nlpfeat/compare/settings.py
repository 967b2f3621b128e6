"""The settings of a model: as text, with the seed of a run, and those that are tried."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from hashlib import sha256
from itertools import product
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors.prior import Prior


def described(value: object) -> str:
    """Return settings as text that is the same in every process.

    Parameters
    ----------
    value : object
        An estimator, or what parameters hold.

    Returns
    -------
    str

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> described([LinearSVC(C=0.5), "词"])[:24]
    '[LinearSVC(C=0.5, class_'
    """
    name = f"{type(value).__name__}"
    if isinstance(value, BaseEstimator):
        return f"{name}({_named(value.get_params(deep=False))})"
    if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', name)}"
    if is_dataclass(value):
        return f"{name}({_named({each.name: getattr(value, each.name) for each in fields(value)})})"
    if isinstance(value, Mapping):
        return f"{{{_named(value)}}}"
    if isinstance(value, np.ndarray):
        digest = sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:16]
        return f"array({value.dtype}, {value.shape}, {digest})"
    if isinstance(value, set | frozenset):
        return f"[{', '.join(sorted(map(described, value)))}]"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return f"[{', '.join(map(described, value))}]"
    if type(value).__repr__ is object.__repr__:  # it would show an address
        return f"{name}({_named(vars(value) if hasattr(value, '__dict__') else {})})"
    return repr(value)


def seeded(estimator: Any, seed: int) -> Any:
    """Return an unfitted copy of which everything that draws begins with a seed.

    Parameters
    ----------
    estimator : object with fit and predict
        Its ``random_state``, those of its parts, and the seeds of its placebos are set.
    seed : int

    Returns
    -------
    object

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> from nlpfeat import BagOfWordsVectorizer
    >>> seeded(make_pipeline(BagOfWordsVectorizer(), LinearSVC()), 7)[-1].random_state
    7
    """
    copied = clone(estimator, safe=False)
    if not hasattr(copied, "get_params"):
        return copied
    changed: dict[str, Any] = {}
    for name, value in copied.get_params(deep=True).items():
        if name == "random_state" or name.endswith("__random_state"):
            changed[name] = seed
        elif isinstance(value, list | tuple) and any(isinstance(each, Prior) for each in value):
            changed[name] = tuple(_reseeded(each, seed) for each in value)
    return copied.set_params(**changed) if changed else copied


def drawn_settings(
    estimator: Any, grid: Mapping[str, Sequence[Any]], n_trials: int, rng: np.random.Generator
) -> list[dict[str, Any]]:
    """Return the settings that are tried: the default one, then others, each once.

    Parameters
    ----------
    estimator : object
        Its parameters are the default setting.
    grid : mapping of str to sequence
        Values of parameters; every combination is a setting.
    n_trials : int
        At least 1. Of a grid with fewer settings all are tried.
    rng : Generator

    Returns
    -------
    list of dict
        What each setting changes; the first one changes nothing.

    Raises
    ------
    InvalidParameterError
        For a parameter that the estimator does not have.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> drawn_settings(LinearSVC(), {"C": (0.1, 1.0, 10.0)}, 3, np.random.default_rng(0))
    [{}, {'C': 0.1}, {'C': 10.0}]
    """
    known = estimator.get_params(deep=True) if hasattr(estimator, "get_params") else {}
    for name in grid:
        if name not in known:
            raise InvalidParameterError(
                f"The grid of {type(estimator).__name__} must name its parameters. Got {name!r}; "
                f"it has {', '.join(map(repr, known)) or 'none'}."
            )
    default = {name: described(known[name]) for name in grid}
    others = [
        dict(zip(grid, values))
        for values in product(*grid.values())
        if {name: described(value) for name, value in zip(grid, values)} != default
    ]
    chosen = rng.permutation(len(others))[: n_trials - 1]
    return [{}, *(others[place] for place in chosen)]


def _named(parameters: Mapping[Any, Any]) -> str:
    return ", ".join(f"{name}={described(value)}" for name, value in parameters.items())


def _reseeded(prior: Any, seed: int) -> Any:
    is_placebo = isinstance(prior, Prior) and prior.placebo is not None
    return prior.shuffled(seed) if is_placebo else prior
