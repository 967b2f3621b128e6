"""What ``nlpfeat topics`` does with its options."""

import logging
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO

import numpy as np
import typer
from sklearn.pipeline import Pipeline

from nlpfeat._names import lookup
from nlpfeat._typing import Float64Array
from nlpfeat.cli.commands.topics import Topics
from nlpfeat.cli.console import usage
from nlpfeat.cli.named_corpus import NamedCorpus
from nlpfeat.cli.output import (
    check_files,
    check_writable,
    make_and_write,
    origin,
    output_ending,
    write_table,
)
from nlpfeat.cli.parsing import check_numbers, check_seed
from nlpfeat.cli.progress import Report
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus, reading_parameters
from nlpfeat.cli.work.selection import check_selected
from nlpfeat.counts.counting import count_spool
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidInputError
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
from nlpfeat.features.lda import LdaTransformer
from nlpfeat.io.tables import Table, TextColumn
from nlpfeat.measures.coherence import topic_coherence
from nlpfeat.measures.coherence_scores import COHERENCES
from nlpfeat.persistence import save
from nlpfeat.rendering import check_page_packages
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.stopwords import read_stop_words, warn_of_unreachable
from nlpfeat.text.token_spool import TextSettings, TokenSpool, spool_tokens
from nlpfeat.text.vocabulary import Vocabulary
from nlpfeat.topics import ENGINES

logger = logging.getLogger(__name__)

_WINDOW = 10  # of coherence; see nlpfeat.measures.coherence
_MOST_TOPICS = {"tomotopy": 32_767}  # told here before the text is read
_BLOCK_TOKENS = 1 << 20
_PAGE = ".html"


@dataclass(frozen=True)
class Found:
    """Topics, the first one the largest.

    Attributes
    ----------
    numbers : list of int
        The number of each topic in the model.
    terms : list of list of (str, float)
        Its most probable terms.
    shares : ndarray of float64, shape (n_topics,)
        Its part of the tokens.
    coherences : ndarray of float64, shape (n_topics,)
    facts : dict
        The size of the text.
    """

    numbers: list[int]
    terms: list[list[tuple[str, float]]]
    shares: Float64Array
    coherences: Float64Array
    facts: dict[str, int]


