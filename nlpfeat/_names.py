"""Look a variant up by name; an unknown name is told what is known and what is closest."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

from nlpfeat.errors import InvalidParameterError

T = TypeVar("T")


def closest(name: str, known: Iterable[str]) -> str:
    """Return ``" Did you mean 'x'?"`` for the known name nearest to ``name``, or ``""``.

    Examples
    --------
    >>> closest("npim", ["pmi", "npmi", "g2"])
    " Did you mean 'npmi'?"
    >>> closest("zzz", ["pmi"])
    ''
    """
    spelled = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), list(spelled), n=1, cutoff=0.5)
    return f" Did you mean {spelled[near[0]]!r}?" if near else ""


def lookup(family: Mapping[str, T], name: str, parameter: str) -> T:
    """Return ``family[name]``.

    Raises
    ------
    InvalidParameterError
        When there is no such name; the message lists the known ones and the closest.

    Examples
    --------
    >>> lookup({"flat": 1, "linear": 2}, "linear", "weighting")
    2
    """
    if isinstance(name, str) and name in family:
        return family[name]
    known = ", ".join(repr(key) for key in family)
    hint = closest(name, family) if isinstance(name, str) else ""
    raise InvalidParameterError(f"{parameter} must be one of {known}. Got {name!r}.{hint}")
