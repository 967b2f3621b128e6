"""``nlpfeat segment``: one line of tokens for each line of text."""

from dataclasses import dataclass
from typing import Annotated

import typer

from nlpfeat.cli.options import CorpusOptions, CuttingOptions, LabelOptions, OutputOptions


@dataclass(frozen=True, kw_only=True)
class Segment(CuttingOptions, LabelOptions, CorpusOptions, OutputOptions):
    """Cut text into words, separated by spaces; blank lines stay."""

    examples = (
        "segment novel.txt > words.txt",
        "segment novel.txt --user-word 云原生底座 --output words.txt",
        "segment reviews.csv --label-column 情感 --fasttext --output train.txt",
    )

    fasttext: Annotated[
        bool,
        typer.Option(
            "--fasttext", show_default="off",
            help="Begin each line with __label__ and the label of the document, as fastText reads "
            "it; blanks in labels become _, and blank documents are left out.",
        ),
    ] = False  # fmt: skip

    # What is to be read again keeps its letters as they are.
    fold_width: Annotated[
        bool,
        typer.Option(
            "--fold-width/--no-fold-width",
            help="Write full-width Ａ and ５ as A and 5; text is cut as if it had these anyway.",
        ),
    ] = False
    lowercase: bool = False

    def run(self) -> None:
        """Cut and write."""
        from nlpfeat.cli.work.segment import segment

        segment(self)
