"""Learn word vectors from a corpus that was segmented, or counted, before."""

from dataclasses import asdict, replace
from typing import Any

from nlpfeat._names import lookup
from nlpfeat.counts.cooccurrence import CooccurrenceCounts
from nlpfeat.counts.counting import count_spool
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.vectors import METHODS
from nlpfeat.vectors.method import Method
from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.word_vectors import WordVectors


def embed_spool(
    spool: TokenSpool, settings: EmbeddingSettings, *, n_threads: int = 1, kernel: str = "auto"
) -> WordVectors:
    """Learn a vector for each term that the spool's vocabulary has now.

    Parameters
    ----------
    spool : TokenSpool
        Restrict its vocabulary first, where rare terms should become gaps.
    settings : EmbeddingSettings
    n_threads : int, default 1
        Threads that count; word2vec runs in one thread. The result is the same.
    kernel : str, default "auto"
        How to count; the result is the same.

    Returns
    -------
    WordVectors
        float64 from ``method="svd"``, float32 from ``"word2vec"``. Dimensions are no more than
        `EmbeddingSettings.fitting` allows.

    Raises
    ------
    InvalidParameterError
        For a setting that cannot be.
    InvalidInputError
        When the vocabulary has no term.
    """
    method = lookup(METHODS, settings.method, "method")
    settings = settings.validate()
    _check_some(spool)
    if not method.takes_counts:
        return _embedded(spool, method, settings)
    counts = count_spool(spool, settings.counting, kernel=kernel, n_threads=n_threads)
    return _embedded(counts, method, settings)


def embed_counts(counts: CooccurrenceCounts, settings: EmbeddingSettings) -> WordVectors:
    """Learn a vector for each term of counts; as `embed_spool`, which counts first.

    Parameters
    ----------
    counts : CooccurrenceCounts
        Made with ``min_count=1``, or pairs are missing.
    settings : EmbeddingSettings
        What it says about counting has no effect: the counts have their own.

    Returns
    -------
    WordVectors

    Raises
    ------
    InvalidParameterError
        For a setting that cannot be, and for a method that needs the text.
    InvalidInputError
        When there is no term.

    Examples
    --------
    >>> from nlpfeat import count_cooccurrences
    >>> counts = count_cooccurrences([["天气", "很", "好"], ["天气", "很", "坏"]])
    >>> embed_counts(counts, EmbeddingSettings(n_components=2)).most_similar("好", n=1)
    [('坏', 1.0)]
    """
    method = lookup(METHODS, settings.method, "method")
    if not method.takes_counts:
        known = ", ".join(repr(name) for name, row in METHODS.items() if row.takes_counts)
        raise InvalidParameterError(
            f"method must be one that learns from counts: {known}. Got {settings.method!r}, which "
            "needs the text: use embed_spool."
        )
    _check_some(counts)
    return _embedded(counts, method, replace(settings, counting=counts.settings).validate())


def _check_some(source: TokenSpool | CooccurrenceCounts) -> None:
    if not len(source.vocabulary):
        raise InvalidInputError(
            "Word vectors need at least one term, and the documents hold none: nothing but blanks, "
            f"punctuation and stop words was found in {source.n_documents} documents."
        )


def _embedded(
    source: TokenSpool | CooccurrenceCounts, method: Method, settings: EmbeddingSettings
) -> WordVectors:
    terms = source.vocabulary.terms
    settings = settings.fitting(len(terms))
    return WordVectors(
        terms, method.function(source, settings), source.vocabulary.term_frequencies,
        _described(source, method, settings), source.n_tokens,
    )  # fmt: skip


def _described(
    source: TokenSpool | CooccurrenceCounts, method: Method, settings: EmbeddingSettings
) -> dict[str, Any]:
    """Return how the vectors were made, as JSON holds it: only what the method took."""
    every = asdict(settings)
    counting = every.pop("counting")
    if not isinstance(counting["weighting"], str):
        counting["weighting"] = list(counting["weighting"])
    every |= counting
    return {
        **{name: every[name] for name in ("method", "n_components", "seed", *method.options)},
        "n_documents": source.n_documents,
        "preparation": dict(source.preparation),
    }
