"""What ``nlpfeat keywords`` does with its options."""

import logging
from typing import BinaryIO

from nlpfeat._names import lookup
from nlpfeat.cli.commands.keywords import Keywords
from nlpfeat.cli.console import usage
from nlpfeat.cli.named_corpus import NamedCorpus
from nlpfeat.cli.output import check_files, make_and_write, origin, output_ending, write_table
from nlpfeat.cli.parsing import check_numbers
from nlpfeat.cli.progress import Report
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus, reading_parameters
from nlpfeat.cli.work.selection import check_selected
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
from nlpfeat.io.tables import Column, Table, TextColumn
from nlpfeat.measures.keywords import KEYWORD_MEASURES, check_side, keyword_table

logger = logging.getLogger(__name__)

_BY = {"document": "each document", "label": "all documents of a label"}
_HOW = ("by", "top", "side", "min_df", "max_df", "max_features", "segmenter",
        "stop_words", "lowercase", "fold_width", "keep_punctuation")  # fmt: skip


def keywords(options: Keywords) -> None:
    """Count, weigh and write."""
    output_ending(options)
    check_files(options)
    check_numbers(options, "top")
    with usage("--by"):
        lookup(_BY, options.by, "by")
    measure = _checked_measure(options)
    selected = check_selected(options)
    n_jobs = check_jobs(options.jobs)
    reading = reading_parameters(options, make_segmenter(options), n_jobs)
    corpus = NamedCorpus(open_corpus(options.corpus, options), needs_labels=options.by == "label")
    vectorizer = BagOfWordsVectorizer(**selected, **reading)

    def make(report: Report) -> Table:
        corpus.report = report
        counts = vectorizer.fit_transform(corpus)
        logger.info(
            "%s documents, %s tokens of %s terms",
            f"{counts.shape[0]:,}", f"{counts.sum():,}", f"{counts.shape[1]:,}",
        )  # fmt: skip
        table = keyword_table(
            counts,
            vectorizer.get_feature_names_out().tolist(),
            corpus.document_labels if options.by == "label" else None,
            measure=measure,
            top=options.top,
            side=options.side,
        )
        if not table.n_rows:
            logger.warning(
                "No word tells one %s from another: give several, or more text.", options.by
            )
        metadata = origin(
            options.corpus,
            **{name: getattr(options, name) for name in _HOW},
            measure=measure,
            n_documents=counts.shape[0],
            n_tokens=counts.sum(),
        )
        return Table(_named(table, options.by, corpus), metadata)

    def write(table: Table, stream: BinaryIO, report: Report) -> None:
        write_table(options, table, table.metadata, stream, report)

    make_and_write(options, make, write)


def _checked_measure(options: Keywords) -> str:
    """Return what sorts: for labels a measure that rates function words by itself."""
    by_itself = "g2" if options.by == "label" else "tfidf"
    measure = by_itself if options.measure is None else options.measure
    with usage("--measure"):
        lookup(KEYWORD_MEASURES, measure, "measure")
    with usage("--side"):
        check_side(options.side, measure)
    return measure


def _named(table: Table, by: str, corpus: NamedCorpus) -> dict[str, Column]:
    """Return the columns; a document is called what the corpus calls it, and not by its row."""
    columns = dict(table.columns)
    group = columns.pop("group")
    if by == "document" and isinstance(group, TextColumn):
        group = TextColumn(group.ids, corpus.document_ids)
    return {by: group, **columns}
