"""Checks of single parameters, with one style of message."""

import math
from numbers import Integral, Real

from nlpfeat.errors import InvalidParameterError


def check_bool(value: object, parameter: str) -> bool:
    """Return ``value`` as a plain bool.

    Raises
    ------
    InvalidParameterError
        For anything else; numbers are no truth values here.

    Examples
    --------
    >>> check_bool(True, "binary")
    True
    """
    if isinstance(value, bool):
        return value
    # By name, so that a check of parameters loads no NumPy.
    if (type(value).__module__, type(value).__name__) in (("numpy", "bool"), ("numpy", "bool_")):
        return bool(value)
    raise InvalidParameterError(f"{parameter} must be True or False. Got {value!r}.")


def check_int(value: object, parameter: str, *, minimum: int | None = None) -> int:
    """Return ``value`` as a plain int, at least ``minimum``.

    Raises
    ------
    InvalidParameterError
        For anything else; booleans are no integers here.

    Examples
    --------
    >>> check_int(5, "window", minimum=1)
    5
    """
    if not isinstance(value, bool) and isinstance(value, Integral):
        number = int(value)
        if minimum is None or number >= minimum:
            return number
    at_least = "" if minimum is None else f" that is at least {minimum}"
    raise InvalidParameterError(f"{parameter} must be an integer{at_least}. Got {value!r}.")


def check_real(
    value: object, parameter: str, *, above: float = -math.inf, at_most: float = math.inf
) -> float:
    """Return ``value`` as a finite float with ``above < value <= at_most``.

    Raises
    ------
    InvalidParameterError
        For anything else.

    Examples
    --------
    >>> check_real(0.75, "smoothing", above=0.0, at_most=1.0)
    0.75
    """
    if not isinstance(value, bool) and isinstance(value, Real):
        try:
            number = float(value)
        except OverflowError:  # an integer of more than 308 digits
            number = math.inf
        if math.isfinite(number) and above < number <= at_most:
            return number
    bounds = []
    if above > -math.inf:
        bounds.append(f"above {above:g}")
    if at_most < math.inf:
        bounds.append(f"at most {at_most:g}")
    wanted = " and ".join(bounds)
    raise InvalidParameterError(
        f"{parameter} must be a finite number{' ' + wanted if wanted else ''}. Got {value!r}."
    )
