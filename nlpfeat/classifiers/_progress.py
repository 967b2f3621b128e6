"""How far a training is, for people who watch a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeAlias

OnStep: TypeAlias = Callable[[int, int], None]


def training_progress(*, shown: bool, max_epochs: int) -> AbstractContextManager[OnStep]:
    """Return a context that gives what is told of each step.

    Parameters
    ----------
    shown : bool
        Whether a bar is wanted; it needs a terminal behind stderr. Elsewhere the log has a line for
        each epoch.
    max_epochs : int
    """
    if not shown or sys.stderr is None or not sys.stderr.isatty():
        return nullcontext(_show_nothing)
    return _bar(max_epochs)


def _show_nothing(done: int, total: int) -> None:
    pass


@contextmanager
def _bar(max_epochs: int) -> Iterator[OnStep]:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, redirect_stdout=False) as bars:
        task = bars.add_task("training", total=None)

        def on_step(done: int, total: int) -> None:
            epoch = -(-done * max_epochs // total)
            text = f"epoch {epoch} of {max_epochs}"
            bars.update(task, description=text, completed=done, total=total)

        yield on_step
