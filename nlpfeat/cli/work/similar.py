"""What ``nlpfeat similar`` does with its options."""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import typer

from nlpfeat._names import lookup
from nlpfeat.cli.commands.similar import Similar, VectorOptions
from nlpfeat.cli.console import usage
from nlpfeat.cli.options import (
    FileOptions,
    SeedOptions,
    TermOptions,
    VocabularyOptions,
    WindowOptions,
)
from nlpfeat.cli.output import (
    check_files,
    check_writable,
    make_and_write,
    origin,
    output_ending,
    write_table,
)
from nlpfeat.cli.parsing import check_numbers, option_names, parse_window, refuse_given
from nlpfeat.cli.progress import Report
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus, text_settings
from nlpfeat.cli.words import check_apart, known_term
from nlpfeat.counts.cooccurrence import CooccurrenceCounts
from nlpfeat.counts.counting import count_spool
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.tables import Column, Table, TextColumn
from nlpfeat.measures.table import association_table
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.token_spool import TokenSpool, spool_tokens
from nlpfeat.vectors import METHODS
from nlpfeat.vectors.embedding import embed_counts, embed_spool
from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.word_vectors import WordVectors

logger = logging.getLogger(__name__)

_SAID = (
    "Close words can stand in each other's place; they need not mean the same: "
    "好 and 坏 may be near."
)
_TEXT_ENDINGS = (".txt", ".vec", ".txt.gz", ".vec.gz")
_OF_A_CORPUS = tuple(
    name
    for name in option_names(VectorOptions, WindowOptions, VocabularyOptions, SeedOptions,
                             TermOptions, FileOptions)
    if name not in ("fold_width", "lowercase")
)  # fmt: skip


@dataclass(frozen=True)
class Learned:
    """Vectors, the terms asked for, and the counts where there is a corpus."""

    vectors: WordVectors
    words: list[str]
    counts: CooccurrenceCounts | None = None


