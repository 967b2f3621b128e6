"""Topics from tomotopy: collapsed Gibbs sampling."""

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpfeat._optional import missing_dependency
from nlpfeat._typing import Int64Array
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.topics.settings import LearningSettings
from nlpfeat.topics.topic_model import TopicModel

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_MAX_TOPICS = 32767
_MOST_TOKENS = 500_000_000  # each takes some twenty bytes
_PASSES_PER_UPDATE_OF_PRIOR = 10  # tomotopy's own


def learn(counts: "csr_array", settings: LearningSettings) -> TopicModel:
    """Learn topics with tomotopy, in one thread: with more, its results are left to chance.

    Parameters
    ----------
    counts : csr_array, shape (n_documents, n_terms)
        Whole numbers, at least one above 0.
    settings : LearningSettings

    Returns
    -------
    TopicModel

    Raises
    ------
    InvalidInputError
        For a fractional count.
    InvalidParameterError
        For more than 32,767 topics.
    MissingDependencyError
        When tomotopy is not installed.

    Notes
    -----
    Source: Griffiths and Steyvers, Finding scientific topics, PNAS 101, 2004.
    """
    tomotopy = load_tomotopy()
    # tomotopy itself would end the process.
    if settings.n_topics > _MAX_TOPICS:
        raise InvalidParameterError(
            f"n_topics must be at most {_MAX_TOPICS} with engine='tomotopy'. "
            f"Got {settings.n_topics}."
        )
    tokens_of = _whole(counts)
    model = tomotopy.LDAModel(
        k=settings.n_topics,
        alpha=settings.document_prior.tolist(),
        eta=settings.term_prior,
        seed=settings.seed,
    )
    model.optim_interval = _PASSES_PER_UPDATE_OF_PRIOR if settings.learn_document_prior else 0
    names = np.array([str(term) for term in range(counts.shape[1])], dtype=object)
    for start, stop in zip(counts.indptr[:-1], counts.indptr[1:]):
        if stop > start:
            terms = np.repeat(counts.indices[start:stop], tokens_of[start:stop])
            model.add_doc(names[terms].tolist())
    model.train(settings.passes, workers=1)
    return _read(model, settings, counts.shape[1])


def load_tomotopy() -> Any:
    """Return the package, without what Python says about how it was built.

    Raises
    ------
    MissingDependencyError
        When it is not installed.
    """
    try:
        with warnings.catch_warnings():
            # Turned into an error, it would make the import fail in a way that nobody understands.
            warnings.simplefilter("ignore", DeprecationWarning)
            import tomotopy
    except ImportError as error:
        raise missing_dependency("tomotopy", "topics", "engine='tomotopy'") from error
    return tomotopy


def _whole(counts: "csr_array") -> Int64Array:
    """Return the counts as integers."""
    whole: Int64Array = counts.data.astype(np.int64)
    different = np.flatnonzero(whole != counts.data)
    if len(different):
        cell = int(different[0])
        row = int(np.searchsorted(counts.indptr, cell, side="right")) - 1
        raise InvalidInputError(
            "X must hold whole counts with engine='tomotopy', which draws a topic for each token. "
            f"Got {float(counts.data[cell])!r} in row {row}, column {int(counts.indices[cell])}. "
            "Give it counts instead of weights, or take engine='gensim'."
        )
    if whole.sum() > _MOST_TOKENS:
        raise InvalidInputError(
            f"X must hold at most {_MOST_TOKENS:,} tokens with engine='tomotopy', which draws a "
            f"topic for each. Got {whole.sum():,}: take engine='gensim'."
        )
    return whole


def _read(model: Any, settings: LearningSettings, n_terms: int) -> TopicModel:
    """Return what was learned, terms in our order; one that never occurs has the prior."""
    terms = [int(name) for name in model.used_vocabs]
    weights = np.full((settings.n_topics, n_terms), settings.term_prior)
    for topic in range(settings.n_topics):
        rounded = model.get_topic_word_dist(topic, normalize=False)  # in 32 bits
        tokens = np.round(rounded.astype(np.float64) - settings.term_prior)
        weights[topic, terms] = tokens + settings.term_prior
    prior = settings.document_prior
    if settings.learn_document_prior:
        prior = np.array(model.alpha, dtype=np.float64)
    return TopicModel.of_weights(prior, weights)
