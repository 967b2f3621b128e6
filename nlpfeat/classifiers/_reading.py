"""From documents to the ids that a network reads, over a vocabulary that was learned."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from numbers import Integral
from typing import Any, cast

import numpy as np

from nlpfeat._validation import check_bool
from nlpfeat.classifiers._settings import checked_max_length
from nlpfeat.errors import InvalidInputError
from nlpfeat.features.document_reader import warn_of_uncut_text
from nlpfeat.features.selection import Selection
from nlpfeat.features.user_warnings import warn_user
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.text.batches import Documents, batches_of
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter, as_segmenter
from nlpfeat.text.stopwords import StopWords, read_stop_words
from nlpfeat.text.token_ids import GAP
from nlpfeat.text.token_spool import TextSettings
from nlpfeat.text.vocabulary import Vocabulary

READ_PARAMETERS = (
    "unit", "segmenter", "lowercase", "fold_width", "keep_punctuation", "max_length",
)  # fmt: skip
"""What a classifier must keep of its parameters to read new documents as it read those of ``fit``;
the stop words are kept as they were read."""


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
        cls, parameters: Mapping[str, Any], stop_words: StopWords, n_jobs: int | None
    ) -> "Reading":
        """Return how documents are read, once the stop words are, which may be in a file.

        Parameters
        ----------
        parameters : mapping
            The ``READ_PARAMETERS`` of a classifier.
        stop_words : iterable of str, path or None
        n_jobs : int or None

        Raises
        ------
        InvalidParameterError
            For a parameter that cannot be.
        InvalidInputError
            For stop words that cannot be read.
        """
        flags = {
            name: check_bool(parameters[name], name)
            for name in ("fold_width", "lowercase", "keep_punctuation")
        }
        normalization = Normalization(flags["fold_width"], flags["lowercase"])
        words = tuple(sorted(read_stop_words(stop_words, normalization)))
        return cls(
            parameters["unit"],
            as_segmenter(parameters["segmenter"]),
            TextSettings(normalization, flags["keep_punctuation"], words),
            checked_max_length(parameters["max_length"]),
            n_jobs,
        )

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
        return self._first(read, is_fitted=vocabulary is not None)

    def read_with_tokens(
        self, documents: Documents, vocabulary: Vocabulary
    ) -> tuple[ReadDocuments, list[list[str]]]:
        """Read documents as ``read`` does, and return their tokens too; they are cut once.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        vocabulary : Vocabulary

        Returns
        -------
        read : ReadDocuments
            As ``read`` returns them.
        tokens : list of list of str
            The tokens of each document, those too that are not seen.

        Warns
        -----
        UserWarning
            As ``read``.

        Raises
        ------
        InvalidInputError
            For a document that is none.

        Examples
        --------
        >>> from nlpfeat.text.segmenters import CharSegmenter
        >>> vocabulary = Vocabulary.build([["股", "涨"]])
        >>> reading = Reading("char", CharSegmenter(), TextSettings(), 4)
        >>> read, tokens = reading.read_with_tokens(["Ａ股！涨"], vocabulary)
        >>> tokens, read.tokens.ids.tolist()
        ([['a', '股', '！', '涨']], [2, 1, -1, 0])
        """
        settings = replace(self.settings, keep_punctuation=True, stop_words=None)
        whole = replace(self, settings=settings)._read_whole(documents, None)
        whole = self._first(whole, is_fitted=True)
        terms = whole.vocabulary.terms
        # What a token is for the model, only the rules of its text tell: each term is asked once.
        asked = replace(self, unit="word")._read_whole([list(terms)], vocabulary)
        ids = asked.tokens.ids[whole.tokens.ids]
        read = replace(
            whole, vocabulary=vocabulary, tokens=replace(whole.tokens, ids=ids),
            settings=self.settings,
        )  # fmt: skip
        return read, [[terms[number] for number in each.tolist()] for each in whole.tokens]

    def _first(self, read: ReadDocuments, *, is_fitted: bool) -> ReadDocuments:
        """Return the documents with the tokens that are read."""
        lengths = np.diff(read.tokens.indptr)
        n_longer = int((lengths > self.max_length).sum())
        if not n_longer:
            return read
        remedy = (
            "; max_length is that of fit."
            if is_fitted
            else ". Raise max_length, or give shorter documents."
        )
        warn_user(
            f"{n_longer:,} of {read.n_documents:,} documents have more than "
            f"max_length={self.max_length} tokens, the longest {lengths.max():,}: what stands "
            f"behind is not read{remedy}"
        )
        return replace(read, tokens=read.tokens.shortened(self.max_length))

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

    Raises
    ------
    InvalidInputError
        For what is no document, and for half of a character, with the row where it stands.

    Examples
    --------
    >>> held(text for text in ["天气", "很好"])
    ['天气', '很好']
    """
    return cast("list[str] | list[list[str]]", list(chain.from_iterable(batches_of(documents))))


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
