"""Where the result goes."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os.path import splitext
from typing import BinaryIO, cast

import typer

from nlpfeat._names import closest
from nlpfeat.errors import OutputError
from nlpfeat.io.atomic import atomic_output


def output_ending(path: str | None, known: Sequence[str]) -> str:
    """Return the ending of an output file; ``.tsv`` for standard output, devices and pipes."""
    path = _named(path)
    if path is None or _is_device(path):
        return ".tsv"
    ending = splitext(path)[1].lower()
    if ending not in known:
        raise typer.BadParameter(
            f"{path!r} must end in one of {', '.join(known)}.{closest(ending, known)}",
            param_hint="--output",
        )
    return ending


@contextmanager
def open_output(path: str | None) -> Iterator[BinaryIO]:
    """Give standard output, or a file that appears only when all of it is written."""
    path = _named(path)
    if path is None:
        if sys.stdout is None:
            raise OutputError("cannot write to standard output: it is closed. Name an --output.")
        stream = _StandardOutput()
        yield cast(BinaryIO, stream)
        stream.flush()
    else:
        with atomic_output(path) as file:
            yield file


def fills_terminal(path: str | None) -> bool:
    """Tell whether the result is shown on the terminal, where a progress bar would cross it."""
    return _named(path) is None and sys.stdout is not None and sys.stdout.isatty()


def _named(path: str | None) -> str | None:
    return None if path == "-" else path


def _is_device(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


class _StandardOutput:
    """The bytes of standard output; its failures name it."""

    def write(self, data: bytes) -> int:
        with _reported():
            return sys.stdout.buffer.write(data)

    def flush(self) -> None:
        with _reported():
            sys.stdout.buffer.flush()


@contextmanager
def _reported() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(
            f"cannot write to standard output: {error.strerror}. What was written is incomplete."
        ) from error
