"""Open a file, a compressed file, a remote address or standard input, and read its bytes."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import BinaryIO, NamedTuple, cast

from nlpfeat.errors import InvalidInputError, MissingDependencyError

COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")
STDIN = "-"

_CHUNK_BYTES = 1 << 18


def compression_of(path: str) -> str | None:
    """Return the ending that says how ``path`` is compressed, if it has one.

    Examples
    --------
    >>> compression_of("红楼梦.txt.GZ"), compression_of("红楼梦.txt")
    ('.gz', None)
    """
    lower = path.lower()
    return next((ending for ending in COMPRESSIONS if lower.endswith(ending)), None)


def is_remote(path: str) -> bool:
    """Tell an address such as ``s3://…`` or ``https://…`` from a path."""
    return "://" in path


def display_name(path: str) -> str:
    """Return what messages call ``path``.

    Examples
    --------
    >>> display_name("-")
    'standard input'
    """
    return "standard input" if path == STDIN else path


class _Opened(NamedTuple):
    stream: BinaryIO
    #: The file on disk below a decompressing stream, where there is one.
    raw: BinaryIO | None


class ByteSource:
    """The decompressed bytes of one path, as an iterable of chunks.

    A compressed file that turns out broken ends the iteration early and leaves its fault in
    ``fault``: what was read before is still good, and the reader knows how many lines that was.

    Parameters
    ----------
    path : str
        A file, a remote address, or ``"-"`` for standard input.
    on_bytes : callable, optional
        Called with the number of bytes consumed after each chunk: of the file on disk, or of the
        stream where there is no such file.

    Raises
    ------
    InvalidInputError
        On iteration, when the path cannot be opened or read.
    MissingDependencyError
        When a remote address needs a package that is not installed.
    """

    def __init__(self, path: str, on_bytes: Callable[[int], None] | None = None) -> None:
        self.path = path
        self.fault: str | None = None
        self._on_bytes = on_bytes

    def __iter__(self) -> Iterator[bytes]:
        """Yield chunks of about 256 KB."""
        consumed = 0
        with ExitStack() as stack:
            opened = self._open(stack)
            broken = _broken_errors(self.path)
            while self.fault is None:
                chunk = self._read(opened.stream, broken)
                if self._on_bytes is not None:
                    position = opened.raw.tell() if opened.raw else consumed + len(chunk)
                    self._on_bytes(position - consumed)
                    consumed = position
                if not chunk:
                    return
                yield chunk

    def _open(self, stack: ExitStack) -> _Opened:
        compression = compression_of(self.path)
        if self.path == STDIN and sys.stdin is None:
            raise InvalidInputError("Cannot read standard input: it is closed.")
        try:
            if self.path == STDIN:
                return _Opened(sys.stdin.buffer, None)
            if is_remote(self.path):
                import smart_open

                return _Opened(stack.enter_context(smart_open.open(self.path, "rb")), None)
            raw = stack.enter_context(open(self.path, "rb"))  # noqa: SIM115 (the stack closes it)
            if compression is None:
                return _Opened(raw, None)
            # A pipe has no place to ask for.
            place = raw if raw.seekable() else None
            return _Opened(stack.enter_context(_decompressed(raw, compression)), place)
        except ImportError as error:
            raise MissingDependencyError(f"Cannot read {self.path}: {error}") from error
        except (OSError, ValueError, NotImplementedError) as error:
            raise self._unreadable(error) from error

    def _read(self, stream: BinaryIO, broken: tuple[type[Exception], ...]) -> bytes:
        """Return the next chunk, shorter at the end or when the stream turns out broken."""
        parts: list[bytes] = []
        wanted = _CHUNK_BYTES
        try:
            while wanted > 0:
                # One read below at a time: a longer one loses what it has when it meets a fault.
                part = stream.read1(wanted)  # type: ignore[attr-defined]
                if not part:
                    break
                parts.append(part)
                wanted -= len(part)
        except EOFError:
            self.fault = "is cut short"
        except broken as error:
            self.fault = f"is corrupt ({error})"
        except OSError as error:
            raise self._unreadable(error) from error
        return b"".join(parts)

    def _unreadable(self, error: Exception) -> InvalidInputError:
        reason = getattr(error, "strerror", None) or error
        return InvalidInputError(f"Cannot read {display_name(self.path)}: {reason}.")


def _decompressed(raw: BinaryIO, compression: str) -> BinaryIO:
    """Return a stream over ``raw``; smart_open, which takes names alone, would hide its place."""
    if compression == ".gz":
        import gzip

        return cast("BinaryIO", gzip.open(raw, "rb"))
    if compression == ".bz2":
        import bz2

        return cast("BinaryIO", bz2.open(raw, "rb"))
    if compression == ".xz":
        import lzma

        return cast("BinaryIO", lzma.open(raw, "rb"))
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return cast("BinaryIO", zstd.open(raw, "rb"))


def _broken_errors(path: str) -> tuple[type[Exception], ...]:
    """Return what decompressing a corrupt file raises, beside EOFError for one cut short."""
    compression = compression_of(path)
    if compression == ".gz":
        import zlib

        return (OSError, zlib.error)
    if compression == ".xz":
        import lzma

        return (lzma.LZMAError,)
    if compression == ".zst":
        if sys.version_info >= (3, 14):
            from compression.zstd import ZstdError
        else:
            from backports.zstd import ZstdError

        return (ZstdError,)
    return (OSError, ValueError) if compression else ()
