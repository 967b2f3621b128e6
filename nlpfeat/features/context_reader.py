"""What the estimators that learn from the neighbors of terms share: how neighbors are counted."""

from dataclasses import dataclass
from typing import Any, Literal

from nlpfeat._validation import check_int
from nlpfeat.counts.distance_weights import Weighting
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidInputError
from nlpfeat.features.document_reader import DocumentReader
from nlpfeat.features.random_states import check_seed
from nlpfeat.features.user_warnings import warn_user
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.text.batches import Documents
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.vectors.embedding import embed_spool
from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.word_vectors import WordVectors


@dataclass(kw_only=True, eq=False, repr=False)
class ContextReader(DocumentReader):
    """Base of the estimators that learn from the neighbors of terms."""

    window: int | Literal["all"] = 5
    scope: str = "document"
    weighting: Weighting = "flat"
    smoothing: float = 0.75
    shift: float = 1.0
    min_term_count: int = 1
    max_terms: int | None = None
    random_state: Any = None

    def _counting(self) -> CountingSettings:
        return CountingSettings(self.window, self.scope, "both", self.weighting).validate()

    def _spool_terms(self, documents: Documents) -> TokenSpool:
        """Segment the documents; terms that are too rare become gaps."""
        check_int(self.min_term_count, "min_term_count", minimum=1)
        if self.max_terms is not None:
            check_int(self.max_terms, "max_terms", minimum=1)
        spool = self._spool(documents)
        try:
            found = spool.vocabulary
            if not len(found):
                raise InvalidInputError(
                    "The documents hold no term: nothing but blanks, punctuation and stop words "
                    f"was found in {spool.n_documents} documents."
                )
            spool.restrict(found.prune(min_count=self.min_term_count, max_terms=self.max_terms))
        except BaseException:
            spool.close()
            raise
        return spool

    def _embed(self, spool: TokenSpool, settings: EmbeddingSettings) -> WordVectors:
        """Learn the vectors; warn where there are fewer dimensions than asked for."""
        vectors = embed_spool(spool, settings, n_threads=resolve_n_jobs(self.n_jobs))
        found = vectors.n_dims
        if found < settings.n_components:
            what = "terms" if found == len(vectors) else "contexts (max_contexts)"
            warn_user(
                f"n_components must be at most the number of {what}, {found}. "
                f"Got {settings.n_components}: {found} dimensions were learned."
            )
        return vectors

    def _seed(self) -> int:
        return check_seed(self.random_state)
