"""Topics of documents: latent Dirichlet allocation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from nlpfeat._names import lookup
from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_int, check_real
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.count_matrix import check_counts, column_names
from nlpfeat.features.random_states import check_seed
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.text.batches import Documents
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter
from nlpfeat.text.vocabulary import Vocabulary
from nlpfeat.topics import ENGINES, LearningSettings, TopicModel
from nlpfeat.topics.settings import check_weight, checked_prior


@dataclass(kw_only=True, eq=False, repr=False)
class LdaTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Counts → the share of each topic in each document.

    Latent Dirichlet allocation takes each token of document d to be drawn from one of K topics:
    a topic z with probability θ_d[z], then a term w with probability β_z[w], where θ_d comes from a
    Dirichlet distribution with the weights α, and each β_z from one with the weight η for every
    term. An engine learns β (and α); the share of topic z in a document is E[θ_d[z]], found by
    variational inference in the same way for all engines.

    Rows sum to 1. A document without a term has the shares α / Σα. A document has the same row, to
    the last bit, alone and in any batch.

    Parameters
    ----------
    n_topics : int, default 20
        K, at least 1.
    engine : {"gensim", "tomotopy"}, default "gensim"
        Who learns: gensim by variational Bayes, or tomotopy by Gibbs sampling (needs the extra
        ``topics``; whole counts alone). Always in one process.
    passes : int, default None
        How often the documents are read; None is what suits the engine: 20 for gensim, 100 for
        tomotopy.
    chunk_size : int, default None
        Update the topics after so many documents at most; None is after all of them. With very
        many documents, chunks of thousands and fewer passes are quicker. Only for gensim.
    document_prior : float, "auto" or array-like of shape (n_topics,), default 0.1
        α, above 0. Small values mean few topics a document. "auto" starts at 0.1 and learns it.
    term_prior : float, default 0.01
        η, above 0. Small values mean few terms a topic.
    decay : float, default 0.7
        Above 0.5 and at most 1: how fast the weight of later chunks falls. Without chunks it has
        no effect. Only for gensim.
    offset : float, default 1.0
        Above 0: a high value holds back the first chunks. As ``decay``.
    random_state : int, RandomState or None, default None
        Where learning starts and what it draws.
    n_jobs : int, default None
        Threads of the inference, and of gensim's learning; -1 takes all processors. No result
        depends on it.

    Attributes
    ----------
    components_ : ndarray of float64, shape (n_topics, n_terms)
        β: the probability of each term in each topic. Rows sum to 1.
    document_prior_ : ndarray of float64, shape (n_topics,)
        α.
    topic_weights_ : ndarray of float64, shape (n_topics,)
        How many tokens each topic has in the documents of ``fit``, priors included.
    n_features_in_ : int
        Terms.

    Notes
    -----
    The same documents in the same order with the same ``random_state`` give the same bytes. In
    another order what gensim learns without chunks differs by rounding; with chunks, and with
    tomotopy, other topics are learned.

    References
    ----------
    D. M. Blei, A. Y. Ng and M. I. Jordan, Latent Dirichlet allocation, JMLR 3, 2003.
    M. D. Hoffman, D. M. Blei and F. Bach, Online learning for latent Dirichlet allocation, NIPS
    2010.

    Examples
    --------
    >>> from nlpfeat import BagOfWordsVectorizer
    >>> texts = ["房间 干净 早餐", "早餐 房间 前台", "书 作者 故事", "故事 作者 书 内容"] * 5
    >>> vectorizer = BagOfWordsVectorizer(segmenter="whitespace")
    >>> X = vectorizer.fit_transform(texts)
    >>> lda = LdaTransformer(2, random_state=0).fit(X)
    >>> lda.transform(vectorizer.transform(["房间 早餐 早餐", "作者", ""])).round(2)
    array([[0.97, 0.03],
           [0.08, 0.92],
           [0.5 , 0.5 ]])
    """

    n_topics: int = field(default=20, kw_only=False)
    engine: str = "gensim"
    passes: int | None = None
    chunk_size: int | None = None
    document_prior: float | str | ArrayLike = 0.1
    term_prior: float = 0.01
    decay: float = 0.7
    offset: float = 1.0
    random_state: Any = None
    n_jobs: int | None = None

    def fit(self, X: Any, y: object = None) -> Self:  # noqa: ARG002, N803
        """Learn the topics.

        Parameters
        ----------
        X : array or sparse matrix, shape (n_documents, n_terms)
            Counts, at least 0. Fractional ones are taken with ``engine="gensim"`` alone.
        y : ignored

        Returns
        -------
        self

        Raises
        ------
        InvalidParameterError
            For a parameter that cannot be; the message names it.
        InvalidInputError
            For a negative, missing or (with tomotopy) fractional count, and when all documents are
            empty.
        MissingDependencyError
            When the engine is not installed.
        """
        settings = self._settings()
        learn = lookup(ENGINES, self.engine, "engine").load()
        counts = check_counts(self, X, reset=True)
        if not counts.nnz:
            raise InvalidInputError(
                f"LdaTransformer learns topics from terms, and all {counts.shape[0]} documents of "
                "X are empty. Give counts, at least one of them above 0."
            )
        model = learn(counts, settings)
        self.components_ = model.components
        self.topic_weights_ = model.topic_weights
        self.document_prior_ = model.document_prior
        return self

    def transform(self, X: Any) -> Float64Array:  # noqa: N803
        """Return the share of each topic in each document.

        Parameters
        ----------
        X : array or sparse matrix, shape (n_documents, n_terms)
            Counts, at least 0, with the terms of ``fit``. Fractional ones are taken.

        Returns
        -------
        ndarray of float64, shape (n_documents, n_topics)
            Above 0; each row sums to 1.
        """
        from nlpfeat.topics.inference import infer, shares

        check_is_fitted(self)
        counts = check_counts(self, X, reset=False)
        return shares(infer(self._model(), counts, n_threads=resolve_n_jobs(self.n_jobs)))

    def perplexity(self, X: Any) -> float:  # noqa: N803
        """Return how unsure the topics leave one of each token: lower is better.

        exp(-L / n), where L is the variational lower bound on the log probability of the documents
        under ``components_`` and ``document_prior_``, and n is the number of their tokens. Compare
        it on the same documents and terms alone, best on documents that were not in ``fit``.

        Parameters
        ----------
        X : array or sparse matrix, shape (n_documents, n_terms)

        Returns
        -------
        float
            At least 1. As likely as any: n_terms.

        Raises
        ------
        InvalidInputError
            When all documents are empty.
        """
        from nlpfeat.topics.inference import infer
        from nlpfeat.topics.perplexity import perplexity

        check_is_fitted(self)
        counts = check_counts(self, X, reset=False)
        model = self._model()
        gamma = infer(model, counts, n_threads=resolve_n_jobs(self.n_jobs))
        return perplexity(model, counts, gamma)

    def top_terms(
        self, feature_names: Sequence[str] | NDArray[Any] | None = None, n_terms: int = 10
    ) -> list[list[tuple[str, float]]]:
        """Return the most probable terms of each topic.

        Parameters
        ----------
        feature_names : sequence of str, shape (n_terms,), default None
            The terms of the columns, such as ``vectorizer.get_feature_names_out()``. None takes
            the column names of ``fit``, or x0, x1, … when it saw none.
        n_terms : int, default 10
            So many of each topic, or all when there are fewer.

        Returns
        -------
        list of list of (str, float)
            Term and probability, highest first, equal ones by code point.
        """
        check_is_fitted(self)
        n_terms = check_int(n_terms, "n_terms", minimum=1)
        names = column_names(self, feature_names)
        by_name = np.array(sorted(range(len(names)), key=names.__getitem__))
        result = []
        for topic in self.components_:
            order = by_name[np.argsort(-topic[by_name], kind="stable")[:n_terms]]
            result.append([(names[term], float(topic[term])) for term in order.tolist()])
        return result

    def coherence(
        self,
        documents: Documents,
        measure: str = "c_npmi",
        *,
        feature_names: Sequence[str] | NDArray[Any] | None = None,
        n_terms: int = 10,
        window: int = 10,
        segmenter: str | Segmenter = "jieba",
        lowercase: bool = True,
        fold_width: bool = True,
        n_jobs: int | None = None,
    ) -> Float64Array:
        """Return how much the top terms of each topic keep company in documents.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        measure : {"u_mass", "c_npmi", "c_uci"}, default "c_npmi"
            As in :func:`nlpfeat.topic_coherence`.
        feature_names : sequence of str, shape (n_terms,), default None
            As in `top_terms`; needed when ``fit`` saw no column names.
        n_terms : int, default 10
            So many terms of each topic, at least 2.
        window : int, default 10
            Tokens of a window, which slides by one; ``u_mass`` counts documents and has no window.
        segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        lowercase, fold_width : bool, default True
            Give all three as the vectorizer of the counts has them.
        n_jobs : int, default None
            Processes that segment, and threads that count; -1 takes all processors.

        Returns
        -------
        ndarray of float64, shape (n_topics,)
            One value a topic; the mean says how good the topics are.

        Raises
        ------
        InvalidParameterError
            When nothing says which words the columns are, and when terms of a topic are the same
            with ``lowercase`` and ``fold_width`` as they are.
        InvalidInputError
            For documents that cannot be used, or that hold no token.
        """
        from nlpfeat.counts.counting import count_cooccurrences
        from nlpfeat.measures.coherence import topic_coherence
        from nlpfeat.measures.coherence_scores import COHERENCES

        check_is_fitted(self)
        by_document = lookup(COHERENCES, measure, "measure").by_document
        check_int(n_terms, "n_terms", minimum=2)
        if feature_names is None and not hasattr(self, "feature_names_in_"):
            raise InvalidParameterError(
                "feature_names must say which words the columns are, since fit saw no names. "
                "Give vectorizer.get_feature_names_out()."
            )
        spelled = [[term for term, _ in topic] for topic in self.top_terms(feature_names, n_terms)]
        topics = _normalized(spelled, Normalization(fold_width, lowercase))
        counts = count_cooccurrences(
            documents,
            segmenter,
            vocabulary=Vocabulary.build(topics),
            window="all" if by_document else window,
            counting="pairs" if by_document else "windows",
            keep_punctuation=True,  # a topic may hold it; what is in no topic becomes a gap
            lowercase=lowercase,
            fold_width=fold_width,
            n_jobs=n_jobs,
        )
        return topic_coherence(topics, counts, measure)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:  # noqa: ARG002
        """Return the names of the columns: lda0, lda1 and so on.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        ndarray of str objects, shape (n_topics,)
        """
        check_is_fitted(self)
        names = [f"lda{topic}" for topic in range(len(self.components_))]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        """Say that counts come in, sparse or not."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was stored, once it is known to be sound: compiled code relies on it."""
        super().__setstate__(state)
        if not hasattr(self, "components_"):
            return
        model = self._model()
        for part in (model.document_prior, model.components, model.topic_weights):
            if not 0 < part.min() <= part.max() < math.inf:  # not so with a NaN either
                raise InvalidInputError("The numbers of a topic model must be finite and above 0.")

    def _model(self) -> TopicModel:
        model = TopicModel(self.document_prior_, self.components_, self.topic_weights_)
        if model.components.shape[1] != self.n_features_in_:
            raise InvalidInputError(
                f"components_ must have a column for each of the {self.n_features_in_} terms of "
                f"fit. Got {model.components.shape[1]}: fit again, or load a sound file."
            )
        return model

    def _settings(self) -> LearningSettings:
        n_topics = check_int(self.n_topics, "n_topics", minimum=1)
        engine = lookup(ENGINES, self.engine, "engine")
        passes = engine.passes if self.passes is None else self.passes
        chunk_size = self.chunk_size
        if chunk_size is not None:
            chunk_size = check_int(chunk_size, "chunk_size", minimum=1)
        return LearningSettings(
            n_topics=n_topics,
            passes=check_int(passes, "passes", minimum=1),
            chunk_size=chunk_size,
            document_prior=checked_prior(self.document_prior, n_topics),
            learn_document_prior=isinstance(self.document_prior, str),
            term_prior=check_weight(self.term_prior, "term_prior"),
            decay=check_real(self.decay, "decay", above=0.5, at_most=1.0),
            offset=check_real(self.offset, "offset", above=0.0),
            seed=check_seed(self.random_state),
            n_threads=resolve_n_jobs(self.n_jobs),
        )


def _normalized(topics: list[list[str]], normalization: Normalization) -> list[list[str]]:
    """Return topics as their terms are looked for in texts."""
    result = []
    for number, topic in enumerate(topics):
        terms = list(normalization.terms(topic))
        if len(set(terms)) < len(terms):
            first = next(term for term in terms if terms.count(term) > 1)
            alike = [term for term, other in zip(topic, terms) if other == first]
            raise InvalidParameterError(
                "lowercase and fold_width must leave the terms of a topic distinct. Got "
                f"{' and '.join(map(repr, alike))} in topic {number}: give lowercase=False or "
                "fold_width=False, as the vectorizer has them."
            )
        result.append(terms)
    return result
