"""What ``nlpfeat segment`` does with its options."""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from nlpfeat.cli.commands.segment import Segment
from nlpfeat.cli.named_corpus import NamedCorpus
from nlpfeat.cli.output import check_files, fills_terminal, open_output
from nlpfeat.cli.parsing import refuse_given
from nlpfeat.cli.progress import progress
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus
from nlpfeat.compare.labeled_files import LABEL
from nlpfeat.errors import InvalidInputError
from nlpfeat.text.cutting import cut_lines
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import JiebaSegmenter

logger = logging.getLogger(__name__)

_SHOWN = 5


def segment(options: Segment) -> None:
    """Write the lines as they are cut."""
    check_files(options)
    n_jobs = check_jobs(options.jobs)
    corpus = open_corpus(options.corpus, options, keep_blank=not options.fasttext)
    if options.fasttext:
        corpus = NamedCorpus(corpus, needs_labels=True)
    else:
        refuse_given(options, ("label_column",), "--fasttext, which writes labels")
    segmenter = make_segmenter(options)
    if isinstance(segmenter, JiebaSegmenter):
        _warn_of_blanks(segmenter.user_words)
    # The other commands cut folded text, so what is shown is cut as it is cut there.
    normalization = Normalization(fold_width=True, lowercase=options.lowercase)
    keep_width = not options.fold_width
    bars = progress(shown=not options.quiet and not fills_terminal(options.output))
    with open_output(options.output) as stream, bars as report:
        blocks = cut_lines(
            corpus, segmenter, normalization, keep_width=keep_width, n_jobs=n_jobs, progress=report
        )
        if isinstance(corpus, NamedCorpus):
            corpus.report = report
            blocks = _labeled(blocks, corpus.document_labels)
        for lines in blocks:
            stream.write(lines)


def _labeled(blocks: Iterable[bytes], labels: Sequence[str]) -> Iterator[bytes]:
    """Begin each line with its label; labels are there when the lines are."""
    spelled: dict[str, str] = {}
    n_lines = 0
    for block in blocks:
        lines = block.split(b"\n")[:-1]
        theirs = labels[n_lines : n_lines + len(lines)]
        for label in theirs:
            if label not in spelled:
                spelled[label] = _spelled(label, spelled)
        yield b"".join(
            f"{LABEL}{spelled[label]} ".encode() + line + b"\n"
            for label, line in zip(theirs, lines, strict=True)
        )
        n_lines += len(lines)


def _spelled(label: str, spelled: Mapping[str, str]) -> str:
    word = "_".join(label.split())
    same = next((other for other, its_word in spelled.items() if its_word == word), None)
    if same is not None:
        raise InvalidInputError(
            f"The labels {same!r} and {label!r} would both be written {word}. Rename one of them."
        )
    return word


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
