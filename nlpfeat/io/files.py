"""Find text files and read their lines in batches."""

import glob
import logging
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from nlpfeat._names import closest
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.io.encodings import decode_chunks
from nlpfeat.io.streams import (
    COMPRESSIONS,
    STDIN,
    ByteSource,
    compression_of,
    display_name,
    is_remote,
)

logger = logging.getLogger(__name__)

TEXT_ENDINGS = (".txt", ".text", ".tsv", ".csv", ".jsonl", ".ndjson")


def ending(path: str) -> str:
    """Return the ending of a file name in lower case, without the one of its compression.

    Examples
    --------
    >>> ending("评论.TSV.gz"), ending("README")
    ('.tsv', '')
    """
    compression = compression_of(path)
    return os.path.splitext(path[: -len(compression)] if compression else path)[1].lower()


def find_text_files(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return the files that ``paths`` stand for, in the order given.

    Parameters
    ----------
    paths : iterable of path
        Each one a file; a folder, which stands for the text files in it and in its subfolders,
        sorted by path, hidden ones left out; a pattern with ``*``, ``?`` or ``[…]``, where no file
        has that very name; a remote address; or ``"-"``, standard input.

    Returns
    -------
    list of str
        At least one path.

    Raises
    ------
    InvalidInputError
        When a path is missing, not readable, or a folder or pattern without a text file.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    files = [file for path in paths for file in _files_at(_as_str(path))]
    if not files:
        raise InvalidInputError("At least one file, folder or pattern must be given.")
    if files.count(STDIN) > 1:
        raise InvalidInputError("Standard input (-) can be read only once; it was given twice.")
    for file in files:
        if file != STDIN and not is_remote(file) and not os.access(file, os.R_OK):
            why = "no permission to read it" if os.path.exists(file) else "it links to nothing"
            raise InvalidInputError(f"Cannot read {file}: {why}.")
    return files


def total_bytes(paths: Iterable[str]) -> int | None:
    """Return the size on disk of the files together, or None where it cannot be known.

    It cannot be known for standard input, remote addresses, and whatever is no regular file.
    """
    total = 0
    for path in paths:
        if path == STDIN or is_remote(path) or not os.path.isfile(path):
            return None
        total += os.path.getsize(path)
    return total


def iter_line_batches(
    path: str,
    *,
    encoding: str | None = None,
    decode_errors: str = "strict",
    on_bytes: Callable[[int], None] | None = None,
) -> Iterator[list[str]]:
    r"""Yield the lines of a text file in lists of some 256 KB of text each.

    Parameters
    ----------
    path : str
        A file, which may end in .gz, .bz2, .xz or .zst; a remote address; or ``"-"``.
    encoding : str, optional
        Found out when not given (see `nlpfeat.io.encodings`).
    decode_errors : {"strict", "replace"}
        What to do with bytes that are no text: an error, or U+FFFD in their place.
    on_bytes : callable, optional
        Called with the number of bytes of the file that each step has consumed.

    Yields
    ------
    list of str
        At least one line, without its end. A line ends at ``\n``, ``\r\n`` or ``\r`` and nowhere
        else; the last one needs no end. A blank line is ``""``.

    Raises
    ------
    EncodingError
        For bytes that are no text in the encoding.
    InvalidInputError
        For a file that cannot be read, is cut short or corrupt, or is no text.
    InvalidParameterError
        For an unknown encoding.
    """
    source = ByteSource(path, on_bytes)
    name = display_name(path)
    chunks = iter(source)
    texts = decode_chunks(chunks, name, encoding=encoding, decode_errors=decode_errors)
    n_lines = 0
    begun: list[str] = []  # the pieces of a line whose end is still to come
    try:
        for text in texts:
            body, line_end, rest = text.rpartition("\n")
            if line_end:
                lines = "".join((*begun, body)).split("\n")
                n_lines += len(lines)
                yield lines
                begun.clear()
            if rest:
                begun.append(rest)
    except InvalidInputError:
        # A compressed file that breaks off ends inside a character, and a damaged one may give
        # nonsense until its checksum is met: then the fault is what went wrong.
        if compression_of(path):
            deque(chunks, maxlen=0)
        if source.fault is None:
            raise
    if source.fault is not None:
        raise InvalidInputError(
            f"{name} {source.fault}; {n_lines:,} whole lines could be read. "
            "Fetch or compress the file again."
        )
    if begun:
        yield ["".join(begun)]


def _as_str(path: str | os.PathLike[str]) -> str:
    if isinstance(path, (str, os.PathLike)):
        text = os.fspath(path)
        if isinstance(text, str) and text:
            return text
    raise InvalidParameterError(f"A path must be a string or a Path, and not empty. Got {path!r}.")


def _files_at(path: str) -> list[str]:
    if path == STDIN or is_remote(path):
        return [path]
    if os.path.isdir(path):
        return _files_in_folder(path)
    if os.path.lexists(path):
        return [path]
    if glob.has_magic(path):
        return _files_of_pattern(path)
    raise _missing(path)


def _files_in_folder(folder: str) -> list[str]:
    def refuse(error: OSError) -> None:
        raise InvalidInputError(
            f"Cannot read folder {error.filename}: {error.strerror}."
        ) from error

    found: list[Path] = []
    left_out: Counter[str] = Counter()
    for root, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if ending(name) in TEXT_ENDINGS and not name.startswith("."):
                found.append(Path(root, name))
            elif not name.startswith("."):
                left_out[ending(name) or "no ending"] += 1
    if found and left_out:
        logger.info(
            "%s: %s files left out, as their endings are none of text: %s", folder,
            f"{left_out.total():,}", ", ".join(each for each, _ in left_out.most_common(5)),
        )  # fmt: skip
    if found:
        return [str(path) for path in sorted(found)]
    raise InvalidInputError(
        f"Folder {folder} holds no text file. A text file ends in {', '.join(TEXT_ENDINGS)}, "
        f"or in one of these and then {', '.join(COMPRESSIONS)}."
    )


def _files_of_pattern(pattern: str) -> list[str]:
    matches = sorted(glob.glob(pattern, recursive=True))
    files = [match for match in matches if not os.path.isdir(match)]
    if not files:
        raise InvalidInputError(f"No file matches the pattern {pattern}.")
    return files


def _missing(path: str) -> InvalidInputError:
    folder = os.path.dirname(path) or os.curdir
    if not os.path.isdir(folder):
        return InvalidInputError(f"There is no file or folder {path}: no folder {folder}.")
    try:
        near = closest(os.path.basename(path), sorted(os.listdir(folder)))
    except OSError as error:
        return InvalidInputError(f"There is no file or folder {path} ({folder}: {error.strerror}).")
    return InvalidInputError(f"There is no file or folder {path}.{near}")
