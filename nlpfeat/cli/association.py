"""What ``nlpfeat pmi`` does with its options."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

import typer

from nlpfeat import __version__
from nlpfeat._names import closest
from nlpfeat._validation import check_int
from nlpfeat.cli.console import usage
from nlpfeat.cli.options import parse_base, parse_window
from nlpfeat.cli.output import fills_terminal, open_output, output_ending
from nlpfeat.cli.progress import Report, progress
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus
from nlpfeat.counts.cooccurrence import CooccurrenceCounts
from nlpfeat.counts.counting import count_cooccurrences
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.tables import TABLE_WRITERS, Table, TextColumn
from nlpfeat.measures.table import association_table, check_options
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter

logger = logging.getLogger(__name__)

_WHOLE_COUNTS = ".npz"
_NETWORK = ".gexf"
_ENDINGS = (*TABLE_WRITERS, _WHOLE_COUNTS, _NETWORK)


@dataclass(frozen=True)
class AssociationRequest:
    """The options of ``nlpfeat pmi``, by their names there."""

    corpus: list[str]
    window: str
    scope: str
    direction: str
    weighting: str
    counting: str
    measure: list[str]
    base: str
    shift: float
    smoothing: float
    signed: bool
    min_count: int
    min_term_count: int
    max_terms: int | None
    top: int | None
    word: list[str] | None
    segmenter: str
    engine: str
    hmm: bool
    user_dict: str | None
    user_word: list[str] | None
    stop_words: str | None
    keep_punctuation: bool
    fold_width: bool
    lowercase: bool
    text_column: str | None
    unit: str
    encoding: str | None
    decode_errors: str
    jobs: int
    output: str | None
    excel: bool
    quiet: bool
    debug: bool

    def run(self) -> None:
        """Count, weigh and write."""
        settings = self._checked()
        corpus = open_corpus(
            self.corpus, self.unit, self.text_column, self.encoding, self.decode_errors
        )
        segmenter = make_segmenter(
            self.segmenter, self.engine, self.hmm, self.user_dict, self.user_word
        )
        bars_beside_rows = not self.quiet and not fills_terminal(self.output)
        with open_output(self.output) as stream:
            with progress(shown=not self.quiet) as report:
                counts = self._count(corpus, segmenter, settings, report)
            self._describe(counts)
            self._check_found(counts)
            words = self._words(counts, segmenter)
            with progress(shown=bars_beside_rows) as report:
                self._write(counts, words, stream, report)

    def _checked(self) -> CountingSettings:
        """Return how to count, after refusing what can be refused before any work."""
        ending = output_ending(self.output, _ENDINGS)
        if self.excel and ending not in (".tsv", ".csv"):
            raise typer.BadParameter(f"--excel is for .tsv and .csv, not for {ending}.")
        if ending == _WHOLE_COUNTS and (self.top or self.word):
            raise typer.BadParameter("--top and --word do not go with .npz, which holds all pairs.")
        if ending == _WHOLE_COUNTS and (self.measure != ["pmi"] or self.signed):
            raise typer.BadParameter(
                ".npz holds counts, from which every measure follows; leave --measure out."
            )
        check_jobs(self.jobs)
        for option in ("min_count", "min_term_count", "max_terms", "top"):
            with usage(f"--{option.replace('_', '-')}"):
                if getattr(self, option) is not None:
                    check_int(getattr(self, option), option, minimum=1)
        with usage("--window"):
            window = parse_window(self.window)
        with usage("--base"):
            base = parse_base(self.base)
        with usage():
            settings = CountingSettings(
                window, self.scope, self.direction, self.weighting, self.counting
            ).validate()
            check_options(
                self.measure, contingency=self.counting != "textgcn", base=base, shift=self.shift,
                smoothing=self.smoothing, signed=self.signed,
            )  # fmt: skip
        return settings

    def _count(
        self, corpus: Corpus, segmenter: Segmenter, settings: CountingSettings, report: Report
    ) -> CooccurrenceCounts:
        return count_cooccurrences(
            corpus,
            segmenter,
            window=settings.window,
            scope=settings.scope,
            direction=settings.direction,
            weighting=settings.weighting,
            counting=settings.counting,
            min_count=self.min_count,
            min_term_count=self.min_term_count,
            max_terms=self.max_terms,
            stop_words=self.stop_words,
            keep_punctuation=self.keep_punctuation,
            fold_width=self.fold_width,
            lowercase=self.lowercase,
            n_jobs=self.jobs,
            progress=report,
        )

    def _describe(self, counts: CooccurrenceCounts) -> None:
        logger.info(
            "%s documents, %s tokens, %s terms; N = %s; %s pairs with n_xy of at least %d",
            f"{counts.n_documents:,}", f"{counts.n_tokens:,}", f"{len(counts.vocabulary):,}",
            f"{counts.total:,}", f"{counts.pairs.nnz:,}", self.min_count,
        )  # fmt: skip

    def _check_found(self, counts: CooccurrenceCounts) -> None:
        if counts.pairs.nnz:
            return
        if counts.highest:
            raise InvalidInputError(
                f"No pair occurs at least {self.min_count} times; the most frequent pair occurs "
                f"{counts.highest} times. Lower --min-count."
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
        normalization = Normalization(self.fold_width, self.lowercase)
        given = list(self.word or ())
        words = [normalization.term(word) for word in given]
        for original, word in zip(given, words):
            if word in counts.vocabulary.ids:
                continue
            tokens = segmenter.segment(original)
            if len(tokens) > 1:
                raise InvalidInputError(
                    f"{word!r} is no word of the text: it is cut into {' '.join(tokens)}. "
                    f"Keep it whole with --user-word {original}."
                )
            left_out = (
                ""
                if counts.complete_vocabulary and not self.stop_words
                else (", or it was left out (--min-term-count, --max-terms, --stop-words)")
            )
            raise InvalidInputError(
                f"{word!r} is no word of the text{left_out}."
                f"{closest(word, counts.vocabulary.terms)}"
            )
        return words

    def _write(
        self, counts: CooccurrenceCounts, words: list[str], stream: BinaryIO, report: Report
    ) -> None:
        table = association_table(
            counts, self.measure, base=parse_base(self.base), shift=self.shift,
            smoothing=self.smoothing, signed=self.signed, words=words, top=self.top,
        )  # fmt: skip
        if not table.n_rows:
            logger.warning("No pair of these words occurs at least %d times.", self.min_count)
        ending = output_ending(self.output, _ENDINGS)
        if ending == _WHOLE_COUNTS:
            counts.save(stream)
        elif ending == _NETWORK:
            self._write_network(counts, table, stream)
        else:
            table = Table(table.columns, self._metadata(counts))
            TABLE_WRITERS[ending](
                table, stream, spreadsheet=self.excel, progress=_rows_written(report, table.n_rows)
            )

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
            directed=self.direction != "both",
            weight="n_xy",
            metadata=self._metadata(counts),
        )

    def _metadata(self, counts: CooccurrenceCounts) -> dict[str, str]:
        settings = {name: getattr(self, name) for name in
                    ("window", "scope", "direction", "weighting", "counting", "min_count",
                     "min_term_count", "max_terms", "base", "shift", "smoothing")}  # fmt: skip
        return {
            # A file name may hold bytes that are no text; a table may not.
            "corpus": " ".join(self.corpus).encode("utf-8", "backslashreplace").decode(),
            "made_with": f"nlpfeat {__version__}",
            **counts.preparation,
            **{name: str(value) for name, value in settings.items()},
            "n": str(counts.total),
            "n_documents": str(counts.n_documents),
            "n_tokens": str(counts.n_tokens),
        }


def _rows_written(report: Report, n_rows: int) -> Callable[[int], None]:
    done = 0

    def written(n: int) -> None:
        nonlocal done
        done += n
        report("writing", done, n_rows)

    return written
