"""How much each token is worth being looked at: a log-weight of the key, whoever asks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Float32Array, Float64Array, Int64Array
from nlpfeat._validation import check_bool, check_real
from nlpfeat.counts.feature_space import documents_of
from nlpfeat.measures.idf import idf
from nlpfeat.measures.naive_bayes import log_count_ratio, presence
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.priors.forms import Form, misfit
from nlpfeat.priors.placebo import other_terms
from nlpfeat.priors.prior import FittedTextPrior, PriorInputs, TextPrior, check_common, spread
from nlpfeat.text.token_ids import GAP, TokenIds

LEAST_WEIGHT = 1e-6
"""Lower weights count as this one, so that no logarithm is below -13.9."""

WHERE = {
    "all": "every layer and the pooling",
    "layers": "the layers of self-attention",
    "pooling": "the pooling",
}


@dataclass(frozen=True, kw_only=True)
class KeyPrior(TextPrior):
    """Key log-prior: score(i, j) += μ_h ln π(x_j).

    A token of weight π is looked at π^μ times as much as one of weight 1, whoever asks. Softmax
    over scores that are 0 then gives the weighted mean of the values: with ``"idf"`` and μ = 1 the
    tf-idf vector of the document, divided by its sum.

    Parameters
    ----------
    weight : {"idf", "sif", "tfidf", "nb"}, default "idf"
        π: inverse document frequency; a / (a + p), p the share of the term among all tokens;
        frequency in the document times idf; or the salience of naive Bayes, the largest |r_c| of
        the log-count ratios of each class against the others.
    where : {"all", "layers", "pooling"}, default "all"
        Which attentions it acts on.
    strength : float, default 0.0
        μ, or where it starts. At 0 nothing changes.
    learned : bool, default True
        Whether training changes μ.
    share_layers : bool, default True
        Whether the layers have one μ a head together.
    alpha : float, default 1.0
        Smoothing of the log-count ratio, above 0.
    sif_a : float, default 0.001
        a, above 0.
    placebo : int, default None
        Seed: the weights belong to random other terms.

    Notes
    -----
    A token that is no term has the mean of ln π over the tokens of the training documents: it draws
    and repels nothing. Gaps have 0; no attention sees them.

    Sources: idf, Spärck Jones (1972); SIF, Arora, Liang and Ma (2017); log-count ratio, Wang and
    Manning (2012).

    Examples
    --------
    好 is in both documents, 天 in one of them: 1 + ln(3 / 3) and 1 + ln(3 / 2).

    >>> read = ReadDocuments.read(["天好", "好"], unit="char")
    >>> fitted = KeyPrior(weight="idf").fit(read, np.array([0, 1]), 2, seed=0)
    >>> read.vocabulary.terms, np.exp(fitted.log_weights[:2]).round(4)
    (('天', '好'), array([1.4055, 1.    ], dtype=float32))
    >>> fitted.inputs(read).tokens.round(4)
    array([0.3404, 0.    , 0.    ], dtype=float32)
    """

    name: ClassVar[str] = "key"

    weight: str = "idf"
    where: str = "all"
    strength: float = 0.0
    learned: bool = True
    share_layers: bool = True
    alpha: float = 1.0
    sif_a: float = 1e-3

    def validate(self) -> None:
        """Check the settings."""
        super().validate()
        lookup(WEIGHTS, self.weight, "KeyPrior.weight")
        lookup(WHERE, self.where, "KeyPrior.where")
        check_common(self, "learned", "share_layers", strength=self.strength)
        check_real(self.alpha, "KeyPrior.alpha", above=0.0)
        check_real(self.sif_a, "KeyPrior.sif_a", above=0.0)

    def fit(
        self,
        documents: ReadDocuments,
        classes: Int64Array,
        n_classes: int,
        seed: int,  # noqa: ARG002
    ) -> "FittedKeyPrior":
        """Weigh the terms of the training documents."""
        self.validate()
        weights = WEIGHTS[self.weight](_Evidence(self, documents, classes, n_classes))
        logs = np.log(np.maximum(weights, LEAST_WEIGHT))
        if self.placebo is not None:
            logs = logs[other_terms(len(logs), self.placebo)]
        seen = logs[documents.known.ids[documents.known.ids != GAP]]
        unknown = seen.mean() if len(seen) else 0.0
        return FittedKeyPrior(
            np.append(logs, unknown).astype(np.float32), self.weight == "tfidf", spread(logs)
        )


@dataclass(frozen=True, eq=False)
class FittedKeyPrior(FittedTextPrior):
    """Log-weights of the terms.

    Parameters
    ----------
    log_weights : ndarray of float32, shape (V + 1,)
        ln π of each term, at least ln 1e-6; the last is that of a token that is no term.
    times_frequency : bool
        Whether the frequency of the term in its document multiplies π.
    deviation : float
        Standard deviation of the log-weights of the terms.
    """

    forms: ClassVar[Mapping[str, Form]] = {"log_weights": Form(np.float32, ("V + 1",))}

    log_weights: Float32Array
    times_frequency: bool
    deviation: float

    def check_parts(self) -> None:
        """Check the flag, and that tokens that are no terms have a weight."""
        check_bool(self.times_frequency, f"{type(self).__name__}.times_frequency")
        if not len(self.log_weights):
            raise misfit(self, "log_weights", "V + 1 numbers", "none")

    @property
    def scale(self) -> float:
        """Standard deviation of the log-weights that are not 0."""
        return self.deviation

    def inputs(self, documents: ReadDocuments) -> PriorInputs:
        """Return ``tokens``: ln π of each token."""
        ids = documents.tokens.ids
        # GAP is -1: it takes the last entry of the table.
        tokens = np.append(self.log_weights, np.float32(0))[ids]
        if self.times_frequency:
            tokens += np.log(_frequencies(documents.known)).astype(np.float32)
        return PriorInputs(tokens=tokens)


def _frequencies(known: TokenIds) -> Int64Array:
    """Return how often its document holds the term of each token; 1 for what is no term."""
    result = np.ones(known.n_tokens, dtype=np.int64)
    is_term = known.ids != GAP
    terms = known.ids[is_term].astype(np.int64)
    cells = documents_of(known)[is_term] * (int(terms.max(initial=0)) + 1) + terms
    _, place, n_times = np.unique(cells, return_inverse=True, return_counts=True)
    result[is_term] = n_times[place]
    return result


@dataclass(frozen=True)
class _Evidence:
    """What weights of terms are computed from."""

    prior: KeyPrior
    documents: ReadDocuments
    classes: Int64Array
    n_classes: int


def _idf(evidence: _Evidence) -> Float64Array:
    counts = evidence.documents.counts
    with_term = np.bincount(counts.indices, minlength=counts.shape[1])
    return idf(with_term, counts.shape[0])


def _sif(evidence: _Evidence) -> Float64Array:
    documents, a = evidence.documents, evidence.prior.sif_a
    n_tokens = np.count_nonzero(documents.tokens.ids != GAP)
    share = documents.counts.sum(axis=0) / max(n_tokens, 1)
    return np.asarray(a / (a + share), dtype=np.float64)


def _salience(evidence: _Evidence) -> Float64Array:
    held = presence(evidence.documents.counts)
    salience = np.zeros(held.shape[1])
    # Of two classes the second ratio is the first with the other sign.
    for number in range(evidence.n_classes if evidence.n_classes > 2 else 1):
        ratio = log_count_ratio(held, evidence.classes == number, alpha=evidence.prior.alpha)
        np.maximum(salience, np.abs(ratio), out=salience)
    return salience


WEIGHTS: dict[str, Callable[[_Evidence], Float64Array]] = {
    "idf": _idf,
    "sif": _sif,
    "tfidf": _idf,
    "nb": _salience,
}
"""The weight of each term, at least 0, shape (V,); the frequency in a document comes later."""
