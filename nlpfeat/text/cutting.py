"""Text cut into words: as token lists, and as lines of text."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise

from nlpfeat.errors import InvalidInputError
from nlpfeat.parallel.pool import ordered_map, resolve_n_jobs
from nlpfeat.text.batches import Batch, Documents, are_texts, batches_of
from nlpfeat.text.characters import is_blank
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.pieces import TextPieces, into_pieces
from nlpfeat.text.segmenters import Segmenter
from nlpfeat.text.token_spool import Progress, no_progress, reading_progress

LINE_END_TOKEN = "\n"


def cut_documents(
    documents: Documents,
    segmenter: Segmenter,
    normalization: Normalization,
    *,
    n_jobs: int | None = 1,
) -> Iterator[list[str]]:
    r"""Yield the tokens of each document, without blanks.

    Parameters
    ----------
    documents : Corpus, or iterable of texts or token lists
    segmenter : Segmenter
    normalization : Normalization
        Folding acts before and lower-casing after cutting.
    n_jobs : int or None, default 1
        Processes; the tokens do not depend on it.

    Yields
    ------
    list of str
        A line end inside a document is the token ``"\n"``, so that sentences end where they did.

    Examples
    --------
    >>> from nlpfeat.text.segmenters import WhitespaceSegmenter
    >>> list(cut_documents(["今天　天气\n好", ""], WhitespaceSegmenter(), Normalization()))
    [['今天', '天气', '\n', '好'], []]
    """
    make_cutter = partial(_make_list_cutter, segmenter, normalization)
    for batch in ordered_map(make_cutter, batches_of(documents), resolve_n_jobs(n_jobs)):
        yield from batch


def cut_lines(
    documents: Documents,
    segmenter: Segmenter,
    normalization: Normalization,
    *,
    keep_width: bool = False,
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
    keep_width : bool, default False
        Whether the tokens are cut from the folded text and shown as wide as the text has them.
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
    make_cutter = partial(_make_line_cutter, segmenter, normalization, keep_width)
    batches = batches_of(documents, reading_progress(documents, progress))
    yield from ordered_map(make_cutter, batches, resolve_n_jobs(n_jobs))


def _make_list_cutter(
    segmenter: Segmenter, normalization: Normalization
) -> "partial[list[list[str]]]":
    return partial(_cut, segmenter, normalization)


def _make_line_cutter(
    segmenter: Segmenter, normalization: Normalization, keep_width: bool
) -> "partial[bytes]":
    return partial(_cut_into_lines, segmenter, normalization, keep_width)


def _cut(segmenter: Segmenter, normalization: Normalization, batch: Batch) -> list[list[str]]:
    if not are_texts(batch):
        return _as_terms(batch, normalization)
    texts = into_pieces(batch, segmenter.separators)
    pieces = list(_cut_pieces(segmenter, normalization, texts))
    if texts.document_ends is None:
        return pieces
    for end in set(texts.line_ends).difference(texts.document_ends):
        pieces[end - 1].append(LINE_END_TOKEN)
    bounds = pairwise([0, *texts.document_ends])
    return [list(chain.from_iterable(pieces[start:end])) for start, end in bounds]


def _cut_pieces(
    segmenter: Segmenter,
    normalization: Normalization,
    texts: TextPieces,
    *,
    keep_width: bool = False,
) -> Iterator[list[str]]:
    """Yield the tokens of each piece; no more than a group of pieces is held."""
    shown = replace(normalization, fold_width=normalization.fold_width and not keep_width)
    for group in texts.groups():
        folded = normalization.before_cutting(group)
        tokens = segmenter.cut_batch(folded)
        if keep_width:
            tokens = list(map(_in_text, group, folded, tokens))
        yield from _as_terms(tokens, shown)


def _in_text(text: str, folded: str, tokens: list[str]) -> list[str]:
    """Return tokens of a folded text as they stand in the text itself.

    Folding keeps every offset. A token that is not found, since a function made it, stays.
    """
    if text == folded:
        return tokens
    end = 0
    found = []
    for token in tokens:
        start = folded.find(token, end)
        if start >= 0:
            end = start + len(token)
            token = text[start:end]
        found.append(token)
    return found


def _as_terms(
    token_lists: Sequence[Sequence[str]], normalization: Normalization
) -> list[list[str]]:
    """Return the lists as they are shown; each distinct token is looked at once."""
    distinct = list(set().union(*token_lists))
    shown = dict(zip(distinct, normalization.terms(distinct)))
    for token in distinct:
        if not token.isalnum() and is_blank(token):
            shown[token] = LINE_END_TOKEN if "\n" in token or "\r" in token else ""
    return [[term for token in tokens if (term := shown[token])] for tokens in token_lists]


def _cut_into_lines(
    segmenter: Segmenter, normalization: Normalization, keep_width: bool, batch: Batch
) -> bytes:
    if not are_texts(batch):
        lines = list(map(_line, _as_terms(batch, normalization)))
    else:
        texts = into_pieces(batch, segmenter.separators)
        pieces = _cut_pieces(segmenter, normalization, texts, keep_width=keep_width)
        # Joined at once: a token in a line takes a tenth of what it takes in a list.
        lines = list(map(_line, pieces))
        if texts.document_ends is not None:
            bounds = pairwise([0, *texts.document_ends])
            lines = [" ".join(filter(None, lines[start:end])) for start, end in bounds]
    try:
        return "".join(f"{line}\n" for line in lines).encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"The text {error.object[max(error.start - 10, 0) : error.start + 10]!r} holds a lone "
            "surrogate, which is no character; remove it, or decode with errors='replace'."
        ) from error


def _line(tokens: Sequence[str]) -> str:
    return " ".join([token for token in tokens if token != LINE_END_TOKEN])
