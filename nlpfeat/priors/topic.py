"""What a document is about: topics learned from the training documents."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Float32Array, Float64Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.counts.feature_space import documents_of
from nlpfeat.errors import InvalidInputError
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.priors.forms import Form, misfit
from nlpfeat.priors.key import WHERE
from nlpfeat.priors.placebo import other_terms_as_frequent
from nlpfeat.priors.prior import FittedTextPrior, PriorInputs, TextPrior, check_common, spread
from nlpfeat.text.token_ids import GAP
from nlpfeat.topics import ENGINES, LearningSettings, TopicModel
from nlpfeat.topics.settings import check_weight, checked_prior

FORMS = {
    "lift": "a log-weight of each key: how much more likely the document's topics make it",
    "gate": "factors and shifts of the tokens, computed from the topics",
    "token": "one more key and value, computed from the topics",
}

_NUMBERS_PER_BLOCK = 1 << 22


@dataclass(frozen=True, kw_only=True)
class TopicPrior(TextPrior):
    """Topics of latent Dirichlet allocation, θ of the document and φ of the topics.

    Parameters
    ----------
    n_topics : int, default 20
        K.
    form : {"lift", "gate", "token"}, default "lift"
        score(i, j) += μ_h (ln Σ_k θ_k φ_k(x_j) - ln p(x_j)), a key prior for words that the topics
        of the document call for; h ← (1 + W_g θ) ∘ h + W_b θ, both matrices 0 at the start; or one
        more key and value W θ behind a gate that is shut at the start.
    where : {"all", "layers", "pooling"}, default "all"
        Which attentions a lift acts on.
    strength : float, default 0.0
        μ of the lift, or where it starts. At 0 nothing changes.
    learned : bool, default True
        Whether training changes μ.
    share_layers : bool, default True
        Whether the layers have one μ a head together.
    engine : {"gensim", "tomotopy"}, default "gensim"
        Who learns the topics.
    passes : int or None, default None
        How often the documents are read; None is what suits the engine.
    document_prior, term_prior : float, default 0.1 and 0.01
        α and η of the Dirichlet distributions, above 0.
    placebo : int, default None
        Seed: each term has the topics of another one that is about as frequent, so that a document
        has the topics of a document of other words.

    Notes
    -----
    θ of a document, new or old, comes from its tokens and the learned topics alone; without a term
    it is α / Σα. A token that is no term, and a gap, has the lift 0.

    p(x) = Σ_k w_k φ_k(x), w_k the share of topic k among all tokens: a document that is about
    everything lifts nothing.

    On texts of a few words θ is little more than the prior; expect topics to help with long
    documents alone.

    Source: Blei, Ng and Jordan (2003); gate: Perez et al. (2018).

    Examples
    --------
    >>> texts = [["房间", "干净", "早餐"], ["早餐", "房间"], ["作者", "故事"], ["故事", "书"]] * 5
    >>> read = ReadDocuments.read(texts, unit="word")
    >>> classes = np.array([0, 0, 1, 1] * 5)
    >>> fitted = TopicPrior(n_topics=2).fit(read, classes, 2, seed=0)
    >>> new = read.alike([["房间", "早餐", "故事"]])
    >>> fitted.inputs(new).tokens.round(1)
    array([ 0.2,  0.2, -0.3], dtype=float32)
    """

    name: ClassVar[str] = "topic"

    n_topics: int = 20
    form: str = "lift"
    where: str = "all"
    strength: float = 0.0
    learned: bool = True
    share_layers: bool = True
    engine: str = "gensim"
    passes: int | None = None
    document_prior: float = 0.1
    term_prior: float = 0.01

    def validate(self) -> None:
        """Check the settings."""
        super().validate()
        check_int(self.n_topics, "TopicPrior.n_topics", minimum=1)
        lookup(FORMS, self.form, "TopicPrior.form")
        lookup(WHERE, self.where, "TopicPrior.where")
        lookup(ENGINES, self.engine, "TopicPrior.engine")
        if self.passes is not None:
            check_int(self.passes, "TopicPrior.passes (or None)", minimum=1)
        check_weight(self.document_prior, "TopicPrior.document_prior")
        check_weight(self.term_prior, "TopicPrior.term_prior")
        check_common(self, "learned", "share_layers", strength=self.strength)

    def fit(
        self,
        documents: ReadDocuments,
        classes: Int64Array,  # noqa: ARG002
        n_classes: int,  # noqa: ARG002
        seed: int,
    ) -> "FittedTopicPrior":
        """Learn the topics of the training documents."""
        self.validate()
        engine = lookup(ENGINES, self.engine, "TopicPrior.engine")
        learn = engine.load()
        if not documents.counts.nnz:
            raise InvalidInputError(
                f"TopicPrior learns topics from terms, and all {documents.n_documents} training "
                "documents are empty. Give documents that hold terms."
            )
        settings = LearningSettings(
            n_topics=self.n_topics,
            passes=engine.passes if self.passes is None else self.passes,
            chunk_size=None,
            document_prior=checked_prior(self.document_prior, self.n_topics),
            learn_document_prior=False,
            term_prior=self.term_prior,
            decay=0.7,
            offset=1.0,
            seed=seed,
            n_threads=resolve_n_jobs(documents.n_jobs),
        )
        model = learn(documents.counts, settings)
        components = model.components
        if self.placebo is not None:
            frequencies = np.asarray(documents.counts.sum(axis=0))
            components = components[:, other_terms_as_frequent(frequencies, self.placebo)]
        fitted = FittedTopicPrior(
            self.form, model.document_prior, components, model.topic_weights, 1.0
        )
        said = fitted.inputs(documents)
        numbers = [part for part in (said.tokens, said.rows) if part is not None]
        return replace(fitted, deviation=spread(numbers[0]))


@dataclass(frozen=True, eq=False)
class FittedTopicPrior(FittedTextPrior):
    """Learned topics.

    Parameters
    ----------
    form : {"lift", "gate", "token"}
    document_prior : ndarray of float64, shape (K,)
        α.
    components : ndarray of float64, shape (K, V)
        φ: rows sum to 1.
    topic_weights : ndarray of float64, shape (K,)
        Tokens of each topic.
    deviation : float
        Standard deviation of what the prior says of the training documents.
    """

    forms: ClassVar[Mapping[str, Form]] = {
        "document_prior": Form(np.float64, ("K",)),
        "components": Form(np.float64, ("K", "V")),
        "topic_weights": Form(np.float64, ("K",)),
    }

    form: str
    document_prior: Float64Array
    components: Float64Array
    topic_weights: Float64Array
    deviation: float

    def check_parts(self) -> None:
        """Check what compiled code relies on: numbers above 0, in arrays that fit together."""
        for name in self.forms:
            least = getattr(self, name).min(initial=np.inf)
            if not least > 0:
                raise misfit(self, name, "numbers above 0", least)
        lookup(FORMS, self.form, f"{type(self).__name__}.form")
        self.model  # noqa: B018 - refuses parts that do not fit together

    @property
    def model(self) -> TopicModel:
        """The topics, for `nlpfeat.topics`."""
        return TopicModel(self.document_prior, self.components, self.topic_weights)

    @property
    def scale(self) -> float:
        """Standard deviation of the lifts, or of the shares, of the training documents."""
        return self.deviation

    def inputs(self, documents: ReadDocuments) -> PriorInputs:
        """Return ``tokens``, the lift of each token; or ``rows``, θ of each document (N, K)."""
        from nlpfeat.topics.inference import infer, shares

        n_threads = resolve_n_jobs(documents.n_jobs)
        theta = shares(infer(self.model, documents.counts, n_threads=n_threads))
        if self.form != "lift":
            return PriorInputs(rows=theta.astype(np.float32))
        return PriorInputs(tokens=self._lifts(documents, theta))

    def _lifts(self, documents: ReadDocuments, theta: Float64Array) -> Float32Array:
        """Return ln Σ_k θ_k φ_k(x) - ln p(x) of each token."""
        weights = self.topic_weights / self.topic_weights.sum()
        relative = (self.components / (weights @ self.components)).T
        ids = documents.known.ids
        tokens = np.flatnonzero(ids != GAP)
        rows = documents_of(documents.known)[tokens]
        lifts = np.zeros(len(ids), dtype=np.float32)
        size = max(1, _NUMBERS_PER_BLOCK // len(weights))
        for start in range(0, len(tokens), size):
            block = slice(start, start + size)
            here = tokens[block]
            likely = np.einsum("tk,tk->t", theta[rows[block]], relative[ids[here]])
            lifts[here] = np.log(likely)
        return lifts
