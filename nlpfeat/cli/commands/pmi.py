"""``nlpfeat pmi``: a table of word associations."""

from dataclasses import dataclass, field
from typing import Annotated

import typer

from nlpfeat.cli.options import (
    CorpusOptions,
    TableOptions,
    TermOptions,
    VocabularyOptions,
    WindowOptions,
)


@dataclass(frozen=True, kw_only=True)
class PairOptions:
    """What is counted within a window."""

    direction: Annotated[
        str,
        typer.Option(
            metavar="both|right|left",
            help="Where y stands, seen from x. With both, each pair is listed once.",
        ),
    ] = "both"
    weighting: Annotated[
        str,
        typer.Option(
            "--weighting", metavar="flat|harmonic|linear",
            help="What a pair at distance d counts: 1, 1/d, or (w-d+1)/w.",
        ),
    ] = "flat"  # fmt: skip
    counting: Annotated[
        str,
        typer.Option(
            metavar="pairs|windows|textgcn",
            help="What is counted: each pair of places; sliding windows of N words that hold both "
            "words; or what Text GCN counts.",
        ),
    ] = "pairs"


@dataclass(frozen=True, kw_only=True)
class MeasureOptions:
    """What the counts become."""

    measure: Annotated[
        list[str],
        typer.Option(
            "--measure", "-m", metavar="NAME",
            help="Measure of association: pmi, npmi, ppmi, g2, t, chi2, dice, logdice or delta_p. "
            "Can be given several times; each is a column, and the first one sorts.",
        ),
    ] = field(default_factory=lambda: ["pmi"])  # fmt: skip
    base: Annotated[
        str, typer.Option(metavar="NUMBER|e", help="Base of the logarithm in pmi and ppmi.")
    ] = "2"
    shift: Annotated[
        float, typer.Option(metavar="NUMBER", help="k in ppmi = max(pmi - log k, 0).")
    ] = 1.0
    smoothing: Annotated[
        float,
        typer.Option(
            metavar="NUMBER",
            help="Exponent for n_y in pmi and ppmi; 0.75 ranks rare words lower, 1 changes "
            "nothing.",
        ),
    ] = 1.0
    signed: Annotated[
        bool,
        typer.Option(
            "--signed", help="Give g2 a minus for pairs rarer than by chance.", show_default="off"
        ),
    ] = False


@dataclass(frozen=True, kw_only=True)
class ChoiceOptions:
    """Which pairs are written."""

    min_count: Annotated[
        int, typer.Option(metavar="N", help="Leave out pairs that occur less than N times.")
    ] = 5
    top: Annotated[
        int | None,
        typer.Option(metavar="N", help="Write only the first N pairs.", show_default="all"),
    ] = None
    word: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD",
            help="Write only pairs with this word. Can be given several times.",
            show_default="all",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Pmi(
    WindowOptions, PairOptions, MeasureOptions, ChoiceOptions, VocabularyOptions, TermOptions,
    CorpusOptions, TableOptions,
):  # fmt: skip
    """Which words occur near one another more often than by chance, with exact counts."""

    examples = (
        "pmi novel.txt --window 5",
        "pmi reviews.csv --text-column content --measure npmi --measure g2",
        "pmi texts/ --word 经济 --top 50 --output economy.csv --excel",
        "pmi dataset:everyday --stop-words stop.txt --output network.gexf",
        "pmi dataset:everyday --min-term-count 5 --top 500 --output network.html",
    )

    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="File to write; its ending says what: .tsv, .csv, .jsonl or .parquet (the "
            "table), .html (a page with network and table), .gexf (a network, for Gephi), .npz "
            "(the counts, for Python).",
            show_default="standard output, as .tsv",
        ),
    ] = None  # fmt: skip

    def run(self) -> None:
        """Count, weigh and write."""
        from nlpfeat.cli.work.pmi import PmiRun

        PmiRun(self).run()
