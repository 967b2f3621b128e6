"""What topics are learned with."""

from dataclasses import dataclass

from nlpfeat._typing import Float64Array


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
