"""Documents by the contexts in which their terms occur: mean PPMI vectors."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy.sparse import issparse
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_int
from nlpfeat.counts.counting import count_spool
from nlpfeat.counts.documents import TermSpace
from nlpfeat.counts.feature_space import count_documents
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.context_reader import ContextReader
from nlpfeat.measures.association import check_score, ppmi
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.text.batches import Documents
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.vectors.settings import EmbeddingSettings

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(kw_only=True, eq=False, repr=False)
class PmiVectorizer(TransformerMixin, ContextReader):  # type: ignore[misc]
    """Documents → the mean PPMI context vector of their terms.

    A term is described by its row of PPMI: how much more often than by chance it stands near each
    other term. A document is the mean of the rows of its terms, each occurrence counted; documents
    that share no term can be near when their terms occur in the same contexts. The rows are reduced
    to ``n_components`` dimensions by a truncated singular value decomposition.

    Parameters
    ----------
    n_components : int or None, default 100
        Dimensions; with fewer terms than that, as many as there are terms, and a warning. None
        gives the rows themselves, sparse, one column a term.
    exponent : float, default 1.0
        p of U Σ^p, from 0 to 1; 1 is the projection of the PPMI rows, less evens the dimensions
        out. Has no part in ``n_components=None``.
    max_contexts : int, default 10,000
        So many of the most frequent terms serve as contexts and are factorized; the vectors of the
        others are computed from them. Has no part in ``n_components=None``.
    segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        Cuts texts; token lists are taken as they are.
    stop_words : iterable of str, path of a file with one word a line, or None
        Terms that become gaps; compared with final tokens.
    lowercase, fold_width : bool, default True
        Whether upper case, and full-width letters and digits, make no difference.
    keep_punctuation : bool, default False
        Whether punctuation is a term instead of a gap.
    n_jobs : int, default None
        Processes that segment, and threads that count; -1 takes all processors. The result is the
        same.
    window : int or "all", default 5
        Up to so many tokens on each side; "all" counts presence in a unit of the scope.
    scope : {"document", "sentence"}, default "document"
        What a pair may not cross.
    weighting : {"flat", "harmonic", "linear"}, callable or sequence, default "flat"
        What a pair counts at each distance.
    smoothing : float, default 0.75
        Exponent of the context distribution in PPMI, above 0 and at most 1; 1 is none.
    shift : float, default 1.0
        k of PPMI = max(PMI - log2 k, 0), above 0; 1 is none.
    min_term_count : int, default 1
        Terms that occur less often become gaps.
    max_terms : int, default None
        Only so many of the most frequent terms.
    random_state : int, RandomState or None, default None
        Where the search for singular vectors starts; changes rounding alone.
    dtype : {numpy.float64, numpy.float32}, default numpy.float64
        Of the vectors; what they are made of is always float64.

    Attributes
    ----------
    terms_ : tuple of str
        The terms that have a vector, in code-point order.
    stop_words_ : tuple of str
        The stop words of ``fit``.
    term_vectors_ : ndarray of shape (n_terms, n_components), or csr_array of (n_terms, n_terms)
        The vector of each term.

    References
    ----------
    O. Levy, Y. Goldberg and I. Dagan, Improving distributional similarity with lessons learned
    from word embeddings, TACL 3, 2015.

    Examples
    --------
    >>> texts = [["猫", "吃", "鱼"], ["狗", "吃", "肉"], ["鱼", "在", "水", "里"]]
    >>> vectorizer = PmiVectorizer(n_components=2, random_state=0).fit(texts)
    >>> vectorizer.transform([["猫"], ["猫", "狗"], []]).shape
    (3, 2)
    >>> rows = PmiVectorizer(n_components=None, smoothing=1.0).fit(texts)
    >>> rows.get_feature_names_out().tolist()
    ['吃', '在', '水', '狗', '猫', '肉', '里', '鱼']
    >>> rows.transform([["猫"]]).toarray().round(2)
    array([[1.58, 0.  , 0.  , 0.  , 0.  , 0.  , 0.  , 1.26]])
    """

    n_components: int | None = field(default=100, kw_only=False)
    exponent: float = 1.0
    max_contexts: int = 10_000
    dtype: DTypeLike = np.float64

    def fit(self, documents: Documents, y: object = None) -> Self:  # noqa: ARG002
        """Learn a vector for each term.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        y : ignored

        Returns
        -------
        self

        Raises
        ------
        InvalidInputError
            For documents that cannot be used, or that hold no term.
        InvalidParameterError
            For a parameter that cannot be.
        """
        settings = self._checked()
        with self._spool_terms(documents) as spool:
            self._learn(spool, settings)
        return self

    def fit_transform(
        self,
        documents: Documents,
        y: object = None,  # noqa: ARG002
    ) -> "Float64Array | csr_array":
        """Learn, and describe the same documents, cut once.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        y : ignored

        Returns
        -------
        ndarray of shape (n_documents, n_components), or csr_array of (n_documents, n_terms)
        """
        settings = self._checked()
        with self._spool_terms(documents) as spool:
            self._learn(spool, settings)
            return self._means(spool)

    def transform(self, documents: Documents) -> "Float64Array | csr_array":
        """Describe documents; terms that were not there in ``fit`` have no part in it.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists

        Returns
        -------
        ndarray of shape (n_documents, n_components), or csr_array of (n_documents, n_terms)
            A document without a known term is a row of zeros.
        """
        check_is_fitted(self)
        with self._spool(documents, self._terms.vocabulary) as spool:
            return self._means(spool)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:  # noqa: ARG002
        """Return ``pmi0``, ``pmi1``, …, or the terms with ``n_components=None``.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        ndarray of str objects, shape (n_features,)
        """
        check_is_fitted(self)
        if issparse(self.term_vectors_):
            return np.array(self.terms_, dtype=object)
        names = [f"pmi{number}" for number in range(self.term_vectors_.shape[1])]
        return np.array(names, dtype=object)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was stored, once it is known to be sound: compiled code relies on it."""
        super().__setstate__(state)
        if not hasattr(self, "term_vectors_"):
            return
        vectors, n_terms = self.term_vectors_, len(self._terms)
        if issparse(vectors):
            vectors.check_format(full_check=True)
            fits = vectors.shape == (n_terms, n_terms)
        else:
            fits = vectors.ndim == 2 and len(vectors) == n_terms
        if not fits:
            raise InvalidInputError(
                f"term_vectors_ must have a row for each of the {n_terms} terms. "
                f"Got the shape {vectors.shape}."
            )

    @property
    def terms_(self) -> tuple[str, ...]:
        """The terms that have a vector."""
        check_is_fitted(self)
        return self._terms.vocabulary.terms

    def _checked(self) -> EmbeddingSettings:
        """Return how to embed; the dimensions are put in where there are any."""
        if self.dtype not in (np.float64, np.float32, "float64", "float32"):
            raise InvalidParameterError(
                f"dtype must be numpy.float64 or numpy.float32. Got {self.dtype!r}."
            )
        check_score("ppmi", shift=self.shift, smoothing=self.smoothing)
        n_components = 1
        if self.n_components is not None:
            n_components = check_int(
                self.n_components, "n_components (an integer or None)", minimum=1
            )
        return EmbeddingSettings(
            n_components=n_components,
            counting=self._counting(),
            smoothing=self.smoothing,
            shift=self.shift,
            exponent=self.exponent,
            max_contexts=self.max_contexts,
            seed=self._seed(),
        ).validate()

    def _learn(self, spool: TokenSpool, settings: EmbeddingSettings) -> None:
        if self.n_components is None:
            n_threads = resolve_n_jobs(self.n_jobs)
            counts = count_spool(spool, settings.counting, n_threads=n_threads)
            vectors = ppmi(counts, shift=settings.shift, smoothing=settings.smoothing)
        else:
            vectors = self._embed(spool, settings).matrix
        self._terms = TermSpace(spool.vocabulary)
        self.term_vectors_ = vectors.astype(self.dtype, copy=False)
        self._keep_text(spool)

    def _means(self, spool: TokenSpool) -> "Float64Array | csr_array":
        shares = count_documents(spool, self._terms).astype(np.float64)
        lengths = np.diff(shares.indptr)
        shares.data /= np.repeat(shares.sum(axis=1), lengths)
        means = shares.astype(self.term_vectors_.dtype, copy=False) @ self.term_vectors_
        if issparse(means):
            means.sort_indices()
        return means
