"""Word vectors of a corpus as an estimator."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, Self

from sklearn.utils.validation import check_is_fitted

from nlpfeat.features.context_reader import ContextReader
from nlpfeat.text.batches import Documents
from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.word_vectors import WordVectors


@dataclass(kw_only=True, eq=False, repr=False)
class PmiEmbedding(ContextReader):
    """Learn a vector for each word from the words near it: PPMI, factorized.

    Close vectors mean *substitutability*: one word can stand in the place of the other. That is
    not synonymy: 好 and 坏 stand in the same places and can be close. What tells them apart is the
    class of the texts, not PMI (see docs/vectors.md).

    PPMI(x, y) = max(log2(n_xy N' / (n_x n_y^a)) - log2 k, 0), N' the sum of all n_y^a, is
    approximated by U Σ Vᵀ; the vector of a word is its row of U Σ^p (+ c V Σ^p).

    Parameters
    ----------
    n_components : int, default 300
        Dimensions; with fewer terms than that, as many as there are terms, and a warning.
    method : {"svd", "word2vec"}, default "svd"
        Factorized PPMI, exact and repeatable; or gensim's skip-gram.
    segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        For texts; token lists are taken as they are.
    window : int or "all", default 5
        Up to so many tokens on each side; "all" counts presence in a unit of the scope.
    scope : {"document", "sentence"}, default "document"
        What a pair may not cross.
    weighting : {"flat", "harmonic", "linear"}, callable or sequence, default "flat"
        What a pair counts at each distance. word2vec weighs linearly, whatever this says.
    smoothing : float, default 0.75
        a, above 0 and at most 1; 1 is none. Only for ``"svd"``.
    shift : float, default 1.0
        k, above 0; 1 is none. Only for ``"svd"``.
    exponent : float, default 0.0
        p, from 0 to 1. Only for ``"svd"``.
    context_weight : float, default 0.0
        c, not negative. Only for ``"svd"``.
    max_contexts : int, default 10,000
        So many of the most frequent terms serve as contexts and are factorized; the vectors of the
        others are computed from them, so that rare words, whose counts are mostly chance, do not
        turn the dimensions. Only for ``"svd"``.
    epochs, negative : int, default 5
        How often the text is read, and words drawn against each pair. Only for ``"word2vec"``.
    min_term_count : int, default 5
        Terms that occur less often have no vector, and become gaps.
    max_terms : int, default None
        Only so many of the most frequent terms.
    stop_words : iterable of str or path, default None
        Terms that become gaps.
    keep_punctuation : bool, default False
        Whether punctuation counts as terms instead of gaps.
    fold_width, lowercase : bool, default True
        Whether full-width letters and digits, and upper case, make no difference.
    n_jobs : int, default None
        Processes that segment, and threads that count; -1 takes all processors. word2vec learns in
        one thread all the same, so that the result is repeatable.
    random_state : int, RandomState or None, default None
        Where the search for singular vectors starts, which changes rounding alone; and what
        word2vec draws.

    Attributes
    ----------
    vectors_ : WordVectors
        The vectors, their terms and how they were made.
    stop_words_ : tuple of str
        The stop words of ``fit``.

    Raises
    ------
    InvalidParameterError
        On fit, for a setting that cannot be.
    InvalidInputError
        On fit, for documents that cannot be used, or that hold no term.

    Notes
    -----
    Source: Levy, Goldberg and Dagan (2015); word2vec: Mikolov et al. (2013).

    Examples
    --------
    医生 and 大夫 have the same neighbors, though they never stand together:

    >>> texts = ["我去医院看医生", "他去医院看大夫", "我去医院看大夫", "他去医院看医生",
    ...          "我去学校看老师"]
    >>> embedding = PmiEmbedding(3, min_term_count=1, random_state=0).fit(texts)
    >>> embedding.most_similar("医生", n=1)
    [('大夫', 1.0)]
    """

    n_components: int = field(default=300, kw_only=False)
    method: str = "svd"
    exponent: float = 0.0
    context_weight: float = 0.0
    max_contexts: int = 10_000
    epochs: int = 5
    negative: int = 5
    min_term_count: int = 5

    def fit(self, documents: Documents, y: object = None) -> Self:  # noqa: ARG002
        """Learn the vectors.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        y : ignored

        Returns
        -------
        PmiEmbedding
            This estimator.
        """
        settings = self._settings().validate()
        with self._spool_terms(documents) as spool:
            self.vectors_ = self._embed(spool, settings)
            self._keep_text(spool)
        return self

    def _settings(self) -> EmbeddingSettings:
        return EmbeddingSettings(
            n_components=self.n_components,
            method=self.method,
            counting=self._counting(),
            smoothing=self.smoothing,
            shift=self.shift,
            exponent=self.exponent,
            context_weight=self.context_weight,
            max_contexts=self.max_contexts,
            epochs=self.epochs,
            negative=self.negative,
            seed=self._seed(),
        )

    @property
    def _fitted(self) -> WordVectors:
        check_is_fitted(self, "vectors_")
        vectors: WordVectors = self.vectors_
        return vectors

    def most_similar(self, term: str | Sequence[str], n: int = 10) -> list[tuple[str, float]]:
        """Return the words that can best stand in the place of one or several; not synonyms.

        See Also
        --------
        nlpfeat.WordVectors.most_similar
        """
        return self._fitted.most_similar(term, n)

    def similarity(self, term: str, other: str) -> float:
        """Return the cosine of two words, in [-1, 1]; see ``WordVectors.similarity``."""
        return self._fitted.similarity(term, other)

    def save_text(self, path: str | os.PathLike[str]) -> None:
        """Write the text format of word2vec; see ``WordVectors.save_text``."""
        self._fitted.save_text(path)

    @staticmethod
    def load_text(path: str | os.PathLike[str], *, dtype: str = "float32") -> WordVectors:
        """Read the text format of word2vec; see ``WordVectors.load_text``.

        Returns
        -------
        WordVectors
            The vectors alone: the format has no place for what learned them.
        """
        return WordVectors.load_text(path, dtype=dtype)

    def save(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write the vectors to one ``.npz`` file; see ``WordVectors.save``."""
        self._fitted.save(path)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> WordVectors:
        """Read vectors that :meth:`save` wrote; see ``WordVectors.load``.

        Returns
        -------
        WordVectors
            The vectors alone: what learned them is in their ``settings``.
        """
        return WordVectors.load(path)
