"""Priors that could do nothing where they act."""

import pytest
from estimators import DOCUMENTS, LABELS

from nlpfeat import AttentionClassifier
from nlpfeat.attention.normalizers import Capsule
from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors import EmbeddingPrior, KeyPrior, PmiPrior, TopicPrior, WidePrior

SMALL = {
    "d_model": 16, "n_layers": 1, "n_heads": 2, "min_df": 1, "random_state": 0, "max_epochs": 1,
}  # fmt: skip
NO_LAYERS, CAPSULE = {"n_layers": 0}, {"normalizer": "capsule"}


@pytest.mark.parametrize(("parameters", "prior", "message"), [
    (NO_LAYERS, PmiPrior(), "PmiPrior acts on the layers .* n_layers=0 has none.*Set n_layers=1"),
    (NO_LAYERS, PmiPrior(rank=2), "PmiPrior acts on the layers"),
    (NO_LAYERS, KeyPrior(where="layers"), r"KeyPrior\(where='layers'\) .*or 'pooling'"),
    (NO_LAYERS, TopicPrior(where="layers"), r"TopicPrior\(where='layers'\) acts on the layers"),
    (CAPSULE, KeyPrior(where="layers"), "means nothing with normalizer='capsule', which divides"),
    ({"normalizer": Capsule(renormalize=False)}, KeyPrior(where="layers"), "normalizer='capsule'"),
    (CAPSULE, TopicPrior(where="layers"), r"TopicPrior\(where='layers'\) means nothing"),
], ids=["pmi", "low rank", "key", "topic", "key, capsule", "key, raw",
        "topic, capsule"])  # fmt: skip
def test_a_prior_that_can_do_nothing_is_an_error(parameters, prior, message):
    with pytest.raises(InvalidParameterError, match=message):
        AttentionClassifier(**{**SMALL, **parameters}, priors=[prior]).fit(DOCUMENTS, LABELS)


@pytest.mark.parametrize(("parameters", "prior"), [
    (NO_LAYERS, KeyPrior()), (NO_LAYERS, KeyPrior(where="pooling")), (NO_LAYERS, WidePrior()),
    (NO_LAYERS, TopicPrior(form="gate", where="layers", n_topics=2)), (CAPSULE, KeyPrior()),
    (CAPSULE, PmiPrior()), (NO_LAYERS, EmbeddingPrior(n_components=2)),
    ({"normalizer": "sinkhorn"}, KeyPrior(where="layers")),
], ids=["key", "pooling", "wide", "gate", "key, capsule", "pmi, capsule", "embedding",
        "sinkhorn"])  # fmt: skip
def test_others_are_taken(parameters, prior):
    classifier = AttentionClassifier(**{**SMALL, **parameters}, priors=[prior])
    assert classifier.fit(DOCUMENTS, LABELS).predict(DOCUMENTS).shape == (len(DOCUMENTS),)


@pytest.mark.parametrize("normalizer", ["capsule", "sinkhorn", "dual", "softmax"])
def test_weights_of_keys_fall_out_of_a_capsule_alone(normalizer):
    weights = {}
    for strength in (0.0, 3.0):
        prior = KeyPrior(where="all", strength=strength, learned=False)
        classifier = AttentionClassifier(**SMALL, normalizer=normalizer, priors=[prior])
        classifier.set_params(learning_rate=1e-12).fit(DOCUMENTS, LABELS)
        weights[strength] = classifier.attention_weights(["很好，很干净"])[0]
    moved = abs(weights[0.0].layers - weights[3.0].layers).max()
    if normalizer == "capsule":
        assert moved < 1e-6
    else:  # of a sinkhorn its columns take nearly all
        assert moved > 1e-4
    assert abs(weights[0.0].pooling - weights[3.0].pooling).max() > 1e-3
