"""Orders in which the tokens of a document are deleted: a model's own, and others beside it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.compare.explaining.deletion import Evaluations, log_odds, without
from nlpfeat.errors import InvalidInputError


@dataclass(frozen=True, eq=False)
class Explained:
    """Documents with what the orders may ask.

    Parameters
    ----------
    documents : sequence of sequences of str
        N documents, each of at least one token.
    predicted : ndarray of int, shape (N,)
        The column of the predicted class.
    evaluations : Evaluations
        Of the model.
    weights : sequence of ndarray of shape (L,)
        The model's own weights, one a token.
    idf : sequence of ndarray of shape (L,)
        Inverse document frequency of each token among the training documents.
    n_random : int, default 5
        Random orders of each document, of which the figures are the mean.
    random_state : int, default 0
        What draws them.
    """

    documents: Sequence[Sequence[str]]
    predicted: Int64Array
    evaluations: Evaluations
    weights: Sequence[Float64Array]
    idf: Sequence[Float64Array]
    n_random: int = 5
    random_state: int = 0


def descending(weights: ArrayLike) -> Int64Array:
    """Return the places of the tokens, those with the largest weights first, ties by place.

    Parameters
    ----------
    weights : array-like of shape (L,)

    Returns
    -------
    ndarray of int64, shape (1, L)
        One order.

    Raises
    ------
    InvalidInputError
        When a weight is missing (NaN).

    Examples
    --------
    >>> descending([0.2, 0.5, 0.2, -1.0])
    array([[1, 0, 2, 3]])
    """
    values = np.asarray(weights, dtype=np.float64)
    if values.ndim != 1 or np.isnan(values).any():
        raise InvalidInputError(
            "weights must hold one number for each token of a document. Got "
            f"{'NaN among them' if values.ndim == 1 else f'the shape {values.shape}'}."
        )
    return np.argsort(-values, kind="stable").astype(np.int64)[None]


def leave_one_out(
    documents: Sequence[Sequence[str]], predicted: Int64Array, evaluations: Evaluations
) -> list[Float64Array]:
    """Return how much each token adds to the log-odds of the predicted class.

    Parameters
    ----------
    documents : sequence of sequences of str
        N documents.
    predicted : ndarray of int, shape (N,)
        The column of the predicted class.
    evaluations : Evaluations

    Returns
    -------
    list of ndarray of float64, shape (L,)
        The log-odds with the token less those without it.

    Examples
    --------
    >>> def score(documents):
    ...     good = np.array([sum(token == "好" for token in document) for document in documents])
    ...     return np.stack([-np.logaddexp(0, good), -np.logaddexp(0, -good)], axis=1)
    >>> leave_one_out([["很", "好"]], np.array([1]), Evaluations(score))[0].round(6).tolist()
    [0.0, 1.0]
    """
    left = [without(text, {place}) for text in documents for place in range(len(text))]
    if not left:
        return [np.zeros(0) for _ in documents]
    lengths = np.array([len(text) for text in documents])
    whole = log_odds(evaluations.log_probabilities(documents), predicted)
    rest = log_odds(evaluations.log_probabilities(left), np.repeat(predicted, lengths))
    return np.split(np.repeat(whole, lengths) - rest, np.cumsum(lengths)[:-1])


def _own(explained: Explained) -> list[Int64Array]:
    return [descending(each) for each in explained.weights]


def _leave_one_out(explained: Explained) -> list[Int64Array]:
    found = leave_one_out(explained.documents, explained.predicted, explained.evaluations)
    return [descending(each) for each in found]


def _random(explained: Explained) -> list[Int64Array]:
    n_random = check_int(explained.n_random, "n_random", minimum=1)
    generator = np.random.default_rng(explained.random_state)
    return [
        np.stack([generator.permutation(len(text)) for _ in range(n_random)])
        for text in explained.documents
    ]


def _position(explained: Explained) -> list[Int64Array]:
    return [np.arange(len(text))[None] for text in explained.documents]


def _idf(explained: Explained) -> list[Int64Array]:
    return [descending(each) for each in explained.idf]


@dataclass(frozen=True)
class Order:
    """One order of deletion.

    Parameters
    ----------
    make : callable
        ``make(explained)`` returns for each document orders of its L tokens, one a row, shape
        (R, L): places from 0.
    description : str
        In one line.
    """

    make: Callable[[Explained], list[Int64Array]]
    description: str


ORDERS: dict[str, Order] = {
    "own": Order(_own, "the model's own weights, the largest first"),
    "leave one out": Order(
        _leave_one_out, "what the log-odds of the predicted class lose without the token"
    ),
    "random": Order(_random, "at random, the mean of several orders"),
    "position": Order(_position, "from the first token to the last"),
    "idf": Order(_idf, "the rarest among the training documents first"),
}
