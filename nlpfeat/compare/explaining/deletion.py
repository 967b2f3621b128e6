"""The one deletion rule for all models, and what a model says of what is left, each asked once.

A token is taken out of the token list, and nothing stands in its place: the model reads what
remains as it would read any document, so n-grams, positions, norms and attention are made anew. A
document may become empty.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

import numpy as np

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.compare.log_scores import LogScores
from nlpfeat.compare.metrics.predictions import LEAST_LOG_PROBABILITY
from nlpfeat.errors import InvalidInputError

Tokens: TypeAlias = tuple[str, ...]
"""A document, as a key under which its scores are kept."""


def without(document: Sequence[str], places: Collection[int]) -> Tokens:
    """Return a document without the tokens at some places.

    Parameters
    ----------
    document : sequence of str
    places : collection of int
        From 0.

    Examples
    --------
    >>> without(["房间", "不", "干净"], {1})
    ('房间', '干净')
    """
    gone = frozenset(places)
    return tuple(token for place, token in enumerate(document) if place not in gone)


def only(document: Sequence[str], places: Collection[int]) -> Tokens:
    """Return the tokens at some places alone, in the order of the document.

    Parameters
    ----------
    document : sequence of str
    places : collection of int
        From 0.

    Examples
    --------
    >>> only(["房间", "不", "干净"], [2, 1])
    ('不', '干净')
    """
    return tuple(document[place] for place in sorted(set(places)))


class Evaluations:
    """What a model says of documents: many are asked together, and each of them once.

    Parameters
    ----------
    score : LogScores
        Log-probabilities of N documents, shape (N, C), C at least 2.
    batch_size : int, default 4096
        The most documents in one call.

    Examples
    --------
    >>> calls = []
    >>> def score(documents):
    ...     calls.append(len(documents))
    ...     good = np.array([["好" in document] for document in documents])
    ...     return np.log(np.where(good, [[0.2, 0.8]], [[0.5, 0.5]]))
    >>> evaluations = Evaluations(score)
    >>> evaluations.log_probabilities([("很", "好"), ("车",), ("很", "好")]).shape, calls
    ((3, 2), [2])
    >>> evaluations.n_evaluations
    2
    """

    def __init__(self, score: LogScores, batch_size: int = 4096) -> None:
        self._score = score
        self._batch_size = check_int(batch_size, "batch_size", minimum=1)
        self._known: dict[Tokens, Float64Array] = {}

    @property
    def n_evaluations(self) -> int:
        """How many different documents the model has read."""
        return len(self._known)

    def log_probabilities(self, documents: Iterable[Sequence[str]]) -> Float64Array:
        """Return the log-probabilities of documents.

        Parameters
        ----------
        documents : iterable of sequence of str
            N token lists, at least one.

        Returns
        -------
        ndarray of float64, shape (N, C)
            All finite: what is less than ``LEAST_LOG_PROBABILITY`` counts as that.

        Raises
        ------
        InvalidInputError
            When the model gives anything but a row of log-probabilities for each document.
        """
        asked = [tuple(document) for document in documents]
        new = [tokens for tokens in dict.fromkeys(asked) if tokens not in self._known]
        for start in range(0, len(new), self._batch_size):
            batch = new[start : start + self._batch_size]
            rows = _checked(self._score([list(tokens) for tokens in batch]), len(batch))
            self._known.update(zip(batch, rows))
        return np.stack([self._known[tokens] for tokens in asked])


def _checked(scores: Float64Array, n_documents: int) -> Float64Array:
    rows = np.asarray(scores, dtype=np.float64)
    if rows.ndim != 2 or len(rows) != n_documents or rows.shape[1] < 2:
        raise InvalidInputError(
            "score must return a row for each document, with a column for each of at least two "
            f"classes. Got the shape {rows.shape} for {n_documents} documents."
        )
    if np.isnan(rows).any() or rows.max() > 1e-6:
        raise InvalidInputError(
            "score must return logarithms of probabilities, which are at most 0. Got "
            f"{'NaN' if np.isnan(rows).any() else rows.max()}; use predict_log_proba."
        )
    floored: Float64Array = np.maximum(rows, LEAST_LOG_PROBABILITY)
    return floored


def log_odds(log_probabilities: Float64Array, classes: Int64Array) -> Float64Array:
    """Return ln(p / (1 - p)) of one class of each document.

    1 - p is added up from the other classes, so nothing is lost where p rounds to 1.

    Parameters
    ----------
    log_probabilities : ndarray of shape (N, C)
    classes : ndarray of int, shape (N,)
        The column of each document.

    Returns
    -------
    ndarray of float64, shape (N,)

    Examples
    --------
    >>> log_odds(np.log([[0.5, 0.25, 0.25], [0.1, 0.1, 0.8]]), np.array([0, 2])).round(4)
    array([0.    , 1.3863])
    """
    from scipy.special import logsumexp

    rows = np.arange(len(log_probabilities))
    others = np.array(log_probabilities, dtype=np.float64)
    others[rows, classes] = -np.inf
    odds: Float64Array = log_probabilities[rows, classes] - logsumexp(others, axis=1)
    return odds
