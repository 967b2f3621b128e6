"""Give what was learned of each term to another one."""

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Int64Array

_BAND = 100  # terms


def other_terms(n_terms: int, seed: int) -> Int64Array:
    """Return a random order of the terms: which term each one speaks for.

    Examples
    --------
    >>> other_terms(4, seed=0).tolist()
    [2, 0, 1, 3]
    """
    return np.random.default_rng(seed).permutation(n_terms)


def other_terms_as_frequent(frequencies: ArrayLike, seed: int) -> Int64Array:
    """Return a random order in which each term speaks for one that is about as frequent.

    Terms change places with the hundred or so that stand next to them by frequency. Among all
    terms, the many rare ones would take the places of the few frequent ones, and a text would meet
    hardly any of the pairs.

    Parameters
    ----------
    frequencies : array-like of int, shape (n_terms,)
    seed : int

    Returns
    -------
    ndarray of int64, shape (n_terms,)

    Examples
    --------
    >>> frequencies = np.arange(300)
    >>> order = other_terms_as_frequent(frequencies, seed=0)
    >>> bool(np.abs(frequencies[order] - frequencies).max() < 100)
    True
    """
    by_frequency = np.argsort(-np.asarray(frequencies), kind="stable")
    random = np.random.default_rng(seed)
    order = np.empty(len(by_frequency), dtype=np.int64)
    for band in np.array_split(by_frequency, max(1, len(by_frequency) // _BAND)):
        order[band] = random.permutation(band)
    return order