@dataclass(frozen=True)
class SimilarRun:
    """One run of ``nlpfeat similar``.

    Parameters
    ----------
    options : Similar
    """

    options: Similar

    def run(self) -> None:
        """Learn or load, compare and write."""
        options = self.options
        output_ending(options)
        check_files(options, "save_vectors")
        check_numbers(options, "top", "n_components", "min_term_count", "max_terms")
        if bool(options.corpus) == (options.vectors is not None):
            raise typer.BadParameter(f"give either --corpus or --vectors.{self._meant()}")
        make = self._loading() if options.vectors is not None else self._learning()
        make_and_write(options, make, self._write)

    def _meant(self) -> str:
        """Return a hint for who named the text among the words."""
        files = [word for word in self.options.word if os.path.isfile(word)]
        if not files:
            return ""
        option = "--vectors" if files[0].lower().endswith(".npz") else "--corpus"
        return f" {files[0]} is a file: did you mean {option} {files[0]}?"

    def _loading(self) -> Callable[[Report], Learned]:
        path = self.options.vectors or ""
        refuse_given(self.options, _OF_A_CORPUS, "--corpus, not of --vectors")

        def make(report: Report) -> Learned:  # noqa: ARG001
            binary = path.lower().endswith(".npz")
            vectors = WordVectors.load(path) if binary else WordVectors.load_text(path)
            logger.info("%s: %s words", path, f"{len(vectors):,}")
            spelled = Normalization(self.options.fold_width, self.options.lowercase)
            words = [word if word in vectors else spelled.term(word) for word in self.options.word]
            check_apart(words, vectors.__contains__)
            return Learned(vectors, words)

        return make

    def _learning(self) -> Callable[[Report], Learned]:
        settings = self._settings()
        self._check_vectors_file()
        n_jobs = check_jobs(self.options.jobs)
        corpus = open_corpus(self.options.corpus, self.options, written=("output", "save_vectors"))
        segmenter = make_segmenter(self.options)
        prepared = text_settings(self.options)

        def make(report: Report) -> Learned:
            with spool_tokens(corpus, segmenter, prepared, n_jobs=n_jobs, progress=report) as spool:
                whole = spool.vocabulary
                complete = self._restrict(spool)
                words = [
                    known_term(word, spool.vocabulary.ids.keys(), complete=complete,
                               normalization=prepared.normalization, segmenter=segmenter,
                               whole=whole)
                    for word in self.options.word
                ]  # fmt: skip
                learned = self._learn(spool, settings, words, n_jobs, report)
            self._save(learned.vectors)
            return learned

        return make

    def _settings(self) -> EmbeddingSettings:
        """Return how to learn, after refusing what can be refused before any work."""
        options = self.options
        with usage("--window"):
            window = parse_window(options.window)
        with usage("--method"):
            lookup(METHODS, options.method, "method")
        with usage():
            return EmbeddingSettings(
                options.n_components, options.method, CountingSettings(window, options.scope),
                seed=options.seed,
            ).validate()  # fmt: skip

    def _check_vectors_file(self) -> None:
        path = self.options.save_vectors
        if path is None:
            return
        if not path.lower().endswith((".npz", *_TEXT_ENDINGS)):
            raise typer.BadParameter(
                f"{path!r} must end in one of .npz, {', '.join(_TEXT_ENDINGS)}.",
                param_hint="--save-vectors",
            )
        check_writable(path)

    def _restrict(self, spool: TokenSpool) -> bool:
        """Leave rare words out, and tell whether all words of the text are still there."""
        if not spool.n_tokens:
            raise InvalidInputError(
                f"The text holds no token: nothing but blanks was found in {spool.n_documents} "
                "documents."
            )
        whole = spool.vocabulary
        if len(whole):
            spool.restrict(
                whole.prune(min_count=self.options.min_term_count, max_terms=self.options.max_terms)
            )
        return spool.vocabulary is whole and not self.options.stop_words

    def _learn(
        self, spool: TokenSpool, settings: EmbeddingSettings, words: list[str], n_jobs: int,
        report: Report,
    ) -> Learned:  # fmt: skip
        counts = count_spool(spool, settings.counting, n_threads=n_jobs, progress=report)
        n_components = settings.fitting(len(spool.vocabulary)).n_components
        logger.info(
            "%s documents, %s tokens, %s terms; N = %s; %d dimensions",
            f"{counts.n_documents:,}", f"{counts.n_tokens:,}", f"{len(spool.vocabulary):,}",
            f"{counts.total:,}", n_components,
        )  # fmt: skip
        by_counts = METHODS[settings.method].takes_counts
        step = "factorizing" if by_counts else "learning"
        report(step, 0, None)
        vectors = embed_counts(counts, settings) if by_counts else embed_spool(spool, settings)
        report(step, 1, 1)
        return Learned(vectors, words, counts)

    def _save(self, vectors: WordVectors) -> None:
        path = self.options.save_vectors
        if path is not None:
            save = vectors.save if path.lower().endswith(".npz") else vectors.save_text
            save(path)

    def _write(self, learned: Learned, stream: BinaryIO, report: Report) -> None:
        near = [
            (word, other, cosine)
            for word in learned.words
            for other, cosine in learned.vectors.most_similar(word, self.options.top)
        ]
        logger.info(_SAID)
        terms = learned.vectors.terms
        ids = {term: number for number, term in enumerate(terms)}
        columns: dict[str, Column] = {
            "x": TextColumn(np.array([ids[row[0]] for row in near], np.int32), terms),
            "y": TextColumn(np.array([ids[row[1]] for row in near], np.int32), terms),
            "cosine": np.array([row[2] for row in near], np.float64),
        }
        counts = learned.counts
        if counts is not None:
            columns |= _together(counts, [row[:2] for row in near])
        write_table(self.options, Table(columns), self._metadata(learned), stream, report)

    def _metadata(self, learned: Learned) -> dict[str, str]:
        made = dict(learned.vectors.settings)
        preparation = made.pop("preparation", {})
        counts = learned.counts
        facts = {} if counts is None else {"n": counts.total, "n_tokens": counts.n_tokens}
        source = self.options.corpus or [self.options.vectors or ""]
        return origin(source, **preparation, **made, **facts)


def _together(counts: CooccurrenceCounts, pairs: list[tuple[str, str]]) -> dict[str, Column]:
    """Return how often the words of each pair occur near one another, with PMI and margins."""
    words = {x for x, _ in pairs}
    seen: dict[frozenset[str], tuple[float, int]] = {}
    for x, y, n_xy, _, _, pmi in association_table(counts, ["pmi"], words=words).itertuples():
        seen[frozenset((str(x), str(y)))] = float(pmi), int(n_xy)
    found = [seen.get(frozenset(pair), (np.nan, 0)) for pair in pairs]
    margins = counts.x_margins[0]
    ids = counts.vocabulary.ids
    return {
        "pmi": np.array([pmi for pmi, _ in found], np.float64),
        "n_xy": np.array([n_xy for _, n_xy in found], np.int64),
        "n_x": np.array([margins[ids[x]] for x, _ in pairs], np.int64),
        "n_y": np.array([margins[ids[y]] for _, y in pairs], np.int64),
    }
