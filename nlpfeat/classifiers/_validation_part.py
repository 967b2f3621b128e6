"""The part of the training documents on which the epochs are compared."""

import numpy as np

from nlpfeat._typing import Int64Array
from nlpfeat.errors import InvalidParameterError


def split(
    classes: Int64Array,
    fraction: float,
    rng: np.random.Generator,
    parameter: str | None = "validation_fraction",
) -> tuple[Int64Array, Int64Array]:
    """Set a share of the documents aside, of every class in proportion.

    Of each class one document at least is learned from, so a class that was seen once is in the
    training part alone.

    Parameters
    ----------
    classes : ndarray of int64, shape (N,)
        The class of each document, from 0.
    fraction : float
        At least 0, below 1; with 0 nothing is set aside.
    rng : Generator
        Draws the documents.
    parameter : str or None
        What the share is called by whoever asked for it. None: nobody did, and of too few documents
        none is set aside.

    Returns
    -------
    training, validation : ndarray of int64
        The numbers of the documents, in order.

    Raises
    ------
    InvalidParameterError
        When the share that was asked for is less than one document.

    Examples
    --------
    >>> training, validation = split(np.array([0] * 8 + [1] * 4), 0.25, np.random.default_rng(0))
    >>> (validation < 8).sum(), (validation >= 8).sum()
    (np.int64(2), np.int64(1))
    """
    if not fraction:
        return np.arange(len(classes)), np.empty(0, dtype=np.int64)
    order = rng.permutation(len(classes))
    order = order[np.argsort(classes[order], kind="stable")]
    _, firsts = np.unique(classes[order], return_index=True)
    order = np.delete(order, firsts)  # one of each class stays
    # One document in 1 / fraction, counted through all classes: each gets its share, rounded up or
    # down, and all of them together get theirs.
    wanted = round(fraction * len(classes))
    share = min(wanted / max(len(order), 1), 1.0)
    steps = np.floor(np.arange(len(order) + 1) * share + rng.uniform())
    validation = np.sort(order[steps[1:] > steps[:-1]])
    if not len(validation) and parameter is not None:
        too = " and patience=None" if parameter == "validation_fraction" else ""
        raise InvalidParameterError(
            f"{parameter}={fraction!r} of {len(classes):,} documents is none that could be set "
            "aside: of each class one document is learned from. Raise it, give more documents, "
            f"or set {parameter}=0{too}."
        )
    return np.setdiff1d(np.arange(len(classes)), validation), validation
