"""Which pairs of tokens belong together: PPMI of their terms, added to the score of the pair."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._names import lookup
from nlpfeat._typing import Float32Array, Int64Array
from nlpfeat._validation import check_int, check_real
from nlpfeat.counts.counting import count_spool
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.counts.stored_keys import are_keys
from nlpfeat.errors import InvalidParameterError
from nlpfeat.measures.association import ppmi
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.priors.forms import Form, misfit
from nlpfeat.priors.placebo import other_terms_as_frequent
from nlpfeat.priors.prior import FittedTextPrior, TextPrior, check_common, spread
from nlpfeat.vectors.truncated_svd import truncated_svd

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DIRECTIONS = {
    "both": "the two in either order",
    "right": "the key after the query",
}


@dataclass(frozen=True, kw_only=True)
class PmiPrior(TextPrior):
    r"""Score bias: score(i, j) += λ_h B(x_i, x_j) κ(|i - j|), B from positive PMI.

    B = clip(PPMI, 0, c) / s, where s is the standard deviation of the cells that are not 0, so
    that strengths can be compared between corpora. A term has no value with itself.

    Parameters
    ----------
    window : int or "all", default 5
        Up to so many tokens on each side were counted; "all" is presence in one document.
    direction : {"both", "right"}, default "both"
        Whether B(x, y) counts pairs in either order, or only those with y after x. The look-up is
        by terms either way, wherever the two tokens stand.
    smoothing : float, default 0.75
        Exponent of the context distribution, above 0 and at most 1; 1 is none.
    shift : float, default 1.0
        k, above 0: PPMI = max(PMI - ln k, 0).
    clip : float or None, default 5.0
        c, in nats; None does not clip.
    min_count : int, default 1
        Pairs that occur less often have no value.
    rank : int or None, default None
        None looks up exact values. A number replaces B by the best product u_i · v_j of that rank,
        which is added to queries and keys and costs no table of pairs.
    decay : float or None, default None
        κ = exp(-|i - j| / decay); None is 1. Only for exact values.
    strength : float, default 0.0
        λ, or where it starts. At 0 nothing changes.
    learned : bool, default True
        Whether training changes λ.
    share_layers : bool, default True
        Whether the layers have one λ a head together.
    self_term : bool, default False
        Whether the score of a token with itself has a learned term of its own, which starts at 0.
        Only for exact values.
    placebo : int, default None
        Seed: the rows and columns belong to other terms that are about as frequent; B keeps its
        spectrum.

    Notes
    -----
    Pairs with a token that is no term have the value 0. PPMI is in nats: with λ = s, c = None, no
    smoothing and unigram log-probabilities as key prior, softmax over scores that are 0 gives
    P(x_j | x_i) wherever PMI is positive.

    PMI tells what stands near each other, not what depends on each other: compare with a prior of
    neighboring positions alone (``position="t5"``, ``"alibi"``).

    Sources: shifted PPMI and smoothing, Levy, Goldberg and Dagan (2015). The bias itself has no
    published test.

    Examples
    --------
    >>> read = ReadDocuments.read(["茶叶", "茶叶", "雨水"], unit="char")
    >>> fitted = PmiPrior(window=1, smoothing=1.0).fit(read, np.array([0, 0, 1]), 2, seed=0)
    >>> read.vocabulary.terms, read.tokens.ids[:2].tolist()
    (('叶', '水', '茶', '雨'), [2, 0])

    n_xy = 2, n_x = n_y = 2 and N = 6: ln(2 · 6 / 4) = 1.0986, before it is divided by s.

    >>> (fitted.pair_values([2, 0, 1]) * fitted.scale).round(4)
    array([[0.    , 1.0986, 0.    ],
           [1.0986, 0.    , 0.    ],
           [0.    , 0.    , 0.    ]], dtype=float32)
    """

    name: ClassVar[str] = "pmi"

    window: int | Literal["all"] = 5
    direction: str = "both"
    smoothing: float = 0.75
    shift: float = 1.0
    clip: float | None = 5.0
    min_count: int = 1
    rank: int | None = None
    decay: float | None = None
    strength: float = 0.0
    learned: bool = True
    share_layers: bool = True
    self_term: bool = False

    def validate(self) -> None:
        """Check the settings."""
        super().validate()
        lookup(DIRECTIONS, self.direction, "PmiPrior.direction")
        self._counting()
        check_real(self.smoothing, "PmiPrior.smoothing", above=0.0, at_most=1.0)
        check_real(self.shift, "PmiPrior.shift", above=0.0)
        if self.clip is not None:
            check_real(self.clip, "PmiPrior.clip (or None)", above=0.0)
        check_int(self.min_count, "PmiPrior.min_count", minimum=1)
        if self.rank is not None:
            check_int(self.rank, "PmiPrior.rank (or None)", minimum=1)
        if self.decay is not None:
            check_real(self.decay, "PmiPrior.decay (or None)", above=0.0)
        check_common(self, "learned", "share_layers", "self_term", strength=self.strength)
        if self.rank is not None and (self.decay is not None or self.self_term):
            raise InvalidParameterError(
                "PmiPrior with a rank is a product of two vectors, which knows no distance: decay "
                f"must be None and self_term False. Got decay={self.decay!r} and "
                f"self_term={self.self_term!r}; leave them, or rank, at the default."
            )

    def _counting(self) -> CountingSettings:
        return CountingSettings(window=self.window, direction=self.direction).validate()

    def fit(
        self,
        documents: ReadDocuments,
        classes: Int64Array,  # noqa: ARG002
        n_classes: int,  # noqa: ARG002
        seed: int,
    ) -> "FittedPmiPrior | FittedLowRankPmiPrior":
        """Count the pairs of the training documents and weigh them."""
        pairs = self.count(documents)
        if self.rank is None:
            return _exact(pairs)
        return low_rank(pairs, min(self.rank, len(pairs.order)), seed)

    def count(self, documents: ReadDocuments) -> "ScaledPairs":
        """Return B, before it is laid out for look-up."""
        self.validate()
        with documents.known_spool() as spool:
            counts = count_spool(
                spool, self._counting(), min_count=self.min_count,
                n_threads=resolve_n_jobs(documents.n_jobs),
            )  # fmt: skip
        table = _without_diagonal(
            ppmi(counts, base=math.e, shift=self.shift, smoothing=self.smoothing)
        )
        if self.clip is not None:
            np.minimum(table.data, self.clip, out=table.data)
        scale = spread(table.data)
        table.data /= scale
        order = np.arange(table.shape[0])
        if self.placebo is not None:
            order = other_terms_as_frequent(counts.vocabulary.term_frequencies, self.placebo)
        return ScaledPairs(table, order, scale)


@dataclass(frozen=True, eq=False)
class ScaledPairs:
    """B of all pairs of terms.

    Parameters
    ----------
    table : csr_array of float64, shape (V, V)
        Sorted; nothing on the diagonal.
    order : ndarray of int64, shape (V,)
        The row and column that each term has; not its own in a placebo.
    scale : float
        What the cells were divided by.
    """

    table: "csr_array"
    order: Int64Array
    scale: float


@dataclass(frozen=True, eq=False)
class FittedPmiPrior(FittedTextPrior):
    """B as sorted cells.

    Parameters
    ----------
    n_terms : int
        V.
    keys : ndarray of int64, shape (n_cells,)
        Ascending: x * V + y of each cell; none has x = y.
    values : ndarray of float32, shape (n_cells,)
        Above 0.
    deviation : float
        What they were divided by: their standard deviation.
    """

    forms: ClassVar[Mapping[str, Form]] = {
        "keys": Form(np.int64, ("cells",)),
        "values": Form(np.float32, ("cells",)),
    }

    n_terms: int
    keys: Int64Array
    values: Float32Array
    deviation: float

    def sizes(self) -> dict[str, int]:
        """Return V, and the number of cells."""
        return {**super().sizes(), "V": check_int(self.n_terms, "FittedPmiPrior.n_terms")}

    def check_parts(self) -> None:
        """Check that the cells are cells of two different terms, each with a value above 0."""
        # x = y where V + 1 divides the key.
        if not (are_keys(self.keys, self.n_terms**2) and (self.keys % (self.n_terms + 1)).all()):
            wanted = f"ascending numbers x * {self.n_terms} + y of different terms"
            raise misfit(self, "keys", wanted, f"{len(self.keys):,} others")
        if not (self.values > 0).all():
            raise misfit(self, "values", "above 0", self.values.min())

    @property
    def scale(self) -> float:
        """Standard deviation of the cells before they were divided by it."""
        return self.deviation

    def pair_values(self, ids: ArrayLike) -> Float32Array:
        """Return B of all pairs of tokens: what a network adds, in NumPy.

        Parameters
        ----------
        ids : array-like of int, shape (L,) or (B, L)

        Returns
        -------
        ndarray of float32, shape (L, L) or (B, L, L)
            Row i, column j is B(x_i, x_j); 0 for an id that is no term.
        """
        given = np.asarray(ids, dtype=np.int64)
        is_term = (given >= 0) & (given < self.n_terms)
        wanted = given[..., :, None] * self.n_terms + given[..., None, :]
        wanted[~(is_term[..., :, None] & is_term[..., None, :])] = -1
        # One more cell, of the value 0, is where a key above all others would stand.
        keys = np.append(self.keys, np.iinfo(np.int64).max)
        values = np.append(self.values, np.float32(0))
        places = np.searchsorted(keys, wanted)
        found = keys[places] == wanted
        return np.where(found, values[places], np.float32(0))


@dataclass(frozen=True, eq=False)
class FittedLowRankPmiPrior(FittedTextPrior):
    """B as a product: B(x, y) is about left[x] · right[y].

    Parameters
    ----------
    left, right : ndarray of float32, shape (V + 1, rank)
        U √s and V √s of the singular value decomposition; the last row, of a token that is no term,
        is 0. A term with itself has what the product gives, which is near 0.
    share : float
        The sum of the squares of the singular values that are kept, as a share of all: 1 is exact.
    deviation : float
        What the cells were divided by: their standard deviation.
    """

    forms: ClassVar[Mapping[str, Form]] = {
        "left": Form(np.float32, ("V + 1", "rank")),
        "right": Form(np.float32, ("V + 1", "rank")),
    }

    left: Float32Array
    right: Float32Array
    share: float
    deviation: float

    def check_parts(self) -> None:
        """Check the share, and the rows of a token that is no term."""
        if not 0 <= check_real(self.share, "FittedLowRankPmiPrior.share") <= 1:
            raise misfit(self, "share", "from 0 to 1", self.share)
        for name in ("left", "right"):
            rows = getattr(self, name)
            if not len(rows) or rows[-1].any():
                raise misfit(self, name, "rows, the last of them 0", "another last row")

    @property
    def scale(self) -> float:
        """Standard deviation of the cells before they were divided by it."""
        return self.deviation

    def pair_values(self, ids: ArrayLike) -> Float32Array:
        """Return the products of all pairs of tokens, as `FittedPmiPrior.pair_values` does."""
        given = np.asarray(ids, dtype=np.int64)
        unknown = len(self.left) - 1
        places = np.where((given >= 0) & (given < unknown), given, unknown)
        products: Float32Array = self.left[places] @ np.swapaxes(self.right[places], -1, -2)
        return products


def _without_diagonal(table: "csr_array") -> "csr_array":
    """Return the cells of two different terms."""
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    table.data[table.indices == rows] = 0.0
    table.eliminate_zeros()
    return table


def _exact(pairs: ScaledPairs) -> FittedPmiPrior:
    """Return the cells, sorted."""
    table = pairs.table
    n_terms = len(pairs.order)
    term = np.argsort(pairs.order)
    rows = term[np.repeat(np.arange(n_terms), np.diff(table.indptr))]
    keys = rows * n_terms + term[table.indices]
    sort = np.argsort(keys, kind="stable")
    return FittedPmiPrior(n_terms, keys[sort], table.data[sort].astype(np.float32), pairs.scale)


def low_rank(pairs: ScaledPairs, rank: int, seed: int) -> FittedLowRankPmiPrior:
    """Return the best product of a rank.

    Parameters
    ----------
    pairs : ScaledPairs
    rank : int
        At most V.
    seed : int
        Of the search for singular vectors; changes rounding alone.
    """
    u, s, vt = truncated_svd(pairs.table, rank, seed=seed)
    whole = float(np.square(pairs.table.data).sum())
    unknown = np.zeros((1, rank))
    left, right = (
        np.concatenate([(factor * np.sqrt(s))[pairs.order], unknown]).astype(np.float32)
        for factor in (u, vt.T)
    )
    share = min(float(np.square(s).sum()) / whole, 1.0) if whole else 1.0
    return FittedLowRankPmiPrior(left, right, share, pairs.scale)
