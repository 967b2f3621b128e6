"""Write a table of texts and numbers as TSV, CSV, JSON Lines or Parquet, fast.

A table of word pairs has millions of rows and few distinct texts, so texts are dictionary-encoded.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeAlias, cast

import numpy as np

from nlpfeat._optional import missing_dependency
from nlpfeat._typing import Float64Array, Int32Array, Int64Array, NumberArray
from nlpfeat.errors import InvalidParameterError
from nlpfeat.io.byte_rows import Cells, FloatCells, IntegerCells, TextCells, row_chunks

if TYPE_CHECKING:
    import pandas as pd

Progress: TypeAlias = Callable[[int], object]
Escape: TypeAlias = Callable[[str], str]

# Parquet repeats the dictionary of texts in every row group, so its groups are large.
_ROW_GROUP = 1 << 19


@dataclass(frozen=True)
class TextColumn:
    """A column of texts: row i holds ``values[ids[i]]``.

    Parameters
    ----------
    ids : ndarray of shape (n_rows,), int32
        Indices into ``values``.
    values : sequence of str
        The texts, in any order; a text may stand there without being used.

    Raises
    ------
    InvalidParameterError
        When ``ids`` is no int32 vector or points outside ``values``.
    """

    ids: Int32Array
    values: Sequence[str]

    def __post_init__(self) -> None:
        _check_vector(self.ids, "ids", (np.int32,))
        if len(self.ids) and not 0 <= self.ids.min() <= self.ids.max() < len(self.values):
            raise InvalidParameterError(
                f"ids must lie between 0 and {len(self.values) - 1}, the last index of values. "
                f"Got {self.ids.min()} to {self.ids.max()}."
            )

    def compacted(self) -> "TextColumn":
        """Return the same texts with each distinct value that is used held once.

        Examples
        --------
        >>> column = TextColumn(np.array([3, 1, 3], dtype=np.int32), ["天", "地", "人", "和"])
        >>> column.compacted()
        TextColumn(ids=array([1, 0, 1], dtype=int32), values=['地', '和'])
        """
        used = np.zeros(len(self.values), dtype=np.bool_)
        used[self.ids] = True
        places: dict[str, int] = {}
        moved = np.zeros(len(self.values), dtype=np.int32)
        for old in np.flatnonzero(used).tolist():
            moved[old] = places.setdefault(self.values[old], len(places))
        return TextColumn(moved[self.ids], list(places))

    def tolist(self) -> list[str]:
        """Return the text of each row."""
        return list(map(self.values.__getitem__, self.ids.tolist()))


Column: TypeAlias = TextColumn | Int64Array | Float64Array


@dataclass(frozen=True)
class Table:
    """Named columns of equal length.

    Parameters
    ----------
    columns : mapping of str to TextColumn, int64 vector or float64 vector
        At least one column, in the order in which they are written.
    metadata : mapping of str to str
        How the table was made. Parquet files keep it; the text formats have no place for it.

    Raises
    ------
    InvalidParameterError
        When the columns differ in length, there is none, or one has another type.

    Examples
    --------
    >>> words = ["学习", "语言"]
    >>> table = Table({
    ...     "x": TextColumn(np.array([1, 0], dtype=np.int32), words),
    ...     "n_x": np.array([7, 5]),
    ... })
    >>> table, table.head(1).columns["n_x"].tolist()
    (<Table of 2 rows: x, n_x>, [7])
    >>> list(table.itertuples())
    [('语言', 7), ('学习', 5)]
    """

    columns: Mapping[str, Column]
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.columns:
            raise InvalidParameterError("columns must hold at least one column. Got none.")
        for name, column in self.columns.items():
            if not isinstance(column, TextColumn):
                _check_vector(column, f"the column {name!r}", (np.int64, np.float64))
        lengths = {name: len(_numbers(column)) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise InvalidParameterError(f"columns must have equal lengths. Got {lengths}.")

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(_numbers(next(iter(self.columns.values()))))

    def __repr__(self) -> str:
        """Name the columns; the texts of a large table would fill the screen."""
        return f"<Table of {self.n_rows:,} rows: {', '.join(self.columns)}>"

    def itertuples(self) -> Iterator[tuple[str | int | float, ...]]:
        """Return the rows as tuples, for ``for x, y, *numbers in table.itertuples()``."""
        return zip(*(column.tolist() for column in self.columns.values()))

    def to_frame(self) -> "pd.DataFrame":
        """Return a pandas data frame with the same columns."""
        try:
            import pandas as pd
        except ImportError as error:
            raise missing_dependency("pandas", "parquet", "to_frame()") from error
        return pd.DataFrame({name: column.tolist() for name, column in self.columns.items()})

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.n_rows

    def rows(self, start: int, stop: int) -> "Table":
        """Return the rows from ``start`` to before ``stop``, without copying them."""
        columns = {name: _cut(column, start, stop) for name, column in self.columns.items()}
        return Table(columns, self.metadata)

    def head(self, n: int) -> "Table":
        """Return the first ``n`` rows, or all when there are fewer."""
        return self.rows(0, n)


class TableWriter(Protocol):
    """What every writer of `TABLE_WRITERS` is called with."""

    def __call__(
        self,
        table: Table,
        stream: BinaryIO,
        *,
        spreadsheet: bool = False,
        progress: Progress | None = None,
    ) -> None:
        """Write ``table``; after each chunk call ``progress`` with the chunk's number of rows."""


