"""Where the vectors of terms start: at what the neighbors of the terms say of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from threadpoolctl import threadpool_limits

from nlpfeat._names import lookup
from nlpfeat._typing import Float32Array, Float64Array, Int64Array
from nlpfeat._validation import check_int, check_real
from nlpfeat.counts.counting import count_spool
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidParameterError
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.priors.forms import Form, misfit
from nlpfeat.priors.placebo import other_terms
from nlpfeat.priors.pmi import PmiPrior, low_rank
from nlpfeat.priors.prior import FittedTextPrior, TextPrior, spread
from nlpfeat.vectors.embedding import embed_counts
from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.similarity import row_norms

MODES = {"tuned": "training changes the vectors", "frozen": "the vectors stay as they start"}
USES = {
    "embedding": "the vectors of the terms",
    "query_key": "these, and the query and key projections of the first layer",
}

_ROUNDING = 1e-7  # of the longest row: what is shorter may have any direction


@dataclass(frozen=True, kw_only=True)
class EmbeddingPrior(TextPrior):
    """Embeddings that start at PPMI-SVD vectors: U Σ^p of PPMI ≈ U Σ Vᵀ.

    Only the directions of the rows are taken. Their lengths are those of the random start, so that
    the two starts differ by nothing but what they say of the terms.

    Parameters
    ----------
    n_components : int, default 128
        Dimensions, highest singular value first; fewer where there are fewer terms. A narrower
        network takes the first ones.
    window : int or "all", default 5
        Up to so many tokens on each side count as neighbors.
    exponent : float, default 0.5
        p, from 0 to 1.
    smoothing : float, default 0.75
        Exponent of the context distribution, above 0 and at most 1.
    shift : float, default 1.0
        k, above 0: PPMI = max(PMI - log k, 0).
    strength : float, default 1.0
        From 0, the random start, to 1, the vectors; between them, their mixture.
    mode : {"tuned", "frozen"}, default "tuned"
        Whether training changes the vectors.
    use : {"embedding", "query_key"}, default "embedding"
        Whether the query and key projections of the first layer start so, too, that the products of
        queries and keys come near to PPMI: a PMI prior that can be unlearned.
    placebo : int, default None
        Seed: the vectors belong to random other terms.

    Notes
    -----
    Close vectors mean that terms can stand in each other's place, not that they mean the same.

    A token that is no term, and a term without a neighbor, has the row 0: it says nothing, and the
    random start stays.

    Source: Levy, Goldberg and Dagan (2015).

    Examples
    --------
    茶 and 水 have the same neighbors:

    >>> read = ReadDocuments.read(["喝茶吧", "喝水吧", "下雨了"], unit="char")
    >>> prior = EmbeddingPrior(n_components=2, window=1)
    >>> vectors = prior.fit(read, np.array([0, 0, 1]), 2, seed=0).vectors
    >>> tea, water = (vectors[read.vocabulary.ids[term]] for term in "茶水")
    >>> bool(np.allclose(tea, water)), vectors.shape, vectors[-1].tolist()
    (True, (8, 2), [0.0, 0.0])
    """

    name: ClassVar[str] = "embedding"

    n_components: int = 128
    window: int | Literal["all"] = 5
    exponent: float = 0.5
    smoothing: float = 0.75
    shift: float = 1.0
    strength: float = 1.0
    mode: str = "tuned"
    use: str = "embedding"

    def validate(self) -> None:
        """Check the settings."""
        super().validate()
        owner = type(self).__name__
        check_int(self.n_components, f"{owner}.n_components", minimum=1)
        CountingSettings(window=self.window).validate()
        for setting in ("exponent", "strength"):
            value = check_real(getattr(self, setting), f"{owner}.{setting}", at_most=1.0)
            if value < 0:
                raise InvalidParameterError(
                    f"{owner}.{setting} must be at least 0 and at most 1. Got {value!r}."
                )
        check_real(self.smoothing, f"{owner}.smoothing", above=0.0, at_most=1.0)
        check_real(self.shift, f"{owner}.shift", above=0.0)
        lookup(MODES, self.mode, f"{owner}.mode")
        lookup(USES, self.use, f"{owner}.use")

    def fit(
        self,
        documents: ReadDocuments,
        classes: Int64Array,  # noqa: ARG002
        n_classes: int,  # noqa: ARG002
        seed: int,
    ) -> "FittedEmbeddingPrior":
        """Learn a vector for each term of the training documents."""
        self.validate()
        with documents.known_spool() as spool:
            counts = count_spool(
                spool, CountingSettings(window=self.window).validate(),
                n_threads=resolve_n_jobs(documents.n_jobs),
            )  # fmt: skip
        settings = EmbeddingSettings(
            n_components=self.n_components, exponent=self.exponent, smoothing=self.smoothing,
            shift=self.shift, seed=seed,
        )  # fmt: skip
        raw = np.asarray(embed_counts(counts, settings).matrix, dtype=np.float64)
        rows = _of_unit_size(raw)
        query = key = None
        if self.use == "query_key":
            query, key = self._projections(rows, documents, seed)
        if self.placebo is not None:
            rows = rows[other_terms(len(rows), self.placebo)]
        vectors = np.concatenate([rows, np.zeros((1, rows.shape[1]))])
        return FittedEmbeddingPrior(vectors.astype(np.float32), spread(raw), query, key)

    def _projections(
        self, rows: Float64Array, documents: ReadDocuments, seed: int
    ) -> tuple[Float32Array, Float32Array]:
        """Return what turns the rows into the factors of PPMI, as nearly as can be."""
        prior = PmiPrior(window=self.window, smoothing=self.smoothing, shift=self.shift, clip=None)
        pairs = low_rank(prior.count(documents), rows.shape[1], seed)
        factors = np.concatenate([pairs.left[:-1], pairs.right[:-1]], axis=1, dtype=np.float64)
        # The last digits would depend on the number of threads.
        with threadpool_limits(limits=1, user_api="blas"):
            solved = np.linalg.lstsq(rows, factors, rcond=None)[0]
        query, key = np.split(solved.astype(np.float32), 2, axis=1)
        return query, key


@dataclass(frozen=True, eq=False)
class FittedEmbeddingPrior(FittedTextPrior):
    """The vectors of the terms.

    Parameters
    ----------
    vectors : ndarray of float32, shape (V + 1, width)
        Rows whose mean square is 1, or that are 0; the last, of a token that is no term, is 0.
    deviation : float
        Standard deviation of the entries before that.
    query, key : ndarray of float32, shape (width, width), or None
        With ``use="query_key"``: (vectors @ query)[x] · (vectors @ key)[y] is near PPMI(x, y)
        divided by its standard deviation. Columns stand by singular value, highest first.
    """

    forms: ClassVar[Mapping[str, Form]] = {
        "vectors": Form(np.float32, ("V + 1", "width")),
        "query": Form(np.float32, ("width", "width"), optional=True),
        "key": Form(np.float32, ("width", "width"), optional=True),
    }

    vectors: Float32Array
    deviation: float
    query: Float32Array | None = None
    key: Float32Array | None = None

    def check_parts(self) -> None:
        """Check the row of a token that is no term, and that projections come in pairs."""
        if not len(self.vectors) or self.vectors[-1].any():
            raise misfit(self, "vectors", "rows, the last of them 0", "another last row")
        if (self.query is None) != (self.key is None):
            raise misfit(self, "key", "given with query, or None with it", "one of them alone")

    @property
    def scale(self) -> float:
        """Standard deviation of the entries of U Σ^p that are not 0."""
        return self.deviation


def _of_unit_size(matrix: Float64Array) -> Float64Array:
    """Return the rows with a mean square of 1; rows of rounding errors as 0."""
    lengths = row_norms(matrix)
    is_sound = lengths > _ROUNDING * lengths.max(initial=0.0)
    scaled: Float64Array = matrix * np.sqrt(matrix.shape[1])
    scaled /= np.where(is_sound, lengths, 1.0)[:, np.newaxis]
    scaled[~is_sound] = 0.0
    return scaled
