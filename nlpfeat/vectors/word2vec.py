"""Word vectors from gensim's word2vec, read from the same spool."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.vectors.settings import EmbeddingSettings

# gensim drops what stands behind so many words of a sentence.
_LONGEST_SENTENCE = 10_000
_BLOCK_TOKENS = 1 << 20


class SpooledSentences:
    """The units of a spool as lists of terms, without gaps; read anew each time.

    A unit longer than 10,000 terms comes in pieces, since gensim drops what is beyond.

    Parameters
    ----------
    spool : TokenSpool
    scope : {"document", "sentence"}
        What a unit is.
    """

    def __init__(self, spool: TokenSpool, scope: str) -> None:
        self._spool = spool
        self._scope = scope

    def __iter__(self) -> Iterator[list[str]]:
        """Yield lists of terms."""
        terms = self._spool.vocabulary.terms
        for block in self._spool.blocks(_BLOCK_TOKENS):
            bounds = block.bounds(self._scope).tolist()
            for start, stop in pairwise(bounds):
                ids = block.ids[start:stop]
                unit = [terms[number] for number in ids[ids >= 0].tolist()]
                for first in range(0, len(unit), _LONGEST_SENTENCE):
                    yield unit[first : first + _LONGEST_SENTENCE]


def word2vec(spool: TokenSpool, settings: EmbeddingSettings) -> NDArray[np.float32]:
    """Return the vectors that skip-gram with negative sampling learns, one row a term.

    Parameters
    ----------
    spool : TokenSpool
        With at least one term.
    settings : EmbeddingSettings
        Validated.

    Returns
    -------
    ndarray of float32, shape (n_terms, n_components)

    Notes
    -----
    It runs in one thread, so that the result depends on the seed and the order of documents alone;
    with more, it would depend on chance too.

    Gaps leave no place here, as is usual with word2vec, so its window reaches farther than that of
    the counts; it shrinks at random, and frequent words are skipped at random (``sample=1e-3``).

    Source: Mikolov, Sutskever, Chen, Corrado and Dean (2013).
    """
    from gensim.models import Word2Vec

    model = Word2Vec(
        SpooledSentences(spool, settings.counting.scope),
        vector_size=settings.n_components,
        window=settings.counting.window,
        sg=1,
        epochs=settings.epochs,
        negative=settings.negative,
        min_count=1,  # the spool's vocabulary says which terms count
        workers=1,
        seed=settings.seed,
    )
    vectors: NDArray[np.float32] = model.wv.vectors
    places = model.wv.key_to_index
    return vectors[[places[term] for term in spool.vocabulary.terms]]
