"""Read the rows of tables: tab-separated, comma-separated, and JSON Lines."""

import csv
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from nlpfeat.errors import InvalidInputError

#: Endings of the files that hold rows; all others hold lines.
TABLE_ENDINGS = (".tsv", ".csv", ".jsonl", ".ndjson")
JSON_ENDINGS = (".jsonl", ".ndjson")

_ROWS_PER_BATCH = 4096
#: The csv module refuses longer cells; this is the largest limit that a C long holds everywhere.
_LONGEST_CELL = 2**31 - 1


def guess_table_ending(lines: Iterable[str]) -> tuple[str, str]:
    r"""Return the ending that a table without a name would have, and why.

    Examples
    --------
    >>> guess_table_ending(["", '{"text": "天气很好"}'])
    ('.jsonl', 'JSON Lines, as it begins with {')
    >>> guess_table_ending(["天气很好\t正面"])
    ('.tsv', 'tab-separated, as its first line holds a tab')
    >>> guess_table_ending(["天气很好,正面"])
    ('.csv', 'comma-separated, as its first line holds no tab')
    """
    first = next((line for line in lines if line and not line.isspace()), "")
    if first.lstrip().startswith("{"):
        return ".jsonl", "JSON Lines, as it begins with {"
    if "\t" in first:
        return ".tsv", "tab-separated, as its first line holds a tab"
    return ".csv", "comma-separated, as its first line holds no tab"


def tsv_rows(
    batches: Iterable[list[str]], *, keep_blank: bool = False
) -> Iterator[list[tuple[int, list[str]]]]:
    r"""Yield lists of (line number, cells); a quotation mark is a character like any other.

    Lines without a single character are no rows, or with ``keep_blank`` rows without cells.

    Examples
    --------
    >>> list(tsv_rows([["天气很好\t正面", "", "真冷\t负面"]]))
    [[(1, ['天气很好', '正面']), (3, ['真冷', '负面'])]]
    """
    number = 0
    for batch in batches:
        yield [
            (at, line.split("\t") if line else [])
            for at, line in enumerate(batch, number + 1)
            if line or keep_blank
        ]
        number += len(batch)


def csv_rows(
    batches: Iterable[list[str]], name: str, *, delimiter: str = ",", keep_blank: bool = False
) -> Iterator[list[tuple[int, list[str]]]]:
    """Yield lists of (line number where the row starts, cells); quoted cells may hold line ends.

    Blank lines are no rows, or with ``keep_blank`` rows without cells.

    Raises
    ------
    InvalidInputError
        For a quoted cell that is not closed, or that goes on after its closing quotation mark.
    """
    if csv.field_size_limit() < _LONGEST_CELL:
        csv.field_size_limit(_LONGEST_CELL)
    lines = (line + "\n" for batch in batches for line in batch)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    rows = (row for row in _numbered(reader, name) if row[1] or keep_blank)
    while block := list(islice(rows, _ROWS_PER_BATCH)):
        yield block


def _numbered(reader: Any, name: str) -> Iterator[tuple[int, list[str]]]:
    while True:
        start = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise InvalidInputError(
                f"{name}: the row that starts on line {start} is no CSV: {error}. "
                'A quotation mark inside a quoted cell must be doubled ("").'
            ) from error
        if row is None:
            return
        yield start, row


def json_rows(
    batches: Iterable[list[str]], name: str, *, keep_blank: bool = False
) -> Iterator[list[tuple[int, dict[str, Any] | None]]]:
    """Yield lists of (line number, object).

    Blank lines are no rows, or with ``keep_blank`` None instead of an object.

    Raises
    ------
    InvalidInputError
        For a line that is no JSON object.
    """
    number = 0
    for batch in batches:
        rows: list[tuple[int, dict[str, Any] | None]] = []
        for line in batch:
            number += 1
            if line and not line.isspace():
                rows.append((number, _json_object(line, number, name)))
            elif keep_blank:
                rows.append((number, None))
        yield rows


def _json_object(line: str, number: int, name: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{name}: line {number} is no JSON: {error}.") from error
    if not isinstance(value, dict):
        raise InvalidInputError(
            f"{name}: line {number} must be a JSON object. Got a {type(value).__name__}."
        )
    return value
