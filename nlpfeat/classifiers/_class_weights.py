"""What ``class_weight`` says: how much an error counts in each class."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat._validation import check_real
from nlpfeat.errors import InvalidParameterError

_HEAVIEST = 1e30  # of a class: so much times the number of documents is still finite


def is_balanced(class_weight: object) -> bool:
    """Tell whether the weights are to be "balanced"; False for a mapping and None.

    Raises
    ------
    InvalidParameterError
        For anything else.
    """
    if isinstance(class_weight, str) and class_weight == "balanced":
        return True
    if class_weight is None or isinstance(class_weight, Mapping):
        return False
    raise InvalidParameterError(
        "class_weight must be None, 'balanced' or a mapping of classes to weights. "
        f"Got {class_weight!r}."
    )


def mapped_weights(class_weight: Mapping[Any, float], classes: NDArray[Any]) -> Float64Array:
    """Return the weight of each class in a mapping; 1 for one that it does not name.

    Raises
    ------
    InvalidParameterError
        For a name that is no class, and a weight that is not above 0.

    Examples
    --------
    >>> mapped_weights({"体育": 2}, np.array(["体育", "财经"]))
    array([2., 1.])
    """
    known = classes.tolist()
    for name, weight in class_weight.items():
        if name not in known:
            raise InvalidParameterError(
                f"class_weight must name classes of y, {known}. Got {name!r}."
            )
        check_real(weight, f"class_weight[{name!r}]", above=0.0, at_most=_HEAVIEST)
    return np.array([float(class_weight.get(name, 1.0)) for name in known])


def document_weights(
    class_weight: Mapping[Any, float] | str | None, classes: NDArray[Any], places: Int64Array
) -> Float64Array | None:
    """Return how much a document of each class counts; over the documents the mean is 1.

    Parameters
    ----------
    class_weight : mapping of class to float, "balanced" or None
        "balanced": each class counts as much as any other, N / (C · N_c) a document.
    classes : ndarray of shape (C,)
    places : ndarray of int64, shape (N,)
        The class of each document, from 0; each class at least once.

    Returns
    -------
    ndarray of float64, shape (C,), or None
        None when all count alike.

    Examples
    --------
    >>> document_weights("balanced", np.array(["体育", "财经"]), np.array([0, 0, 0, 1])).round(3)
    array([0.667, 2.   ])
    >>> document_weights({"财经": 5}, np.array(["体育", "财经"]), np.array([0, 0, 0, 1]))
    array([0.5, 2.5])
    """
    if class_weight is None:
        return None
    counts = np.bincount(places, minlength=len(classes))
    if isinstance(class_weight, str):
        return len(places) / (len(classes) * counts)
    weights = mapped_weights(class_weight, classes)
    scaled: Float64Array = weights * len(places) / (weights * counts).sum()
    return scaled
