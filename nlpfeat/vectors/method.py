"""What a method of learning word vectors is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.similarity import FloatMatrix


@dataclass(frozen=True)
class Method:
    """One row of ``METHODS``.

    Parameters
    ----------
    function : callable
        ``function(source, settings)`` returns a row for each term, in order.
    takes_counts : bool
        Whether the source is `CooccurrenceCounts`, or else a `TokenSpool`.
    description : str
    options : tuple of str
        The settings that it takes, beside the number of dimensions and the seed.
    """

    function: Callable[[Any, EmbeddingSettings], FloatMatrix]
    takes_counts: bool
    description: str
    options: tuple[str, ...]
