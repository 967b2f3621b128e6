"""Where the result goes."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from os.path import splitext
from typing import BinaryIO, TypeVar, cast

import typer

from nlpfeat import __version__
from nlpfeat._names import closest
from nlpfeat.cli.options import OutputOptions, TableOptions
from nlpfeat.cli.parsing import flag
from nlpfeat.cli.progress import Report, progress
from nlpfeat.errors import OutputError
from nlpfeat.io.atomic import atomic_output
from nlpfeat.io.tables import TABLE_WRITERS, Table

Result = TypeVar("Result")

#: Options that name one file to read.
_READ = ("vectors", "model", "test", "from_report", "user_dict", "user_words", "stop_words")
_SPREADSHEETS = (".tsv", ".csv")


def output_ending(options: TableOptions, others: Sequence[str] = ()) -> str:
    """Return the ending of the output; ``.tsv`` for standard output, devices and pipes.

    Parameters
    ----------
    options : TableOptions
    others : sequence of str
        Endings that the command knows besides those of tables.

    Raises
    ------
    typer.BadParameter
        For an unknown ending, and for --excel with what no spreadsheet program opens.
    """
    path = _named(options.output)
    ending = ".tsv" if path is None or _is_device(path) else splitext(path)[1].lower()
    known = (*TABLE_WRITERS, *others)
    if ending not in known:
        raise typer.BadParameter(
            f"{path!r} must end in one of {', '.join(known)}.{closest(ending, known)}",
            param_hint="--output",
        )
    if options.excel and ending not in _SPREADSHEETS:
        raise typer.BadParameter(f"--excel is for .tsv and .csv, not for {ending}.")
    return ending


def check_files(options: OutputOptions, *others: str) -> None:
    """Raise a usage error where one file would be written twice, or in the place of an input.

    Parameters
    ----------
    options : OutputOptions
    others : str
        Options that name a file to write, besides --output.
    """
    written: dict[str, str] = {}
    for name in ("output", *others):
        path = _named(getattr(options, name))
        if path is None or _is_device(path):
            continue
        option = f"{flag(name)} {path}"
        for source in _inputs(options):
            if os.path.isfile(source) and os.path.isfile(path) and os.path.samefile(source, path):
                raise typer.BadParameter(
                    f"{option} would replace {source}, which is to be read. Choose another name."
                )
        earlier = written.setdefault(os.path.realpath(path), option)
        if earlier != option:
            raise typer.BadParameter(
                f"{earlier} and {option} are the same file. Give each a name of its own."
            )


def make_and_write(
    options: OutputOptions,
    make: Callable[[Report], Result],
    write: Callable[[Result, BinaryIO, Report], None],
) -> None:
    """Make the result, then write it, with progress bars; the output is opened before the work."""
    bars_beside_rows = not options.quiet and not fills_terminal(options.output)
    with open_output(options.output) as stream:
        with progress(shown=not options.quiet) as report:
            result = make(report)
        with progress(shown=bars_beside_rows) as report:
            write(result, stream, report)


def write_table(
    options: TableOptions,
    table: Table,
    metadata: Mapping[str, str],
    stream: BinaryIO,
    report: Report,
) -> None:
    """Write a table in the format that the ending of the output says."""
    TABLE_WRITERS[output_ending(options)](
        Table(table.columns, metadata),
        stream,
        spreadsheet=options.excel,
        progress=_rows_written(report, table.n_rows),
    )


def origin(corpus: Sequence[str], **facts: object) -> dict[str, str]:
    """Return where a result comes from, as metadata; names of files and options stand in it."""
    return {
        # A file name may hold bytes that are no text; a table may not.
        "corpus": " ".join(corpus).encode("utf-8", "backslashreplace").decode(),
        "made_with": f"nlpfeat {__version__}",
        **{name: str(value) for name, value in facts.items()},
    }


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


def check_writable(path: str) -> None:
    """Raise what writing a file would raise, before the work; nothing is left there."""
    with suppress(_ChangedMindError), atomic_output(path):
        raise _ChangedMindError


class _ChangedMindError(Exception):
    """Ends a file that was only begun to see whether it can be."""


def fills_terminal(path: str | None) -> bool:
    """Tell whether the result is shown on the terminal, where a progress bar would cross it."""
    return _named(path) is None and sys.stdout is not None and sys.stdout.isatty()


def _inputs(options: OutputOptions) -> list[str]:
    """Return the files that the options name to be read."""
    single = (getattr(options, name, None) for name in _READ)
    return [*getattr(options, "corpus", ()), *(path for path in single if path is not None)]


def _named(path: str | None) -> str | None:
    return None if path == "-" else path


def _is_device(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _rows_written(report: Report, n_rows: int) -> Callable[[int], None]:
    done = 0

    def written(n: int) -> None:
        nonlocal done
        done += n
        report("writing", done, n_rows)

    return written


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
