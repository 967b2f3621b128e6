"""Progress bars on stderr, where that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeAlias

Report: TypeAlias = Callable[[str, int, int | None], None]

#: What each step tells the number of; bytes are shown as megabytes. One
#: that is missing tells only whether it is done.
_UNITS = {"segmenting": "bytes", "counting": "words", "writing": "rows"}


_REMEMBERED = 3600.0
"""Seconds of which the speed is told: runs of a comparison may end minutes apart."""


def progress(*, shown: bool) -> AbstractContextManager[Report]:
    """Return a context that gives what shows progress, when that is wanted and possible."""
    return _bars() if shown and can_be_shown() else nullcontext(_show_nothing)


def can_be_shown() -> bool:
    """Tell whether stderr is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def describe(step: str, done: int, rate: float | None) -> str:
    """Say how much is done, and how fast.

    Examples
    --------
    >>> describe("segmenting", 12_300_000, 3.08e6), describe("writing", 1_000, None)
    ('12.3 MB, 3.1 MB/s', '1,000 rows')
    >>> describe("factorizing", 0, None)
    ''
    """
    unit = _UNITS.get(step)
    if unit is None:
        return ""

    def amount(number: float) -> str:
        return f"{number / 1e6:,.1f} MB" if unit == "bytes" else f"{number:,.0f} {unit}"

    return amount(done) if rate is None else f"{amount(done)}, {amount(rate)}/s"


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
        TaskProgressColumn(),
        TextColumn("{task.fields[amount]}"),
        TimeRemainingColumn(),
    )
    tasks: dict[str, TaskID] = {}
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=False,
        speed_estimate_period=_REMEMBERED,
    ) as bars:  # fmt: skip

        def report(step: str, done: int, total: int | None) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=total, amount="")
            rate = bars.tasks[list(tasks).index(step)].speed
            amount = describe(step, done, rate)
            bars.update(tasks[step], completed=done, total=total, amount=amount)

        yield report
