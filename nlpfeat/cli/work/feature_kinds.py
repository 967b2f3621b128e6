"""The kinds of ``nlpfeat features``: which estimator each is, and which options it has."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import typer
from sklearn.pipeline import Pipeline, make_pipeline

from nlpfeat._names import lookup
from nlpfeat.cli.commands.features import Features
from nlpfeat.cli.console import usage
from nlpfeat.cli.options import SelectionOptions
from nlpfeat.cli.parsing import (
    check_numbers,
    check_seed,
    option_names,
    parse_range,
    parse_window,
)
from nlpfeat.cli.work.selection import check_selected
from nlpfeat.counts.ngram_names import UNITS, check_ngram_range
from nlpfeat.counts.positions import PositionSettings
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
from nlpfeat.features.document_counter import DocumentCounter
from nlpfeat.features.lda import LdaTransformer
from nlpfeat.features.ngrams import NgramVectorizer
from nlpfeat.features.pmi_vectorizer import PmiVectorizer
from nlpfeat.features.positional import PositionalBagOfWordsVectorizer
from nlpfeat.features.surprisal import SurprisalTransformer
from nlpfeat.features.tfidf import TfidfVectorizer

Reading: TypeAlias = dict[str, Any]
"""The parameters of every estimator that takes documents: segmenter, stop words and so on."""


@dataclass(frozen=True)
class Kind:
    """One row of ``KINDS``.

    Parameters
    ----------
    make : callable
        Checks the options and returns the estimator, which is not fitted.
    options : tuple of str
        Those of which another kind has no use.
    """

    make: Callable[[Features, Reading], Any]
    options: tuple[str, ...]


def _bow(options: Features, reading: Reading) -> DocumentCounter:
    return BagOfWordsVectorizer(**check_selected(options), **reading)


def _positional(options: Features, reading: Reading) -> DocumentCounter:
    check_numbers(options, "max_position")
    with usage("--positions"):
        PositionSettings(options.positions).validate()
    if options.positions == "relative" and options.max_position is not None:
        raise typer.BadParameter(
            "--max-position does not go with --positions relative, which has "
            f"{PositionSettings.n_bins} places in every document."
        )
    return PositionalBagOfWordsVectorizer(
        positions=options.positions,
        max_position=options.max_position,
        **check_selected(options),
        **reading,
    )


def _ngram(options: Features, reading: Reading) -> DocumentCounter:
    with usage("--ngram-range"):
        ngram_range = parse_range(options.ngram_range)
        check_ngram_range(ngram_range)
    with usage("--ngram-unit"):
        lookup(UNITS, options.ngram_unit, "ngram_unit")
    return NgramVectorizer(
        ngram_range=ngram_range, unit=options.ngram_unit, **check_selected(options), **reading
    )


def _tfidf(options: Features, reading: Reading) -> TfidfVectorizer:
    return TfidfVectorizer(_ngram(options, reading))


def _pmi(options: Features, reading: Reading) -> PmiVectorizer:
    check_numbers(options, "n_components", "min_term_count", "max_terms")
    check_seed(options)
    with usage("--window"):
        window = parse_window(options.window)
    with usage():
        CountingSettings(window, options.scope).validate()
    return PmiVectorizer(
        options.n_components,
        window=window,
        scope=options.scope,
        min_term_count=options.min_term_count,
        max_terms=options.max_terms,
        random_state=options.seed,
        **reading,
    )


def _surprisal(options: Features, reading: Reading) -> Pipeline:
    return make_pipeline(_bow(options, reading), SurprisalTransformer())


def _lda(options: Features, reading: Reading) -> Pipeline:
    check_numbers(options, "n_topics")
    check_seed(options)
    topics = LdaTransformer(options.n_topics, random_state=options.seed, n_jobs=reading["n_jobs"])
    return make_pipeline(_bow(options, reading), topics)


_SELECTION = option_names(SelectionOptions)
_NGRAM = ("ngram_range", "ngram_unit", *_SELECTION)

KINDS: dict[str, Kind] = {
    "bow": Kind(_bow, _SELECTION),
    "positional": Kind(_positional, ("positions", "max_position", *_SELECTION)),
    "ngram": Kind(_ngram, _NGRAM),
    "tfidf": Kind(_tfidf, _NGRAM),
    "surprisal": Kind(_surprisal, _SELECTION),
    "lda": Kind(_lda, ("n_topics", "seed", *_SELECTION)),
    "pmi": Kind(_pmi, ("n_components", "window", "scope", "min_term_count", "max_terms", "seed")),
}
