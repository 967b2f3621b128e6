"""Networks from files: their parts are known, and nothing is made that a file cannot fill."""

import copy
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
import torch
from estimators import DOCUMENTS, LABELS
from prior_networks import ACTIVE, NEUTRAL, SPEC, built, fitted

from nlpfeat import AttentionClassifier
from nlpfeat.attention import AttentionSpec
from nlpfeat.attention.normalizers import Sinkhorn
from nlpfeat.attention.positions import AbsolutePosition, ShawPosition, T5Position
from nlpfeat.attention.scores import SCORES, AdditiveScore
from nlpfeat.classifiers._attention_architecture import numbers_of
from nlpfeat.classifiers._kept_networks import network_and_device
from nlpfeat.classifiers._network import Network
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.priors import PmiPrior, TopicPrior, WidePrior

SPECS = {
    **{name: AttentionSpec(name, "t5") for name in SCORES},
    "deep": AttentionSpec(AdditiveScore(n_layers=3), "shaw", n_heads=4, n_kv_heads=2),
    "bilinear, one key": AttentionSpec("bilinear", "alibi", n_heads=2, n_kv_heads=1),
    "wide heads": AttentionSpec("dot", "absolute", n_heads=3, n_kv_heads=1, d_head=7),
    "places": AttentionSpec("cosine", AbsolutePosition(max_length=9), n_heads=2),
    "waves": AttentionSpec("dot", AbsolutePosition(learned=False), n_heads=2),
    "rope": AttentionSpec("dot", "rope", normalizer="sinkhorn"),
}


def n_learned(network):
    return sum(each.numel() for each in network.parameters())


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("n_layers", [0, 1, 3])
def test_numbers_are_counted_before_they_are_made(name, n_layers):
    network = built(spec=SPECS[name], n_layers=n_layers, n_queries=3, max_length=11)
    assert sum(numbers_of(network.settings, [])) == n_learned(network)


@pytest.mark.parametrize("name", [*NEUTRAL, "embedding", "embedding-query-key"])
def test_numbers_of_priors(name):
    prior = {**ACTIVE, **NEUTRAL}[name]
    network = built([prior], spec=SPEC)
    assert sum(numbers_of(network.settings, [(prior, fitted(prior))])) == n_learned(network)


def learned():
    return AttentionClassifier(
        d_model=8, n_heads=2, n_layers=1, min_df=1, max_epochs=1, position="t5", random_state=0,
        priors=[TopicPrior(n_topics=3, form="gate", passes=1)],
    ).fit(DOCUMENTS, LABELS)  # fmt: skip


CRAFTED = {
    "places": {"position": AbsolutePosition(max_length=10**12)},
    "places that may be": {"position": AbsolutePosition(max_length=2**20)},
    "buckets": {"position": T5Position(n_buckets=10**10, max_distance=10**12)},
    "distances of t5": {"position": T5Position(max_distance=10**11)},
    "distances of shaw": {"position": ShawPosition(max_distance=10**12)},
    "distances that may be": {"position": ShawPosition(max_distance=2**20)},
    "layers of a score": {"attention_score": AdditiveScore(n_layers=10**9)},
    "another score": {"attention_score": AdditiveScore(n_layers=100)},
    "steps": {"normalizer": Sinkhorn(n_iterations=10**12)},
    "hidden width": {"feed_forward": 1e12},
    "hidden width as it is": {"feed_forward": 2.0},
    "spec": {"spec": AttentionSpec()},
    "heads": {"n_heads": 10**9, "d_head": 1, "position": "alibi"},
    "layers": {"n_layers": 10**9},
    "queries": {"n_queries": 10**15},
    "width": {"d_model": 2 * 10**9},
    "key heads": {"n_heads": 10**9, "n_kv_heads": 10**9, "d_head": 10**9},
    "no number": {"n_layers": True},
    "no whole number": {"n_queries": 1.5},
    "share": {"dropout": float("nan")},
    "text": {"token_dropout": "0.2"},
    "place": {"max_length": 0},
}


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_parts_are_refused_before_they_take_memory(monkeypatch, name):
    made = []
    original = Network.__init__

    def watched(self, *arguments):
        made.append(1)
        original(self, *arguments)

    classifier = copy.deepcopy(learned())
    classifier._parts = {**classifier._parts, **CRAFTED[name]}
    monkeypatch.setattr(Network, "__init__", watched)
    tracemalloc.start()
    try:
        with pytest.raises(InvalidInputError, match=r"do not fit its settings.*Fit again, or load"):
            classifier.predict(["好"])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 2**24
    assert made == []


def test_a_prior_may_not_ask_for_more_than_there_is(monkeypatch):
    """d_model times the topics: either may be in the file, and their product not."""
    classifier = copy.deepcopy(learned())
    (own,) = classifier.priors_
    topics = {name: np.repeat(getattr(own.fitted, name), 1000, axis=0)
              for name in ("document_prior", "components", "topic_weights")}  # fmt: skip
    classifier.priors_ = [replace(own, fitted=replace(own.fitted, **topics))]
    monkeypatch.setattr(Network, "__init__", None)
    with pytest.raises(InvalidInputError, match=r"do not fit its settings .*too few numbers"):
        classifier.predict(["好"])


@pytest.mark.parametrize(("parameters", "message"), [
    ({"position": T5Position(max_distance=2**21)},
     "max_distance of T5Position must be at most 1,048,576. Got 2,097,152"),
    ({"attention_score": AdditiveScore(n_layers=101)}, "n_layers of AdditiveScore .* most 100"),
], ids=["position", "score"])  # fmt: skip
def test_what_could_not_be_loaded_is_not_fitted(parameters, message):
    classifier = AttentionClassifier(d_model=8, n_heads=2, min_df=1, **parameters)
    with pytest.raises(InvalidParameterError, match=message):
        classifier.fit(DOCUMENTS, LABELS)


@pytest.mark.parametrize(("prior", "changes"), [
    (WidePrior(word_ngrams=None), {"n_classes": 3}),
    (ACTIVE["expert"], {"n_classes": 3}),
    (ACTIVE["key"], {"n_terms": 5}),
    (PmiPrior(), {"n_terms": 500}),
    (PmiPrior(rank=3), {"n_terms": 5}),
    (ACTIVE["topic-lift"], {"n_terms": 500}),
    (ACTIVE["embedding"], {"n_terms": 5}),
], ids=["wide", "expert", "key", "pmi", "pmi of low rank", "topic", "embedding"])  # fmt: skip
def test_a_network_refuses_priors_for_other_terms_or_classes(prior, changes):
    settings = replace(built().settings, **changes)
    with pytest.raises(
        InvalidInputError, match=r"^Fitted\w+Prior must be for .*fit again, or load"
    ):
        Network(settings, [(prior, fitted(prior))], torch.Generator())


def test_the_network_of_a_sound_file_is_the_one_that_was_learned():
    classifier = learned()
    network, _ = network_and_device(classifier)
    assert n_learned(network) == sum(
        numbers_of(network.settings, [(each.prior, each.fitted) for each in classifier.priors_])
    )
