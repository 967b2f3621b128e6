"""``nlpfeat features``: documents as rows of numbers."""

from dataclasses import dataclass
from typing import Annotated

import typer

from nlpfeat.cli.options import (
    NamedCorpusOptions,
    SeedOptions,
    SelectionOptions,
    TableOptions,
    TermOptions,
    VocabularyOptions,
    WindowOptions,
)


@dataclass(frozen=True, kw_only=True)
class KindOptions:
    """Which features, and what only one kind of them has."""

    kind: Annotated[
        str,
        typer.Option(
            "--kind", "-k", metavar="NAME",
            help="What a column is: bow (how often a word occurs), positional (a word at a "
            "place), ngram (words in a row), tfidf (words, rare ones weighing more), surprisal "
            "(how much more or less often than expected, in bits), pmi (the company of the "
            "words) or lda (topics).",
        ),
    ] = "bow"  # fmt: skip
    ngram_range: Annotated[
        str,
        typer.Option(
            metavar="N,M",
            help="From how many to how many in a row; for ngram and tfidf.",
        ),
    ] = "1,1"
    ngram_unit: Annotated[
        str,
        typer.Option(
            metavar="word|char", help="What stands in a row: words or characters; for ngram, tfidf."
        ),
    ] = "word"
    positions: Annotated[
        str,
        typer.Option(
            metavar="absolute|end|relative|log",
            help="How places are numbered: from the beginning, from the end, in equal parts of "
            "the document, or ever more coarsely; for positional.",
        ),
    ] = "absolute"
    max_position: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Put all places from the Nth on together; for positional.",
            show_default="none",
        ),
    ] = None  # fmt: skip
    n_topics: Annotated[int, typer.Option(metavar="N", help="How many topics; for lda.")] = 20
    n_components: Annotated[
        int, typer.Option(metavar="N", help="Numbers for each document; for pmi.")
    ] = 100


@dataclass(frozen=True, kw_only=True)
class Features(
    KindOptions, SelectionOptions, WindowOptions, VocabularyOptions, SeedOptions, TermOptions,
    NamedCorpusOptions, TableOptions,
):  # fmt: skip
    """A matrix with a row for each document, for a program that learns from it."""

    examples = (
        "features reviews.csv --kind tfidf --output reviews.npz",
        "features reviews.csv --label-column stars --min-df 5 --output reviews.svm",
        "features texts/ --unit file --kind ngram --ngram-range 1,2 --output texts.parquet",
    )

    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="File to write; its ending says what: .npz (matrix, names, ids and labels, for "
            "nlpfeat.io.feature_files.load_features), .svm or .svmlight (numbers alone, with "
            "labels), .tsv, .csv, .jsonl or .parquet (a row for each number).",
            show_default="standard output, as .tsv",
        ),
    ] = None  # fmt: skip

    def run(self) -> None:
        """Count, weigh and write."""
        from nlpfeat.cli.work.features import FeaturesRun

        FeaturesRun(self).run()
