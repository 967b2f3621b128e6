"""``nlpfeat``: the program."""

import signal
import sys
from io import TextIOWrapper

import typer

import nlpfeat
from nlpfeat.cli.console import forget_stdout
from nlpfeat.cli.pmi import pmi
from nlpfeat.cli.segment import segment

app = typer.Typer(
    help="Classical features of Chinese text, exact and fast. 中文文本特征：精确、快速。",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_PMI_EXAMPLES = """\
\b
Examples:
  nlpfeat pmi novel.txt --window 5
  nlpfeat pmi reviews.csv --text-column content --measure npmi --measure g2
  nlpfeat pmi texts/ --word 经济 --top 50 --output economy.csv --excel
  nlpfeat pmi dataset:everyday --stop-words stop.txt --output network.gexf
"""
_SEGMENT_EXAMPLES = """\
\b
Examples:
  nlpfeat segment novel.txt > words.txt
  nlpfeat segment novel.txt --user-word 云原生底座 --output words.txt
"""


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"nlpfeat {nlpfeat.__version__}")
        raise typer.Exit


@app.callback()
def _program(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """Take the options that stand before a command."""


app.command(epilog=_PMI_EXAMPLES)(pmi)
app.command(epilog=_SEGMENT_EXAMPLES)(segment)


def main() -> None:
    """Run the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # UTF-8 whatever the locale; only file names can hold what is no character.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            # An exit as any other: workers are ended and half-written files removed.
            signal.signal(getattr(signal, name), lambda number, _: sys.exit(128 + number))
    try:
        app(prog_name="nlpfeat")
    except OSError as error:
        # --help to a full disk; the commands report their own errors.
        typer.echo(f"nlpfeat: cannot write to standard output: {error.strerror}.", err=True)
        forget_stdout()
        sys.exit(1)
