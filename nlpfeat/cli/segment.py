"""``nlpfeat segment``: one line of tokens for each line of text."""

from nlpfeat.cli import options as opt
from nlpfeat.cli.console import guarded


def segment(
    corpus: opt.Paths,
    segmenter: opt.SegmenterName = "jieba",
    engine: opt.Engine = "rust",
    hmm: opt.Hmm = True,
    user_dict: opt.UserDict = None,
    user_word: opt.UserWord = None,
    fold_width: opt.FoldWidth = False,
    lowercase: opt.Lowercase = False,
    text_column: opt.TextColumn = None,
    unit: opt.Unit = "line",
    encoding: opt.Encoding = None,
    decode_errors: opt.DecodeErrors = "strict",
    jobs: opt.Jobs = 1,
    output: opt.Output = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Cut text into words, separated by spaces; blank lines stay."""
    with guarded(quiet=quiet, debug=debug):
        # Imported here, so that --help does not load NumPy.
        from nlpfeat.cli.output import fills_terminal, open_output
        from nlpfeat.cli.progress import progress
        from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus
        from nlpfeat.text.cutting import cut_lines
        from nlpfeat.text.normalization import Normalization

        n_jobs = check_jobs(jobs)
        source = open_corpus(corpus, unit, text_column, encoding, decode_errors, keep_blank=True)
        cutter = make_segmenter(segmenter, engine, hmm, user_dict, user_word)
        normalization = Normalization(fold_width, lowercase)
        bars = progress(shown=not quiet and not fills_terminal(output))
        with open_output(output) as stream, bars as report:
            for lines in cut_lines(source, cutter, normalization, n_jobs=n_jobs, progress=report):
                stream.write(lines)