def write_tsv(
    table: Table,
    stream: BinaryIO,
    *,
    spreadsheet: bool = False,
    progress: Progress | None = None,
) -> None:
    r"""Write tab-separated UTF-8 with a header line.

    Inside texts, tab, newline, carriage return and backslash are written ``\t \n \r \\``. There
    is no quoting, so one line is one row. Floats are the shortest digits that read back equal; a
    missing number (NaN) is an empty cell.

    Parameters
    ----------
    table : Table
    stream : binary file
    spreadsheet : bool, default=False
        For Excel and its like: a byte order mark, CRLF line ends, quotes around texts that hold a
        double quote, and an apostrophe before texts that would run as a formula.
    progress : callable, optional
        Called after each chunk with the number of rows in it.

    Examples
    --------
    >>> import io
    >>> stream = io.BytesIO()
    >>> words = TextColumn(np.array([0, 1], dtype=np.int32), ["语言", "学\t习"])
    >>> write_tsv(Table({"x": words, "pmi": np.array([0.5, np.nan])}), stream)
    >>> stream.getvalue().decode()
    'x\tpmi\n语言\t0.5\n学\\t习\t\n'
    """
    escape = _guarded(lambda text: _csv_cell(_tsv_cell(text))) if spreadsheet else _tsv_cell
    _write_separated(table, stream, "\t", escape, spreadsheet, progress)


