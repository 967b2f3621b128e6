"""The token ids of a corpus on disk, segmented once, and their vocabulary."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

import numpy as np

from nlpfeat._typing import Int32Array, Int64Array
from nlpfeat.errors import OutputError
from nlpfeat.parallel.pool import ordered_map, resolve_n_jobs
from nlpfeat.parallel.spool import ArraySpool
from nlpfeat.text.batches import Documents, batches_of
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.encoder import BatchCutter, NumberedBatch, TokenEncoder
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter
from nlpfeat.text.stopwords import StopWords, read_stop_words, warn_of_unreachable
from nlpfeat.text.token_ids import GAP, TokenIds
from nlpfeat.text.vocabulary import Vocabulary

Progress = Callable[[str, int, int | None], None]
"""Called with the name of the step, what is done and what there is to do (None: unknown)."""

BLOCK_TOKENS = 1 << 23
DEFAULT_NORMALIZATION = Normalization()
_LONG_TEXT = 1_000_000  # tokens; from here on memory is worth more than not to load once more
_FIRST_LOOK = 1 << 24  # bytes of text, after which it is known how many tokens they hold
_STATISTICS_TOKENS = 1 << 19  # small arrays are used again; large ones are new memory each time


def no_progress(step: str, done: int, total: int | None) -> None:
    """Show nothing."""


def ignore(n_tokens: int) -> None:
    """Do nothing."""


class TokenSpool:
    """A corpus as term ids on disk; made by :func:`spool_tokens`, read in blocks of documents.

    The files have no name: whatever happens, nothing is left on the disk.

    Attributes
    ----------
    vocabulary : Vocabulary
    n_documents, n_tokens : int
        Documents (empty ones too) and tokens (gaps too, blanks not).
    longest_document : int
        Its number of tokens.
    is_complete : bool
        Whether every term of the text is in the vocabulary.
    stop_words : frozenset of str
        Terms that became gaps.
    preparation : dict of str to str
        How the text became terms, for people and for comparison.
    was_cut : bool
        Whether there was text to cut, and not token lists alone.
    """

    def __init__(self, folder: str | None = None) -> None:
        self._ids = ArraySpool(np.int32, folder)
        self._document_lengths = ArraySpool(np.int64, folder)
        self._sentence_lengths = ArraySpool(np.int64, folder)
        self._term_ids: Int32Array = np.array([GAP], dtype=np.int32)
        self.vocabulary = Vocabulary((), np.empty(0, np.int64), np.empty(0, np.int64))
        self.stop_words: frozenset[str] = frozenset()
        self.preparation: dict[str, str] = {}
        self.was_cut = False
        self.longest_document = 0
        self.is_complete = True

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return len(self._document_lengths)

    @property
    def n_tokens(self) -> int:
        """Number of tokens."""
        return len(self._ids)

    @property
    def n_bytes(self) -> int:
        """Size of the files: 4 bytes a token, 8 a document and 8 a sentence."""
        lengths = len(self._document_lengths) + len(self._sentence_lengths)
        return 4 * len(self._ids) + 8 * lengths

    def append(self, tokens: TokenIds) -> None:
        """Write documents behind what is there."""
        self._ids.append(tokens.ids)
        lengths = np.diff(tokens.indptr)
        self.longest_document = max(self.longest_document, int(lengths.max(initial=0)))
        self._document_lengths.append(lengths)
        self._sentence_lengths.append(np.diff(tokens.sentence_indptr))

    def settle(self, terms: Sequence[str]) -> None:
        """Count the terms of what was written and give them their final ids."""
        occurrences = np.zeros(len(terms), dtype=np.int64)
        documents = np.zeros(len(terms), dtype=np.int64)
        self._term_ids = np.append(np.arange(len(terms), dtype=np.int32), np.int32(GAP))
        for block in self.blocks(_STATISTICS_TOKENS):
            in_block, with_term = _frequencies(block, len(terms))
            occurrences += in_block
            documents += with_term
        self.vocabulary, ids = Vocabulary.from_counts(terms, occurrences, documents)
        self._term_ids = np.append(ids, np.int32(GAP))

    def settle_known(self, vocabulary: Vocabulary, *, is_complete: bool) -> None:
        """Take a vocabulary whose ids what was written has already."""
        self._term_ids = np.append(np.arange(len(vocabulary) + 1, dtype=np.int32), np.int32(GAP))
        self.vocabulary = vocabulary
        self.is_complete = is_complete

    def restrict(self, vocabulary: Vocabulary, *, unknown: int = GAP) -> None:
        """Use another vocabulary from now on; terms that it lacks become gaps, or ``unknown``."""
        if vocabulary is self.vocabulary:
            return
        ids = vocabulary.positions_of(self.vocabulary)
        self.is_complete = self.is_complete and bool((ids != GAP).all())
        ids[ids == GAP] = unknown
        self._term_ids = np.append(ids, np.int32(GAP))[self._term_ids]
        self.vocabulary = vocabulary

    def blocks(self, max_tokens: int = BLOCK_TOKENS) -> Iterator[TokenIds]:
        """Yield all documents in blocks of at most ``max_tokens``; a longer document is alone."""
        sentence = start = 0
        for lengths in self._document_blocks(max_tokens):
            indptr = np.concatenate([[0], np.cumsum(lengths)])
            stop = start + int(indptr[-1])
            n_sentences, sentence_indptr = self._sentences(sentence, stop - start)
            # GAP is -1: it takes the last entry of the table, which is GAP again.
            ids = self._term_ids[self._ids.read(start, stop)]
            yield TokenIds(ids, indptr, sentence_indptr)
            sentence += n_sentences
            start = stop

    def _document_blocks(self, max_tokens: int) -> Iterator[Int64Array]:
        pending = np.empty(0, dtype=np.int64)
        read = 0
        while read < self.n_documents or len(pending):
            if read < self.n_documents and pending.sum() <= max_tokens:
                stop = min(read + 100_000, self.n_documents)
                pending = np.concatenate([pending, self._document_lengths.read(read, stop)])
                read = stop
                continue
            size = max(int(np.searchsorted(np.cumsum(pending), max_tokens, side="right")), 1)
            yield pending[:size]
            pending = pending[size:]

    def _sentences(self, first: int, n_tokens: int) -> tuple[int, Int64Array]:
        """Return the sentences, from ``first`` on, that make up ``n_tokens``."""
        ends = [np.zeros(1, dtype=np.int64)]
        n_sentences = 0
        while ends[-1][-1] < n_tokens:
            start = first + n_sentences
            lengths = self._sentence_lengths.read(start, min(start + 100_000, self._n_sentences))
            cumulated = ends[-1][-1] + np.cumsum(lengths)
            cumulated = cumulated[: np.searchsorted(cumulated, n_tokens) + 1]
            n_sentences += len(cumulated)
            ends.append(cumulated)
        return n_sentences, np.concatenate(ends)

    @property
    def _n_sentences(self) -> int:
        return len(self._sentence_lengths)

    def close(self) -> None:
        """Remove the files."""
        for spool in (self._ids, self._document_lengths, self._sentence_lengths):
            spool.close()

    def __enter__(self) -> "TokenSpool":
        """Return the spool; its files are removed at the end of the block."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Remove the files."""
        self.close()


