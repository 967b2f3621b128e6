"""What topics are learned with."""

import math
from dataclasses import dataclass
from numbers import Real

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_real
from nlpfeat.errors import InvalidParameterError

_AUTO_STARTS_AT = 0.1
_LEAST, _MOST = 1e-12, 1e6  # of a prior weight


@dataclass(frozen=True)
class LearningSettings:
    """Settings of an engine; the caller has checked them."""

    #: At least 1.
    n_topics: int
    #: How often the documents are read.
    passes: int
    #: At most so many documents between two updates of the topics, None is all; gensim alone.
    chunk_size: int | None
    #: Shape (n_topics,), above 0: the prior weight of each topic in a document.
    document_prior: Float64Array
    #: Whether ``document_prior`` is only where learning starts.
    learn_document_prior: bool
    #: Above 0: the prior weight of each term in a topic.
    term_prior: float
    #: Above 0.5 and at most 1: how soon later chunks count less; gensim alone.
    decay: float
    #: Above 0: how much the first chunks are held back; gensim alone.
    offset: float
    #: From 0 to 2**31 - 1.
    seed: int
    #: Threads of the inference; no result depends on them.
    n_threads: int = 1


def check_weight(value: object, parameter: str) -> float:
    """Return a prior weight that every engine can take, which computes in single precision.

    Raises
    ------
    InvalidParameterError
        For what is not above 1e-12 and at most 1e6.
    """
    return check_real(value, parameter, above=_LEAST, at_most=_MOST)


def checked_prior(value: object, n_topics: int) -> Float64Array:
    """Return the prior weight of each topic in a document.

    Parameters
    ----------
    value : "auto", float or array-like of shape (n_topics,)
        Above 0; with "auto", where learning starts.
    n_topics : int

    Returns
    -------
    ndarray of float64, shape (n_topics,)

    Raises
    ------
    InvalidParameterError
        For anything else.

    Examples
    --------
    >>> checked_prior(0.5, 2).tolist()
    [0.5, 0.5]
    """
    if isinstance(value, str):
        lookup({"auto": None}, value, "document_prior (or a number, or one for each topic)")
        return np.full(n_topics, _AUTO_STARTS_AT)
    if isinstance(value, Real):
        return np.full(n_topics, check_weight(value, "document_prior"))
    try:
        prior = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        prior = np.array(math.nan)
    if prior.shape != (n_topics,) or not np.all((prior > _LEAST) & (prior <= _MOST)):
        raise InvalidParameterError(
            f"document_prior must be 'auto', a number above {_LEAST:g} and at most {_MOST:g}, or "
            f"one such number for each of the {n_topics} topics. Got {value!r}."
        )
    return prior
