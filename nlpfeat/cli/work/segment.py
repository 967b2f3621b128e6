"""What ``nlpfeat segment`` does with its options."""

from nlpfeat.cli.commands.segment import Segment
from nlpfeat.cli.output import check_files, fills_terminal, open_output
from nlpfeat.cli.progress import progress
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus
from nlpfeat.text.cutting import cut_lines
from nlpfeat.text.normalization import Normalization


def segment(options: Segment) -> None:
    """Write the lines as they are cut."""
    check_files(options)
    n_jobs = check_jobs(options.jobs)
    corpus = open_corpus(options.corpus, options, keep_blank=True)
    segmenter = make_segmenter(options)
    normalization = Normalization(options.fold_width, options.lowercase)
    bars = progress(shown=not options.quiet and not fills_terminal(options.output))
    with open_output(options.output) as stream, bars as report:
        for lines in cut_lines(corpus, segmenter, normalization, n_jobs=n_jobs, progress=report):
            stream.write(lines)
