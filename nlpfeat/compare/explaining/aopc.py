"""Area over the perturbation curve (AOPC): what deletion costs, over several shares of tokens."""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from nlpfeat._validation import check_real
from nlpfeat.compare.explaining.deletion import Tokens, only, without
from nlpfeat.errors import InvalidParameterError

SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
"""The shares of tokens of DeYoung et al. (2020)."""

Rest: TypeAlias = Callable[[Sequence[str], Collection[int]], Tokens]

FIGURES: dict[str, Rest] = {"comprehensiveness": without, "sufficiency": only}
"""What is left of a document when the first tokens are gone, or alone. With y the predicted class,
a figure is p(y | document) - p(y | what is left)."""


def size_weights(n_tokens: int, shares: Sequence[float] = SHARES) -> dict[int, float]:
    """Return how many first tokens are looked at, and how much each number counts.

    Parameters
    ----------
    n_tokens : int
        Tokens of the document, at least 1.
    shares : sequence of float, default SHARES
        Above 0 and at most 1. A share k of n tokens is ⌈k·n⌉ tokens: at least one.

    Returns
    -------
    dict of int to float
        For each number of tokens, ascending, the part of the shares that come to it; 1 in all.

    Raises
    ------
    InvalidParameterError
        When there is no share, or one is out of range.

    Examples
    --------
    Of 12 tokens, 1 % and 5 % are one token, 10 % are two, 20 % three and 50 % six.

    >>> size_weights(12)
    {1: 0.4, 2: 0.2, 3: 0.2, 6: 0.2}
    """
    if not len(shares):
        raise InvalidParameterError("shares must hold at least one share of tokens. Got none.")
    # As it is written, since 0.07 * 100 is more than 7 in binary.
    exact = [Fraction(str(check_real(each, "shares", above=0.0, at_most=1.0))) for each in shares]
    sizes = [ceil(share * n_tokens) for share in exact]
    return {size: sizes.count(size) / len(sizes) for size in sorted(set(sizes))}


def aopc(losses: Mapping[int, float], weights: Mapping[int, float]) -> float:
    """Return the mean loss over the shares.

    Parameters
    ----------
    losses : mapping of int to float
        p(y | document) - p(y | what is left) for each number of first tokens.
    weights : mapping of int to float
        Of ``size_weights``.

    Examples
    --------
    >>> round(aopc({1: 0.1, 2: 0.3, 3: 0.3, 6: 0.4}, size_weights(12)), 3)
    0.24
    """
    return sum(weight * losses[size] for size, weight in weights.items())
