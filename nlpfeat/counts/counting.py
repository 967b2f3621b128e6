"""Count the co-occurrences of a corpus."""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from nlpfeat._typing import Int32Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.counts._kernels import EarlyStart, check_kernel, load_kernel
from nlpfeat.counts._kernels.interface import Block, Kernel, Rows
from nlpfeat.counts.cooccurrence import CooccurrenceCounts, pruned
from nlpfeat.counts.distance_weights import Weighting
from nlpfeat.counts.indices import with_fitting_indices
from nlpfeat.counts.margins import Margins, presence_margins
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.counts.sliding_windows import WindowEnds, window_ends, window_margins
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.text.batches import Documents
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter, as_segmenter
from nlpfeat.text.stopwords import StopWords
from nlpfeat.text.token_spool import (
    BLOCK_TOKENS,
    Progress,
    TextSettings,
    TokenSpool,
    no_progress,
    spool_tokens,
)
from nlpfeat.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array

logger = logging.getLogger(__name__)

_CELLS_AT_ONCE = 1 << 24
_TOKENS_A_CELL = 8  # in a longer text, so that it is not read more often the longer it is


def count_cooccurrences(
    documents: Documents,
    segmenter: str | Segmenter = "jieba",
    *,
    window: int | Literal["all"] = 5,
    scope: str = "document",
    direction: str = "both",
    weighting: Weighting = "flat",
    counting: str = "pairs",
    min_count: int = 1,
    min_term_count: int = 1,
    max_terms: int | None = None,
    vocabulary: Vocabulary | None = None,
    stop_words: StopWords = None,
    keep_punctuation: bool = False,
    fold_width: bool = True,
    lowercase: bool = True,
    kernel: str = "auto",
    n_jobs: int | None = None,
    progress: Progress = no_progress,
) -> CooccurrenceCounts:
    """Count which terms occur near one another, exactly.

    Parameters
    ----------
    documents : Corpus, or iterable of texts or token lists
        Token lists are taken as they are; texts go through the segmenter.
    segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        After a text of a million tokens its dictionary is given back; the next use loads it.
    window : int or "all", default 5
        Up to so many tokens on each side (with ``counting="pairs"``), or so many tokens in a
        window (otherwise), or the whole unit of the scope.
    scope : {"document", "sentence"}, default "document"
        What a pair may not cross.
    direction : {"both", "right", "left"}, default "both"
        Where y stands, seen from x.
    weighting : {"flat", "harmonic", "linear"}, callable or sequence, default "flat"
        What a pair counts at each distance.
    counting : {"pairs", "windows", "textgcn"}, default "pairs"
        Pairs of positions, windows that hold both, or what Text GCN counts.
    min_count : int, default 1
        Pairs that occur less often are left out; margins stay those of the whole table.
    min_term_count : int, default 1
        Terms that occur less often become gaps.
    max_terms : int, default None
        Only so many of the most frequent terms; the others become gaps.
    vocabulary : Vocabulary, default None
        Count these terms and no others; its frequencies do not matter. Spelled as tokens are after
        folding. Few terms are quicker than all.
    stop_words : iterable of str or path, default None
        Terms that become gaps.
    keep_punctuation : bool, default False
        Whether punctuation counts as terms instead of gaps.
    fold_width, lowercase : bool, default True
        Whether full-width letters and digits, and upper case, make no difference.
    kernel : {"auto", "reference", "scipy_shift", "numba_scan"}, default "auto"
        How to count; the result is the same.
    n_jobs : int, default None
        Processes that segment, and threads that count; -1 takes all processors.
    progress : callable
        Called with the step, what is done and what there is to do.

    Returns
    -------
    CooccurrenceCounts

    Raises
    ------
    InvalidParameterError
        For a setting that cannot be.
    InvalidInputError
        For documents that cannot be used, or that hold no token.

    Examples
    --------
    >>> counts = count_cooccurrences([["茶", "叶", "茶", "水"]], window=1)
    >>> counts.vocabulary.terms
    ('叶', '水', '茶')
    >>> counts.matrix.toarray()
    array([[0, 0, 2],
           [0, 0, 1],
           [2, 1, 0]])
    """
    settings = CountingSettings(window, scope, direction, weighting, counting).validate()
    min_count = check_int(min_count, "min_count", minimum=1)
    _check_terms(vocabulary, min_term_count, max_terms)
    check_kernel(kernel)
    n_threads = resolve_n_jobs(n_jobs)
    text_settings = TextSettings(Normalization(fold_width, lowercase), keep_punctuation, stop_words)
    if vocabulary is not None:
        _warn_of_spelling(vocabulary, text_settings.normalization)
    early = EarlyStart(kernel, n_threads)
    with spool_tokens(
        documents, as_segmenter(segmenter), text_settings, vocabulary=vocabulary, n_jobs=n_jobs,
        progress=progress, on_tokens=early.on_tokens,
    ) as spool:  # fmt: skip
        if not spool.n_tokens:
            who = "The documents hold"
            if isinstance(documents, Corpus):
                who = f"{documents.name} holds"
            raise InvalidInputError(
                f"{who} no token: nothing but blanks was found in {spool.n_documents} documents."
            )
        if vocabulary is None:
            spool.restrict(spool.vocabulary.prune(min_count=min_term_count, max_terms=max_terms))
        else:
            spool.vocabulary = _counted(spool)
        return count_spool(
            spool, settings, min_count=min_count, kernel=kernel, n_threads=n_threads,
            progress=progress,
        )  # fmt: skip


