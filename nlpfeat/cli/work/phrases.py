"""What ``nlpfeat phrases`` does with its options."""

import logging
from typing import BinaryIO

from nlpfeat._names import lookup
from nlpfeat.cli.commands.phrases import Phrases
from nlpfeat.cli.console import usage
from nlpfeat.cli.output import make_and_write, origin, output_ending, write_table
from nlpfeat.cli.parsing import check_numbers
from nlpfeat.cli.progress import Report
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus
from nlpfeat.counts.adjacency import count_adjacent_terms
from nlpfeat.io.tables import Table
from nlpfeat.measures.phrases import PHRASE_MEASURES, phrase_table

logger = logging.getLogger(__name__)


def phrases(options: Phrases) -> None:
    """Count, weigh and write."""
    output_ending(options)
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
        table = phrase_table(adjacent, measure=options.measure, top=options.top)
        logger.info(
            "%s documents, %s tokens; %s phrases",
            f"{adjacent.n_documents:,}", f"{adjacent.n_tokens:,}", f"{table.n_rows:,}",
        )  # fmt: skip
        if not table.n_rows:
            logger.warning("No phrase occurs at least %d times: lower --min-count, or give more "
                           "text.", options.min_count)  # fmt: skip
        return table

    def write(table: Table, stream: BinaryIO, report: Report) -> None:
        metadata = origin(options.corpus, **table.metadata)
        write_table(options, table, metadata, stream, report)

    make_and_write(options, make, write)
