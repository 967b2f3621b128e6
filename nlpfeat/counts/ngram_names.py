"""What n-grams may be called, and how long they may be."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from nlpfeat._typing import Int64Array
from nlpfeat._validation import check_int
from nlpfeat.errors import InvalidInputError, InvalidParameterError

UNITS = {"word": " ", "char": ""}
"""What an n-gram is made of, and what stands between its parts in a name."""


def check_ngram_range(ngram_range: object) -> tuple[int, int]:
    """Return the shortest and the longest length as plain ints.

    Raises
    ------
    InvalidParameterError
        For anything but two integers, at least 1, the smaller one first.

    Examples
    --------
    >>> check_ngram_range([1, 2])
    (1, 2)
    """
    if not isinstance(ngram_range, tuple | list) or len(ngram_range) != 2:
        raise InvalidParameterError(
            "ngram_range must be two integers, the shortest and the longest length, such as "
            f"(1, 2). Got {ngram_range!r}."
        )
    shortest = check_int(ngram_range[0], "ngram_range[0]", minimum=1)
    longest = check_int(ngram_range[1], "ngram_range[1]", minimum=1)
    if shortest > longest:
        raise InvalidParameterError(
            "ngram_range must have the shortest length first. "
            f"Got {ngram_range!r}; write ({longest}, {shortest})."
        )
    return shortest, longest


def split_names(
    names: Sequence[str], ngram_range: tuple[int, int], separator: str
) -> tuple[list[str], Int64Array]:
    """Return the terms of named n-grams, one name after the other.

    Returns
    -------
    terms : list of str
    lengths : ndarray of int64, shape (n_names,)
        Number of terms of each name.

    Raises
    ------
    InvalidParameterError
        For a name that is empty, or shorter or longer than ``ngram_range``.

    Examples
    --------
    >>> terms, lengths = split_names(["天气 很 好", "好"], (1, 3), " ")
    >>> terms, lengths.tolist()
    (['天气', '很', '好', '好'], [3, 1])
    """
    for name in names:
        if not isinstance(name, str):
            raise InvalidParameterError(f"vocabulary must hold texts. Got {name!r}.")
    shortest, longest = ngram_range
    if not separator:
        terms = list("".join(names))
        lengths = [len(name) for name in names]
    elif longest == 1:
        terms, lengths = list(names), [1] * len(names)
    else:
        terms = separator.join(names).split(separator) if names else []
        lengths = [name.count(separator) + 1 for name in names]
    n_terms = np.array(lengths, dtype=np.int64)
    if "" in terms or 0 in lengths:
        # What holds an empty term: among single terms and characters, only an empty name.
        padding = separator * 2 if longest > 1 else ""
        empty = next(
            name
            for name in names
            if not name or (padding and padding in separator + name + separator)
        )
        raise InvalidParameterError(
            "vocabulary must hold n-grams whose terms are not empty, with one separator "
            f"({separator!r}) between them. Got {empty!r}."
        )
    for place in np.flatnonzero((n_terms < shortest) | (n_terms > longest))[:1].tolist():
        raise InvalidParameterError(
            f"vocabulary must hold n-grams of {shortest} to {longest} terms, as "
            f"ngram_range={ngram_range!r} says. Got {names[place]!r}, which has {lengths[place]}; "
            "leave it out or change ngram_range."
        )
    return terms, n_terms


def check_distinct(names: Sequence[str], terms: Iterable[str], separator: str) -> None:
    """Make sure that no two n-grams have the same name.

    Only a term that holds the separator itself can bring that about.

    Parameters
    ----------
    names : sequence of str
        Of all n-grams.
    terms : iterable of str
        The terms that they are made of.
    separator : str

    Raises
    ------
    InvalidInputError
        When two n-grams have the same name.
    """
    if separator:
        suspect = next((term for term in terms if separator in term), None)
    else:
        suspect = next((term for term in terms if len(term) > 1), None)
    if suspect is None or len(set(names)) == len(names):
        return
    repeated = Counter(names).most_common(1)[0][0]
    holds = f"holds {separator!r}" if separator else "has several characters"
    raise InvalidInputError(
        f"Two different n-grams have the name {repeated!r}, since a term such as "
        f"{suspect!r} {holds}. Replace that in the tokens (by '_', say), or use ngram_range=(1, 1)."
    )
