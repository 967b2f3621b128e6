"""What the networks of the baselines share: how much they learn, and files that do harm."""

import copy
import tracemalloc
from functools import cache

import numpy as np
import pytest
import safetensors.numpy
import torch
from estimators import DOCUMENTS, LABELS, content, loaded, saved
from network_classifiers import small
from token_batches import TOKENS, batch_of

from nlpfeat import AttentionClassifier, BiLstmBaseline, TextCnnBaseline
from nlpfeat.classifiers._architecture import n_numbers
from nlpfeat.classifiers._text_network import TextNetwork
from nlpfeat.errors import InvalidInputError

BASELINES = {"convolutions": TextCnnBaseline, "lstm": BiLstmBaseline}

baselines = pytest.mark.parametrize("kind", BASELINES)


@cache
def fitted(kind):
    """Return a fitted baseline; not to be changed."""
    return small(kind).fit(DOCUMENTS, LABELS)


def built(classifier, n_terms=7, n_classes=3):
    """Return the network of a classifier that is not fitted, and how much it learns."""
    architecture = classifier._architecture()
    parts = {**classifier._network_parts(), "n_terms": n_terms, "n_classes": n_classes}
    settings = architecture.settings_of(parts)
    network = architecture.build(settings, [], torch.Generator().manual_seed(0))
    return network, sum(architecture.numbers_of(settings, []))


@pytest.mark.parametrize(("make", "non_embedding"), [
    (AttentionClassifier, 351_754), (TextCnnBaseline, 355_510), (BiLstmBaseline, 339_010),
])  # fmt: skip
def test_the_networks_are_of_like_size(make, non_embedding):
    """As the docstrings say: by default and for ten classes, beside the vectors of tokens."""
    network, total = built(make(), n_terms=4_000, n_classes=10)
    assert total == non_embedding + 4_002 * 128
    assert network.n_parameters() == {
        "total": total, "non_embedding": non_embedding, "priors": 0
    }  # fmt: skip


@pytest.mark.parametrize("classifier", [
    TextCnnBaseline(d_model=5, widths=(1, 4), n_filters=3), TextCnnBaseline(d_model=2, widths=[7]),
    BiLstmBaseline(d_model=5, d_hidden=3), BiLstmBaseline(d_model=5, d_hidden=3, n_layers=3),
], ids=["convolutions", "one width", "lstm", "three layers"])  # fmt: skip
def test_numbers_are_counted_before_they_are_made(classifier):
    network, total = built(classifier)
    assert n_numbers(network) == total


@baselines
def test_a_fitted_one_knows_how_much_it_learned(kind):
    classifier = small(kind).fit(DOCUMENTS, LABELS)
    stored = safetensors.numpy.load(classifier._weights)
    assert stored.pop("part_weights").shape == (1,)
    total = sum(each.size for each in stored.values())
    vectors = (len(classifier.vocabulary_) + 2) * 16
    assert classifier.n_parameters_ == {
        "total": total, "non_embedding": total - vectors, "priors": 0
    }  # fmt: skip
    assert loaded(saved(classifier)).n_parameters_ == classifier.n_parameters_
    assert not hasattr(BASELINES[kind](), "n_parameters_")


@baselines
def test_matrices_decay_and_nothing_else_does(kind):
    network, total = built(BASELINES[kind](d_model=4))
    decaying, others = network.parameter_groups(0.1, 0.5)
    assert (decaying["weight_decay"], others["weight_decay"]) == (0.5, 0.0)
    assert {each.ndim for each in decaying["params"]} == {2}
    assert others["params"][0] is network.embedding.weight
    assert {each.ndim for each in others["params"][1:]} == {1}
    assert sum(each.numel() for each in decaying["params"] + others["params"]) == total


@baselines
def test_a_weight_of_its_log_scores_acts_in_prediction_alone(kind):
    network, _ = built(BASELINES[kind](d_model=4, dropout=0.0, token_dropout=0.0))
    network.part_weights.fill_(0.25)
    batch = batch_of(TOKENS)
    torch.testing.assert_close(
        network.eval()(batch).logits, network.train()(batch).logits.detach() / 4
    )


