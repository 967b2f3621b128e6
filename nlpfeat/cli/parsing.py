"""Checks of options, before any work."""

import math
from dataclasses import MISSING, fields
from typing import Any, Literal

import typer

from nlpfeat._validation import check_int
from nlpfeat.cli.console import usage
from nlpfeat.errors import InvalidParameterError

_HIGHEST_SEED = 2**32 - 1


def flag(name: str, value: object = None) -> str:
    """Return how the command line spells an option; one that is switched off begins with no.

    Examples
    --------
    >>> flag("text_column"), flag("hmm", False)
    ('--text-column', '--no-hmm')
    """
    return f"--{'no-' if value is False else ''}{name.replace('_', '-')}"


def check_numbers(options: object, *names: str, minimum: int = 1) -> None:
    """Raise a usage error for an option below the minimum; None is an option not given."""
    for name in names:
        value = getattr(options, name)
        with usage(flag(name)):
            if value is not None:
                check_int(value, name, minimum=minimum)


def check_seed(options: Any) -> None:
    """Raise a usage error for a seed that not every generator of random numbers takes."""
    check_numbers(options, "seed", minimum=0)
    if options.seed > _HIGHEST_SEED:
        raise typer.BadParameter(
            f"seed must be at most {_HIGHEST_SEED}. Got {options.seed}.", param_hint="--seed"
        )


def refuse_given(options: Any, names: tuple[str, ...], owner: str) -> None:
    """Raise a usage error for the first of these options that is not at its default.

    Parameters
    ----------
    options : dataclass
    names : tuple of str
        Its fields.
    owner : str
        What they are options of.
    """
    defaults = {
        field.name: field.default if field.default_factory is MISSING else field.default_factory()
        for field in fields(options)
    }
    for name in names:
        value = getattr(options, name)
        # An option that can be given several times is None, or empty, when it is not.
        if value != defaults[name] and (value or defaults[name]):
            raise typer.BadParameter(f"{flag(name, value)} is an option of {owner}.")


def option_names(*groups: type) -> tuple[str, ...]:
    """Return the names of all options of some groups."""
    return tuple(dict.fromkeys(field.name for group in groups for field in fields(group)))


def parse_window(text: str) -> int | Literal["all"]:
    """Return the number, or ``"all"``.

    Raises
    ------
    InvalidParameterError
        For anything else.

    Examples
    --------
    >>> parse_window("5"), parse_window("all")
    (5, 'all')
    """
    if text == "all":
        return "all"
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise InvalidParameterError(
            f"window must be a whole number from 1 on, or 'all'. Got {text!r}."
        )
    return number


def parse_base(text: str) -> float:
    """Return the number, or Euler's for ``e``.

    Raises
    ------
    InvalidParameterError
        For anything else.

    Examples
    --------
    >>> parse_base("10"), round(parse_base("e"), 3)
    (10.0, 2.718)
    """
    try:
        return math.e if text == "e" else float(text)
    except ValueError:
        raise InvalidParameterError(f"base must be a number or 'e'. Got {text!r}.") from None


def parse_share(text: str, name: str) -> int | float:
    """Return a whole number, or a share from 0 to 1.

    Raises
    ------
    InvalidParameterError
        For anything else.

    Examples
    --------
    >>> parse_share("2", "min_df"), parse_share("1.0", "max_df")
    (2, 1.0)
    """
    try:
        number = int(text) if text.isdecimal() else float(text)
    except ValueError:
        number = -1
    if not 0 <= number < math.inf or (isinstance(number, float) and number > 1):
        raise InvalidParameterError(
            f"{name} must be a number of documents, such as 2, or a share of them from 0.0 to "
            f"1.0. Got {text!r}."
        )
    return number


def parse_range(text: str) -> tuple[int, int]:
    """Return two whole numbers, the first no larger than the second; one stands for both.

    Raises
    ------
    InvalidParameterError
        For anything else.

    Examples
    --------
    >>> parse_range("1,2"), parse_range("3")
    ((1, 2), (3, 3))
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) <= 2 and all(part.isdecimal() for part in parts):
        least, most = int(parts[0]), int(parts[-1])
        if 1 <= least <= most:
            return least, most
    raise InvalidParameterError(
        "ngram_range must be two whole numbers from 1 on, the smaller first, such as 1,2. "
        f"Got {text!r}."
    )