@dataclass(frozen=True)
class TopicsRun:
    """One run of ``nlpfeat topics``.

    Parameters
    ----------
    options : Topics
    """

    options: Topics

    def run(self) -> None:
        """Count, learn and write."""
        options = self.options
        ending = output_ending(options, (_PAGE,))
        if ending == _PAGE and options.wide:
            raise typer.BadParameter("--wide is for tables; leave it out with .html.")
        if ending == _PAGE:
            check_page_packages("writing .html")
        if options.model == "-":
            raise typer.BadParameter(
                "a model is written to a file only. Give its name.", param_hint="--model"
            )
        check_files(options, "model")
        check_numbers(options, "topics", "passes")
        check_numbers(options, "top_terms", minimum=2)
        check_seed(options)
        with usage("--coherence"):
            lookup(COHERENCES, options.coherence, "coherence")
        with usage("--topic-engine"):
            engine = lookup(ENGINES, options.topic_engine, "topic_engine")
        self._check_topics()
        selected = check_selected(options)
        n_jobs = check_jobs(options.jobs)
        segmenter = make_segmenter(options)
        reading = reading_parameters(options, segmenter, n_jobs)
        corpus = NamedCorpus(open_corpus(options.corpus, options, written=("output", "model")))
        if options.model is not None:
            check_writable(options.model)
        vectorizer = BagOfWordsVectorizer(**selected, **reading)
        lda = LdaTransformer(
            options.topics, engine=options.topic_engine, passes=options.passes,
            random_state=options.seed, n_jobs=n_jobs,
        )  # fmt: skip

        engine.load()  # what is not installed is said before the text is read

        def make(report: Report) -> Found:
            normalization = Normalization(options.fold_width, options.lowercase)
            # They stay in the spool, whose windows are those of the text.
            warn_of_unreachable(read_stop_words(options.stop_words, normalization), segmenter)
            settings = TextSettings(normalization, keep_punctuation=True)
            with spool_tokens(corpus, segmenter, settings, n_jobs=n_jobs, progress=report) as spool:
                return self._learn(spool, vectorizer, lda, n_jobs, report)

        make_and_write(options, make, self._write)

    def _check_topics(self) -> None:
        most = _MOST_TOPICS.get(self.options.topic_engine)
        if most is not None and self.options.topics > most:
            raise typer.BadParameter(
                f"must be at most {most} with --topic-engine {self.options.topic_engine}. "
                f"Got {self.options.topics}.",
                param_hint="--topics",
            )

    def _learn(
        self,
        spool: TokenSpool,
        vectorizer: BagOfWordsVectorizer,
        lda: LdaTransformer,
        n_jobs: int,
        report: Report,
    ) -> Found:
        options = self.options
        counts = vectorizer.fit_transform(_token_lists(spool))
        n_documents, n_terms = counts.shape
        logger.info(
            "%s documents, %s tokens of %s terms", f"{n_documents:,}", f"{counts.sum():,}",
            f"{n_terms:,}",
        )  # fmt: skip
        if n_terms < 2:
            raise InvalidInputError(
                "Topics need two different words at least, and 1 is left. Give more text, or keep "
                "more words (--min-df, --max-df, --max-features, --stop-words)."
            )
        if n_documents < options.topics:
            logger.warning(
                "There are fewer documents than topics, %d and %d, so that topics mean little: ask "
                "for fewer (--topics), or give more text.", n_documents, options.topics,
            )  # fmt: skip
        lda.fit(counts)
        self._save(vectorizer, lda)
        terms = lda.top_terms(vectorizer.get_feature_names_out(), options.top_terms)
        coherences = self._coherences(
            [[term for term, _ in topic] for topic in terms], spool, n_jobs, report
        )
        logger.info("mean %s %.3f", options.coherence, coherences.mean())
        shares = lda.topic_weights_ / lda.topic_weights_.sum()
        order = np.argsort(-shares, kind="stable")
        facts = {"n_documents": n_documents, "n_tokens": int(counts.sum()), "n_terms": n_terms}
        numbers = order.tolist()
        return Found(
            numbers, [terms[number] for number in numbers], shares[order], coherences[order], facts
        )

    def _coherences(
        self, topics: list[list[str]], spool: TokenSpool, n_threads: int, report: Report
    ) -> Float64Array:
        """Hold topics against the text; what is in no topic becomes a gap."""
        measure = self.options.coherence
        settings = CountingSettings(_WINDOW, counting="windows")
        if COHERENCES[measure].by_document:
            settings = CountingSettings("all")
        spool.restrict(spool.vocabulary.counted_over(Vocabulary.build(topics)))
        counts = count_spool(spool, settings.validate(), n_threads=n_threads, progress=report)
        return topic_coherence(topics, counts, measure)

    def _save(self, vectorizer: BagOfWordsVectorizer, lda: LdaTransformer) -> None:
        if self.options.model is None:
            return
        # Another --jobs gives the same model.
        steps = [(name, copy(step).set_params(n_jobs=None))
                 for name, step in (("counts", vectorizer), ("topics", lda))]  # fmt: skip
        save(Pipeline(steps), self.options.model)

    def _write(self, found: Found, stream: BinaryIO, report: Report) -> None:
        if output_ending(self.options, (_PAGE,)) == _PAGE:
            self._write_page(found, stream)
            return
        table = _one_row_a_topic(found) if self.options.wide else _one_row_a_term(found)
        write_table(self.options, table, self._metadata(found), stream, report)

    def _write_page(self, found: Found, stream: BinaryIO) -> None:
        from nlpfeat.cli.work.topics_page import topics_page

        page = topics_page(
            found.numbers, found.terms, found.shares.tolist(), found.coherences.tolist(),
            self.options.coherence, self._metadata(found),
        )  # fmt: skip
        stream.write(page.encode())

    def _metadata(self, found: Found) -> dict[str, str]:
        names = ("topics", "topic_engine", "passes", "seed", "coherence", "min_df", "max_df",
                 "max_features", "segmenter", "stop_words", "lowercase", "fold_width",
                 "keep_punctuation")  # fmt: skip
        settings = {name: getattr(self.options, name) for name in names}
        return origin(self.options.corpus, **settings, **found.facts)


def _one_row_a_term(found: Found) -> Table:
    lengths = [len(topic) for topic in found.terms]
    rows = [row for topic in found.terms for row in topic]
    return Table(
        {
            "topic": np.repeat(np.array(found.numbers, np.int64), lengths),
            "rank": np.concatenate([np.arange(1, n + 1) for n in lengths]),
            "term": TextColumn(np.arange(len(rows), dtype=np.int32), [row[0] for row in rows]),
            "weight": np.array([row[1] for row in rows]),
            "topic_share": np.repeat(found.shares, lengths),
            "coherence": np.repeat(found.coherences, lengths),
        }
    )


def _one_row_a_topic(found: Found) -> Table:
    terms = [" ".join(term for term, _ in topic) for topic in found.terms]
    return Table(
        {
            "topic": np.array(found.numbers, np.int64),
            "topic_share": found.shares,
            "coherence": found.coherences,
            "terms": TextColumn(np.arange(len(terms), dtype=np.int32), terms),
        }
    )


def _token_lists(spool: TokenSpool) -> Iterator[list[str]]:
    """Yield the documents, none of whose tokens is a gap."""
    terms = spool.vocabulary.terms
    for block in spool.blocks(_BLOCK_TOKENS):
        for start, stop in pairwise(block.indptr.tolist()):
            yield [terms[number] for number in block.ids[start:stop].tolist()]
