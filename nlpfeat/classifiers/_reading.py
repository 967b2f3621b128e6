"""From documents to the ids that a network reads, over a vocabulary that was learned."""

from dataclasses import dataclass, replace
from itertools import chain
from numbers import Integral
from typing import Any, cast

import numpy as np

from nlpfeat._typing import Int64Array
from nlpfeat.errors import InvalidInputError
from nlpfeat.features.document_reader import warn_of_uncut_text
from nlpfeat.features.selection import Selection
from nlpfeat.features.user_warnings import warn_user
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.text.batches import Documents, batches_of
from nlpfeat.text.segmenters import Segmenter
from nlpfeat.text.stopwords import read_stop_words
from nlpfeat.text.token_ids import GAP, TokenIds
from nlpfeat.text.token_spool import TextSettings
from nlpfeat.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class Reading:
    """How a classifier reads documents.

    Parameters
    ----------
    unit : {"char", "word"}
        What its tokens are.
    segmenter : Segmenter
        Cuts texts into words.
    settings : TextSettings
        With its stop words as a tuple: they are read once.
    max_length : int
        Tokens of a document that are read; the others are left out.
    n_jobs : int or None, default None
        Processes that segment.
    """

    unit: str
    segmenter: Segmenter
    settings: TextSettings
    max_length: int
    n_jobs: int | None = None

    @classmethod
    def of(
        cls,
        unit: str,
        segmenter: Segmenter,
        settings: TextSettings,
        max_length: int,
        n_jobs: int | None,
    ) -> "Reading":
        """Return how documents are read, once the stop words are, which may be in a file."""
        stop_words = read_stop_words(settings.stop_words, settings.normalization)
        settings = replace(settings, stop_words=tuple(sorted(stop_words)))
        return cls(unit, segmenter, settings, max_length, n_jobs)

    @property
    def stop_words(self) -> tuple[str, ...]:
        """The stop words as terms, in code-point order."""
        return tuple(cast("tuple[str, ...]", self.settings.stop_words or ()))

    def read(self, documents: Documents, vocabulary: Vocabulary | None = None) -> ReadDocuments:
        """Read documents over a vocabulary, or over all of their own terms.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        vocabulary : Vocabulary, default None
            V terms; any other token is V.

        Returns
        -------
        ReadDocuments
            With the first ``max_length`` tokens of each document.

        Warns
        -----
        UserWarning
            When a document is longer, and when text seems not to be cut into words.

        Raises
        ------
        InvalidInputError
            For a document that is none.
        """
        read = self._read_whole(documents, vocabulary)
        if vocabulary is None and self.unit == "word":
            warn_of_uncut_text(read.vocabulary)
        lengths = np.diff(read.tokens.indptr)
        n_longer = int((lengths > self.max_length).sum())
        if not n_longer:
            return read
        warn_user(
            f"{n_longer:,} of {read.n_documents:,} documents have more than "
            f"max_length={self.max_length} tokens, the longest {lengths.max():,}: what stands "
            "behind is not read. Raise max_length, or give shorter documents."
        )
        return replace(read, tokens=shortened(read.tokens, self.max_length))

    def all_tokens(self, documents: list[str] | list[list[str]]) -> list[list[str]]:
        """Return the tokens of each document, those too that are not seen.

        Examples
        --------
        >>> from nlpfeat.text.segmenters import CharSegmenter
        >>> Reading("char", CharSegmenter(), TextSettings(), 3).all_tokens(["Ａ股！涨"])
        [['a', '股', '！']]
        """
        settings = replace(self.settings, keep_punctuation=True, stop_words=None)
        read = replace(self, settings=settings)._read_whole(documents, None)
        terms = read.vocabulary.terms
        return [
            [terms[number] for number in ids[: self.max_length].tolist()] for ids in read.tokens
        ]

    def _read_whole(self, documents: Documents, vocabulary: Vocabulary | None) -> ReadDocuments:
        return ReadDocuments.read(
            held(documents),
            unit=self.unit,
            segmenter=self.segmenter,
            settings=self.settings,
            vocabulary=vocabulary,
            n_jobs=self.n_jobs,
        )


def held(documents: Documents) -> list[str] | list[list[str]]:
    """Return documents in memory, once they are known to be documents.

    Examples
    --------
    >>> held(text for text in ["天气", "很好"])
    ['天气', '很好']
    """
    return cast("list[str] | list[list[str]]", list(chain.from_iterable(batches_of(documents))))


