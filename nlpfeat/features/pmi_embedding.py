"""Word vectors of a corpus as an estimator."""

import os
from collections.abc import Sequence
from typing import Any, BinaryIO, Literal, Self

from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from nlpfeat._validation import check_int
from nlpfeat.counts.distance_weights import Weighting
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidParameterError
from nlpfeat.features.document_reader import SegmenterLike, check_bool
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.text.batches import Documents
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import as_segmenter
from nlpfeat.text.stopwords import StopWords
from nlpfeat.text.token_spool import TextSettings, spool_tokens
from nlpfeat.vectors.embedding import embed_spool
from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.word_vectors import WordVectors


class PmiEmbedding(BaseEstimator):  # type: ignore[misc]
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

    def __init__(
        self,
        n_components: int = 300,
        *,
        method: str = "svd",
        segmenter: SegmenterLike = "jieba",
        window: int | Literal["all"] = 5,
        scope: str = "document",
        weighting: Weighting = "flat",
        smoothing: float = 0.75,
        shift: float = 1.0,
        exponent: float = 0.0,
        context_weight: float = 0.0,
        epochs: int = 5,
        negative: int = 5,
        min_term_count: int = 5,
        max_terms: int | None = None,
        stop_words: StopWords = None,
        keep_punctuation: bool = False,
        fold_width: bool = True,
        lowercase: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.method = method
        self.segmenter = segmenter
        self.window = window
        self.scope = scope
        self.weighting = weighting
        self.smoothing = smoothing
        self.shift = shift
        self.exponent = exponent
        self.context_weight = context_weight
        self.epochs = epochs
        self.negative = negative
        self.min_term_count = min_term_count
        self.max_terms = max_terms
        self.stop_words = stop_words
        self.keep_punctuation = keep_punctuation
        self.fold_width = fold_width
        self.lowercase = lowercase
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        """Say that documents come in, and no table of numbers."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags

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
        check_int(self.min_term_count, "min_term_count", minimum=1)
        if self.max_terms is not None:
            check_int(self.max_terms, "max_terms", minimum=1)
        n_threads = 1 if self.method == "word2vec" else resolve_n_jobs(self.n_jobs)
        with spool_tokens(
            documents, as_segmenter(self.segmenter), self._text_settings(), n_jobs=self.n_jobs
        ) as spool:
            if len(spool.vocabulary):  # embed_spool tells what an empty one lacks
                spool.restrict(
                    spool.vocabulary.prune(min_count=self.min_term_count, max_terms=self.max_terms)
                )
            self.vectors_ = embed_spool(spool, settings, n_threads=n_threads)
        return self

    def _settings(self) -> EmbeddingSettings:
        try:
            draw = check_random_state(self.random_state)
        except ValueError as error:
            raise InvalidParameterError(
                "random_state must be an integer, a numpy RandomState or None. "
                f"Got {self.random_state!r}."
            ) from error
        return EmbeddingSettings(
            n_components=self.n_components,
            method=self.method,
            counting=CountingSettings(self.window, self.scope, "both", self.weighting),
            smoothing=self.smoothing,
            shift=self.shift,
            exponent=self.exponent,
            context_weight=self.context_weight,
            epochs=self.epochs,
            negative=self.negative,
            seed=int(draw.randint((1 << 31) - 1)),
        )

    def _text_settings(self) -> TextSettings:
        for name in ("keep_punctuation", "fold_width", "lowercase"):
            check_bool(getattr(self, name), name)
        normalization = Normalization(bool(self.fold_width), bool(self.lowercase))
        return TextSettings(normalization, bool(self.keep_punctuation), self.stop_words)

    @property
    def _fitted(self) -> WordVectors:
        check_is_fitted(self, "vectors_")
        vectors: WordVectors = self.vectors_
        return vectors

    def most_similar(self, term: str | Sequence[str], n: int = 10) -> list[tuple[str, float]]:
        """Return the words that can best stand in the place of one or several; not synonyms.

        See Also
        --------
        nlpfeat.vectors.word_vectors.WordVectors.most_similar
        """
        return self._fitted.most_similar(term, n)

    def similarity(self, term: str, other: str) -> float:
        """Return the cosine of two words, in [-1, 1]; see ``WordVectors.similarity``."""
        return self._fitted.similarity(term, other)

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
