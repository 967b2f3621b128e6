"""The settings of a model: as text, with the seed of a run, and those that are tried."""

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import PurePath
from types import MethodType
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors.prior import Prior
from nlpfeat.text.segmenters import Segmenter
from nlpfeat.text.segmenters.found_names import UNIDENTIFIED, found_name

_PLAIN = (str, bytes, bool, int, float, complex, np.generic, range, slice, PurePath)


def described(value: object) -> str:
    """Return settings as text that is the same in every process.

    Parameters
    ----------
    value : object
        An estimator, or what parameters hold.

    Returns
    -------
    str
        Classes and functions with their modules, objects with all that they hold: what is told in
        the same words is the same.

    Examples
    --------
    >>> from nlpfeat import BagOfWordsVectorizer
    >>> described([BagOfWordsVectorizer, 0.5, "词"])
    "[nlpfeat.features.bag_of_words.BagOfWordsVectorizer, 0.5, '词']"
    """
    name = f"{type(value).__module__}.{type(value).__qualname__}"
    if value is None or isinstance(value, _PLAIN):
        return repr(value)
    if isinstance(value, BaseEstimator):
        return f"{name}({_named(value.get_params(deep=False))})"
    if isinstance(value, partial):
        return f"{name}({described([value.func, *value.args])}, {_named(value.keywords)})"
    if isinstance(value, MethodType):
        return f"{described(value.__self__)}.{value.__name__}"
    if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
        return found_name(value)
    if is_dataclass(value):
        return f"{name}({_named({each.name: getattr(value, each.name) for each in fields(value)})})"
    if isinstance(value, Mapping):
        return f"{{{_named(value)}}}"
    if isinstance(value, np.ndarray) and value.dtype != object:
        digest = sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:16]
        return f"array({value.dtype}, {value.shape}, {digest})"
    if isinstance(value, set | frozenset):
        return f"[{', '.join(sorted(map(described, value)))}]"
    if isinstance(value, Sequence | np.ndarray):
        return f"[{', '.join(map(described, value))}]"
    return f"{name}({_state(value)})"


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


def _state(value: object) -> str:
    """Return all that an object holds; what its repr says may be less, or an address."""
    if isinstance(value, Segmenter) and UNIDENTIFIED not in value.identity:
        return value.identity
    kind = type(value)
    if kind.__reduce__ is object.__reduce__ and kind.__reduce_ex__ is object.__reduce_ex__:
        state = object.__getstate__(value)
        return _named(state) if isinstance(state, dict) else described(state)
    # It says itself what of it travels to another process: generators, compiled classes.
    return sha256(pickle.dumps(value, protocol=5)).hexdigest()[:16]


def _reseeded(prior: Any, seed: int) -> Any:
    is_placebo = isinstance(prior, Prior) and prior.placebo is not None
    return prior.shuffled(seed) if is_placebo else prior
