"""``nlpfeat``: the program."""

import typer

import nlpfeat
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


app.command()(pmi)
app.command()(segment)


def main() -> None:
    """Run the program."""
    app(prog_name="nlpfeat")
