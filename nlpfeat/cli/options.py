"""The options of the commands; one that several commands have stands here once."""

import math
from typing import Annotated

import typer

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="CORPUS…",
        help="Text files, folders, patterns, - (standard input), or dataset:NAME.",
        show_default=False,
    ),
]
Unit = Annotated[str, typer.Option(help="What a document is: line (or table row), or file.")]
TextColumn = Annotated[
    str | None,
    typer.Option(help="Column of a table with the text: a name (there is a header) or a number."),
]
Encoding = Annotated[
    str | None, typer.Option(help="Encoding of the text; found out for each file when not given.")
]
DecodeErrors = Annotated[
    str, typer.Option(help="What to do with bytes that are no text: strict, or replace.")
]
SegmenterName = Annotated[
    str, typer.Option("--segmenter", help="jieba, char (characters) or whitespace (already cut).")
]
Engine = Annotated[
    str, typer.Option(help="How jieba's answer is found: rust (fast) or python (jieba itself).")
]
Hmm = Annotated[
    bool, typer.Option("--hmm/--no-hmm", help="Find words that jieba's dictionary lacks.")
]
UserDict = Annotated[
    str | None, typer.Option(help="User dictionary, in jieba's format: word [frequency] [tag].")
]
UserWord = Annotated[
    list[str] | None, typer.Option(help="A word that always stays whole. Repeatable.")
]
FoldWidth = Annotated[
    bool, typer.Option("--fold-width/--no-fold-width", help="Ａ and A, ５ and 5 are the same.")
]
Lowercase = Annotated[
    bool, typer.Option("--lowercase/--no-lowercase", help="VIP and vip are the same.")
]
Jobs = Annotated[int, typer.Option(help="Processes; -1 takes all processors.")]
Output = Annotated[
    str | None, typer.Option("--output", "-o", help="File to write instead of standard output.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
Debug = Annotated[bool, typer.Option(help="Show the traceback of an error.")]

Window = Annotated[
    str,
    typer.Option(
        "--window", "-w", metavar="N|all",
        help="Up to N tokens on each side (--counting pairs), or windows of N tokens, or all: "
        "the whole sentence or document.",
    ),
]  # fmt: skip
Scope = Annotated[str, typer.Option(help="What a pair may not cross: document or sentence.")]
Direction = Annotated[str, typer.Option(help="Where y stands: both, right or left of x.")]
WeightingName = Annotated[
    str, typer.Option("--weighting", help="What a pair counts by distance: flat, harmonic, linear.")
]
Counting = Annotated[str, typer.Option(help="What is counted: pairs, windows or textgcn.")]
MeasureNames = Annotated[
    list[str],
    typer.Option(
        "--measure", "-m",
        help="pmi, npmi, ppmi, g2, t, chi2, dice, logdice, delta_p. Repeatable; the first sorts.",
    ),
]  # fmt: skip
Base = Annotated[str, typer.Option(help="Base of the logarithm of pmi and ppmi; e is allowed.")]
Shift = Annotated[float, typer.Option(help="k of ppmi: max(PMI - log k, 0).")]
Smoothing = Annotated[
    float, typer.Option(help="Exponent of the context distribution of pmi and ppmi, such as 0.75.")
]
Signed = Annotated[bool, typer.Option("--signed", help="g2 is negative for pairs that repel.")]
MinCount = Annotated[int, typer.Option(min=1, help="Leave out pairs that occur less often.")]
MinTermCount = Annotated[int, typer.Option(min=1, help="Leave out terms that occur less often.")]
MaxTerms = Annotated[
    int | None, typer.Option(min=1, help="Only so many of the most frequent terms.")
]
Top = Annotated[int | None, typer.Option(min=1, help="Only so many rows.")]
Word = Annotated[list[str] | None, typer.Option(help="Only pairs with this word. Repeatable.")]
StopWordsFile = Annotated[
    str | None, typer.Option("--stop-words", help="File of words to leave out, one a line.")
]
KeepPunctuation = Annotated[
    bool, typer.Option("--keep-punctuation", help="Punctuation counts as terms.")
]
PairsOutput = Annotated[
    str | None,
    typer.Option(
        "--output", "-o",
        help="File to write: .tsv, .csv, .jsonl, .npz, .parquet, or .gexf (a network).",
    ),
]  # fmt: skip
Excel = Annotated[
    bool, typer.Option("--excel", help="Make .tsv and .csv safe and readable for spreadsheets.")
]


def parse_window(text: str) -> int | str:
    """Return the number, or ``"all"``."""
    if text == "all":
        return text
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise typer.BadParameter(
            f"{text!r} is neither a whole number from 1 on nor 'all'.", param_hint="--window"
        )
    return number


def parse_base(text: str) -> float:
    """Return the number, or Euler's for ``e``."""
    try:
        return math.e if text == "e" else float(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is neither a number nor 'e'.", param_hint="--base"
        ) from None
