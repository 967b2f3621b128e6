"""What ``nlpfeat segment`` does with its options."""

import logging
from collections.abc import Collection

from nlpfeat.cli.commands.segment import Segment
from nlpfeat.cli.output import check_files, fills_terminal, open_output
from nlpfeat.cli.progress import progress
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus
from nlpfeat.text.cutting import cut_lines
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import JiebaSegmenter

logger = logging.getLogger(__name__)

_SHOWN = 5


def segment(options: Segment) -> None:
    """Write the lines as they are cut."""
    check_files(options)
    n_jobs = check_jobs(options.jobs)
    corpus = open_corpus(options.corpus, options, keep_blank=True)
    segmenter = make_segmenter(options)
    if isinstance(segmenter, JiebaSegmenter):
        _warn_of_blanks(segmenter.user_words)
    # The other commands cut folded text, so what is shown is cut as it is cut there.
    normalization = Normalization(fold_width=True, lowercase=options.lowercase)
    keep_width = not options.fold_width
    bars = progress(shown=not options.quiet and not fills_terminal(options.output))
    with open_output(options.output) as stream, bars as report:
        for lines in cut_lines(
            corpus, segmenter, normalization, keep_width=keep_width, n_jobs=n_jobs, progress=report
        ):
            stream.write(lines)


def _warn_of_blanks(words: Collection[str]) -> None:
    """Say that lines of tokens cannot be read back when a token holds a blank."""
    parted = [word for word in words if len(word.split()) > 1]
    if parted:
        logger.warning(
            "User words with a blank (%s) are written with it, so --segmenter whitespace takes "
            "them apart when it reads the result. Give the text itself to other commands, with "
            "the same user words, or replace the blank in text and words, by _ for example.",
            ", ".join(parted[:_SHOWN]) + (", …" if len(parted) > _SHOWN else ""),
        )
