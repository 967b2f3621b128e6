"""What ``nlpfeat phrases`` does with its options."""

import logging
from typing import BinaryIO

from nlpfeat._names import lookup
from nlpfeat.cli.commands.phrases import Phrases
from nlpfeat.cli.console import usage
from nlpfeat.cli.output import check_files, make_and_write, origin, output_ending, write_table
from nlpfeat.cli.parsing import check_numbers
from nlpfeat.cli.progress import Report
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus
from nlpfeat.counts.adjacency import AdjacentTerms, count_adjacent_terms
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.tables import Table
from nlpfeat.measures.phrases import PHRASE_MEASURES, phrase_table

logger = logging.getLogger(__name__)


def phrases(options: Phrases) -> None:
    """Count, weigh and write."""
    output_ending(options)
    check_files(options)
    check_numbers(options, "max_length", minimum=2)
    check_numbers(options, "min_count", "top")
    with usage("--measure"):
        lookup(PHRASE_MEASURES, options.measure, "measure")
    n_jobs = check_jobs(options.jobs)
    corpus = open_corpus(options.corpus, options)
    segmenter = make_segmenter(options)

    def make(report: Report) -> Table:
        adjacent = count_adjacent_terms(
            corpus, segmenter, max_length=options.max_length, min_count=options.min_count,
            stop_words=options.stop_words, fold_width=options.fold_width,
            lowercase=options.lowercase, n_jobs=n_jobs, progress=report,
        )  # fmt: skip
        n_phrases = sum(len(ngrams.counts) for ngrams in adjacent.ngrams)
        logger.info(
            "%s documents, %s tokens; %s phrases",
            f"{adjacent.n_documents:,}", f"{adjacent.n_tokens:,}", f"{n_phrases:,}",
        )  # fmt: skip
        if not n_phrases:
            raise InvalidInputError(_why_none(adjacent))
        return phrase_table(adjacent, measure=options.measure, top=options.top)

    def write(table: Table, stream: BinaryIO, report: Report) -> None:
        metadata = origin(options.corpus, **table.metadata)
        write_table(options, table, metadata, stream, report)

    make_and_write(options, make, write)


def _why_none(adjacent: AdjacentTerms) -> str:
    if not adjacent.vocabulary.terms:
        return "No word is left to count: the text holds nothing but punctuation."
    if adjacent.min_count == 1:
        return (
            "No two words stand side by side in a sentence: keep more words (--stop-words), or "
            "give more text."
        )
    return (
        f"No phrase occurs at least {adjacent.min_count} times: lower --min-count, or give more "
        "text."
    )
