"""Turn columns into the bytes of text rows, many rows at a time.

A chunk of rows becomes a matrix of bytes with one row per text row. Cells are padded to the width
of their column with 0xFF, a byte that UTF-8 never uses, and the padding is deleted in one pass.
Only the digits of floats are made one by one, and once for each distinct float of a chunk.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import Float64Array, Int32Array, Int64Array
from nlpfeat.errors import InvalidInputError

ByteMatrix: TypeAlias = NDArray[np.uint8]

# Two bytes that never stand in UTF-8: the one deleted, and the place of a long text.
_PAD = 0xFF
_PLACE = b"\xfe"
# Texts above this length would widen the whole matrix for a few rows; they are put in afterwards.
_LONG = 32
_CHUNK_ROWS = 1 << 15


class Cells(Protocol):
    """A column that can show some of its cells as bytes."""

    def block(self, start: int, stop: int) -> ByteMatrix:
        """Return these cells, shape (stop - start, width), padded with 0xFF."""


def row_chunks(pieces: Sequence[bytes | Cells], n_rows: int) -> Iterator[tuple[int, bytes]]:
    """Yield the number of rows and the bytes of one chunk after another.

    Parameters
    ----------
    pieces : sequence of bytes or cells
        What a row is made of, in order: columns, and constants between them.
    n_rows : int
        Number of rows of every column.

    Examples
    --------
    >>> words = TextCells(np.array([1, 0], dtype=np.int32), ["语言", "学"], str)
    >>> counts = IntegerCells(np.array([7, 12]))
    >>> [(n, chunk.decode()) for n, chunk in row_chunks([words, b"=", counts, b";"], 2)]
    [(2, '学=7;语言=12;')]
    """
    for start in range(0, n_rows, _CHUNK_ROWS):
        stop = min(start + _CHUNK_ROWS, n_rows)
        chunk = _joined(pieces, start, stop)
        yield stop - start, _filled(chunk, pieces, start, stop) if _PLACE in chunk else chunk


def _joined(pieces: Sequence[bytes | Cells], start: int, stop: int) -> bytes:
    blocks = [
        np.frombuffer(piece, np.uint8) if isinstance(piece, bytes) else piece.block(start, stop)
        for piece in pieces
    ]
    rows = np.empty((stop - start, sum(block.shape[-1] for block in blocks)), np.uint8)
    left = 0
    for block in blocks:
        right = left + block.shape[-1]
        rows[:, left:right] = block
        left = right
    return rows.tobytes().translate(None, bytes([_PAD]))


def _filled(chunk: bytes, pieces: Sequence[bytes | Cells], start: int, stop: int) -> bytes:
    """Put the long texts of these rows in their places."""
    long_cells = sorted(
        (row, order, cell)
        for order, piece in enumerate(pieces)
        if isinstance(piece, TextCells)
        for row, cell in piece.long_cells(start, stop)
    )
    first, *others = chunk.split(_PLACE)
    parts = [first]
    for (_, _, cell), other in zip(long_cells, others, strict=True):
        parts += [cell, other]
    return b"".join(parts)


def _padded(lengths: Int64Array, data: bytes) -> ByteMatrix:
    """Return cells that lie end to end in ``data`` as the rows of a matrix."""
    width = int(lengths.max(initial=0))
    block = np.full((len(lengths), width), _PAD, np.uint8)
    block[np.arange(width) < lengths[:, None]] = np.frombuffer(data, np.uint8)
    return block


def _lengths(cells: Sequence[bytes] | Sequence[str]) -> Int64Array:
    return np.fromiter(map(len, cells), np.int64, len(cells))


class TextCells:
    """Cells of dictionary-encoded text; each text is escaped and encoded once.

    Parameters
    ----------
    ids : ndarray of shape (n_rows,), int32
        Indices into ``values``.
    values : sequence of str
        The texts.
    escape : callable
        Makes a text fit for its file format.

    Raises
    ------
    InvalidInputError
        When a text holds half of a surrogate pair, which UTF-8 cannot write.
    """

    def __init__(
        self, ids: Int32Array, values: Sequence[str], escape: Callable[[str], str]
    ) -> None:
        self._ids = ids
        self._encoded = [_encoded(escape(value)) for value in values]
        lengths = _lengths(self._encoded)
        self._is_long = lengths > _LONG
        short = [_PLACE if len(cell) > _LONG else cell for cell in self._encoded]
        self._short = _padded(np.where(self._is_long, 1, lengths), b"".join(short))

    def block(self, start: int, stop: int) -> ByteMatrix:
        """Return these cells, shape (stop - start, width), with a placeholder for long ones."""
        return self._short.take(self._ids[start:stop], axis=0)

    def long_cells(self, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
        """Yield row and bytes of the cells that `block` left out, rows counted from ``start``."""
        ids = self._ids[start:stop]
        for row in np.flatnonzero(self._is_long[ids]).tolist():
            yield row, self._encoded[ids[row]]


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"the text {text!r} holds half of a surrogate pair, which UTF-8 cannot write. "
            "Read the input with an encoding that fits it."
        ) from error


class IntegerCells:
    """Cells of integers in decimal digits.

    Parameters
    ----------
    values : ndarray of shape (n_rows,), int64
    """

    def __init__(self, values: Int64Array) -> None:
        self._values = values

    def block(self, start: int, stop: int) -> ByteMatrix:
        """Return these cells, shape (stop - start, width), padded with 0xFF."""
        values = self._values[start:stop]
        if values.min() < 0:
            distinct, places = np.unique(values, return_inverse=True)
            cells = list(map(str, distinct.tolist()))
            return _padded(_lengths(cells), "".join(cells).encode())[places]
        largest = int(values.max())
        # Division by ten is the whole cost, and 32-bit division is twice as fast.
        rest = values.astype(np.uint32 if largest < 1 << 32 else np.uint64)
        digits = np.empty((len(str(largest)), len(rest)), np.uint8)
        for place in range(len(digits) - 1, -1, -1):
            tens = rest // 10
            np.subtract(rest, tens * 10, out=digits[place], casting="unsafe")
            digits[place] += ord("0")
            if place < len(digits) - 1:
                digits[place][rest == 0] = _PAD
            rest = tens
        return digits.T


class FloatCells:
    """Cells of floats: the fewest digits that read back equal, as `repr` gives them.

    Parameters
    ----------
    values : ndarray of shape (n_rows,), float64
    specials : mapping of str to str
        What is written for ``"nan"``, ``"inf"`` and ``"-inf"``, where it is not that.
    """

    def __init__(self, values: Float64Array, specials: Mapping[str, str]) -> None:
        self._values = values
        self._specials = specials

    def block(self, start: int, stop: int) -> ByteMatrix:
        """Return these cells, shape (stop - start, width), padded with 0xFF."""
        # Distinct bits, not distinct numbers: 0.0 and -0.0 are equal and print differently.
        bits = np.ascontiguousarray(self._values[start:stop]).view(np.int64)
        distinct, places = np.unique(bits, return_inverse=True)
        floats = distinct.view(np.float64)
        cells = list(map(repr, floats.tolist()))
        if not np.isfinite(floats).all():
            cells = [self._specials.get(cell, cell) for cell in cells]
        return _padded(_lengths(cells), "".join(cells).encode()).take(places, axis=0)
