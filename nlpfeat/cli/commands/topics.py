"""``nlpfeat topics``: what a corpus is about."""

from dataclasses import dataclass
from typing import Annotated

import typer

from nlpfeat.cli.options import (
    CorpusOptions,
    SeedOptions,
    SelectionOptions,
    TableOptions,
    TermOptions,
)


@dataclass(frozen=True, kw_only=True)
class TopicOptions:
    """How many topics, and who finds them."""

    topics: Annotated[int, typer.Option(metavar="N", help="How many topics.")] = 20
    top_terms: Annotated[
        int, typer.Option(metavar="N", help="How many words of each topic, at least 2.")
    ] = 10
    topic_engine: Annotated[
        str,
        typer.Option(
            metavar="gensim|tomotopy",
            help="The program that learns: gensim (variational Bayes), or tomotopy (Gibbs "
            "sampling; pip install 'nlpfeat[topics]').",
        ),
    ] = "gensim"  # fmt: skip
    passes: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="How often the documents are read.", show_default="as suits it"
        ),
    ] = None
    coherence: Annotated[
        str,
        typer.Option(
            metavar="c_npmi|c_uci|u_mass",
            help="How it is measured whether the words of a topic keep company in the text.",
        ),
    ] = "c_npmi"
    wide: Annotated[
        bool,
        typer.Option(
            "--wide", help="One row for each topic, all its words in one cell.", show_default="off"
        ),
    ] = False
    model: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Keep the fitted pipeline, for nlpfeat.load in Python.",
            show_default="none",
        ),
    ] = None  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Topics(TopicOptions, SeedOptions, SelectionOptions, TermOptions, CorpusOptions, TableOptions):
    """What a corpus is about: topics, each with its most probable words.

    The first topic is the one with most words of the text. Its number is the column of
    features --kind lda, when that has the same text and the same settings (--n-topics for
    --topics, and gensim with its own number of passes). Another --seed finds other topics.
    """

    examples = (
        "topics reviews.csv --topics 10 --min-df 5 --max-df 0.5",
        "topics texts/ --unit file --stop-words stop.txt --model topics.skops --output topics.csv",
    )

    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="File to write; its ending says what: .tsv, .csv, .jsonl or .parquet (the "
            "table), .html (a page with the words and shares of topics).",
            show_default="standard output, as .tsv",
        ),
    ] = None  # fmt: skip

    def run(self) -> None:
        """Count, learn and write."""
        from nlpfeat.cli.work.topics import TopicsRun

        TopicsRun(self).run()
