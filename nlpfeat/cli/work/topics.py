"""What ``nlpfeat topics`` does with its options."""

import logging
from copy import copy
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from sklearn.pipeline import Pipeline

from nlpfeat._names import lookup
from nlpfeat._typing import Float64Array
from nlpfeat.cli.commands.topics import Topics
from nlpfeat.cli.console import usage
from nlpfeat.cli.named_corpus import NamedCorpus
from nlpfeat.cli.output import check_writable, make_and_write, origin, output_ending, write_table
from nlpfeat.cli.parsing import check_numbers
from nlpfeat.cli.progress import Report
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus, reading_parameters
from nlpfeat.cli.work.selection import check_selected
from nlpfeat.errors import InvalidInputError
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
from nlpfeat.features.lda import LdaTransformer
from nlpfeat.features.segmenting import SegmentTransformer
from nlpfeat.io.tables import Table, TextColumn
from nlpfeat.measures.coherence import topic_coherence
from nlpfeat.measures.coherence_scores import COHERENCES
from nlpfeat.persistence import save
from nlpfeat.topics import ENGINES

logger = logging.getLogger(__name__)


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
        output_ending(options)
        check_numbers(options, "topics", "passes")
        check_numbers(options, "top_terms", minimum=2)
        check_numbers(options, "seed", minimum=0)
        with usage("--coherence"):
            lookup(COHERENCES, options.coherence, "coherence")
        with usage("--topic-engine"):
            lookup(ENGINES, options.topic_engine, "topic_engine")
        selected = check_selected(options)
        n_jobs = check_jobs(options.jobs)
        reading = reading_parameters(options, make_segmenter(options), n_jobs)
        corpus = NamedCorpus(open_corpus(options.corpus, options))
        if options.model is not None:
            check_writable(options.model)
        vectorizer = BagOfWordsVectorizer(**selected, **reading)
        lda = LdaTransformer(
            options.topics, engine=options.topic_engine, passes=options.passes,
            random_state=options.seed, n_jobs=n_jobs,
        )  # fmt: skip

        def make(report: Report) -> Found:
            corpus.report = report
            return self._learn(corpus, vectorizer, lda)

        make_and_write(options, make, self._write)

    def _learn(
        self, corpus: NamedCorpus, vectorizer: BagOfWordsVectorizer, lda: LdaTransformer
    ) -> Found:
        options = self.options
        # The text is cut once, for counting and for coherence.
        cutter = SegmentTransformer(
            segmenter=vectorizer.segmenter, fold_width=options.fold_width, n_jobs=vectorizer.n_jobs
        )
        documents = cutter.transform(corpus)
        counts = vectorizer.fit_transform(documents)
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
        lda.fit(counts)
        self._save(vectorizer, lda)
        terms = lda.top_terms(vectorizer.get_feature_names_out(), options.top_terms)
        coherences = topic_coherence(
            [[term for term, _ in topic] for topic in terms], documents, options.coherence,
            fold_width=options.fold_width, lowercase=options.lowercase, n_jobs=vectorizer.n_jobs,
        )  # fmt: skip
        logger.info("mean %s %.3f", options.coherence, coherences.mean())
        shares = lda.topic_weights_ / lda.topic_weights_.sum()
        order = np.argsort(-shares, kind="stable")
        facts = {"n_documents": n_documents, "n_tokens": int(counts.sum()), "n_terms": n_terms}
        numbers = order.tolist()
        return Found(
            numbers, [terms[number] for number in numbers], shares[order], coherences[order], facts
        )

    def _save(self, vectorizer: BagOfWordsVectorizer, lda: LdaTransformer) -> None:
        if self.options.model is None:
            return
        # Another --jobs gives the same model.
        steps = [(name, copy(step).set_params(n_jobs=None))
                 for name, step in (("counts", vectorizer), ("topics", lda))]  # fmt: skip
        save(Pipeline(steps), self.options.model)

    def _write(self, found: Found, stream: BinaryIO, report: Report) -> None:
        lengths = [len(topic) for topic in found.terms]
        rows = [row for topic in found.terms for row in topic]
        table = Table(
            {
                "topic": np.repeat(np.array(found.numbers, np.int64), lengths),
                "rank": np.concatenate([np.arange(1, n + 1) for n in lengths]),
                "term": TextColumn(np.arange(len(rows), dtype=np.int32), [row[0] for row in rows]),
                "weight": np.array([row[1] for row in rows]),
                "topic_share": np.repeat(found.shares, lengths),
                "coherence": np.repeat(found.coherences, lengths),
            }
        )
        write_table(self.options, table, self._metadata(found), stream, report)

    def _metadata(self, found: Found) -> dict[str, str]:
        names = ("topics", "topic_engine", "passes", "seed", "coherence", "min_df", "max_df",
                 "max_features", "segmenter", "stop_words", "lowercase", "fold_width",
                 "keep_punctuation")  # fmt: skip
        settings = {name: getattr(self.options, name) for name in names}
        return origin(self.options.corpus, **settings, **found.facts)
