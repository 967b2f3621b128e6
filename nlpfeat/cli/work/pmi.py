"""What ``nlpfeat pmi`` does with its options."""

import logging
from dataclasses import dataclass
from typing import BinaryIO

from nlpfeat.cli.commands.pmi import MeasureOptions, Pmi
from nlpfeat.cli.console import usage
from nlpfeat.cli.output import check_files, make_and_write, origin, output_ending, write_table
from nlpfeat.cli.parsing import (
    check_numbers,
    option_names,
    parse_base,
    parse_window,
    refuse_given,
)
from nlpfeat.cli.progress import Report
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus
from nlpfeat.cli.words import check_apart, known_term
from nlpfeat.counts.cooccurrence import CooccurrenceCounts
from nlpfeat.counts.counting import count_cooccurrences
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.tables import Table, TextColumn
from nlpfeat.measures import MEASURES
from nlpfeat.measures.table import association_table, check_options
from nlpfeat.rendering import check_page_packages
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter

logger = logging.getLogger(__name__)

_WHOLE_COUNTS = ".npz"
_NETWORK = ".gexf"
_PAGE = ".html"
_OTHERS = (_WHOLE_COUNTS, _NETWORK, _PAGE)
_HOW = ("window", "scope", "direction", "weighting", "counting", "min_count", "min_term_count",
        "max_terms", "base", "shift", "smoothing")  # fmt: skip


@dataclass(frozen=True)
class PmiRun:
    """One run of ``nlpfeat pmi``.

    Parameters
    ----------
    options : Pmi
    """

    options: Pmi

    def run(self) -> None:
        """Count, weigh and write."""
        settings = self._checked()
        n_jobs = check_jobs(self.options.jobs)
        corpus = open_corpus(self.options.corpus, self.options)
        segmenter = make_segmenter(self.options)

        def make(report: Report) -> tuple[CooccurrenceCounts, list[str]]:
            counts = self._count(corpus, segmenter, settings, n_jobs, report)
            self._describe(counts)
            self._check_found(counts)
            return counts, self._words(counts, segmenter)

        make_and_write(self.options, make, self._write)

    def _checked(self) -> CountingSettings:
        """Return how to count, after refusing what can be refused before any work."""
        options = self.options
        ending = output_ending(options, _OTHERS)
        check_files(options)
        if ending == _WHOLE_COUNTS:
            refuse_given(options, ("top", "word"), "tables: .npz holds all pairs")
            measures = option_names(MeasureOptions)
            refuse_given(options, measures, "tables: every measure follows from the counts in .npz")
        if ending == _PAGE:
            check_page_packages("writing .html")
        check_numbers(options, "min_count", "min_term_count", "max_terms", "top")
        with usage("--window"):
            window = parse_window(options.window)
        with usage("--base"):
            base = parse_base(options.base)
        with usage("--measure"):
            check_apart(options.measure, MEASURES.__contains__, "--measure")
        with usage():
            settings = CountingSettings(
                window, options.scope, options.direction, options.weighting, options.counting
            ).validate()
            check_options(
                options.measure, contingency=options.counting != "textgcn", base=base,
                shift=options.shift, smoothing=options.smoothing, signed=options.signed,
            )  # fmt: skip
        return settings

    def _count(
        self, corpus: Corpus, segmenter: Segmenter, settings: CountingSettings, n_jobs: int,
        report: Report,
    ) -> CooccurrenceCounts:  # fmt: skip
        return count_cooccurrences(
            corpus,
            segmenter,
            window=settings.window,
            scope=settings.scope,
            direction=settings.direction,
            weighting=settings.weighting,
            counting=settings.counting,
            min_count=self.options.min_count,
            min_term_count=self.options.min_term_count,
            max_terms=self.options.max_terms,
            stop_words=self.options.stop_words,
            keep_punctuation=self.options.keep_punctuation,
            fold_width=self.options.fold_width,
            lowercase=self.options.lowercase,
            n_jobs=n_jobs,
            progress=report,
        )

    def _describe(self, counts: CooccurrenceCounts) -> None:
        logger.info(
            "%s documents, %s tokens, %s terms; N = %s; %s pairs with n_xy of at least %d",
            f"{counts.n_documents:,}", f"{counts.n_tokens:,}", f"{len(counts.vocabulary):,}",
            f"{counts.total:,}", f"{counts.pairs.nnz:,}", self.options.min_count,
        )  # fmt: skip

    def _check_found(self, counts: CooccurrenceCounts) -> None:
        if counts.pairs.nnz:
            return
        if counts.highest:
            raise InvalidInputError(
                f"No pair occurs at least {self.options.min_count} times; the most frequent pair "
                f"occurs {counts.highest} times. Lower --min-count."
            )
        if not counts.vocabulary.terms:
            raise InvalidInputError(
                "No word is left to count: the text holds nothing but punctuation and stop words."
            )
        raise InvalidInputError(
            "No two words stand near each other: widen --window, keep more words (--max-terms, "
            "--min-term-count, --stop-words), or give more text."
        )

    def _words(self, counts: CooccurrenceCounts, segmenter: Segmenter) -> list[str]:
        """Return the terms of --word, or say of one that is none what stands in its place."""
        return [
            known_term(
                word,
                counts.vocabulary.ids.keys(),
                normalization=Normalization(self.options.fold_width, self.options.lowercase),
                segmenter=segmenter,
                complete=counts.complete_vocabulary and not self.options.stop_words,
                option="--word",
            )
            for word in self.options.word or ()
        ]

    def _write(
        self, result: tuple[CooccurrenceCounts, list[str]], stream: BinaryIO, report: Report
    ) -> None:
        counts, words = result
        options = self.options
        table = association_table(
            counts, options.measure, base=parse_base(options.base), shift=options.shift,
            smoothing=options.smoothing, signed=options.signed, words=words, top=options.top,
        )  # fmt: skip
        if not table.n_rows:
            logger.warning("No pair of these words occurs at least %d times.", options.min_count)
        ending = output_ending(options, _OTHERS)
        if ending == _WHOLE_COUNTS:
            counts.save(stream)
        elif ending == _NETWORK:
            self._write_network(counts, table, stream)
        elif ending == _PAGE:
            from nlpfeat.cli.work.pmi_page import pmi_page

            page = pmi_page(counts, table, options.measure[0], self._metadata(counts))
            stream.write(page.encode())
        else:
            write_table(options, table, self._metadata(counts), stream, report)

    def _write_network(self, counts: CooccurrenceCounts, table: Table, stream: BinaryIO) -> None:
        # Imported here: the XML tools of the standard library load its HTTP client.
        from nlpfeat.io.gexf import write_gexf

        x_ids, y_ids = (column.ids for column in table.columns.values()
                        if isinstance(column, TextColumn))  # fmt: skip
        numbers = {name: column for name, column in table.columns.items()
                   if not isinstance(column, TextColumn)}  # fmt: skip
        write_gexf(
            stream,
            nodes=counts.vocabulary.terms,
            node_attributes={"count": counts.vocabulary.term_frequencies},
            x_ids=x_ids,
            y_ids=y_ids,
            edge_attributes=numbers,
            directed=self.options.direction != "both",
            weight="n_xy",
            metadata=self._metadata(counts),
        )

    def _metadata(self, counts: CooccurrenceCounts) -> dict[str, str]:
        return origin(
            self.options.corpus,
            **counts.preparation,
            **{name: getattr(self.options, name) for name in _HOW},
            n=counts.total,
            n_documents=counts.n_documents,
            n_tokens=counts.n_tokens,
        )
