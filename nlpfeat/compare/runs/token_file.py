"""The documents of a comparison, cut once, on disk where every run finds them."""

import json
import time
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path

import numpy as np

from nlpfeat.compare.labeled_texts import LabeledTexts
from nlpfeat.features.document_reader import SegmenterLike
from nlpfeat.features.segmenting import SegmentTransformer
from nlpfeat.io.matrices import load_arrays, save_arrays
from nlpfeat.text.segmenters import as_segmenter

_TIMED = 500  # documents


@dataclass(frozen=True, eq=False)
class LabeledTokens:
    """Documents as every model gets them.

    Parameters
    ----------
    documents : list of list of str
        N token lists.
    labels : list of str
        The class of each.
    segmentation_seconds : float
        What cutting a document took on average, in one process.
    """

    documents: list[list[str]]
    labels: list[str]
    segmentation_seconds: float

    @property
    def hash(self) -> str:
        """The SHA-256 of the documents and their classes."""
        facts = json.dumps([self.documents, self.labels])
        return sha256(facts.encode()).hexdigest()

    @property
    def classes(self) -> list[str]:
        """The classes, sorted."""
        return sorted(set(self.labels))


def cut(texts: LabeledTexts, segmenter: SegmenterLike, n_jobs: int | None) -> LabeledTokens:
    """Cut every text.

    Parameters
    ----------
    texts : LabeledTexts
    segmenter : name, Segmenter or callable
    n_jobs : int or None
        Processes; the tokens do not depend on it.

    Returns
    -------
    LabeledTokens

    Examples
    --------
    >>> cut(LabeledTexts("例", ("天气很好",), ("正",)), "jieba", 1).documents
    [['天气', '很', '好']]
    """
    as_segmenter(segmenter).load()  # its dictionary is no part of the time of a document
    start = time.perf_counter()
    first = SegmentTransformer(segmenter=segmenter).transform(list(texts.texts[:_TIMED]))
    seconds = time.perf_counter() - start
    others = SegmentTransformer(segmenter=segmenter, n_jobs=n_jobs).transform(
        list(texts.texts[_TIMED:])
    )
    return LabeledTokens(first + others, list(texts.labels), seconds / max(len(first), 1))


def write_tokens(tokens: LabeledTokens, path: Path) -> None:
    """Write documents, whole or not at all.

    Parameters
    ----------
    tokens : LabeledTokens
    path : path
        Of a file that ends in .npz.
    """
    terms = list(dict.fromkeys(chain.from_iterable(tokens.documents)))
    numbers = {term: number for number, term in enumerate(terms)}
    ids = [numbers[token] for document in tokens.documents for token in document]
    lengths = [len(document) for document in tokens.documents]
    save_arrays(
        path,
        {"ids": np.array(ids, dtype=np.int32), "lengths": np.array(lengths, dtype=np.int64)},
        {"terms": terms, "labels": tokens.labels},
        {"segmentation_seconds": tokens.segmentation_seconds},
    )


def read_tokens(path: Path) -> LabeledTokens:
    """Return what `write_tokens` wrote.

    Parameters
    ----------
    path : path

    Returns
    -------
    LabeledTokens

    Raises
    ------
    InvalidInputError
        For a file that is damaged.
    """
    arrays, texts, metadata = load_arrays(path)
    flat = [texts["terms"][number] for number in arrays["ids"].tolist()]
    ends = np.cumsum(arrays["lengths"]).tolist()
    documents = [flat[start:end] for start, end in zip([0, *ends], ends)]
    return LabeledTokens(documents, texts["labels"], metadata["segmentation_seconds"])
