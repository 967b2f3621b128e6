"""``nlpfeat``: the program."""

import signal
import sys
from io import TextIOWrapper

import typer

import nlpfeat
from nlpfeat.cli.command import as_command, epilog
from nlpfeat.cli.commands.claims import Claims
from nlpfeat.cli.commands.compare import Compare
from nlpfeat.cli.commands.diagnose import Diagnose
from nlpfeat.cli.commands.features import Features
from nlpfeat.cli.commands.keywords import Keywords
from nlpfeat.cli.commands.phrases import Phrases
from nlpfeat.cli.commands.pmi import Pmi
from nlpfeat.cli.commands.segment import Segment
from nlpfeat.cli.commands.similar import Similar
from nlpfeat.cli.commands.topics import Topics
from nlpfeat.cli.console import forget_stdout
from nlpfeat.cli.options import CommonOptions

app = typer.Typer(
    help="Classical features of Chinese text, exact and fast. 中文文本特征：精确、快速。",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

#: What stands behind each name, in the order of --help.
COMMANDS: dict[str, type[CommonOptions]] = {
    "pmi": Pmi,
    "segment": Segment,
    "keywords": Keywords,
    "phrases": Phrases,
    "similar": Similar,
    "topics": Topics,
    "features": Features,
    "compare": Compare,
    "diagnose": Diagnose,
    "claims": Claims,
}


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


for _name, _options in COMMANDS.items():
    app.command(_name, epilog=epilog(_options))(as_command(_options))


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
