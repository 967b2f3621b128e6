"""What topics each document is made of, when the topics are known."""

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import Float64Array, Int32Array, Int64Array
from nlpfeat.errors import InvalidInputError
from nlpfeat.topics.topic_model import TopicModel

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Indices: TypeAlias = Int32Array | Int64Array

_MAX_STEPS = 1000
_TOLERANCE = 1e-6  # tokens a topic
_DOCUMENTS_PER_RANGE = 1000  # Ctrl-C waits for no more than a range


def infer(model: TopicModel, counts: "csr_array", *, n_threads: int = 1) -> Float64Array:
    """Return the weights of the topics in each document.

    The weights are those of the Dirichlet distribution that is nearest to the posterior of the
    document's topics. From 1 for every topic they are improved, gamma = alpha + sum over tokens of
    phi, where phi is in proportion to exp(E[ln theta] + E[ln beta]), until they change by less than
    1e-6 a topic, or a thousand times. Each document is on its own: its weights are the same to the
    last bit in whatever batch it comes.

    Parameters
    ----------
    model : TopicModel
    counts : csr_array, shape (n_documents, n_terms)
        At least 0, sorted indices.
    n_threads : int, default 1
        The result does not depend on it.

    Returns
    -------
    ndarray of float64, shape (n_documents, n_topics)
        gamma: above 0; a row's sum is the document's number of tokens plus the sum of the prior.

    Raises
    ------
    InvalidInputError
        When the counts have other terms than the topics.

    Notes
    -----
    Source: Hoffman, Blei and Bach, Online learning for latent Dirichlet allocation, NIPS 2010,
    algorithm 1.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> prior, weights = np.array([0.5, 0.5]), np.array([[9.0, 1.0], [1.0, 9.0]])
    >>> model = TopicModel.of_weights(prior, weights)
    >>> infer(model, csr_array([[4, 0], [0, 0]])).round(2)
    array([[4.49, 0.51],
           [0.5 , 0.5 ]])
    """
    from nlpfeat.topics._kernel import expected_topics

    if counts.shape[1] != model.components.shape[1]:
        raise InvalidInputError(
            f"The counts must have the {model.components.shape[1]} terms of the topics. "
            f"Got {counts.shape[1]}."
        )
    terms, positions = _terms_that_occur(counts)
    term_weights = model.components.T[terms] * model.topic_weights
    topics = expected_topics(
        as_compiled(term_weights, np.float64), as_compiled(model.topic_weights, np.float64)
    )
    gamma = np.ones((counts.shape[0], len(model.document_prior)))
    converge_rows(
        as_compiled(counts.indptr, np.int64), positions, as_compiled(counts.data, np.float64),
        np.arange(counts.shape[0]), topics, as_compiled(model.document_prior, np.float64), gamma,
        max_steps=_MAX_STEPS, tolerance=_TOLERANCE, n_threads=n_threads,
    )  # fmt: skip
    return gamma


def shares(gamma: Float64Array) -> Float64Array:
    """Return the share of each topic in each document: the expectation under ``gamma``.

    Examples
    --------
    >>> shares(np.array([[3.0, 1.0]]))
    array([[0.75, 0.25]])
    """
    from nlpfeat.topics._kernel import shares_of

    result: Float64Array = shares_of(gamma)
    return result


def as_compiled(array: NDArray[Any], dtype: type) -> NDArray[Any]:
    """Return the array in the one form that loops are compiled for.

    For an array that may not be written, such as joblib's, they would be compiled once more.
    """
    return np.require(array, dtype, ["C", "W"])


def converge_rows(
    indptr: Int64Array,
    terms: Indices,
    counts: Float64Array,
    rows: Int64Array,
    topics: Float64Array,
    prior: Float64Array,
    gamma: Float64Array,
    *,
    max_steps: int,
    tolerance: float,
    n_threads: int,
) -> None:
    """Improve some rows of ``gamma`` in place, in threads."""
    from nlpfeat.topics._kernel import converge

    def one(part: Int64Array) -> None:
        converge(
            indptr, terms, counts, part, topics, prior, gamma, max_steps, tolerance
        )  # fmt: skip

    starts = range(0, len(rows), _DOCUMENTS_PER_RANGE)
    parts = [rows[start : start + _DOCUMENTS_PER_RANGE] for start in starts]
    if n_threads == 1:
        for part in parts:
            one(part)
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            list(pool.map(one, parts))


def _terms_that_occur(counts: "csr_array") -> tuple[Int64Array, Indices]:
    """Return the terms of the documents, and for each cell the place of its term among them.

    One document has few of the terms, and the others' topics need not be worked out for it.
    """
    occurs = np.zeros(counts.shape[1], dtype=np.bool_)
    occurs[counts.indices] = True
    place = (np.cumsum(occurs) - 1).astype(counts.indices.dtype)
    return np.flatnonzero(occurs), place[counts.indices]