def _frequencies(block: TokenIds, n_terms: int) -> tuple[Int64Array, Int64Array]:
    """Return the occurrences of each term and the number of documents with it."""
    from scipy.sparse import csr_array

    known = block.ids >= 0
    terms = block.ids[known]
    occurrences = np.bincount(terms, minlength=n_terms).astype(np.int64)
    indptr = np.concatenate([[0], np.cumsum(known)])[block.indptr]
    by_document = csr_array(
        (np.ones(len(terms), dtype=np.int8), terms, indptr), shape=(block.n_documents, n_terms)
    )
    by_term = by_document.tocsc()  # a counting sort: documents stay in order within a term
    is_new = np.ones(len(terms), dtype=np.bool_)
    is_new[1:] = by_term.indices[1:] != by_term.indices[:-1]
    starts = by_term.indptr[:-1]
    is_new[starts[starts < len(terms)]] = True
    counted = np.concatenate([[0], np.cumsum(is_new)])[by_term.indptr]
    return occurrences, np.diff(counted)


@dataclass(frozen=True)
class TextSettings:
    """How text becomes terms.

    Parameters
    ----------
    normalization : Normalization
    keep_punctuation : bool, default False
        Whether punctuation is a term instead of a gap.
    stop_words : iterable of str, path, or None
        Terms that become gaps; compared with final tokens.
    """

    normalization: Normalization = DEFAULT_NORMALIZATION
    keep_punctuation: bool = False
    stop_words: StopWords = None


DEFAULT_SETTINGS = TextSettings()


