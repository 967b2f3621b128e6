"""Small models on texts of a grammar: what several claims are measured with."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from nlpfeat.datasets.phenomena import PhenomenonParts, make_phenomenon

if TYPE_CHECKING:
    from nlpfeat.classifiers.attention import AttentionClassifier

_TEXTS_FROM = 100
"""From the seed of a figure to that of its texts: what is set below was tried on texts of seeds 1
and 2, which no figure is measured on."""

SETTINGS: dict[str, Any] = {
    "unit": "word",
    "position": "rope",
    "n_layers": 1,
    "n_heads": 2,
    "d_model": 16,
    "n_queries": 1,
    "dropout": 0.0,
    "token_dropout": 0.0,
    "label_smoothing": 0.0,
    "learning_rate": 1e-2,
    "batch_size": 32,
    "max_epochs": 20,
    "min_df": 1,
    "device": "cpu",
}
"""Of attention on the texts of a grammar, where a claim takes no others."""


@lru_cache(maxsize=32)
def texts_of(name: str, seed: int) -> PhenomenonParts:
    """Return 800 texts for training and 400 for test of a phenomenon, of a seed's own."""
    return make_phenomenon(name, random_state=_TEXTS_FROM + seed)


def attention_of(name: str, seed: int, **settings: Any) -> "AttentionClassifier":
    """Return one layer of attention of width 16, trained on a phenomenon.

    Parameters
    ----------
    name : str
        Of the phenomenon.
    seed : int
        What texts, weights and batches are drawn with.
    settings : Any
        In place of those that all share.
    """
    from nlpfeat.classifiers.attention import AttentionClassifier

    model = AttentionClassifier(**{**SETTINGS, "random_state": seed, **settings})
    parts = texts_of(name, seed)
    return model.fit([item.tokens for item in parts.train_items], parts.train.labels())


def accuracy_of(model: Any, name: str, seed: int, part: Literal["train", "test"] = "test") -> float:
    """Return the share of the texts of a part that a fitted model is right for."""
    parts = texts_of(name, seed)
    items = parts.test_items if part == "test" else parts.train_items
    return float(model.score([item.tokens for item in items], [item.label for item in items]))


def n_groups(name: str) -> int:
    """Return how many groups the 400 test texts of a phenomenon have: those of one are akin."""
    return len(set(texts_of(name, 0).test_groups))


def attention_accuracy(name: str, seed: int, **settings: Any) -> float:
    """Return the accuracy of attention on the test texts of a phenomenon; see `attention_of`."""
    return accuracy_of(attention_of(name, seed, **settings), name, seed)


def linear_accuracy(name: str, family: str, seed: int) -> float:
    """Return the accuracy of a logistic regression of a family of features.

    Parameters
    ----------
    name : str
        Of the phenomenon.
    family : str
        "bag", "presence", "positional", "bigrams", "trigrams", "pairs", "surprisal" or "vectors".
    seed : int
        Of the texts.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(*_features()[family](), LogisticRegression(max_iter=1_000))
    parts = texts_of(name, seed)
    model.fit([item.tokens for item in parts.train_items], parts.train.labels())
    return accuracy_of(model, name, seed)


def pairs_at_their_distance(tokens: Sequence[str]) -> Iterator[str]:
    """Yield the tokens of a text, and each two of them with how far they stand apart.

    A linear function of these is a sum of functions of single pairs (x_i, x_j, i − j).

    Examples
    --------
    >>> list(pairs_at_their_distance(["抱", "了", "佛脚"]))
    ['抱', '抱 了 1', '抱 佛脚 2', '了', '了 佛脚 1', '佛脚']
    """
    for place, token in enumerate(tokens):
        yield token
        for distance, other in enumerate(tokens[place + 1 :], start=1):
            yield f"{token} {other} {distance}"


def _features() -> dict[str, Callable[[], tuple[Any, ...]]]:
    from sklearn.feature_extraction.text import CountVectorizer

    from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
    from nlpfeat.features.ngrams import NgramVectorizer
    from nlpfeat.features.pmi_vectorizer import PmiVectorizer
    from nlpfeat.features.positional import PositionalBagOfWordsVectorizer
    from nlpfeat.features.surprisal import SurprisalTransformer

    return {
        "bag": lambda: (BagOfWordsVectorizer(),),
        "presence": lambda: (BagOfWordsVectorizer(binary=True),),
        "positional": lambda: (PositionalBagOfWordsVectorizer(),),
        "bigrams": lambda: (NgramVectorizer(ngram_range=(1, 2)),),
        "trigrams": lambda: (NgramVectorizer(ngram_range=(1, 3)),),
        "pairs": lambda: (CountVectorizer(analyzer=pairs_at_their_distance),),
        "vectors": lambda: (PmiVectorizer(random_state=0),),
        "surprisal": lambda: (BagOfWordsVectorizer(), SurprisalTransformer()),
    }