def write_csv(
    table: Table,
    stream: BinaryIO,
    *,
    spreadsheet: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write comma-separated UTF-8 with a header line, quoted as RFC 4180 has it.

    Parameters and numbers are those of `write_tsv`. Lines end in LF, and in CRLF for spreadsheets.
    """
    escape = _guarded(_csv_cell) if spreadsheet else _csv_cell
    _write_separated(table, stream, ",", escape, spreadsheet, progress)


def write_jsonl(
    table: Table,
    stream: BinaryIO,
    *,
    spreadsheet: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write one JSON object a line, in UTF-8.

    A missing number (NaN) is null. JSON has no infinity: it is written as ``"inf"``, ``"-inf"``.

    Raises
    ------
    InvalidParameterError
        When ``spreadsheet`` is true.
    """
    _refuse_spreadsheet(spreadsheet, ".jsonl")
    specials = {"nan": "null", "inf": '"inf"', "-inf": '"-inf"'}
    pieces: list[bytes | Cells] = []
    for name, column in table.columns.items():
        opening = f"{',' if pieces else '{'}{_json_cell(name)}:"
        pieces += [opening.encode(), _cells(column, _json_cell, specials)]
    _write_rows(table.n_rows, [*pieces, b"}\n"], stream, progress)


def write_parquet(
    table: Table,
    stream: BinaryIO,
    *,
    spreadsheet: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write Parquet with dictionary-encoded texts and the table's metadata.

    A missing number stays NaN, which is not the same as null.

    Raises
    ------
    InvalidParameterError
        When ``spreadsheet`` is true.
    MissingDependencyError
        When pyarrow is not installed.
    """
    _refuse_spreadsheet(spreadsheet, ".parquet")
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise missing_dependency("pyarrow", "parquet", "writing .parquet") from error
    columns = {
        name: column.compacted() if isinstance(column, TextColumn) else column
        for name, column in table.columns.items()
    }
    table = Table(columns, table.metadata)
    dictionaries = {
        name: pa.array(column.values, pa.string())
        for name, column in columns.items()
        if isinstance(column, TextColumn)
    }

    def arrow_column(name: str, column: Column) -> Any:
        if isinstance(column, TextColumn):
            return pa.DictionaryArray.from_arrays(column.ids, dictionaries[name])
        return pa.array(column)

    def arrow_table(start: int) -> Any:
        part = table.rows(start, start + _ROW_GROUP)
        arrays = [arrow_column(name, column) for name, column in part.columns.items()]
        return pa.table(arrays, names=list(part.columns), metadata=dict(table.metadata))

    with pq.ParquetWriter(stream, arrow_table(0).schema, compression="zstd") as writer:
        for start in range(0, table.n_rows, _ROW_GROUP):
            part = arrow_table(start)
            writer.write_table(part, row_group_size=_ROW_GROUP)
            if progress:
                progress(part.num_rows)


TABLE_WRITERS: dict[str, TableWriter] = {
    ".tsv": write_tsv,
    ".csv": write_csv,
    ".jsonl": write_jsonl,
    ".parquet": write_parquet,
}


def _check_vector(array: object, name: str, dtypes: tuple[type, ...]) -> None:
    if isinstance(array, np.ndarray) and array.ndim == 1 and array.dtype in dtypes:
        return
    wanted = " or ".join(np.dtype(dtype).name for dtype in dtypes)
    came = (
        f"shape {array.shape}, {array.dtype}"
        if isinstance(array, np.ndarray)
        else type(array).__name__
    )
    raise InvalidParameterError(f"{name} must be a NumPy vector of {wanted}. Got {came}.")


def _numbers(column: Column) -> Int32Array | NumberArray:
    return column.ids if isinstance(column, TextColumn) else column


def _cut(column: Column, start: int, stop: int) -> Column:
    if isinstance(column, TextColumn):
        return TextColumn(column.ids[start:stop], column.values)
    return column[start:stop]


def _refuse_spreadsheet(spreadsheet: bool, suffix: str) -> None:
    if spreadsheet:
        raise InvalidParameterError(
            f"spreadsheet must be False for {suffix}: spreadsheet programs open .csv and .tsv. "
            "Choose one of those, or leave it out."
        )


_TSV_ESCAPES = str.maketrans({"\t": r"\t", "\n": r"\n", "\r": r"\r", "\\": r"\\"})
# What makes a spreadsheet read a cell as a formula, full-width forms included.
_FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")


def _tsv_cell(text: str) -> str:
    return text.translate(_TSV_ESCAPES)


def _csv_cell(text: str) -> str:
    # An empty text is quoted too: alone on its line it would be no row at all.
    if text and not any(mark in text for mark in ',"\r\n'):
        return text
    return '"' + text.replace('"', '""') + '"'


def _json_cell(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _guarded(escape: Escape) -> Escape:
    """Return ``escape`` with an apostrophe put before texts that would run as a formula."""
    return lambda text: escape("'" + text if text.startswith(_FORMULA_STARTS) else text)


def _cells(column: Column, escape: Escape, specials: Mapping[str, str]) -> Cells:
    if isinstance(column, TextColumn):
        used = column.compacted()
        return TextCells(used.ids, used.values, escape)
    if column.dtype == np.int64:
        return IntegerCells(cast(Int64Array, column))
    return FloatCells(cast(Float64Array, column), specials)


def _write_separated(
    table: Table,
    stream: BinaryIO,
    separator: str,
    escape: Escape,
    spreadsheet: bool,
    progress: Progress | None,
) -> None:
    pieces: list[bytes | Cells] = []
    for column in table.columns.values():
        pieces += [_cells(column, escape, {"nan": ""}), separator.encode()]
    line_end = "\r\n" if spreadsheet else "\n"
    pieces[-1] = line_end.encode()
    header = separator.join(map(escape, table.columns)) + line_end
    stream.write(header.encode("utf-8-sig" if spreadsheet else "utf-8"))
    _write_rows(table.n_rows, pieces, stream, progress)


def _write_rows(
    n_rows: int, pieces: Sequence[bytes | Cells], stream: BinaryIO, progress: Progress | None
) -> None:
    for n_written, chunk in row_chunks(pieces, n_rows):
        stream.write(chunk)
        if progress:
            progress(n_written)
