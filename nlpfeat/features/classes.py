"""The class of each document, as the estimators that learn from classes take it: checked here."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from nlpfeat.errors import InvalidInputError


def check_classes(estimator: Any, X: Any, y: Any) -> NDArray[Any]:  # noqa: N803
    """Return the class of each document as a vector.

    Raises
    ------
    InvalidInputError
        When ``y`` is missing or no vector, has not one class a document, or holds numbers that
        are no classes.
    """
    if y is None:
        raise InvalidInputError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y "
            "is None. Give the class of each document."
        )
    try:
        labels = column_or_1d(
            check_array(y, ensure_2d=False, dtype=None, input_name="y"), warn=True
        )
        check_consistent_length(X, labels)
        check_classification_targets(labels)
        np.unique(labels)  # needs an order
    except ValueError as error:
        raise InvalidInputError(str(error)) from error
    except TypeError as error:
        raise InvalidInputError(
            f"y must hold texts, or numbers, and not both, and no class may be missing: {error}."
        ) from error
    return np.asarray(labels)


def check_several(classes: NDArray[Any]) -> NDArray[Any]:
    """Return the classes when there are at least two.

    Raises
    ------
    InvalidInputError
        When there is one class only.
    """
    if len(classes) < 2:
        raise InvalidInputError(
            f"y must hold at least two classes. Got one class: {classes[0]!r} for every document."
        )
    return classes
