"""Wide part: weights of n-grams that stand beside the logits of attention."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Float32Array, Int64Array
from nlpfeat._validation import check_int, check_real
from nlpfeat.counts.feature_space import count_documents
from nlpfeat.counts.indices import with_fitting_indices
from nlpfeat.counts.ngram_names import UNITS, check_ngram_range
from nlpfeat.counts.ngrams import NgramSpace
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.measures.naive_bayes import log_count_ratio
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.priors.forms import Form, misfit
from nlpfeat.priors.prior import FittedTextPrior, PriorInputs, TextPrior, spread

if TYPE_CHECKING:
    from scipy.sparse import csr_array

WEIGHTS: Mapping[str, str] = {
    "nb": "the log-count ratio of each n-gram and class",
    "none": "1 for each n-gram",
}
STARTS: Mapping[str, str] = {"nb": "W is `strength`", "zero": "W is 0"}


@dataclass(frozen=True, eq=False)
class FittedWidePrior(FittedTextPrior):
    """The n-grams of the training documents, and what each says of each class.

    Parameters
    ----------
    units : tuple of str
        "word" or "char" for each space.
    spaces : tuple of NgramSpace
        Their columns side by side are the F features.
    ratios : ndarray of float32, shape (C, F)
        What an n-gram adds to the logit of a class at W = 1.
    """

    forms: ClassVar[Mapping[str, Form]] = {"ratios": Form(np.float32, ("C", "F"))}

    units: tuple[str, ...]
    spaces: tuple[NgramSpace, ...] = field(repr=False)
    ratios: Float32Array = field(repr=False)

    def check_parts(self) -> None:
        """Check that each column of the spaces has its ratios."""
        for unit in self.units:
            lookup(UNITS, unit, f"{type(self).__name__}.units")
        if not all(isinstance(space, NgramSpace) for space in self.spaces):
            kinds = [type(space).__name__ for space in self.spaces]
            raise misfit(self, "spaces", "spaces of n-grams", kinds)
        lengths = [len(space) for space in self.spaces]
        if len(self.units) != len(lengths) or sum(lengths) != self.ratios.shape[1]:
            wanted = f"spaces for {len(self.units)} units and {self.ratios.shape[1]:,} ratios"
            raise misfit(self, "spaces", wanted, f"spaces with {lengths} n-grams")

    @property
    def scale(self) -> float:
        """Standard deviation of the ratios that are not 0."""
        return spread(self.ratios)

    def inputs(self, documents: ReadDocuments) -> PriorInputs:
        """Return which n-grams each document holds.

        Returns
        -------
        PriorInputs
            Its ``table`` is a csr_array of float32 ones, shape (N, F), with sorted indices.
        """
        tables = []
        for unit, space in zip(self.units, self.spaces):
            with documents.spool(unit, space.vocabulary) as spool:
                tables.append(_presence(count_documents(spool, space)))
        return PriorInputs(table=_beside(tables))


@dataclass(frozen=True, kw_only=True)
class WidePrior(TextPrior):
    """Wide and deep: logits = attention + Wᵀ(r ∘ f), with f the n-grams of the document.

    f is 1 for an n-gram that the document holds, however often, and r_c its log-count ratio of
    class c against the rest, ln((p / |p|) / (q / |q|)), from the training documents. W, a weight
    for each class and n-gram, is learned with the attention. With W = 1 and attention logits of 0
    it is naive Bayes, each class against the rest; with W = 0 it is attention alone.

    Parameters
    ----------
    word_ngrams : (int, int) or None, default (1, 2)
        The shortest and the longest n-gram of words; None for no words.
    char_ngrams : (int, int) or None, default (1, 3)
        The same for characters.
    alpha : float, default 1.0
        Added to the count of each n-gram in each class, above 0.
    weights : {"nb", "none"}, default "nb"
        r is the log-count ratio, or 1: plain n-grams.
    start : {"nb", "zero"}, default "nb"
        Where W starts: at ``strength``, or at 0, which is the model without the prior. Plain
        n-grams start at 0: the same weight for every class says nothing.
    strength : float, default 0.1
        The W of ``start="nb"``. N-grams that overlap say the same thing several times, so naive
        Bayes with 1 is far too sure of itself: about 0.1 gives probabilities that can be believed.
    l2 : float, default 0.1
        Decay of W, at least 0.
    learning_rate_factor : float, default 1.0
        Learning rate of W as a multiple of the attention's, at least 0: 0 leaves W where it starts.
    dropout : float, default 0.2
        How often, from 0 to below 1, a document in training does without its whole wide part, so
        that the attention learns too.
    min_df : int, default 2
        N-grams of fewer training documents are left out.
    placebo : int, default None
        Seed with which whole columns of r change places: each n-gram has the ratios of another.

    Notes
    -----
    Sources: Cheng et al. (2016) for wide and deep; Wang and Manning (2012) for the ratio.

    Examples
    --------
    >>> read = ReadDocuments.read(["天气很好", "天气不好"], unit="char")
    >>> prior = WidePrior(word_ngrams=None, char_ngrams=(1, 1), min_df=1)
    >>> fitted = prior.fit(read, np.array([0, 1]), n_classes=2, seed=0)
    >>> fitted.spaces[0].names(), fitted.inputs(read).table.toarray().tolist()[0]
    (['不', '天', '好', '很', '气'], [0.0, 1.0, 1.0, 1.0, 1.0])
    >>> fitted.ratios[0].round(2)  # both hold four characters: 很 has ln(2 / 1), 不 ln(1 / 2)
    array([-0.69,  0.  ,  0.  ,  0.69,  0.  ], dtype=float32)
    """

    name: ClassVar[str] = "wide"
    adds_logits: ClassVar[bool] = True
    counts_labels: ClassVar[bool] = True

    word_ngrams: tuple[int, int] | None = (1, 2)
    char_ngrams: tuple[int, int] | None = (1, 3)
    alpha: float = 1.0
    weights: str = "nb"
    start: str = "nb"
    strength: float = 0.1
    l2: float = 0.1
    learning_rate_factor: float = 1.0
    dropout: float = 0.2
    min_df: int = 2

    def validate(self) -> None:
        """Check the settings.

        Raises
        ------
        InvalidParameterError
            For a setting that cannot be, and for settings that mean nothing together.
        """
        super().validate()
        lookup(WEIGHTS, self.weights, "WidePrior.weights")
        lookup(STARTS, self.start, "WidePrior.start")
        check_real(self.alpha, "WidePrior.alpha", above=0.0, at_most=1e100)
        check_real(self.strength, "WidePrior.strength")
        for name in ("l2", "learning_rate_factor", "dropout"):
            value = check_real(getattr(self, name), f"WidePrior.{name}")
            if value < 0 or (name == "dropout" and value >= 1):
                limit = "from 0 to below 1" if name == "dropout" else "at least 0"
                raise InvalidParameterError(f"WidePrior.{name} must be {limit}. Got {value!r}.")
        check_int(self.min_df, "WidePrior.min_df", minimum=1)
        ranges = [ngram_range for _, ngram_range in self._ranges()]
        if not ranges:
            raise InvalidParameterError(
                "WidePrior needs word_ngrams, char_ngrams, or both. Got None for both."
            )
        for ngram_range in ranges:
            check_ngram_range(ngram_range)
        if self.weights == "none" and (self.start == "nb" or self.placebo is not None):
            raise InvalidParameterError(
                "WidePrior with weights='none' has the same weight for every class and n-gram: "
                "it starts at start='zero', and there is nothing to shuffle. "
                f"Got start={self.start!r}, placebo={self.placebo!r}."
            )

    def fit(
        self,
        documents: ReadDocuments,
        classes: Int64Array,
        n_classes: int,
        seed: int,  # noqa: ARG002
    ) -> FittedWidePrior:
        """Find the n-grams of the training documents, and their ratios.

        Parameters
        ----------
        documents : ReadDocuments
            N training documents.
        classes : ndarray of int64, shape (N,)
        n_classes : int
        seed : int
            Not used: nothing is drawn.

        Raises
        ------
        InvalidInputError
            When no n-gram is in ``min_df`` documents.
        """
        self.validate()
        units, spaces, tables = [], [], []
        for unit, ngram_range in self._ranges():
            with documents.spool(unit) as spool:
                space, _ = NgramSpace.learn(
                    spool, ngram_range, separator=UNITS[unit], min_documents=self.min_df
                )
                tables.append(_presence(count_documents(spool, space)))
            units.append(unit)
            spaces.append(space)
        ratios = self._ratios(_beside(tables), classes, n_classes)
        return FittedWidePrior(tuple(units), tuple(spaces), ratios)

    def _ranges(self) -> Iterator[tuple[str, tuple[int, int]]]:
        if self.word_ngrams is not None:
            yield "word", self.word_ngrams
        if self.char_ngrams is not None:
            yield "char", self.char_ngrams

    def _ratios(self, table: "csr_array", classes: Int64Array, n_classes: int) -> Float32Array:
        if not table.shape[1]:
            raise InvalidInputError(
                f"WidePrior found no n-gram in at least min_df={self.min_df} training documents. "
                "Lower min_df, or give more text."
            )
        if self.weights == "none":
            return np.ones((n_classes, table.shape[1]), dtype=np.float32)
        ratios = np.stack(
            [log_count_ratio(table, classes == each, alpha=self.alpha) for each in range(n_classes)]
        )
        if self.placebo is not None:
            ratios = np.random.default_rng(self.placebo).permutation(ratios, axis=1)
        return ratios.astype(np.float32)


def _presence(counts: "csr_array") -> "csr_array":
    from scipy.sparse import csr_array

    ones = np.ones(counts.nnz, dtype=np.float32)
    return csr_array((ones, counts.indices, counts.indptr), shape=counts.shape)


def _beside(tables: "list[csr_array]") -> "csr_array":
    from scipy.sparse import hstack

    return with_fitting_indices(tables[0] if len(tables) == 1 else hstack(tables, format="csr"))
