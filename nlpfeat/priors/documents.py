"""Documents as a classifier has read them: what priors are fitted on and asked about."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Int64Array
from nlpfeat.counts.documents import TermSpace
from nlpfeat.counts.ngram_names import UNITS
from nlpfeat.text.batches import Documents
from nlpfeat.text.segmenters import Segmenter, as_segmenter
from nlpfeat.text.token_ids import GAP, TokenIds
from nlpfeat.text.token_spool import DEFAULT_SETTINGS, TextSettings, TokenSpool, spool_tokens
from nlpfeat.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class ReadDocuments:
    """Documents, and the tokens that a model sees in them.

    Parameters
    ----------
    documents : list of str, or list of list of str
        N texts or token lists.
    unit : {"char", "word"}
        What the model's tokens are.
    segmenter : Segmenter
        Cuts texts into words; characters need none.
    vocabulary : Vocabulary
        The model's V terms.
    tokens : TokenIds
        The documents over that vocabulary: V for a token that is no term, ``GAP`` for one that was
        removed, such as punctuation.
    settings : TextSettings
        How text becomes terms.
    n_jobs : int or None, default 1
        Processes that segment, and threads that count; no result depends on it.

    Examples
    --------
    >>> read = ReadDocuments.read(["天气很好", "好"], unit="char")
    >>> read.n_documents, read.vocabulary.terms, read.tokens.ids.tolist()
    (2, ('天', '好', '很', '气'), [0, 3, 2, 1, 1])
    >>> new = read.alike(["好冷！"])
    >>> new.tokens.ids.tolist(), new.known.ids.tolist(), new.counts.toarray().tolist()
    ([1, 4, -1], [1, -1, -1], [[0, 1, 0, 0]])
    """

    documents: list[str] | list[list[str]] = field(repr=False)
    unit: str
    segmenter: Segmenter
    vocabulary: Vocabulary
    tokens: TokenIds = field(repr=False)
    settings: TextSettings = DEFAULT_SETTINGS
    n_jobs: int | None = 1

    @classmethod
    def read(
        cls,
        documents: list[str] | list[list[str]],
        *,
        unit: str,
        segmenter: str | Segmenter = "jieba",
        settings: TextSettings = DEFAULT_SETTINGS,
        vocabulary: Vocabulary | None = None,
        n_jobs: int | None = 1,
    ) -> "ReadDocuments":
        """Cut documents; without a vocabulary, theirs is taken whole."""
        words = as_segmenter(segmenter)
        unknown = GAP if vocabulary is None else len(vocabulary)
        given = _in_unit(documents, unit)
        with spool_tokens(
            given, _cutter(words, unit), settings, vocabulary=vocabulary, unknown=unknown,
            n_jobs=n_jobs,
        ) as spool:  # fmt: skip
            return cls(
                documents, unit, words, spool.vocabulary, whole(spool), settings, n_jobs
            )  # fmt: skip

    def alike(self, documents: list[str] | list[list[str]]) -> "ReadDocuments":
        """Return other documents, cut and numbered as these: what a fitted prior is asked about."""
        return ReadDocuments.read(
            documents, unit=self.unit, segmenter=self.segmenter, settings=self.settings,
            vocabulary=self.vocabulary, n_jobs=self.n_jobs,
        )  # fmt: skip

    def chosen(self, rows: Int64Array) -> "ReadDocuments":
        """Return some of the documents, in the order of ``rows``, over the same vocabulary."""
        documents = [self.documents[row] for row in rows.tolist()]
        return replace(self, documents=documents, tokens=self.tokens.chosen(rows))

    @property
    def n_documents(self) -> int:
        """Number of documents, N."""
        return len(self.documents)

    @cached_property
    def known(self) -> TokenIds:
        """The tokens with a gap for what is no term."""
        ids = self.tokens.ids
        is_term = ids < len(self.vocabulary)
        ids = np.where(is_term, ids, np.int32(GAP))
        return TokenIds(ids, self.tokens.indptr, self.tokens.sentence_indptr)

    @cached_property
    def counts(self) -> "csr_array":
        """How often each document holds each term, int64, shape (N, V)."""
        return TermSpace(self.vocabulary).count(self.known)

    def spool(
        self, unit: str | None = None, vocabulary: Vocabulary | None = None, unknown: int = GAP
    ) -> TokenSpool:
        """Cut the documents once more; the caller closes the spool.

        Parameters
        ----------
        unit : {"char", "word"}, default None
            None is the model's. The tokens of a list, put together, fall into characters.
        vocabulary : Vocabulary, default None
            The only terms to look for; None finds and counts the terms of the documents.
        unknown : int, default GAP
            What stands for all other terms.

        Returns
        -------
        TokenSpool

        Raises
        ------
        InvalidParameterError
            For an unknown unit.
        """
        unit = self.unit if unit is None else unit
        return spool_tokens(
            _in_unit(self.documents, unit), _cutter(self.segmenter, unit), self.settings,
            vocabulary=vocabulary, unknown=unknown, n_jobs=self.n_jobs,
        )  # fmt: skip

    def known_spool(self) -> TokenSpool:
        """Return the model's tokens as a spool, without cutting again; the caller closes it.

        Its vocabulary is the model's, with the frequencies that the terms have in these documents;
        what is no term is a gap.
        """
        spool = TokenSpool()
        try:
            spool.append(self.known)
            spool.settle(self.vocabulary.terms)
            spool.restrict(spool.vocabulary.counted_over(self.vocabulary))
        except BaseException:
            spool.close()
            raise
        return spool


def whole(spool: TokenSpool) -> TokenIds:
    """Return all documents of a spool in one piece.

    Examples
    --------
    >>> with spool_tokens(["好", "很好"], as_segmenter("char")) as spool:
    ...     whole(spool).indptr.tolist()
    [0, 1, 3]
    """
    nothing = np.zeros(1, dtype=np.int64)
    empty = TokenIds(np.empty(0, dtype=np.int32), nothing, nothing)
    # A block ends where it would hold more tokens than it may: this one does not end before all.
    return next(spool.blocks(max(spool.n_tokens, 1)), empty)


def _in_unit(documents: list[str] | list[list[str]], unit: str) -> Documents:
    """Return what is cut into the unit: for characters, lists put together."""
    lookup(UNITS, unit, "unit")
    if unit == "char":
        return [each if isinstance(each, str) else "".join(each) for each in documents]
    return documents


def _cutter(words: Segmenter, unit: str) -> Segmenter:
    return as_segmenter("char") if unit == "char" else words
