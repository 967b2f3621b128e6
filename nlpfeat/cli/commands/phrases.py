"""``nlpfeat phrases``: words that come one after the other more often than by chance."""

from dataclasses import dataclass
from typing import Annotated

import typer

from nlpfeat.cli.options import CorpusOptions, StopWordOptions, TableOptions


@dataclass(frozen=True, kw_only=True)
class PhraseOptions:
    """Which phrases, and in which order."""

    max_length: Annotated[
        int, typer.Option(metavar="N", help="Words of the longest phrase, at least 2.")
    ] = 3
    min_count: Annotated[
        int, typer.Option(metavar="N", help="Leave out phrases that occur less than N times.")
    ] = 5
    measure: Annotated[
        str,
        typer.Option(
            "--measure", "-m", metavar="NAME",
            help="What sorts: npmi (how much more than by chance), g2 (how sure that is), count, "
            "left_entropy or right_entropy (how freely other words stand before or after).",
        ),
    ] = "npmi"  # fmt: skip
    top: Annotated[
        int | None,
        typer.Option(metavar="N", help="Write only the first N phrases.", show_default="all"),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Phrases(PhraseOptions, StopWordOptions, CorpusOptions, TableOptions):
    """Which words come one after the other more often than by chance, as in fixed phrases.

    With --segmenter char these are words, found without a dictionary.
    """

    examples = (
        "phrases novel.txt --max-length 4 --top 100",
        "phrases texts/ --segmenter char --measure g2 --output words.csv --excel",
    )

    def run(self) -> None:
        """Count, weigh and write."""
        from nlpfeat.cli.work.phrases import phrases

        phrases(self)
