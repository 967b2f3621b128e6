"""``nlpfeat pmi``: a table of word associations."""

from nlpfeat.cli import options as opt
from nlpfeat.cli.console import guarded


def pmi(
    corpus: opt.Paths,
    window: opt.Window = "5",
    scope: opt.Scope = "document",
    direction: opt.Direction = "both",
    weighting: opt.WeightingName = "flat",
    counting: opt.Counting = "pairs",
    measure: opt.MeasureNames = ["pmi"],  # noqa: B006 - typer copies it
    base: opt.Base = "2",
    shift: opt.Shift = 1.0,
    smoothing: opt.Smoothing = 1.0,
    signed: opt.Signed = False,
    min_count: opt.MinCount = 5,
    min_term_count: opt.MinTermCount = 1,
    max_terms: opt.MaxTerms = None,
    top: opt.Top = None,
    word: opt.Word = None,
    segmenter: opt.SegmenterName = "jieba",
    engine: opt.Engine = "rust",
    hmm: opt.Hmm = True,
    user_dict: opt.UserDict = None,
    user_word: opt.UserWord = None,
    stop_words: opt.StopWordsFile = None,
    keep_punctuation: opt.KeepPunctuation = False,
    fold_width: opt.FoldWidth = True,
    lowercase: opt.Lowercase = True,
    text_column: opt.TextColumn = None,
    unit: opt.Unit = "line",
    encoding: opt.Encoding = None,
    decode_errors: opt.DecodeErrors = "strict",
    jobs: opt.Jobs = 1,
    output: opt.PairsOutput = None,
    excel: opt.Excel = False,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Which words occur near one another more often than by chance, with exact counts."""
    arguments = locals()
    with guarded(quiet=quiet, debug=debug):
        # Imported here, so that --help does not load NumPy.
        from nlpfeat.cli.association import AssociationRequest

        AssociationRequest(**arguments).run()