def shortened(tokens: TokenIds, max_length: int) -> TokenIds:
    """Return the first tokens of each document.

    Examples
    --------
    >>> tokens = TokenIds(np.arange(5, dtype=np.int32), np.array([0, 4, 5]), np.array([0, 1, 4, 5]))
    >>> short = shortened(tokens, 2)
    >>> short.ids.tolist(), short.indptr.tolist(), short.sentence_indptr.tolist()
    ([0, 1, 4], [0, 2, 3], [0, 1, 2, 3])
    """
    lengths = np.diff(tokens.indptr)
    places = np.arange(tokens.n_tokens) - np.repeat(tokens.indptr[:-1], lengths)
    return _kept(tokens, places < max_length)


def documents_at(read: ReadDocuments, rows: Int64Array) -> ReadDocuments:
    """Return some of the documents, in the order of ``rows``."""
    indptr = read.tokens.indptr
    lengths = np.diff(indptr)[rows]
    ends = np.cumsum(lengths)
    places = np.arange(int(lengths.sum())) + np.repeat(indptr[rows] - (ends - lengths), lengths)
    is_end = np.zeros(read.tokens.n_tokens + 1, dtype=np.bool_)
    is_end[read.tokens.sentence_indptr] = True
    zero = np.zeros(1, dtype=np.int64)
    tokens = TokenIds(
        read.tokens.ids[places],
        np.concatenate([zero, ends]),
        np.concatenate([zero, np.flatnonzero(is_end[places + 1]) + 1]),
    )
    chosen = [read.documents[row] for row in rows.tolist()]
    return replace(read, documents=chosen, tokens=tokens)


def chosen_vocabulary(read: ReadDocuments, min_df: float) -> Vocabulary:
    """Return the terms that are in enough documents, with the frequencies that they have there.

    Parameters
    ----------
    read : ReadDocuments
        The training documents, over all terms.
    min_df : int or float
        The least number, or share, of documents.

    Raises
    ------
    InvalidInputError
        When there is no document, or no term is left.
    """
    if not read.n_documents:
        raise InvalidInputError(
            "There are no documents, and a classifier learns from documents. Give some of each "
            "class."
        )
    least = _least_documents(min_df, read.n_documents)
    ids, n_terms = read.tokens.ids, len(read.vocabulary)
    documents = np.repeat(np.arange(read.n_documents), np.diff(read.tokens.indptr))
    is_term = ids != GAP
    pairs = np.unique(documents[is_term] * np.int64(max(n_terms, 1)) + ids[is_term])
    in_documents = np.bincount(pairs % max(n_terms, 1), minlength=n_terms).astype(np.int64)
    occurrences = np.bincount(ids[is_term], minlength=n_terms).astype(np.int64)
    kept = np.flatnonzero(in_documents >= least)
    if not len(kept):
        raise InvalidInputError(
            "All documents are empty: they hold nothing but blanks, punctuation and stop words."
            if not is_term.any()
            else f"No term is left: none is in the {least:,} documents that min_df={min_df!r} asks "
            f"for; the most frequent one is in {in_documents.max():,}. Lower min_df."
        )
    terms = tuple(read.vocabulary.terms[number] for number in kept.tolist())
    return Vocabulary(terms, occurrences[kept], in_documents[kept])


def _least_documents(min_df: Any, n_documents: int) -> int:
    """Return the number of documents that ``min_df`` asks for; it may be more than there are."""
    if isinstance(min_df, Integral):
        return max(int(min_df), 1)
    return Selection.of(min_df, 1.0, None, n_documents).min_documents


def over(read: ReadDocuments, vocabulary: Vocabulary) -> ReadDocuments:
    """Return the documents over another vocabulary: terms that it lacks become V."""
    ids = vocabulary.positions_of(read.vocabulary)
    ids[ids == GAP] = len(vocabulary)
    # GAP is -1: it takes the last entry of the table, which is GAP again.
    renumbered = np.append(ids, np.int32(GAP))[read.tokens.ids]
    return replace(read, vocabulary=vocabulary, tokens=replace(read.tokens, ids=renumbered))


def _kept(tokens: TokenIds, is_kept: np.ndarray) -> TokenIds:
    """Return the tokens that are kept; what lies behind them moves up."""
    n_kept = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(is_kept)])
    sentences = n_kept[tokens.sentence_indptr]
    is_new = np.concatenate([[True], sentences[1:] > sentences[:-1]])
    return TokenIds(tokens.ids[is_kept], n_kept[tokens.indptr], sentences[is_new])
