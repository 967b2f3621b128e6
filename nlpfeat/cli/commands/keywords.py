"""``nlpfeat keywords``: the words that tell documents, or labels, from the others."""

from dataclasses import dataclass
from typing import Annotated

import typer

from nlpfeat.cli.options import NamedCorpusOptions, SelectionOptions, TableOptions, TermOptions


@dataclass(frozen=True, kw_only=True)
class KeywordOptions:
    """Of what, and which."""

    by: Annotated[
        str,
        typer.Option(
            metavar="document|label",
            help="Whose keywords: of each document, or of all documents of a label together.",
        ),
    ] = "document"
    measure: Annotated[
        str | None,
        typer.Option(
            "--measure", "-m", metavar="NAME",
            help="What sorts: tfidf (frequent here, in few documents), surprisal (how unlikely "
            "the count is, in bits; below 0 for a word that is too rare or missing) or g2 (how "
            "sure the difference is; below 0 likewise). All three are columns.",
            show_default="tfidf; g2 with --by label",
        ),
    ] = None  # fmt: skip
    top: Annotated[
        int, typer.Option(metavar="N", help="How many words of each document or label.")
    ] = 20
    side: Annotated[
        str,
        typer.Option(
            metavar="both|over|under",
            help="Words that are more frequent than expected (over), rarer or missing (under), "
            "or both; tfidf knows only the first.",
        ),
    ] = "over"


@dataclass(frozen=True, kw_only=True)
class Keywords(KeywordOptions, SelectionOptions, TermOptions, NamedCorpusOptions, TableOptions):
    """Which words tell a document, or a label, from all the others; by their absence too."""

    examples = (
        "keywords texts/ --unit file --top 10",
        "keywords reviews.csv --by label --measure surprisal --output words.csv --excel",
        "keywords reviews.csv --by label --label-column stars --side under",
    )

    def run(self) -> None:
        """Count, weigh and write."""
        from nlpfeat.cli.work.keywords import keywords

        keywords(self)
