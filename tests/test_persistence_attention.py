"""Saving and loading the attention classifier: weights as safetensors, and what damages them."""

import copy
import io
import json
import pickle
import subprocess
import sys
import zipfile

import numpy as np
import pytest
import safetensors.torch
import torch
from estimators import (
    CLASSIFY_DOCUMENTS,
    DOCUMENTS,
    LABELS,
    content,
    fitted,
    learned_with_priors,
    loaded,
    saved,
)

from nlpfeat import AttentionClassifier, save
from nlpfeat.attention.scores import AdditiveScore
from nlpfeat.errors import InvalidInputError

MAKE = CLASSIFY_DOCUMENTS["attention"]
PRIOR_NAMES = ["embedding", "expert", "key", "pmi", "pmi of low rank", "topic", "wide"]


def members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_weights_are_one_file_of_safetensors_and_nothing_is_pickled():
    found = members(saved(fitted(MAKE)))
    binary = [data for name, data in found.items() if name.endswith(".bin")]
    assert fitted(MAKE)._weights in binary
    weights = safetensors.torch.load(fitted(MAKE)._weights)
    assert {value.dtype for value in weights.values()} == {torch.float32}
    assert weights["embedding.weight"].shape == (len(fitted(MAKE).vocabulary_) + 2, 8)
    for name, data in found.items():
        assert not data.startswith(b"\x80\x04"), name  # what pickle begins with
    assert set(map(type, fitted(MAKE)._parts.values())) <= {str, int, float, type(None)}
    assert json.loads(json.dumps(fitted(MAKE)._parts)) == fitted(MAKE)._parts


def test_the_order_of_predicting_and_saving_does_not_matter():
    classifier = MAKE().fit(DOCUMENTS, LABELS)
    before = saved(classifier)
    classifier.predict(DOCUMENTS)
    classifier.attention_weights(DOCUMENTS)
    assert saved(classifier) == before == saved(loaded(before))


def test_settings_as_objects_come_back():
    classifier = MAKE().set_params(attention_score=AdditiveScore(n_layers=2))
    classifier.fit(DOCUMENTS, LABELS)
    wanted = content(classifier.predict_proba(DOCUMENTS))
    for copied in (loaded(saved(classifier)), pickle.loads(pickle.dumps(classifier))):
        assert copied.attention_score == AdditiveScore(n_layers=2)
        assert content(copied.predict_proba(DOCUMENTS)) == wanted


def test_all_priors_are_tried():
    assert sorted(learned_with_priors()) == PRIOR_NAMES


@pytest.mark.parametrize("name", PRIOR_NAMES)
def test_priors_come_back(name):
    classifier = learned_with_priors()[name]
    wanted = content(classifier.predict_proba(DOCUMENTS))
    data = saved(classifier)
    for copied in (loaded(data), pickle.loads(pickle.dumps(classifier))):
        assert content(copied.predict_proba(DOCUMENTS)) == wanted
        assert saved(copied) == data
    again = MAKE().set_params(priors=classifier.priors).fit(DOCUMENTS, LABELS)
    assert saved(again) == data


def test_parameters_that_change_after_fit_do_not_change_the_network():
    classifier = copy.deepcopy(fitted(MAKE))
    wanted = content(classifier.predict_proba(DOCUMENTS))
    changed = loaded(saved(classifier.set_params(d_model=12, n_layers=3, position="rope")))
    assert content(changed.predict_proba(DOCUMENTS)) == wanted


def with_weights(change):
    """Return a classifier whose weights a function has changed."""
    classifier = copy.deepcopy(fitted(MAKE))
    weights = safetensors.torch.load(classifier._weights)
    change(weights)
    classifier._weights = safetensors.torch.save(weights)
    return classifier


def damaged():
    """Yield names and classifiers that do not hold together."""
    weights = fitted(MAKE)._weights
    for name, data in {
        "nothing": b"", "half": weights[: len(weights) // 2], "noise": b"\xff" * 200,
        "header": weights[:9] + b"!" + weights[10:], "text": "text", "number": 5,
    }.items():  # fmt: skip
        classifier = copy.deepcopy(fitted(MAKE))
        classifier._weights = data
        yield name, classifier
    yield "missing", with_weights(lambda each: each.pop("head.weight"))
    yield "more", with_weights(lambda each: each.update(other=torch.zeros(2)))
    yield "shape", with_weights(lambda each: each.update({"head.weight": torch.zeros(3, 8)}))
    for name, parts in {
        "width": {"d_model": 16}, "huge": {"d_model": 10**9}, "terms": {"n_terms": 10**12},
        "classes": {"n_classes": 5}, "slot": {"position": "nowhere"}, "heads": {"n_heads": 3},
        "layers": {"n_layers": 2}, "depth": {"n_layers": 10**9}, "queries": {"n_queries": 10**9},
        "d_head": {"d_head": 10**12}, "places": {"position": "absolute", "max_length": 10**12},
         "kind": {"n_layers": "2"}, "none": {"d_model": None},
        "unknown": {"another": 1},
    }.items():  # fmt: skip
        classifier = copy.deepcopy(fitted(MAKE))
        classifier._parts = {**classifier._parts, **parts}
        yield name, classifier
    classifier = copy.deepcopy(fitted(MAKE))
    del classifier._parts["normalizer"]
    yield "less", classifier
    classifier = copy.deepcopy(fitted(MAKE))
    classifier.classes_ = np.array(["好"])
    yield "labels", classifier


DAMAGED = dict(damaged())


@pytest.mark.parametrize("name", DAMAGED)
def test_what_does_not_belong_together_is_refused(name):
    classifier = loaded(saved(DAMAGED[name]))
    for method in (classifier.predict, classifier.predict_proba, classifier.attention_weights):
        with pytest.raises(InvalidInputError, match=r"do not fit its settings.*Fit again, or load"):
            method(["好"])


def test_weights_must_be_finite():
    classifier = with_weights(lambda each: each["head.weight"].fill_(float("nan")))
    with pytest.raises(InvalidInputError, match=r"must be finite\. Fit again"):
        loaded(saved(classifier)).predict(["好"])


WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
import nlpfeat
from nlpfeat.errors import MissingDependencyError
classifier = nlpfeat.load(sys.argv[1])
print(len(classifier.vocabulary_), *classifier.classes_)
try:
    classifier.predict(["好"])
except MissingDependencyError as error:
    print(error)
"""


def test_a_file_is_loaded_without_torch_but_does_not_predict(tmp_path):
    save(learned_with_priors()["wide"], tmp_path / "saved")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT, str(tmp_path / "saved")],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    shown, message = done.stdout.splitlines()
    assert shown == f"{len(fitted(MAKE).vocabulary_)} 坏 好"
    assert "nlpfeat[attention]" in message


def test_an_unfitted_one_comes_back():
    classifier = AttentionClassifier(
        priors=("wide",), class_weight={"好": 2.0}, stop_words={"的"}, d_head=16
    )
    assert loaded(saved(classifier)).get_params() == classifier.get_params()
