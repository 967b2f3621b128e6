"""What a method of learning word vectors is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from nlpfeat.counts.counting import count_spool
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.vectors.ppmi_svd import ppmi_svd
from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.similarity import FloatMatrix
from nlpfeat.vectors.word2vec import word2vec

Learner: TypeAlias = Callable[[TokenSpool, EmbeddingSettings, int, str], FloatMatrix]
"""Takes spool, settings, threads and counting kernel; returns a row for each term."""


@dataclass(frozen=True)
class Method:
    """One row of ``METHODS``.

    Parameters
    ----------
    function : callable
        Learns the vectors.
    description : str
    options : tuple of str
        The settings that it takes, beside the number of dimensions and the seed.
    """

    function: Learner
    description: str
    options: tuple[str, ...]


def from_counts(
    spool: TokenSpool, settings: EmbeddingSettings, n_threads: int, kernel: str
) -> FloatMatrix:
    """Count the spool and factorize its PPMI."""
    counts = count_spool(spool, settings.counting, kernel=kernel, n_threads=n_threads)
    return ppmi_svd(counts, settings)


def from_text(
    spool: TokenSpool, settings: EmbeddingSettings, n_threads: int, kernel: str
) -> FloatMatrix:
    """Run word2vec over the spool; nothing is counted."""
    del kernel
    return word2vec(spool, settings, n_threads=n_threads)
