"""Text cut into words, as text."""

from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import pairwise

from nlpfeat.errors import InvalidInputError
from nlpfeat.parallel.pool import ordered_map, resolve_n_jobs
from nlpfeat.text.batches import Batch, Documents, are_texts, batches_of
from nlpfeat.text.characters import is_blank
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.pieces import into_pieces
from nlpfeat.text.segmenters import Segmenter
from nlpfeat.text.token_spool import Progress, no_progress, reading_progress

_is_blank = cache(is_blank)


def cut_lines(
    documents: Documents,
    segmenter: Segmenter,
    normalization: Normalization,
    *,
    n_jobs: int | None = 1,
    progress: Progress = no_progress,
) -> Iterator[bytes]:
    r"""Yield documents as UTF-8 lines of tokens separated by spaces, many lines at a time.

    Parameters
    ----------
    documents : Corpus, or iterable of texts or token lists
    segmenter : Segmenter
    normalization : Normalization
        Folding acts before and lower-casing after cutting.
    n_jobs : int or None, default 1
        Processes; order and content of the lines do not depend on it.
    progress : callable
        Told of the bytes that were read.

    Examples
    --------
    >>> from nlpfeat.text.segmenters import WhitespaceSegmenter
    >>> lines = cut_lines(["今天　天气", ""], WhitespaceSegmenter(), Normalization())
    >>> b"".join(lines).decode()
    '今天 天气\n\n'
    """
    make_cutter = partial(_make_cutter, segmenter, normalization)
    batches = batches_of(documents, reading_progress(documents, progress))
    yield from ordered_map(make_cutter, batches, resolve_n_jobs(n_jobs))


def _make_cutter(segmenter: Segmenter, normalization: Normalization) -> "partial[bytes]":
    return partial(_cut, segmenter, normalization)


def _cut(segmenter: Segmenter, normalization: Normalization, batch: Batch) -> bytes:
    if not are_texts(batch):
        lines = [_line(tokens, normalization) for tokens in batch]
    else:
        texts = into_pieces(batch, segmenter.separators)
        lines = [
            _line(tokens, normalization)
            for group in texts.groups()
            for tokens in segmenter.cut_batch(normalization.before_cutting(group))
        ]
        if texts.document_ends is not None:
            ends = [0, *texts.document_ends]
            lines = [" ".join(filter(None, lines[start:end])) for start, end in pairwise(ends)]
    try:
        return "".join(f"{line}\n" for line in lines).encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"The text {error.object[max(error.start - 10, 0) : error.start + 10]!r} holds a lone "
            "surrogate, which is no character; remove it, or decode with errors='replace'."
        ) from error


def _line(tokens: Sequence[str], normalization: Normalization) -> str:
    return " ".join(normalization.terms([token for token in tokens if not _is_blank(token)]))
