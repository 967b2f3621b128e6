"""What the arrays of a fitted prior must be: they may come from a file that someone has changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpfeat.errors import InvalidInputError


@dataclass(frozen=True)
class Form:
    """What an array must be.

    Parameters
    ----------
    dtype : type
        Of its elements.
    shape : tuple of str
        A name for each length, such as ``("V + 1", "width")``: equal names are equal lengths.
    optional : bool, default False
        Whether it may be None.
    """

    dtype: type[np.generic]
    shape: tuple[str, ...]
    optional: bool = False

    def __str__(self) -> str:
        lengths = ", ".join(self.shape) + ("," if len(self.shape) == 1 else "")
        ending = ", or None" if self.optional else ""
        return f"an array of finite {self.dtype.__name__}, shape ({lengths}){ending}"


def sizes_of(owner: object, forms: Mapping[str, Form]) -> dict[str, int]:
    """Return the lengths by their names, once all arrays are what they must be.

    Parameters
    ----------
    owner : object
        Its attributes are the arrays.
    forms : mapping of str to Form

    Returns
    -------
    dict of str to int

    Raises
    ------
    InvalidInputError
        For the first array that is not of its form, or does not fit those before it.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> owner = SimpleNamespace(rows=np.zeros((3, 2)))
    >>> sizes_of(owner, {"rows": Form(np.float64, ("N", "K"))})
    {'N': 3, 'K': 2}
    """
    sizes: dict[str, int] = {}
    for name, form in forms.items():
        array: Any = getattr(owner, name)
        if array is None and form.optional:
            continue
        if not _is_of(array, form, sizes):
            raise misfit(owner, name, f"{form}{_known(form, sizes)}", _shown(array))
        sizes.update(zip(form.shape, array.shape))
    return sizes


def misfit(owner: object, name: str, wanted: str, given: object) -> InvalidInputError:
    """Return the error that says which part of a fitted prior cannot be what it is."""
    return InvalidInputError(
        f"{type(owner).__name__}.{name} must be {wanted}. Got {given}: fit again, or load a file "
        "that is whole."
    )


def _is_of(array: Any, form: Form, sizes: Mapping[str, int]) -> bool:
    if not isinstance(array, np.ndarray) or array.dtype != form.dtype:
        return False
    if array.ndim != len(form.shape):
        return False
    lengths: dict[str, int] = {}
    for name, length in zip(form.shape, array.shape):
        if lengths.setdefault(name, sizes.get(name, length)) != length:
            return False
    return bool(np.isfinite(array).all())


def _known(form: Form, sizes: Mapping[str, int]) -> str:
    known = [f"{name} = {sizes[name]:,}" for name in form.shape if name in sizes]
    return f" with {' and '.join(dict.fromkeys(known))}" if known else ""


def _shown(array: Any) -> str:
    if not isinstance(array, np.ndarray):
        return repr(array)
    ending = ""
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        ending = ", with numbers that are not finite"
    return f"{array.dtype} of shape {array.shape}{ending}"
