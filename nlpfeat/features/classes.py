"""The class of each document, as the estimators that learn from classes take it: checked here."""

from collections.abc import Iterator, Mapping, Set, Sized
from numbers import Integral
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
    _check_form(y)
    try:
        labels = column_or_1d(
            check_array(y, ensure_2d=False, dtype=None, input_name="y"), warn=True
        )
        labels = _plain(labels)
        check_consistent_length(X, labels)
        check_classification_targets(labels)
        np.unique(labels)  # needs an order
    except ValueError as error:
        if isinstance(error, InvalidInputError):
            raise
        raise InvalidInputError(f"{error}{_remedy(str(error))}") from error
    except TypeError as error:
        raise InvalidInputError(f"{_ONE_KIND}: {error}.") from error
    return np.asarray(labels)


_ONE_KIND = "y must hold texts, or numbers, and not both"


def _check_form(y: Any) -> None:
    """Refuse what is no list of classes."""
    is_list = hasattr(y, "__len__") or hasattr(y, "__array__")
    if not is_list or isinstance(y, str | bytes | Mapping | Set) or getattr(y, "ndim", 1) == 0:
        got = repr(y[:20]) if isinstance(y, str | bytes) else f"a {type(y).__name__}"
        remedy = "; give list(y)" if isinstance(y, Iterator) else ""
        raise InvalidInputError(
            f"y must be a list or an array with the class of each document. Got {got}{remedy}."
        )
    if isinstance(y, Sized) and not hasattr(y, "shape") and len(y) == 0:
        raise InvalidInputError(
            "y is empty: there is nothing to learn from (0 sample(s), a minimum of 1 is required). "
            "Give documents with the class of each."
        )
    # NumPy would make texts of the numbers, and classes that nobody gave.
    kinds = {isinstance(each, str) for each in y} if isinstance(y, list | tuple) else set()
    if len(kinds) > 1 and not any(each is None for each in y):
        raise InvalidInputError(f"{_ONE_KIND}. Got both: [str(each) for each in y] makes texts.")


def _plain(labels: NDArray[Any]) -> NDArray[Any]:
    """Return labels that are objects as what they are: integers, if all are; none is missing."""
    if labels.dtype != object:
        return labels
    for row, label in enumerate(labels):
        if label is None:
            raise InvalidInputError(
                f"No class may be missing: y[{row}] is None. Leave such documents out, or give "
                "them a class of their own, such as '无'."
            )
    whole = all(isinstance(label, bool | np.bool_ | Integral) for label in labels)
    return np.array(labels.tolist()) if whole else labels


def _remedy(message: str) -> str:
    """Return what to do about what scikit-learn says."""
    if message.startswith("Unknown label type"):
        return " Classes are texts, integers or truth values; y.astype(str) makes texts of numbers."
    if "NaN" in message or "infinity" in message:
        return " No class may be missing: leave such documents out."
    return ""


def check_several(classes: NDArray[Any]) -> NDArray[Any]:
    """Return the classes when there are at least two.

    Raises
    ------
    InvalidInputError
        When there is one class only.
    """
    if len(classes) < 2:
        raise InvalidInputError(
            "y must hold at least two classes. Got one class: "
            f"{classes[:1].tolist()[0]!r} for every document."
        )
    return classes