def spool_tokens(
    documents: Documents,
    segmenter: Segmenter,
    settings: TextSettings = DEFAULT_SETTINGS,
    *,
    vocabulary: Vocabulary | None = None,
    unknown: int = GAP,
    n_jobs: int | None = 1,
    progress: Progress = no_progress,
    on_tokens: Callable[[int], None] = ignore,
) -> TokenSpool:
    """Segment documents once, onto disk.

    The result does not depend on ``n_jobs``, on batches, or on how processes start.

    Parameters
    ----------
    documents : Corpus, or iterable of texts or token lists
    segmenter : Segmenter
    settings : TextSettings
    vocabulary : Vocabulary, default None
        The only terms to look for, whose frequencies stay as they are; None finds and counts the
        terms of the documents.
    unknown : int, default GAP
        With a vocabulary of n terms: what stands for all other terms, a gap or n.
    n_jobs : int or None, default 1
        Processes that segment.
    progress : callable
        Told of the bytes that were read.
    on_tokens : callable
        Told of the number of tokens so far, after each batch.

    Raises
    ------
    InvalidInputError
        For a document that is none.
    OutputError
        When the folder for temporary files has no room for the tokens of a corpus of known size;
        after a part of it, where that can be told.
    WorkerError
        When a process dies.
    """
    stop_words = read_stop_words(settings.stop_words, settings.normalization)
    # First of all, so that a user dictionary is read and reported here, and not in each worker.
    identity = segmenter.identity
    n_workers = resolve_n_jobs(n_jobs)
    if n_workers == 1 and isinstance(documents, Corpus):
        # Before any text is read: memory that was taken first can be given back in one piece.
        segmenter.load()
    make_cutter = partial(_make_cutter, segmenter, settings.normalization)
    spool = TokenSpool()
    try:
        n_bytes = documents.n_bytes if isinstance(documents, Corpus) else None
        room = _Room(n_bytes, next_look=_FIRST_LOOK)
        batches = batches_of(documents, room.counting(reading_progress(documents, progress)))
        known = None if vocabulary is None else vocabulary.ids
        terms, spool.was_cut = _fill(
            spool,
            ordered_map(make_cutter, batches, n_workers),
            TokenEncoder(stop_words, settings.keep_punctuation, known, unknown),
            on_tokens,
            room,
        )
        if spool.was_cut and stop_words:
            warn_of_unreachable(stop_words, segmenter)
        if spool.n_tokens >= _LONG_TEXT:
            segmenter.release()
        if vocabulary is None:
            spool.settle(terms)
        else:
            spool.settle_known(vocabulary, is_complete=not terms)
        spool.stop_words = stop_words
        spool.preparation = _preparation(identity if spool.was_cut else None, settings, stop_words)
    except BaseException:
        spool.close()
        raise
    return spool


def _fill(
    spool: TokenSpool,
    batches: Iterator[NumberedBatch],
    encoder: TokenEncoder,
    on_tokens: Callable[[int], None],
    room: "_Room",
) -> tuple[list[str], bool]:
    """Write all batches, and return the terms and whether text was cut.

    The encoder and the workers' tables are this function's alone, and gone when it returns.
    """
    was_cut = False
    for batch in batches:
        spool.append(encoder.encode(batch))
        was_cut = batch.was_cut
        on_tokens(spool.n_tokens)
        room.look(spool)
    return encoder.terms, was_cut


@dataclass
class _Room:
    """Whether all of a text will have room on the disk, judged by the part that was read."""

    total: int | None  # bytes of text
    next_look: int
    read: int = 0

    def counting(self, progress: Callable[[int], None] | None) -> Callable[[int], None]:
        """Return what adds up the bytes that were read, and tells of them too."""

        def on_bytes(n_bytes: int) -> None:
            self.read += n_bytes
            if progress is not None:
                progress(n_bytes)

        return on_bytes

    def look(self, spool: TokenSpool) -> None:
        """Raise when what is still to come surely needs more than there is."""
        if self.total is None or self.read < self.next_look:
            return
        self.next_look = 2 * self.read
        folder = tempfile.gettempdir()
        free = shutil.disk_usage(folder).free
        needed = spool.n_bytes * (self.total / self.read - 1)
        if needed > 1.25 * free:  # the rest can hold fewer tokens
            raise OutputError(
                f"the folder for temporary files, {folder}, must have room for the tokens of the "
                f"text, which need about {needed / 1e9:.3g} GB more. Got {free / 1e9:.3g} GB: free "
                "some, or name another folder in the environment variable TMPDIR."
            )


def _preparation(
    identity: str | None, settings: TextSettings, stop_words: frozenset[str]
) -> dict[str, str]:
    return {
        "segmenter": "none: token lists" if identity is None else _shortened(identity),
        "fold_width": str(settings.normalization.fold_width),
        "lowercase": str(settings.normalization.lowercase),
        "keep_punctuation": str(settings.keep_punctuation),
        "stop_words": _shortened(" ".join(sorted(stop_words))),
    }


def _shortened(text: str) -> str:
    """Return a text, or what tells a long one from every other."""
    if len(text) <= 200:
        return text
    return f"{text[:100]}… (SHA-256 {sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]})"


def reading_progress(documents: Documents, progress: Progress) -> Callable[[int], None] | None:
    """Return what adds up the bytes that were read and tells of them."""
    if progress is no_progress or not isinstance(documents, Corpus):
        return None
    total = documents.n_bytes
    done = 0

    def on_bytes(n_bytes: int) -> None:
        nonlocal done
        done += n_bytes
        progress("segmenting", done, total)

    return on_bytes


def _make_cutter(segmenter: Segmenter, normalization: Normalization) -> BatchCutter:
    return BatchCutter(segmenter, normalization, os.getpid())
