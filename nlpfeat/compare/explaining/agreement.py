"""Whether what a model weighs in a document is what classical scores of its tokens weigh."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_int
from nlpfeat.compare.explaining.listing import array, listed
from nlpfeat.errors import InvalidInputError

MIN_TYPES = 5
"""Documents of fewer different tokens say nothing of an order."""


def type_sums(document: Sequence[str], weights: ArrayLike) -> Float64Array:
    """Return how much each type of a document weighs: the size of the sum over its tokens.

    Parameters
    ----------
    document : sequence of str
        L tokens.
    weights : array-like of shape (L,)

    Returns
    -------
    ndarray of float64, shape (n_types,)
        In the order in which the types come first; without sign.

    Examples
    --------
    >>> type_sums(["好", "很", "好"], [0.25, -0.5, 0.25])
    array([0.5, 0.5])
    """
    return np.abs(np.bincount(_type_numbers(document), np.asarray(weights, dtype=np.float64)))


def type_values(document: Sequence[str], scores: ArrayLike) -> Float64Array:
    """Return the score of each type of a document, which all its tokens share.

    Examples
    --------
    >>> type_values(["好", "很", "好"], [1.5, 1.0, 1.5])
    array([1.5, 1. ])
    """
    first = np.unique(_type_numbers(document), return_index=True)[1]
    return np.asarray(scores, dtype=np.float64)[first]


def _type_numbers(document: Sequence[str]) -> list[int]:
    numbers = {token: number for number, token in enumerate(dict.fromkeys(document))}
    return [numbers[token] for token in document]


def tau_b(first: Float64Array, second: Float64Array) -> float:
    """Return Kendall's tau_b of two lists of values of the same things.

    Parameters
    ----------
    first, second : ndarray of shape (n,)

    Returns
    -------
    float
        (concordant - discordant pairs) / √(pairs not tied in first · pairs not tied in second),
        from -1 to 1; NaN where one of them has no two different values.

    Notes
    -----
    All n² pairs are compared, which for the types of a document is many times quicker than SciPy's
    ``kendalltau``, and the same. Source: Kendall (1945).

    Examples
    --------
    Three pairs: two concordant, one tied in the second list. 2 / √(3 · 2).

    >>> round(tau_b(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0])), 4)
    0.8165
    """
    return _tau_of_signs(pair_signs(first), pair_signs(second))


def pair_signs(values: Float64Array) -> Float64Array:
    """Return which of each two values is larger, as -1, 0 or 1, shape (n, n).

    Examples
    --------
    >>> pair_signs(np.array([2.0, 1.0, 2.0])).tolist()
    [[0.0, 1.0, 0.0], [-1.0, 0.0, -1.0], [0.0, 1.0, 0.0]]
    """
    signs: Float64Array = np.sign(values[:, None] - values)
    return signs


def _tau_of_signs(first: Float64Array, second: Float64Array) -> float:
    n_first, n_second = np.count_nonzero(first), np.count_nonzero(second)
    if not n_first or not n_second:
        return float("nan")
    return float((first * second).sum() / np.sqrt(float(n_first) * n_second))


def top_overlap(first: Float64Array, second: Float64Array, n_top: int = 3) -> float:
    """Return which share of the highest values of two lists stand at the same places.

    Parameters
    ----------
    first, second : ndarray of shape (n,)
        n at least 1.
    n_top : int, default 3
        How many are the highest; all when there are not more.

    Returns
    -------
    float
        From 0 to 1. Where equal values lie at the cut, what is expected when chance breaks the ties
        of each list.

    Notes
    -----
    Of t equal values for which s places are left, each is among the highest with probability s / t.
    The two lists break their ties apart, so the expected overlap is the sum over places of the
    product of both probabilities, divided by ``n_top``.

    Examples
    --------
    >>> top_overlap(np.array([3.0, 2.0, 1.0, 0.0]), np.array([0.0, 3.0, 1.0, 2.0]))
    0.6666666666666666

    Where all are equal, each of the four is among the highest three with probability 3/4.

    >>> top_overlap(np.array([3.0, 2.0, 1.0, 0.0]), np.ones(4))
    0.75
    """
    shares = _top_probabilities(first, n_top) @ _top_probabilities(second, n_top)
    return float(shares) / min(n_top, len(first))


def _top_probabilities(values: Float64Array, n_top: int) -> Float64Array:
    """Return how probably each value is among the highest when chance breaks ties."""
    cut = np.sort(values)[::-1][min(n_top, len(values)) - 1]
    is_above, is_tied = values > cut, values == cut
    n_left = min(n_top, len(values)) - np.count_nonzero(is_above)
    probabilities: Float64Array = is_above + is_tied * (n_left / np.count_nonzero(is_tied))
    return probabilities


def expected_top_overlap(n_values: int, n_top: int = 3) -> float:
    """Return the mean of `top_overlap` over all shuffles of one of the lists, whatever they hold.

    Parameters
    ----------
    n_values : int
        At least 1.
    n_top : int, default 3

    Returns
    -------
    float
        A shuffled place is among the highest ``n_top`` of n values with probability ``n_top / n``,
        and so is each of the highest of the other list.

    Examples
    --------
    >>> expected_top_overlap(12)
    0.25
    """
    return min(n_top, n_values) / n_values


@dataclass(frozen=True, eq=False)
class DocumentAgreement:
    """Agreement of weights and a score on each of N documents; NaN where it is not defined.

    Parameters
    ----------
    tau, top_three : ndarray of float64, shape (N,)
    permutation : ndarray of float64, shape (N,)
        Mean tau of shuffled weights.
    initial : ndarray of float64, shape (N,), or None
        Tau of the weights before training.
    """

    tau: Float64Array
    top_three: Float64Array
    permutation: Float64Array
    initial: Float64Array | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return lists and numbers that JSON holds; None stands for NaN."""
        return {
            "tau": listed(self.tau),
            "top_three": listed(self.top_three),
            "permutation": listed(self.permutation),
            "initial": None if self.initial is None else listed(self.initial),
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "DocumentAgreement":
        """Return what ``to_dict`` gave."""
        tau, top_three, permutation = (
            array(stored[name]) for name in ("tau", "top_three", "permutation")
        )
        initial = stored["initial"]
        return cls(tau, top_three, permutation, None if initial is None else array(initial))


def agreement(
    documents: Sequence[Sequence[str]],
    weights: Sequence[Float64Array],
    scores: Sequence[Mapping[str, Float64Array]],
    *,
    initial: Sequence[Float64Array] | None = None,
    n_permutations: int = 10,
    random_state: int = 0,
) -> dict[str, DocumentAgreement]:
    """Return how far the weights of types go with each score, in each document.

    Parameters
    ----------
    documents : sequence of sequences of str
        N token lists.
    weights : sequence of ndarray of shape (L,)
        One number a token. Signed evidence counts by its size.
    scores : sequence of mapping of str to ndarray of shape (L,)
        For each document the same scores; the tokens of a type share one value.
    initial : sequence of ndarray of shape (L,), default None
        Weights of the model before training.
    n_permutations : int, default 10
        How often the weights of a document are shuffled.
    random_state : int, default 0
        What shuffles them.

    Returns
    -------
    dict of str to DocumentAgreement
        Under the name of each score. NaN for a document of less than ``MIN_TYPES`` types, or where
        all its types have the same weight or the same score.

    Raises
    ------
    InvalidInputError
        When there is not one number a token.
    """
    n_permutations = check_int(n_permutations, "n_permutations", minimum=1)
    _check_lengths(documents, weights, "weights")
    if initial is not None:
        _check_lengths(documents, initial, "initial")
    names = list(scores[0]) if len(scores) else []
    generator = np.random.default_rng(random_state)
    taus, tops, shuffled, before = np.full((4, len(names), len(documents)), np.nan)
    for row, document in enumerate(documents):
        mine = type_sums(document, weights[row])
        orders = [generator.permutation(len(mine)) for _ in range(n_permutations)]
        if len(mine) < MIN_TYPES:
            continue
        signs = pair_signs(mine)
        for place, name in enumerate(names):
            theirs = type_values(document, scores[row][name])
            their_signs = pair_signs(theirs)
            taus[place, row] = _tau_of_signs(signs, their_signs)
            if np.isnan(taus[place, row]):
                continue
            tops[place, row] = top_overlap(mine, theirs)
            shuffled[place, row] = np.mean([
                _tau_of_signs(signs[np.ix_(order, order)], their_signs) for order in orders
            ])  # fmt: skip
            if initial is not None:
                before[place, row] = tau_b(type_sums(document, initial[row]), theirs)
    return {
        name: DocumentAgreement(tau, top, mean, None if initial is None else untrained)
        for name, tau, top, mean, untrained in zip(names, taus, tops, shuffled, before)
    }


def agreement_of_weights(
    documents: Sequence[Sequence[str]],
    first: Sequence[Float64Array],
    second: Sequence[Float64Array],
) -> Float64Array:
    """Return tau_b of two weightings in each document, such as of two seeds of a model.

    Parameters
    ----------
    documents : sequence of sequences of str
        N token lists.
    first, second : sequence of ndarray of shape (L,)

    Returns
    -------
    ndarray of float64, shape (N,)
        NaN as in `agreement`.
    """
    taus = np.full(len(documents), np.nan)
    for row, document in enumerate(documents):
        pair = [type_sums(document, each[row]) for each in (first, second)]
        if len(pair[0]) >= MIN_TYPES:
            taus[row] = tau_b(*pair)
    return taus


def _check_lengths(
    documents: Sequence[Sequence[str]], weights: Sequence[Float64Array], name: str
) -> None:
    lengths, given = [len(each) for each in documents], [len(each) for each in weights]
    if lengths != given:
        raise InvalidInputError(
            f"{name} must hold one number for each token of each document. Got {given[:5]} numbers "
            f"for documents of {lengths[:5]} tokens."
        )
