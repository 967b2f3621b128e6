"""Documents from the rows of a table."""

import json
import logging
from collections.abc import Generator, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple, TypeAlias, TypeVar

from nlpfeat.errors import InvalidInputError
from nlpfeat.io.files import ending
from nlpfeat.io.records import (
    JSON_ENDINGS,
    csv_rows,
    guess_table_ending,
    json_rows,
    tsv_rows,
)
from nlpfeat.io.streams import STDIN, display_name
from nlpfeat.text.columns import (
    ColumnChoice,
    Columns,
    choose_columns,
    choose_keys,
    is_header,
)

logger = logging.getLogger(__name__)

_Row = TypeVar("_Row", list[str], dict[str, Any] | None)
_Block: TypeAlias = list[tuple[int, _Row]]
#: From so many rows columns are chosen, and from fewer when they hold more characters than this,
#: or when they lie among so many lines.
_ROWS = 100
_CHARACTERS = 1_000_000
_LINES = 4_096


class Document(NamedTuple):
    """One document: where it comes from, what it says, and its class if it has one."""

    id: str
    text: str
    label: str | None = None


def table_documents(
    path: str,
    batches: Iterable[list[str]],
    choice: ColumnChoice,
    *,
    replace_nul: bool = False,
    keep_blank: bool = False,
) -> Iterator[list[Document]]:
    """Yield the documents of a table in lists, one document a row.

    Parameters
    ----------
    path : str
        The table: its ending says what it is, or for standard input its first line; it names
        rows in messages and ids.
    batches : iterable of list of str
        Its lines.
    choice : ColumnChoice
        The columns asked for.
    replace_nul : bool
        Whether a NUL character that JSON spells as an escape becomes U+FFFD or is an error.
    keep_blank : bool
        Whether a blank line is a document without text, or nothing.

    Raises
    ------
    InvalidInputError
        For a row that is too short or broken; the message names file and line.
    InvalidParameterError
        For a column that is not there.
    """
    name = display_name(path)
    if path == STDIN:
        kind, batches = _guess_kind(batches, name)
    else:
        kind = ending(path)
    if kind in JSON_ENDINGS:
        objects = json_rows(batches, name, keep_blank=keep_blank)
        yield from _from_objects(name, objects, choice, replace_nul)
    elif kind == ".csv":
        first, batches = _first_line(batches)
        delimiter = ","
        if _has_semicolons(first, choice):
            delimiter = ";"
            logger.info("%s: taken as separated by semicolons, as its header is", name)
        rows = csv_rows(batches, name, delimiter=delimiter, keep_blank=keep_blank)
        yield from _from_cells(name, rows, choice)
    else:
        yield from _from_cells(name, tsv_rows(batches, keep_blank=keep_blank), choice)


def _guess_kind(batches: Iterable[list[str]], name: str) -> tuple[str, Iterable[list[str]]]:
    """Return the ending that the first line with text speaks for, and all the lines."""
    first, batches = _first_line(batches)
    kind, why = guess_table_ending([first])
    logger.info("%s: taken as %s", name, why)
    return kind, batches


def _first_line(batches: Iterable[list[str]]) -> tuple[str, Iterable[list[str]]]:
    """Return the first line that is not blank, "" for none, and all the lines."""
    rest = iter(batches)
    seen: list[list[str]] = []
    for batch in rest:
        seen.append(batch)
        for line in batch:
            if line and not line.isspace():
                return line, chain(seen, rest)
    return "", seen


def _has_semicolons(first: str, choice: ColumnChoice) -> bool:
    """Tell a header with semicolons, as spreadsheets write them in much of Europe, from a text."""
    if "," in first or ";" not in first:
        return False
    cells = [cell.strip('" ') for cell in first.split(";")]
    named = [each for each in choice if isinstance(each, str)]
    return all(each in cells for each in named) if named else is_header(cells)


def _from_cells(
    path: str, blocks: Iterator[_Block[list[str]]], choice: ColumnChoice
) -> Iterator[list[Document]]:
    first, blocks = yield from _blanks_before(path, blocks)
    if not first:
        return
    columns = choose_columns(first, choice, path)
    logger.info("%s: %s", path, columns.describe(first[0]))
    header_is_ahead = columns.has_header
    for block in blocks:
        if header_is_ahead:
            at = next(at for at, (_, cells) in enumerate(block) if cells)
            block = block[:at] + block[at + 1 :]
            header_is_ahead = False
        yield [
            _from_row(path, line, cells, columns) if cells else _blank(path, line)
            for line, cells in block
        ]


