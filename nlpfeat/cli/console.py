"""What the person at the terminal sees: messages, progress, and one clear line for an error."""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeAlias

import typer

from nlpfeat.errors import InvalidParameterError, NlpfeatError

Report: TypeAlias = Callable[[str, int, int | None], None]

_INTERRUPTED = 130


@contextmanager
def usage() -> Iterator[None]:
    """Turn a parameter that cannot be into a usage error (exit 2), before any work is done."""
    try:
        yield
    except InvalidParameterError as error:
        raise typer.BadParameter(str(error)) from error


@contextmanager
def guarded(*, quiet: bool, debug: bool) -> Iterator[None]:
    """Run a command: messages to stderr, errors as one line and exit 1.

    ``| head`` that has seen enough ends the command without a word; Ctrl-C exits with 130.
    """
    logger = logging.getLogger("nlpfeat")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.ERROR if quiet else logging.INFO)
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
        raise SystemExit(0) from None
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None
    except (NlpfeatError, OSError, MemoryError) as error:
        if debug:
            raise
        typer.echo(f"nlpfeat: {_one_line(error)}", err=True)
        raise SystemExit(1) from None
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _one_line(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "out of memory; use fewer processes (--jobs) or prune terms (--min-term-count)."
    if isinstance(error, OSError) and not isinstance(error, NlpfeatError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split())


def _forget_stdout() -> None:
    # Python would complain once more when it flushes stdout at its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def progress(*, quiet: bool) -> AbstractContextManager[Report]:
    """Return a context that gives what shows progress on stderr, when that is a terminal."""
    if quiet or not sys.stderr.isatty():
        return nullcontext(_show_nothing)
    return _bars()


def _show_nothing(step: str, done: int, total: int | None) -> None:
    pass


@contextmanager
def _bars() -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskID,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(show_speed=True),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:

        def report(step: str, done: int, total: int | None) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=total, rate="")
            task = bars.tasks[list(tasks).index(step)]
            rate = f"{task.speed / 1e6:.1f} million/s" if task.speed else ""
            bars.update(tasks[step], completed=done, total=total, rate=rate)

        yield report
