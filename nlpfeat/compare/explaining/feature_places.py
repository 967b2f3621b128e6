"""Which tokens of a document each column of its features stands on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.feature_selection import SelectorMixin
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import MaxAbsScaler, Normalizer

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.compare.explaining.token_places import token_places
from nlpfeat.counts.documents import UNKNOWN
from nlpfeat.counts.ngram_names import UNITS
from nlpfeat.counts.positions import PositionSettings
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
from nlpfeat.features.document_counter import DocumentCounter
from nlpfeat.features.naive_bayes import NaiveBayesRatioTransformer
from nlpfeat.features.ngrams import NgramVectorizer
from nlpfeat.features.positional import PositionalBagOfWordsVectorizer
from nlpfeat.features.segmenting import SegmentTransformer
from nlpfeat.features.tfidf import TfidfVectorizer
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.token_ids import GAP, TokenIds
from nlpfeat.text.token_spool import TextSettings

SCALERS = (TfidfTransformer, MaxAbsScaler, Normalizer, NaiveBayesRatioTransformer)
"""Transformers that keep the columns, and leave a cell empty that is empty."""


@dataclass(frozen=True, eq=False)
class FeaturePlaces:
    """The tokens on which the features of documents stand.

    Parameters
    ----------
    n_columns : int
        Of the features.
    documents, columns, places : ndarray of int64, shape (n_entries,)
        Document, column, and a token of the document on which that column stands there.
    shares : ndarray of float64, shape (n_entries,)
        The part of the token in one occurrence of the feature; the parts of one add up to 1.
    """

    n_columns: int
    documents: Int64Array
    columns: Int64Array
    places: Int64Array
    shares: Float64Array

    def taken(self, chosen: Int64Array) -> "FeaturePlaces":
        """Return the places of some columns, in that order."""
        new = np.full(self.n_columns, GAP)
        new[chosen] = np.arange(len(chosen))
        columns = new[self.columns]
        kept = columns != GAP
        return FeaturePlaces(
            len(chosen), self.documents[kept], columns[kept], self.places[kept], self.shares[kept]
        )


def joined(parts: Sequence[FeaturePlaces]) -> FeaturePlaces:
    """Return the places of features that stand side by side.

    Parameters
    ----------
    parts : sequence of FeaturePlaces
        Of the same documents.
    """
    starts = np.cumsum([0, *(each.n_columns for each in parts)])
    nothing = np.zeros(0, dtype=np.int64)
    moved = [replace(each, columns=each.columns + start) for each, start in zip(parts, starts)]
    every = [FeaturePlaces(0, nothing, nothing, nothing, np.zeros(0)), *moved]
    return FeaturePlaces(
        int(starts[-1]),
        np.concatenate([each.documents for each in every]),
        np.concatenate([each.columns for each in every]),
        np.concatenate([each.places for each in every]),
        np.concatenate([each.shares for each in every]),
    )


def feature_places(step: Any, documents: list[list[str]]) -> FeaturePlaces | None:
    """Return the tokens on which the features of a fitted step stand.

    Parameters
    ----------
    step : fitted vectorizer, union or pipeline of transformers
    documents : list of list of str
        N token lists.

    Returns
    -------
    FeaturePlaces or None
        None when the features are no counts of what stands at places: topics, vectors, absence.

    Examples
    --------
    >>> vectorizer = NgramVectorizer(ngram_range=(2, 2), unit="char").fit(["不太好"])
    >>> places = feature_places(vectorizer, [["不", "太好"]])
    >>> vectorizer.get_feature_names_out()[places.columns].tolist(), places.places.tolist()
    (['不太', '不太', '太好', '太好'], [0, 1, 1, 1])
    """
    if isinstance(step, Pipeline):
        return _of_pipeline([each for _, each in step.steps], documents)
    if isinstance(step, FeatureUnion):
        parts = [
            feature_places(each, documents) for _, each in step.transformer_list if each != "drop"
        ]
        found = [part for part in parts if part is not None]
        return joined(found) if len(found) == len(parts) else None
    if isinstance(step, TfidfVectorizer):
        return feature_places(step.vectorizer_, documents)
    kind = next((kind for kind in _COLUMNS if isinstance(step, kind)), None)
    return None if kind is None else _of_counter(step, documents, _COLUMNS[kind])


def _of_pipeline(steps: Sequence[Any], documents: list[list[str]]) -> FeaturePlaces | None:
    found: FeaturePlaces | None = None
    for step in steps:
        if step is None or step == "passthrough" or isinstance(step, SegmentTransformer):
            continue
        if found is None:
            found = feature_places(step, documents)
        elif isinstance(step, SelectorMixin):
            found = found.taken(step.get_support(indices=True))
        elif not isinstance(step, SCALERS):
            return None
        if found is None:
            return None
    return found


@dataclass(frozen=True, eq=False)
class _Reading:
    """What a vectorizer reads in a document.

    Parameters
    ----------
    terms : list of str
        Of each word or character; "" in a gap.
    sentences : ndarray of int64, shape (n_read,)
        In which sentence each stands.
    """

    terms: list[str]
    sentences: Int64Array


_Found = list[tuple[int, int, int]]
"""Column, and the first and one past the last of what it stands on."""


def _of_counter(
    vectorizer: DocumentCounter,
    documents: list[list[str]],
    columns_of: "Callable[[Any, _Reading], _Found]",
) -> FeaturePlaces:
    unit = getattr(vectorizer, "unit", "word")
    entries: list[tuple[int, int, int, float]] = []
    for number, (document, reading) in enumerate(zip(documents, _read(vectorizer, documents))):
        places = token_places(document, unit).tolist()
        for column, start, stop in columns_of(vectorizer, reading):
            share = 1.0 / (stop - start)
            entries += [(number, column, place, share) for place in places[start:stop]]
    rows, columns, tokens, shares = zip(*entries) if entries else ((), (), (), ())
    return FeaturePlaces(
        len(vectorizer.vocabulary_),
        np.array(rows, dtype=np.int64),
        np.array(columns, dtype=np.int64),
        np.array(tokens, dtype=np.int64),
        np.array(shares, dtype=np.float64),
    )


def _read(vectorizer: DocumentCounter, documents: list[list[str]]) -> list[_Reading]:
    """Return the terms of token lists, as the vectorizer reads them."""
    settings = TextSettings(
        Normalization(vectorizer.fold_width, vectorizer.lowercase),
        vectorizer.keep_punctuation,
        vectorizer.stop_words_,
    )
    unit = getattr(vectorizer, "unit", "word")
    read = ReadDocuments.read(documents, unit=unit, segmenter="char", settings=settings)
    tokens, terms = read.tokens, [*read.vocabulary.terms, ""]  # a gap, -1, takes the last
    sentences = np.repeat(
        np.arange(len(tokens.sentence_indptr) - 1), np.diff(tokens.sentence_indptr)
    )
    return [
        _Reading([terms[number] for number in tokens.ids[start:stop].tolist()],
                 sentences[start:stop])
        for start, stop in zip(tokens.indptr[:-1].tolist(), tokens.indptr[1:].tolist())
    ]  # fmt: skip


def _words(vectorizer: BagOfWordsVectorizer, reading: _Reading) -> _Found:
    columns = vectorizer.vocabulary_
    unknown = columns.get(UNKNOWN) if vectorizer.count_unknown else None
    found = [(columns.get(term, unknown) if term else None) for term in reading.terms]
    return [(column, at, at + 1) for at, column in enumerate(found) if column is not None]


def _ngrams(vectorizer: NgramVectorizer, reading: _Reading) -> _Found:
    columns, separator = vectorizer.vocabulary_, UNITS[vectorizer.unit]
    shortest, longest = vectorizer.ngram_range
    terms, sentences = reading.terms, reading.sentences
    found = []
    for start in range(len(terms)):
        for stop in range(start + 1, min(start + longest, len(terms)) + 1):
            if not terms[stop - 1] or sentences[stop - 1] != sentences[start]:
                break  # no n-gram reaches over a gap or the end of a sentence
            column = columns.get(separator.join(terms[start:stop]))
            if stop - start >= shortest and column is not None:
                found.append((column, start, stop))
    return found


def _positions(vectorizer: PositionalBagOfWordsVectorizer, reading: _Reading) -> _Found:
    settings = PositionSettings(
        vectorizer.positions, vectorizer.n_bins, vectorizer.max_position, vectorizer.overflow
    ).validate()
    terms = reading.terms
    bounds = np.array([0, len(terms)], dtype=np.int64)
    ids = np.array([0 if term else GAP for term in terms], dtype=np.int32)
    places, ranks = settings.ranks(TokenIds(ids, bounds, bounds))
    names = [
        f"{position}:{terms[place]}"
        for place, position in zip(places.tolist(), settings.names_of(ranks))
    ]
    columns = vectorizer.vocabulary_
    return [
        (columns[name], place, place + 1)
        for place, name in zip(places.tolist(), names)
        if name in columns
    ]


_COLUMNS: dict[type[DocumentCounter], Callable[[Any, _Reading], _Found]] = {
    BagOfWordsVectorizer: _words,
    NgramVectorizer: _ngrams,
    PositionalBagOfWordsVectorizer: _positions,
}
