"""Topics from gensim: its variational Bayes, with the loop over documents compiled.

gensim's ``LdaModel`` draws the start, mixes what each chunk says into the topics and learns the
prior. What takes nearly all of its time, a Python loop over documents, is done by the compiled
code that infers the topics of new documents too. ``LdaMulticore`` is not used: it can wait for ever
for a process that died. Threads do the same work, with the same result.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from gensim.models import LdaModel

from nlpfeat._typing import Float64Array
from nlpfeat.topics._kernel import add_statistics
from nlpfeat.topics.inference import as_compiled, converge_rows
from nlpfeat.topics.settings import LearningSettings
from nlpfeat.topics.topic_model import TopicModel

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# A document goes on in each pass from where it was in the last one, so one step is enough. More of
# them would settle documents on topics that are still noise, and so would more noise at the start:
# topics that were planted in generated texts are found from nearly all seeds this way alone.
_STEPS_PER_PASS = 1
_NOISE = 0.01  # standard deviation around 1; gensim's own is .1


def learn(counts: "csr_array", settings: LearningSettings) -> TopicModel:
    """Learn topics with gensim.

    Parameters
    ----------
    counts : csr_array, shape (n_documents, n_terms)
        At least 0, at least one above 0; fractional counts are taken.
    settings : LearningSettings

    Returns
    -------
    TopicModel

    Notes
    -----
    Source: Hoffman, Blei and Bach, Online learning for latent Dirichlet allocation, NIPS 2010.
    """
    model = _CompiledLda(counts, settings)
    # In a sorted corpus the last chunk would else be all of one kind. All chunks are of one size:
    # a last one of a few documents would move the topics as far as a full one does.
    rows = model.random_state.permutation(counts.shape[0])
    with _without_advice():
        model.update(rows)
    return TopicModel.of_weights(
        np.asarray(model.alpha, dtype=np.float64),
        np.asarray(model.state.get_lambda(), dtype=np.float64),
    )


class _CompiledLda(LdaModel):  # type: ignore[misc]
    """gensim's model; a document is the number of its row."""

    def __init__(self, counts: "csr_array", settings: LearningSettings) -> None:
        n_documents, n_terms = counts.shape
        chunk_size = settings.chunk_size or n_documents
        n_chunks = -(-n_documents // chunk_size)
        super().__init__(
            num_topics=settings.n_topics,
            id2word=dict.fromkeys(range(n_terms), ""),
            chunksize=-(-n_documents // n_chunks),
            passes=settings.passes,
            alpha=settings.document_prior,
            eta=settings.term_prior,
            # With all documents in one chunk each pass says all, and nothing need be remembered.
            decay=settings.decay if n_chunks > 1 else 0.0,
            offset=settings.offset,
            eval_every=None,
            iterations=_STEPS_PER_PASS,
            random_state=settings.seed,
            dtype=np.float64,
        )
        self.optimize_alpha = settings.learn_document_prior
        self._n_threads = settings.n_threads
        self._indptr = as_compiled(counts.indptr, np.int64)
        self._terms = as_compiled(counts.indices, counts.indices.dtype)
        self._counts = as_compiled(counts.data, np.float64)
        self._gamma = np.ones((n_documents, settings.n_topics))
        shape = self.state.sstats.shape
        self.state.sstats[:] = self.random_state.gamma(_NOISE**-2, _NOISE**2, shape)
        self.sync_state()

    def sync_state(self, expected: Float64Array | None = None) -> None:
        """Take over the topics, the highest of each term as 1: its scale has no effect."""
        if expected is None:
            expected = self.state.get_Elogbeta()
        self._topics = np.exp((expected - expected.max(axis=0)).T, order="C")

    def inference(
        self, chunk: Sequence[int], collect_sstats: bool = False
    ) -> tuple[Float64Array, Float64Array | None]:
        """Return the topic weights of some rows, and the tokens that they give to each topic."""
        rows = np.asarray(chunk)
        converge_rows(
            self._indptr, self._terms, self._counts, rows, self._topics, self.alpha, self._gamma,
            max_steps=self.iterations, tolerance=self.gamma_threshold,
            n_threads=self._n_threads,
        )  # fmt: skip
        statistics = None
        if collect_sstats:
            by_term = np.zeros_like(self._topics)
            add_statistics(
                self._indptr, self._terms, self._counts, rows, self._topics, self._gamma, by_term
            )
            statistics = by_term.T
        return self._gamma[rows], statistics

    def print_topics(self, *args: Any, **kwargs: Any) -> None:
        """Log nothing: gensim sorts all terms for a line of its log at each update."""


@contextmanager
def _without_advice() -> Iterator[None]:
    """Keep gensim's advice to read the documents more often from the user's terminal.

    A logger without a handler writes warnings to standard error.
    """
    logger = logging.getLogger("gensim.models.ldamodel")

    def is_no_advice(record: logging.LogRecord) -> bool:
        return not record.getMessage().startswith("too few updates")

    logger.addFilter(is_no_advice)
    try:
        yield
    finally:
        logger.removeFilter(is_no_advice)