@baselines
def test_calibration_changes_how_sure_it_is_and_not_what_it_says(kind):
    plain = small(kind, learning_rate=0.02).fit(DOCUMENTS, LABELS)
    parameters = {"calibration_fraction": 0.3, "learning_rate": 0.02}
    weighed = small(kind, **parameters).fit(DOCUMENTS, LABELS)
    (weight,) = safetensors.numpy.load(weighed._weights)["part_weights"].tolist()
    (one,) = safetensors.numpy.load(plain._weights)["part_weights"].tolist()
    assert one == 1.0 != weight
    logs = weighed.predict_log_proba(DOCUMENTS)
    weights = safetensors.numpy.load(weighed._weights)
    weights["part_weights"] = np.ones(1, np.float32)
    bare = copy.copy(weighed)
    bare._weights = safetensors.numpy.save(weights)
    raw = bare.predict_log_proba(DOCUMENTS) * weight
    assert logs == pytest.approx(raw - np.log(np.exp(raw).sum(axis=1, keepdims=True)), abs=1e-6)


CRAFTED = {
    "convolutions": {
        "filters": {"n_filters": 10**12}, "no filters": {"n_filters": 0},
        "width": {"widths": (10**9,)}, "widths": {"widths": tuple(range(1, 1025))},
        "twice": {"widths": [2, 2, 3]}, "text": {"widths": "234"},
        "number": {"widths": 3}, "other widths": {"widths": (3, 2, 4)}, "unknown": {"d_hidden": 4},
    },
    "lstm": {
        "state": {"d_hidden": 10**12}, "layers": {"n_layers": 10**12}, "none": {"n_layers": 0},
        "pooling": {"pooling": "mean"}, "list": {"pooling": ["max"]}, "unknown": {"widths": (2,)},
    },
}  # fmt: skip
for crafted in CRAFTED.values():
    crafted |= {
        "d_model": {"d_model": 10**12}, "terms": {"n_terms": 10**12}, "classes": {"n_classes": 9},
        "share": {"dropout": float("nan")}, "kind": {"d_model": "16"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, crafted in CRAFTED.items() for name in crafted]
)
def test_crafted_parts_are_refused_before_they_take_memory(monkeypatch, kind, name):
    classifier = copy.deepcopy(fitted(kind))
    classifier._parts = {**classifier._parts, **CRAFTED[kind][name]}
    classifier = loaded(saved(classifier))
    original, made = TextNetwork.__init__, []

    def watched(self):
        made.append(1)
        original(self)

    monkeypatch.setattr(TextNetwork, "__init__", watched)
    tracemalloc.start()
    try:
        with pytest.raises(InvalidInputError, match=r"do not fit its settings.*Fit again, or load"):
            classifier.predict(["好"])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 2**24
    assert made == [1] * (name == "other widths")  # as many numbers as there are, in other shapes


@baselines
def test_a_part_that_is_missing_is_refused(kind):
    classifier = copy.deepcopy(fitted(kind))
    classifier._parts.pop("d_model")
    message = f"weights of this {type(classifier).__name__} do not fit its settings"
    with pytest.raises(InvalidInputError, match=message):
        classifier.predict(["好"])


@baselines
def test_weights_that_are_not_finite_are_refused(kind):
    classifier = copy.deepcopy(fitted(kind))
    weights = {name: each.copy() for name, each in safetensors.numpy.load(
        classifier._weights).items()}  # fmt: skip
    weights["head.bias"][0] = np.nan
    classifier._weights = safetensors.numpy.save(weights)
    message = f"weights of this {type(classifier).__name__} must be finite"
    with pytest.raises(InvalidInputError, match=message):
        classifier.predict(["好"])


@baselines
def test_sizes_that_are_set_after_fit_wait_for_the_next(kind):
    classifier = copy.deepcopy(fitted(kind))
    wanted = content(classifier.predict_proba(DOCUMENTS))
    own = {"n_filters": 3, "widths": [1]} if kind == "convolutions" else {"d_hidden": 3}
    changed = loaded(saved(classifier.set_params(d_model=4, **own)))
    assert content(changed.predict_proba(DOCUMENTS)) == wanted
    assert changed.get_params() == classifier.get_params()
