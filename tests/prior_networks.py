"""Networks with priors over a few texts, for the tests of what priors add to a network."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nlpfeat.attention import AttentionSpec
from nlpfeat.classifiers._batching import Batch, BatchMaker
from nlpfeat.classifiers._network import Network, NetworkSettings
from nlpfeat.classifiers._prior_terms import TermSizes, build_term
from nlpfeat.priors import (
    EmbeddingPrior,
    ExpertPrior,
    FittedPrior,
    KeyPrior,
    PmiPrior,
    Prior,
    PriorInputs,
    ReadDocuments,
    TopicPrior,
    WidePrior,
)

TRAINING = [
    "房间干净早餐很好", "早餐好吃房间大", "酒店房间很干净", "服务很好房间干净",
    "作者的故事很好看", "这本书的故事", "书很好看作者", "故事好看的书",
]  # fmt: skip
CLASSES = np.array([0, 0, 0, 0, 1, 1, 1, 1])
# Known and unknown characters, a removed one, repeated ones, nothing, nothing known.
NEW = ["房间的早餐，房间好", "好书", "", "xyz", "故事x很好看很好看", "！"]
N_CLASSES, D_MODEL, N_HEADS, N_LAYERS, N_QUERIES = 2, 16, 4, 2, 2

NEUTRAL: dict[str, Prior] = {
    "key": KeyPrior(),
    "key-tfidf-each-layer": KeyPrior(weight="tfidf", where="layers", share_layers=False),
    "key-pooling": KeyPrior(weight="nb", where="pooling"),
    "pmi": PmiPrior(),
    "pmi-decay": PmiPrior(decay=2.0, share_layers=False),
    "pmi-self": PmiPrior(self_term=True),
    "pmi-rank": PmiPrior(rank=5),
    "pmi-rank-each-layer": PmiPrior(rank=3, share_layers=False),
    "topic-lift": TopicPrior(n_topics=3, passes=2),
    "topic-gate": TopicPrior(n_topics=3, form="gate", passes=2),
    "topic-token": TopicPrior(n_topics=3, form="token", passes=2),
    "wide": WidePrior(start="zero", word_ngrams=None),
    "expert": ExpertPrior(strength=0.0, learned="class", head="random"),
}
ACTIVE: dict[str, Prior] = {
    "key": KeyPrior(strength=0.7),
    "key-tfidf-each-layer": KeyPrior(weight="tfidf", share_layers=False, strength=-0.5),
    "pmi": PmiPrior(strength=0.6),
    "pmi-decay-self": PmiPrior(strength=0.6, decay=2.0, self_term=True, share_layers=False),
    "pmi-rank": PmiPrior(strength=0.6, rank=5),
    "topic-lift": TopicPrior(n_topics=3, passes=2, strength=0.8),
    "wide": WidePrior(word_ngrams=None, strength=0.3),
    "expert": ExpertPrior(),
    "embedding": EmbeddingPrior(n_components=8),
    "embedding-query-key": EmbeddingPrior(n_components=8, use="query_key", mode="frozen"),
}


@cache
def read() -> ReadDocuments:
    return ReadDocuments.read(TRAINING, unit="char")


@cache
def read_new() -> ReadDocuments:
    return read().read(NEW, unit="char", vocabulary=read().vocabulary)


@cache
def fitted(prior: Prior) -> FittedPrior:
    if isinstance(prior, ExpertPrior):
        decisions = np.random.default_rng(0).normal(size=(len(CLASSES), N_CLASSES))
        decisions[np.arange(len(CLASSES)), CLASSES] += 2.0
        return prior.fit_logits(decisions, CLASSES)
    return prior.fit(read(), CLASSES, N_CLASSES, seed=0)


def inputs_of(prior: Prior) -> PriorInputs:
    if isinstance(prior, ExpertPrior):
        decisions = np.random.default_rng(1).normal(size=(len(NEW), N_CLASSES))
        return PriorInputs(rows=fitted(prior).calibrated(decisions))  # type: ignore[attr-defined]
    return fitted(prior).inputs(read_new())


def batch_for(priors: Sequence[Prior], rows: Sequence[int] = range(len(NEW))) -> Batch:
    maker = BatchMaker(
        read_new().tokens, len(read().vocabulary), priors=[inputs_of(each) for each in priors]
    )
    return maker.batch(np.array(rows))


SPEC = AttentionSpec(n_heads=N_HEADS, position="t5")


def built(priors: Sequence[Prior] = (), seed: int = 0, **changes: Any) -> Network:
    settings = NetworkSettings(
        len(read().vocabulary), N_CLASSES, D_MODEL, N_LAYERS, SPEC, N_QUERIES
    )
    return Network(
        replace(settings, **changes),
        [(each, fitted(each)) for each in priors],
        torch.Generator().manual_seed(seed),
    ).eval()


def logits(network: Network, priors: Sequence[Prior], **how: Any) -> Tensor:
    with torch.no_grad():
        return network(batch_for(priors), **how).logits


def sizes() -> TermSizes:
    return TermSizes(len(read().vocabulary), N_CLASSES, D_MODEL, N_HEADS, N_LAYERS, N_QUERIES)


def term_of(prior: Prior) -> Any:
    return build_term(prior, fitted(prior), sizes(), torch.Generator().manual_seed(0))
