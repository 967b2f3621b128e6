"""Where the result goes."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os.path import splitext
from typing import BinaryIO

import typer

from nlpfeat._names import closest
from nlpfeat.io.atomic import atomic_output


def output_ending(path: str | None, known: Sequence[str]) -> str:
    """Return the ending of an output file, ``.tsv`` for standard output."""
    if path is None or path == "-":
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
    if path is None or path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with atomic_output(path) as stream:
            yield stream
