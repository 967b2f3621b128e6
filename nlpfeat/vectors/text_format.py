"""The text format of word2vec: a header, then a line for each word."""

import gzip
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Int64Array
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.io.atomic import atomic_output
from nlpfeat.io.files import iter_line_batches
from nlpfeat.io.streams import compression_of
from nlpfeat.vectors.similarity import FloatMatrix

_DTYPES: dict[str, type[np.floating[Any]]] = {
    "float32": np.float32,
    "float64": np.float64,
}


def write_vectors(path: str, terms: Sequence[str], matrix: FloatMatrix, order: Int64Array) -> None:
    """Write terms and their vectors; the same input gives the same bytes.

    Parameters
    ----------
    path : str
        May end in .gz.
    terms : sequence of str
        In the order of the lines.
    matrix : ndarray of float32 or float64, shape (n_rows, n_dims)
    order : ndarray of int64, shape (n_terms,)
        The row of each term.

    Raises
    ------
    InvalidParameterError
        For a term that holds white space or that UTF-8 cannot write, and for another compression.
    OutputError
        When the file cannot be written.
    """
    compression = compression_of(path)
    if compression not in (None, ".gz"):
        raise InvalidParameterError(
            f"Vectors are written plain or as .gz. Got {path!r}: choose another ending."
        )
    for term in terms:
        _check_term(term)
    with atomic_output(path) as stream:
        if compression is None:
            stream.writelines(_lines(terms, matrix, order))
            return
        # Without a name and a date, so that equal vectors give equal bytes.
        with gzip.GzipFile("", "wb", compresslevel=6, fileobj=stream, mtime=0) as zipped:
            zipped.writelines(_lines(terms, matrix, order))


def _lines(terms: Sequence[str], matrix: FloatMatrix, order: Int64Array) -> Iterator[bytes]:
    yield f"{len(terms)} {matrix.shape[1]}\n".encode()
    for term, row in zip(terms, order.tolist()):
        # str gives the shortest digits that read back equal, for each of the two types.
        yield " ".join([term, *map(str, matrix[row])]).encode() + b"\n"


def _check_term(term: str) -> None:
    if not term or any(map(str.isspace, term)):
        raise InvalidParameterError(
            "A term must not be empty and must hold no white space, which ends a word in the text "
            f"format of word2vec. Got {term!r}: use save(), which holds any term."
        )
    try:
        term.encode()
    except UnicodeEncodeError as error:
        raise InvalidParameterError(
            f"A term must be text that UTF-8 can write. Got {term!r}."
        ) from error


def read_vectors(path: str, dtype: str = "float32") -> tuple[list[str], FloatMatrix]:
    """Read terms and vectors, in the order of the file.

    Parameters
    ----------
    path : str
        UTF-8; may end in .gz, .bz2, .xz or .zst.
    dtype : {"float32", "float64"}, default "float32"

    Returns
    -------
    terms : list of str
    matrix : ndarray of shape (n_terms, n_dims)

    Raises
    ------
    InvalidInputError
        For a missing header, a line with too few or too many numbers or with what is no finite
        number, a word that comes twice, and a file with fewer or more lines than its header says.
        The message names the line.
    """
    number_type = lookup(_DTYPES, dtype, "dtype")
    lines = chain.from_iterable(iter_line_batches(path, encoding="utf-8"))
    n_terms, n_dims = _header(path, next(lines, ""))
    terms: dict[str, int] = {}
    rows = []
    for number, (term, row) in enumerate(_rows(path, lines, n_dims, number_type), 2):
        first = terms.setdefault(term, number)
        if first != number:
            raise InvalidInputError(
                f"{path}: line {number} repeats the word {term!r} of line {first}. Remove one."
            )
        if len(terms) > n_terms:
            raise InvalidInputError(
                f"{path}: line {number} is one more than the {n_terms:,} words of the header."
            )
        rows.append(row)
    if len(rows) < n_terms:
        raise InvalidInputError(
            f"{path} ends after line {len(rows) + 1}; its header promises {n_terms:,} words and "
            f"it holds {len(rows):,}. Fetch the file again."
        )
    return list(terms), np.array(rows, number_type).reshape(len(rows), n_dims)


def _header(path: str, line: str) -> tuple[int, int]:
    fields = line.split()
    if len(fields) == 2 and all(field.isascii() and field.isdigit() for field in fields):
        return int(fields[0]), int(fields[1])
    raise InvalidInputError(
        f"{path}: line 1 must hold the number of words and the number of dimensions, such as "
        f"'50000 300'. Got {line[:50]!r}. Vectors of GloVe lack this line: put it there."
    )


def _rows(
    path: str, lines: Iterator[str], n_dims: int, number_type: type[np.floating[Any]]
) -> Iterator[tuple[str, FloatMatrix]]:
    for number, line in enumerate(lines, 2):
        term, *fields = line.rstrip().split(" ")  # many writers end a line with a space
        if not term or len(fields) != n_dims:
            raise InvalidInputError(
                f"{path}: line {number} must hold a word and {n_dims} numbers, between single "
                f"spaces. Got {len(fields)} after {term[:20]!r}."
            )
        try:
            with np.errstate(over="ignore"):  # infinite then, and refused below
                row = np.array(fields, dtype=number_type)
        except ValueError as error:
            raise InvalidInputError(
                f"{path}: line {number} must hold numbers after the word {term[:20]!r} ({error})."
            ) from error
        if not np.isfinite(row).all():
            raise InvalidInputError(
                f"{path}: line {number} must hold finite numbers after the word {term[:20]!r}."
            )
        yield term, row
