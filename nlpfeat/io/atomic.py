"""Write a file whole or not at all."""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from io import BufferedWriter, FileIO
from typing import TYPE_CHECKING, BinaryIO, Self, cast
from uuid import uuid4

from nlpfeat.errors import OutputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# What went wrong, and the remedy, for the errors that users meet.
_NO_PERMISSION = "no permission. Choose a folder and a file that you may write"
_FULL = "no space left on the disk; {fate}. Free some, or choose another disk"
_REASONS = {
    errno.EISDIR: "it is a folder. Give the name of a file in it",
    errno.ENOTDIR: "a part of its path is a file, not a folder",
    errno.EACCES: _NO_PERMISSION,
    errno.EPERM: _NO_PERMISSION,
    errno.EROFS: "the file system is read-only. Choose another place",
    errno.ENAMETOOLONG: "the name is too long. Choose a shorter one",
    errno.ELOOP: "its symbolic links lead in a circle. Choose another name",
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: "it would be larger than a file may be here; {fate}",
}
# Names of open descriptors. `/dev/stdout` may lead to a regular file that the shell appends to;
# replacing that file would lose what it holds.
_DESCRIPTOR = re.compile(r"/dev/(stdout|stderr|fd/\d+)|/proc/[^/]+/fd/\d+")


@contextmanager
def atomic_output(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open ``path`` for writing bytes; the file appears only when the block ends well.

    The bytes go to a temporary file in the same folder, which takes the name ``path`` after it
    is safe on the disk. When the block raises, or is interrupted, the temporary file is removed
    and an older file of that name stays as it was. A symbolic link keeps pointing at its target,
    which is replaced. A new file has the permissions that ``open`` would give it, a replaced one
    keeps its own. Devices and named pipes (``/dev/null``, ``/dev/stdout``, a FIFO) are written
    directly.

    Parameters
    ----------
    path : str or path-like
        The file to write. Its folder must exist.

    Yields
    ------
    binary file
        A buffered stream. The block leaves it open.

    Raises
    ------
    OutputError
        When the file cannot be written. Other errors of the block pass through as they are, and
        so does the ``BrokenPipeError`` of a pipe whose reader has left.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     name = os.path.join(folder, "词.txt")
    ...     with atomic_output(name) as stream:
    ...         n_bytes = stream.write("语言".encode())
    ...     with open(name, encoding="utf-8") as text:
    ...         text.read(), os.listdir(folder)
    ('语言', ['词.txt'])
    """
    shown = os.fsdecode(path)
    target, older = _resolve(shown)
    if older and (not stat.S_ISREG(older.st_mode) or _DESCRIPTOR.fullmatch(shown)):
        # Append mode: `>> file` with /dev/stdout must not overwrite the file from its start.
        with closing(_RawOutput.open(shown, "ab", shown)) as raw:
            raw.fate = "what was written is incomplete"
            yield from _buffered(raw)
        return
    temporary = os.path.join(os.path.dirname(target), f".nlpfeat-{uuid4().hex}.tmp")
    try:
        with closing(_RawOutput.open(temporary, "xb", shown)) as raw:
            if older:
                with _reported(shown):
                    os.chmod(temporary, stat.S_IMODE(older.st_mode))
            yield from _buffered(raw)
            with _reported(shown):
                os.fsync(raw.fileno())
                raw.close()
        with _reported(shown):
            os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


class _RawOutput(FileIO):
    """A file whose failures are `OutputError`, told apart so from other errors of the block."""

    shown: str
    fate = "nothing was written"

    @classmethod
    def open(cls, name: str, mode: str, shown: str) -> Self:
        """Open the file ``name``, which messages call ``shown``."""
        with _reported(shown):
            raw = cls(name, mode)
        raw.shown = shown
        return raw

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write some of ``data`` and return how many bytes."""
        with _reported(self.shown, self.fate):
            return super().write(data)


def _buffered(raw: _RawOutput) -> Iterator[BinaryIO]:
    """Yield a buffer over ``raw`` and flush it.

    The caller closes ``raw``, which drops the bytes that a failed block leaves in the buffer.
    """
    stream = BufferedWriter(raw, buffer_size=1 << 17)
    yield cast(BinaryIO, stream)
    stream.flush()


@contextmanager
def _reported(shown: str, fate: str = _RawOutput.fate) -> Iterator[None]:
    """Turn an error of the operating system into an `OutputError` about the file ``shown``."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
        message = f"cannot write {shown!r}: {reason}.".replace("{fate}", fate)
        raise OutputError(message) from error


def _resolve(shown: str) -> tuple[str, os.stat_result | None]:
    """Return the file that ``shown`` leads to, and its status if it is there already."""
    with _reported(shown):
        try:
            older = os.stat(shown)
        except FileNotFoundError:
            older = None
        target = os.path.realpath(shown)
        if not shown or shown.endswith(("/", os.sep)) or os.path.isdir(target):
            raise IsADirectoryError(errno.EISDIR, "Is a directory")
        # A plain open would refuse a write-protected file; a rename would not even ask.
        if older and not os.access(shown, os.W_OK):
            raise PermissionError(errno.EACCES, "Permission denied")
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise OutputError(
            f"cannot write {shown!r}: the folder {os.path.dirname(shown) or folder!r} does not "
            "exist. Create it first, or choose another."
        )
    return target, older