def _check_terms(vocabulary: Vocabulary | None, min_term_count: int, max_terms: int | None) -> None:
    check_int(min_term_count, "min_term_count", minimum=1)
    if vocabulary is not None and not isinstance(vocabulary, Vocabulary):
        raise InvalidParameterError(
            "vocabulary must be a Vocabulary; make one with Vocabulary.build([terms]). "
            f"Got a {type(vocabulary).__name__}."
        )
    if max_terms is not None:
        check_int(max_terms, "max_terms", minimum=1)
    if vocabulary is not None and (min_term_count > 1 or max_terms is not None):
        raise InvalidParameterError(
            "vocabulary says which terms are counted, so min_term_count and max_terms must be "
            f"left out. Got {min_term_count} and {max_terms}."
        )


def _warn_of_spelling(vocabulary: Vocabulary, normalization: Normalization) -> None:
    """Log the terms that are spelled as no token is."""
    spelled = zip(vocabulary.terms, normalization.terms(vocabulary.terms))
    changed = [f"{term} ({token})" for term, token in spelled if term != token]
    if changed:
        shown = ", ".join(changed[:10]) + (", …" if len(changed) > 10 else "")
        logger.warning(
            "%d of %d terms of the vocabulary cannot occur, since tokens are spelled otherwise "
            "(fold_width, lowercase): %s.", len(changed), len(vocabulary), shown,
        )  # fmt: skip


def _counted(spool: TokenSpool) -> Vocabulary:
    """Return the vocabulary of a spool with the frequencies that its terms have there."""
    n_terms = len(spool.vocabulary)
    occurrences = np.zeros(n_terms, dtype=np.int64)
    documents = np.zeros(n_terms, dtype=np.int64)
    for tokens in spool.blocks():
        known = tokens.ids[tokens.ids >= 0]
        occurrences += np.bincount(known, minlength=n_terms)
        documents += presence_margins(tokens.ids, tokens.indptr, n_terms).x
    return Vocabulary(spool.vocabulary.terms, occurrences, documents)


