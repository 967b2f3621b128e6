"""Learn word vectors from a corpus that was segmented before."""

import warnings
from dataclasses import asdict, replace
from typing import Any

from nlpfeat._names import lookup
from nlpfeat.errors import InvalidInputError
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.vectors import METHODS
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
        Threads that count, or that run word2vec (then more than one makes chance).
    kernel : str, default "auto"
        How to count; the result is the same.

    Returns
    -------
    WordVectors
        float64 from ``method="svd"``, float32 from ``"word2vec"``. Dimensions are no more than
        terms; a warning tells when fewer were learned than asked for.

    Raises
    ------
    InvalidParameterError
        For a setting that cannot be.
    InvalidInputError
        When the vocabulary has no term.
    """
    method = lookup(METHODS, settings.method, "method")
    settings = settings.validate()
    if not len(spool.vocabulary):
        raise InvalidInputError(
            "Word vectors need at least one term, and the documents hold none: nothing but blanks, "
            f"punctuation and stop words was found in {spool.n_documents} documents."
        )
    learned = _with_fitting_dimensions(settings, len(spool.vocabulary))
    matrix = method.function(spool, learned, n_threads, kernel)
    return WordVectors(
        spool.vocabulary.terms, matrix, spool.vocabulary.term_frequencies,
        _described(learned, method.options, spool), spool.n_tokens,
    )  # fmt: skip


def _with_fitting_dimensions(settings: EmbeddingSettings, n_terms: int) -> EmbeddingSettings:
    most, what = n_terms, "terms"
    if settings.method == "svd" and settings.max_contexts < n_terms:
        most, what = settings.max_contexts, "contexts (max_contexts)"
    if settings.n_components <= most:
        return settings
    warnings.warn(
        f"n_components must be at most the number of {what}, {most}. "
        f"Got {settings.n_components}: {most} dimensions are learned.",
        UserWarning,
        stacklevel=4,
    )
    return replace(settings, n_components=most)


def _described(
    settings: EmbeddingSettings, options: tuple[str, ...], spool: TokenSpool
) -> dict[str, Any]:
    """Return how the vectors were made, as JSON holds it: only what the method took."""
    every = asdict(settings)
    counting = every.pop("counting")
    if not isinstance(counting["weighting"], str):
        counting["weighting"] = list(counting["weighting"])
    every |= counting
    return {
        **{name: every[name] for name in ("method", "n_components", "seed", *options)},
        "n_documents": spool.n_documents,
        "preparation": dict(spool.preparation),
    }
