"""Documents in any of the forms that users hold them in, checked, a batch at a time."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, islice
from typing import Any, TypeAlias, TypeGuard

from nlpfeat.errors import InvalidInputError
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.documents import Document

Documents: TypeAlias = Corpus | Iterable[str] | Iterable[Sequence[str]]
"""A corpus, texts, or token lists; a list, tuple, array, Series or generator of them."""

Batch: TypeAlias = Sequence[str] | Sequence[Sequence[str]]

_DOCUMENTS = 1_000


def batches_of(
    documents: Documents, on_bytes: Callable[[int], None] | None = None
) -> Iterator[Batch]:
    """Yield documents in batches; a batch holds texts, or token lists.

    Parameters
    ----------
    documents : Corpus, or iterable of texts or token lists
    on_bytes : callable, optional
        Told how many bytes of a corpus were read.

    Raises
    ------
    InvalidInputError
        For a lone string, and for a document that is neither text nor a list of tokens (None and
        NaN among them) or that holds a lone surrogate, named by its row.

    Examples
    --------
    >>> list(batches_of(["今天", "天气"]))
    [['今天', '天气']]
    """
    if isinstance(documents, Corpus):
        yield from documents.batches(on_bytes)
        return
    if isinstance(documents, str | bytes):
        raise InvalidInputError(
            "Documents must be an iterable of texts or token lists, not one string. "
            f"Got {documents[:20]!r}; for a file use Corpus(path), for one text [text]."
        )
    if isinstance(documents, os.PathLike):
        raise InvalidInputError(
            f"Documents must be an iterable of texts or token lists. Got the path {documents}; "
            "use Corpus(path)."
        )
    if isinstance(documents, Mapping) or hasattr(documents, "columns"):
        raise InvalidInputError(
            "Documents must be an iterable of texts or token lists, not a table. "
            f"Got a {type(documents).__name__}; give one column, such as table['text']."
        )
    if isinstance(documents, set | frozenset):
        raise InvalidInputError(
            "Documents must be in an order, and a set has none. "
            f"Got a {type(documents).__name__}; give a list."
        )
    if not isinstance(documents, Iterable) or getattr(documents, "ndim", 1) == 0:
        raise InvalidInputError(
            "Documents must be a corpus, or an iterable of texts or token lists. "
            f"Got {documents!r}."
        )
    stream = iter(documents)
    row = 0
    first_is_text = False
    while batch := list(islice(stream, _DOCUMENTS)):
        first_is_text = first_is_text if row else isinstance(batch[0], str)
        yield _checked(batch, row, first_is_text)
        row += len(batch)


def _checked(batch: list[Any], first_row: int, are_text: bool) -> Batch:
    """Return the batch when all of it is text, or all of it token lists, as the first document."""
    for row, document in enumerate(batch, first_row):
        kind = type(document)
        is_text = kind is str or (kind is not list and isinstance(document, str))
        if not is_text and kind is not list and not _is_token_list(document):
            raise InvalidInputError(
                f"{_place(row)} is {document!r}; every document must be a text or a "
                "list of tokens. Remove missing values, or replace them by ''."
            )
        if is_text is not are_text:
            kinds = ("a text", "a token list") if is_text else ("a token list", "a text")
            raise InvalidInputError(
                f"{_place(row)} is {kinds[0]} and row 1 is {kinds[1]}; "
                "all documents must be of one kind."
            )
    if are_text:
        _check_characters(batch, "".join(batch), first_row)
        return batch
    token_lists = [document if type(document) is list else list(document) for document in batch]
    try:
        joined = "".join(chain.from_iterable(token_lists))  # refuses what is no string
    except TypeError:
        raise _no_string(token_lists, first_row) from None
    _check_characters(token_lists, joined, first_row)
    return token_lists


def _check_characters(batch: Batch, joined: str, first_row: int) -> None:
    """Refuse lone surrogates here, where the row is known; all at once, since it is quick."""
    try:
        joined.encode()
    except UnicodeEncodeError:
        for row, document in enumerate(batch, first_row):
            for text in (document,) if isinstance(document, str) else document:
                if (error := _surrogate_error(text)) is not None:
                    near = text[max(error.start - 10, 0) : error.start + 10]
                    raise InvalidInputError(
                        f"{_place(row)} holds a lone surrogate, which is no character: {near!r}. "
                        "Remove it, or decode with errors='replace'."
                    ) from error


def _surrogate_error(text: str) -> UnicodeEncodeError | None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error
    return None


def _no_string(token_lists: list[list[Any]], first_row: int) -> InvalidInputError:
    row, token = next(
        (row, token)
        for row, tokens in enumerate(token_lists, first_row)
        for token in tokens
        if not isinstance(token, str)
    )
    return InvalidInputError(
        f"{_place(row)} holds the token {token!r}; every token must be a string."
    )


def _is_token_list(document: object) -> bool:
    """Tell an ordered collection of tokens from a mapping, a set, or a document with its label."""
    return isinstance(document, Iterable) and not isinstance(
        document, bytes | Mapping | Set | Document
    )


def _place(row: int) -> str:
    return f"Row {row + 1} of the documents (documents[{row}])"


def are_texts(batch: Batch) -> TypeGuard[Sequence[str]]:
    """Tell a batch of texts from one of token lists."""
    return isinstance(batch[0], str)