def count_spool(
    spool: TokenSpool, settings: CountingSettings, *, min_count: int = 1, kernel: str = "auto",
    n_threads: int = 1, progress: Progress = no_progress,
) -> CooccurrenceCounts:  # fmt: skip
    """Count a corpus that was segmented before, over the vocabulary that its spool has now.

    Parameters
    ----------
    spool : TokenSpool
    settings : CountingSettings
        Validated.
    min_count : int, default 1
        Pairs that occur less often are left out.
    kernel : str, default "auto"
        How to count; the result is the same.
    n_threads : int, default 1
        Threads that count.
    progress : callable
        Told of the rows that were counted.
    """
    from scipy.sparse import vstack

    longest = spool.longest_document
    reach = longest if settings.window == "all" else min(settings.window, longest)
    counter = load_kernel(kernel, spool.n_tokens, reach)
    blocks = _reader(spool, settings)
    n_terms = len(spool.vocabulary)
    margins = _margins(blocks(), settings, counter, n_terms)
    parts: list[tuple[csr_array, ...]] = []
    highest = 0
    at_once = spool.n_tokens <= BLOCK_TOKENS and len(settings.reaches) == 1
    for first, last in _row_ranges(spool, settings):
        wanted = _Wanted(n_terms, first, last, min_count, at_once, n_threads)
        table, top = _count_rows(blocks(), settings, counter, wanted)
        parts.append(table)
        highest = max(highest, top)
        progress("counting", last, n_terms)
    slices = tuple(with_fitting_indices(vstack(ranges, format="csr")) for ranges in zip(*parts))
    x = np.stack([margin.x for margin in margins])
    y = np.stack([margin.y for margin in margins])
    totals = np.array([margin.total for margin in margins], dtype=np.int64)
    if settings.is_symmetric and settings.counting == "pairs" and not settings.is_presence:
        x = y = x + y
        totals = 2 * totals
    elif settings.direction == "left":
        x, y = y, x
        slices = tuple(with_fitting_indices(part.T.tocsr()) for part in slices)
    return CooccurrenceCounts(
        settings, spool.vocabulary, slices, x, y, totals, min_count, highest,
        spool.n_documents, spool.n_tokens, spool.is_complete, spool.preparation,
    )  # fmt: skip


@dataclass(frozen=True)
class _Units:
    """A block of tokens cut into units; with its windows, where these are counted."""

    ids: Int32Array
    bounds: Int64Array
    ends: WindowEnds | None


@dataclass(frozen=True)
class _Wanted:
    """The rows that are counted, and how: at once where they are those of the whole text."""

    n_terms: int
    first: int
    last: int
    min_count: int
    at_once: bool
    n_threads: int


def _reader(spool: TokenSpool, settings: CountingSettings) -> Callable[[], Iterable[_Units]]:
    """Return what goes through the text; a text of one block is read and cut into units once."""

    def read() -> Iterator[_Units]:
        for tokens in spool.blocks():
            bounds = tokens.bounds(settings.scope)
            ends = None
            if settings.window != "all" and settings.counting != "pairs":
                ends = window_ends(tokens.ids, bounds, settings.window)
            yield _Units(tokens.ids, bounds, ends)

    if spool.n_tokens > BLOCK_TOKENS:
        return read
    only = list(read())
    return lambda: only


def _margins(
    blocks: Iterable[_Units], settings: CountingSettings, kernel: Kernel, n_terms: int
) -> list[Margins]:
    """Return the margins of each slice, right of x standing y."""
    nothing = Margins(np.zeros(n_terms, np.int64), np.zeros(n_terms, np.int64), 0)
    result = [nothing] * len(settings.reaches)
    for units in blocks:
        for number, (nearest, farthest) in enumerate(settings.reaches):
            if units.ends is not None:
                margins = window_margins(units.ids, units.ends, n_terms)
            elif settings.window == "all":
                margins = presence_margins(units.ids, units.bounds, n_terms)
            else:
                margins = kernel.pair_margins(units.ids, units.bounds, n_terms, nearest, farthest)
            result[number] = result[number] + margins
    return result


