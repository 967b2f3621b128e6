"""How well topics explain documents."""

import math
from typing import TYPE_CHECKING

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.errors import InvalidInputError
from nlpfeat.topics.topic_model import TopicModel

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_CELLS_PER_BLOCK = 1 << 18  # times n_topics numbers are in memory at a time


def perplexity(model: TopicModel, counts: "csr_array", gamma: Float64Array) -> float:
    """Return exp(-L / n): L is the lower bound on the documents' log probability, n their tokens.

    L = sum over documents of E_q[ln p(tokens, theta)] - E_q[ln q(theta, z)], q(theta) the Dirichlet
    distribution with the weights ``gamma``, q(z) the best one for it, and the topics fixed at their
    means. So the perplexity is at least that of the documents under these topics.

    Parameters
    ----------
    model : TopicModel
    counts : csr_array, shape (n_documents, n_terms)
        With at least one token.
    gamma : ndarray, shape (n_documents, n_topics)
        What `infer` returned for them.

    Returns
    -------
    float
        At least 1: 1 when every token was certain, n_terms when every term was as likely as any.

    Raises
    ------
    InvalidInputError
        When there is no token.

    Notes
    -----
    Source: Blei, Ng and Jordan, Latent Dirichlet allocation, JMLR 3, 2003, equation 15, in which
    the best q(z) leaves of the terms for tokens ln sum over topics of exp(E[ln theta]) beta.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from nlpfeat.topics.inference import infer
    >>> model = TopicModel.of_weights(np.array([1.0]), np.array([[2.0, 2.0]]))
    >>> counts = csr_array([[1, 3]])
    >>> round(perplexity(model, counts, infer(model, counts)), 12)
    2.0
    """
    n_tokens = float(counts.sum())
    if n_tokens == 0:
        raise InvalidInputError(
            "perplexity is per token, and X holds none. Give at least one document that is not "
            "empty."
        )
    return math.exp(-math.fsum(_bounds(model, counts, gamma)) / n_tokens)


def _bounds(model: TopicModel, counts: "csr_array", gamma: Float64Array) -> Float64Array:
    """Return the lower bound of each document, shape (n_documents,)."""
    from scipy.special import digamma, gammaln

    prior = model.document_prior
    expected = digamma(gamma) - digamma(gamma.sum(axis=1, keepdims=True))
    of_topics = ((prior - gamma) * expected + gammaln(gamma) - gammaln(prior)).sum(axis=1)
    of_topics += gammaln(prior.sum()) - gammaln(gamma.sum(axis=1))
    bounds: Float64Array = of_topics + _token_bounds(model, counts, expected)
    return bounds


def _token_bounds(model: TopicModel, counts: "csr_array", expected: Float64Array) -> Float64Array:
    """Return sum over tokens of ln sum over topics of exp(E[ln theta]) beta, for each document."""
    highest = expected.max(axis=1, keepdims=True)
    theta = np.exp(expected - highest)
    topics = model.components.T
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    cells = np.empty(counts.nnz)
    for start in range(0, counts.nnz, _CELLS_PER_BLOCK):
        block = slice(start, start + _CELLS_PER_BLOCK)
        likely = np.einsum("ck,ck->c", theta[rows[block]], topics[counts.indices[block]])
        cells[block] = counts.data[block] * (np.log(likely) + highest[rows[block], 0])
    sums: Float64Array = np.zeros(counts.shape[0])
    np.add.at(sums, rows, cells)
    return sums