def _blanks_before(
    path: str, blocks: Iterator[_Block[_Row]]
) -> Generator[list[Document], None, tuple[list[_Row], Iterator[_Block[_Row]]]]:
    """Yield the blank lines before the first row; return the first rows, and the blocks they open.

    The first rows are those from which columns are chosen. Where the blocks are cut does not
    change which they are, and how much is held for them has a bound.
    """
    for block in blocks:
        if any(_is_row(row) for _, row in block):
            return _peek(chain([block], blocks))
        yield [_blank(path, line) for line, _ in block]
    return [], iter(())


def _peek(blocks: Iterator[_Block[_Row]]) -> tuple[list[_Row], Iterator[_Block[_Row]]]:
    seen: list[_Block[_Row]] = []
    first: list[_Row] = []
    n_lines = n_characters = 0
    for block in blocks:
        seen.append(block)
        for _, row in block:
            if _is_row(row):
                first.append(row)
                cells = row.values() if isinstance(row, dict) else row or ()
                n_characters += sum(len(cell) for cell in cells if isinstance(cell, str))
            n_lines += bool(first)
            if len(first) == _ROWS or n_characters > _CHARACTERS or n_lines == _LINES:
                return first, chain(seen, blocks)
    return first, iter(seen)


def _is_row(row: list[str] | dict[str, Any] | None) -> bool:
    """Tell a row from a blank line; an object without keys is a row."""
    return row is not None and row != []


def _blank(path: str, line: int) -> Document:
    return Document(f"{path}:{line}", "")


def _from_row(path: str, line: int, cells: list[str], columns: Columns) -> Document:
    if len(cells) < columns.min_width:
        raise InvalidInputError(
            f"{path}: line {line} must have at least {columns.min_width} columns. Got {len(cells)}."
        )
    if columns.max_width is not None and any(map(str.strip, cells[columns.max_width :])):
        raise InvalidInputError(
            f"{path}: line {line} must have at most {columns.max_width} columns. Got {len(cells)}: "
            "a cell may hold what parts the columns, without quotation marks around it."
        )
    ident = f"{path}:{line}" if columns.id is None else cells[columns.id]
    # A label that nobody asked for may be missing; labels() says so where it is needed.
    at = columns.label
    label = cells[at] if at is not None and at < len(cells) and cells[at].strip() else None
    return Document(ident, cells[columns.text], label)


def _from_objects(
    path: str,
    blocks: Iterator[_Block[dict[str, Any] | None]],
    choice: ColumnChoice,
    replace_nul: bool,
) -> Iterator[list[Document]]:
    first, blocks = yield from _blanks_before(path, blocks)
    objects = [row for row in first if row is not None]
    if not objects:
        return
    keys = choose_keys(objects, choice, path)
    found = zip(keys._fields, keys)
    logger.info("%s: %s", path, ", ".join(f"{w} in {k!r}" for w, k in found if k))
    for block in blocks:
        yield [
            _from_object(
                f"{path}: line {n}", f"{path}:{n}", row, keys, replace_nul, choice.label is not None
            )
            if row is not None
            else _blank(path, n)
            for n, row in block
        ]


def _from_object(
    place: str,
    default_id: str,
    row: dict[str, Any],
    keys: ColumnChoice,
    replace_nul: bool,
    label_is_asked: bool,
) -> Document:
    values: dict[str, str | None] = {"id": default_id, "label": None}
    for field, key in zip(keys._fields, keys):
        if key is None:
            continue
        if field == "label" and not label_is_asked and row.get(str(key)) is None:
            continue
        if key not in row:
            raise InvalidInputError(f"{place} must have the key {key!r}. Got {', '.join(row)}.")
        value = row[str(key)]
        if field != "text" and isinstance(value, (int, float)):
            value = json.dumps(value)
        if field == "label" and isinstance(value, str) and not value.strip():
            continue
        if not isinstance(value, str):
            raise InvalidInputError(f"{place}: {key!r} must be a string. Got {value!r}.")
        values[field] = _checked(value, f"{place}: {key!r}", replace_nul)
    return Document(**values)  # type: ignore[arg-type]


def _checked(value: str, what: str, replace_nul: bool) -> str:
    r"""Refuse what an escape can spell and a file cannot hold: lone surrogates, ``\0``."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        code = ord(value[error.start])
        raise InvalidInputError(
            f"{what} holds the lone surrogate \\u{code:04x}, half of a character."
        ) from error
    if "\0" in value:
        if replace_nul:
            return value.replace("\0", "\ufffd")
        raise InvalidInputError(f"{what} holds a NUL character (\\u0000).")
    return value
