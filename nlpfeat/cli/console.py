"""What the person at the terminal is told: messages, and one clear line for an error."""

import errno
import logging
import os
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from traceback import format_exception

import typer

from nlpfeat.errors import InvalidParameterError, NlpfeatError

logger = logging.getLogger(__name__)

_INTERRUPTED = 130
_SHOWN_ALIKE = 3
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def usage(option: str | None = None) -> Iterator[None]:
    """Turn a parameter that cannot be into a usage error (exit 2) of the option."""
    try:
        yield
    except InvalidParameterError as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


@contextmanager
def guarded(*, quiet: bool, debug: bool) -> Iterator[None]:
    """Run a command: messages to stderr, errors as one line and exit 1.

    ``| head`` that has seen enough ends the command without a word; Ctrl-C exits with 130.
    """
    everything = logging.getLogger("nlpfeat")
    handler = _ToStderr()
    level = everything.level
    everything.addHandler(handler)
    everything.setLevel(logging.ERROR if quiet else logging.INFO)
    try:
        with _warnings_told():
            yield
    except typer.BadParameter:
        raise
    except BrokenPipeError:
        forget_stdout()
        raise SystemExit(0) from None
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None
    except Exception as error:  # noqa: BLE001 - even a fault of nlpfeat is told in one line
        message = "".join(format_exception(error)) if debug else ""
        typer.echo(f"{message}nlpfeat: {_one_line(error)}", err=True)
        raise SystemExit(1) from None
    finally:
        handler.tell_others()
        everything.removeHandler(handler)
        everything.setLevel(level)


@contextmanager
def _warnings_told() -> Iterator[None]:
    """Tell what is warned of as a message, without the place in the program."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_, **__: logger.warning("%s", message)
        yield


class _ToStderr(logging.Handler):
    """Write to what is stderr now: while a progress bar is shown, that keeps clear of it.

    Of messages that begin with a name, as that of a file, and differ in it alone, three are shown;
    the others are counted, and told before news of another kind.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kinds: set[str] = set()
        self._alike: Counter[tuple[object, ...]] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg not in self._kinds:
            self.tell_others()
            self._kinds.add(record.msg)
        begins_with_name = record.msg.startswith("%s") and record.msg != "%s"
        if begins_with_name and isinstance(record.args, tuple):
            alike = record.msg, *record.args[1:]
            self._alike[alike] += 1
            if self._alike[alike] > _SHOWN_ALIKE:
                return
        _tell(record.getMessage())

    def tell_others(self) -> None:
        """Tell how many messages were not shown."""
        for (message, *values), number in self._alike.items():
            if number > _SHOWN_ALIKE:
                _tell(str(message) % (f"… and {number - _SHOWN_ALIKE:,} more", *values))
                self._alike[message, *values] = _SHOWN_ALIKE


def _tell(message: str) -> None:
    # A message that cannot be shown is no reason to lose the result.
    with suppress(OSError):
        typer.echo(message, err=True)


def _one_line(error: Exception) -> str:
    words = " ".join(str(error).split())
    if isinstance(error, NlpfeatError):
        return words
    if isinstance(error, MemoryError):
        return "out of memory; use fewer processors (--jobs) or words (--min-term-count)."
    if isinstance(error, OSError) and error.errno in _FULL and not error.filename:
        # Files that the user named report their own errors; what is left are temporary ones.
        return (
            f"no space left for temporary files in {tempfile.gettempdir()}. Free some, or name "
            "another folder in the environment variable TMPDIR."
        )
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return (
        f"this is a fault of nlpfeat, {type(error).__name__}: {words}. "
        "Please report it, with what --debug shows."
    )


def forget_stdout() -> None:
    """Send what is still to be written to nowhere, or Python complains of it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