def _row_ranges(spool: TokenSpool, settings: CountingSettings) -> Iterator[tuple[int, int]]:
    """Yield ranges of rows that are counted at once, so that memory stays bounded.

    A text of one block needs one range: each row is done, and pruned, before the next. In a
    longer text the pairs of several blocks are added up, and a range has no more than
    ``_CELLS_AT_ONCE`` of them, or one for each ``_TOKENS_A_CELL`` tokens if that is more. A text of
    n tokens has at most 2wn, so there are at most 2w ``_TOKENS_A_CELL`` such ranges, about.
    """
    n_terms = len(spool.vocabulary)
    if spool.n_tokens <= BLOCK_TOKENS or not n_terms:
        yield 0, n_terms
        return
    # Without order a row has no column before its own.
    columns = n_terms - np.arange(n_terms) if settings.is_symmetric else n_terms
    cells = np.cumsum(np.minimum(_most_partners(spool, settings), columns))
    at_once = max(_CELLS_AT_ONCE, spool.n_tokens // _TOKENS_A_CELL)
    first = 0
    while first < n_terms:
        done = cells[first - 1] if first else 0
        last = int(np.searchsorted(cells, done + at_once, side="right"))
        yield first, max(last, first + 1)
        first = max(last, first + 1)


def _most_partners(spool: TokenSpool, settings: CountingSettings) -> Int64Array:
    """Return how many different partners each term can have at most."""
    if settings.window != "all":
        return 2 * settings.window * spool.vocabulary.term_frequencies
    partners = np.zeros(len(spool.vocabulary), dtype=np.int64)
    for tokens in spool.blocks():
        lengths = np.diff(tokens.bounds(settings.scope))
        known = tokens.ids >= 0
        in_unit = np.repeat(lengths, lengths)[known]
        partners += np.bincount(tokens.ids[known], in_unit, len(partners)).astype(np.int64)
    return partners


def _count_rows(
    blocks: Iterable[_Units], settings: CountingSettings, kernel: Kernel, wanted: _Wanted
) -> tuple[tuple["csr_array", ...], int]:
    """Return some rows of each slice, pruned, and the highest count among them."""
    from scipy.sparse import csr_array

    shape = (wanted.last - wanted.first, wanted.n_terms)
    sums: list[list[csr_array]] = [[] for _ in settings.reaches]
    highest = 0
    for units in blocks:
        block = Block(units.ids, units.bounds, wanted.n_terms, wanted.first, wanted.last,
                      wanted.min_count if wanted.at_once else 1, wanted.n_threads)  # fmt: skip
        for number, (nearest, farthest) in enumerate(settings.reaches):
            rows = _count_block(kernel, block, settings, units.ends, nearest, farthest)
            highest = rows.highest
            _add(sums[number], csr_array((rows.counts, rows.columns, rows.indptr), shape=shape))
    tables = [_total(parts) for parts in sums]
    if not wanted.at_once:
        highest = int(sum(tables[1:], tables[0]).data.max(initial=0))
        tables = list(pruned(tuple(tables), wanted.min_count))
    return tuple(tables), highest


def _add(parts: list["csr_array"], table: "csr_array") -> None:
    """Add a table to the parts of a sum, each of which has less than a quarter of the one before.

    So a cell is not added anew for each block of the text, and all parts are hardly more than one.
    """
    parts.append(table)
    while len(parts) > 1 and 4 * parts[-1].nnz >= parts[-2].nnz:
        parts[-2:] = [parts[-2] + parts[-1]]


def _total(parts: list["csr_array"]) -> "csr_array":
    """Return the sum; the parts are gone."""
    total = parts.pop()
    while parts:
        total = parts.pop() + total
    return total


def _count_block(
    kernel: Kernel, block: Block, settings: CountingSettings, ends: WindowEnds | None,
    nearest: int, farthest: int,
) -> Rows:  # fmt: skip
    if ends is not None:
        last = ends.last if settings.counting == "windows" else ends.last_holding
        return kernel.count_windows(block, ends.first, last, cast(int, settings.window))
    if settings.window == "all":
        return kernel.count_presence(block)
    return kernel.count_pairs(block, nearest, farthest, not settings.is_symmetric)
