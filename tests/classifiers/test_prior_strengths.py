"""What strengths and weights of parts became, and what torch says they are."""

import copy
import subprocess
import sys

import numpy as np
import pytest
from estimators import DOCUMENTS, LABELS, loaded, saved

from nlpfeat import AttentionClassifier
from nlpfeat.classifiers._kept_networks import network_and_device
from nlpfeat.errors import InvalidInputError
from nlpfeat.priors import (
    EmbeddingPrior,
    ExpertPrior,
    KeyPrior,
    PmiPrior,
    TopicPrior,
    WidePrior,
)

SMALL = {
    "d_model": 16, "n_layers": 3, "n_heads": 2, "min_df": 1, "random_state": 0, "max_epochs": 2,
    "learning_rate": 0.01,
}  # fmt: skip


def learned(*priors, **parameters):
    return AttentionClassifier(**{**SMALL, **parameters}, priors=priors).fit(DOCUMENTS, LABELS)


SHAPES = {
    "all": (KeyPrior(), (2, 2)),
    "each layer": (KeyPrior(share_layers=False), (4, 2)),
    "layers": (KeyPrior(where="layers"), (1, 2)),
    "pooling": (KeyPrior(where="pooling"), (1, 2)),
    "pmi": (PmiPrior(self_term=True), (1, 2)),
    "pmi of low rank": (PmiPrior(rank=2, share_layers=False), (3, 2)),
    "lift": (TopicPrior(n_topics=2), (2, 2)),
    "token": (TopicPrior(n_topics=2, form="token"), ()),
    "gate": (TopicPrior(n_topics=2, form="gate"), None),
    "embedding": (EmbeddingPrior(n_components=2), None),
    "wide": (WidePrior(), None),
    "expert": (ExpertPrior(learned="scalar", n_folds=2), (1,)),
    "expert of classes": (ExpertPrior(learned="class", n_folds=2), (2,)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_strengths_are_those_of_the_network(name):
    prior, shape = SHAPES[name]
    classifier = learned(prior)
    (found,) = classifier.prior_strengths_
    assert (None if found is None else found.shape) == shape
    if found is None:
        return
    term = network_and_device(classifier)[0].terms[0]
    if name == "token":
        assert float(found) == pytest.approx(np.tanh(term.gate.item()), abs=1e-7)
        return
    wanted = term.beta if name.startswith("expert") else term.strength.values
    assert found.dtype == np.float32
    assert found.tolist() == wanted.tolist()
    if prior.strength == 0.0:
        assert np.abs(found).max() > 0


def test_strengths_that_are_not_learned_stay():
    classifier = learned(KeyPrior(strength=0.5, learned=False), WidePrior())
    first, second = classifier.prior_strengths_
    assert first.tolist() == [[0.5, 0.5]] * 2
    assert second is None
    assert learned().prior_strengths_ == []


def test_weights_of_parts_are_those_of_the_network():
    classifier = learned(
        ExpertPrior(n_folds=2), KeyPrior(), WidePrior(), ExpertPrior(n_folds=3),
        calibration_fraction=0.2,
    )  # fmt: skip
    found = classifier.part_weights_
    assert list(found) == ["attention", "expert", "wide", "expert-2"]
    network = network_and_device(classifier)[0]
    assert list(found.values()) == network.part_weights.tolist()
    assert loaded(saved(classifier)).part_weights_ == found
    assert learned(KeyPrior()).part_weights_ == {"attention": 1.0}


def test_before_fit_they_are_not_there():
    assert not hasattr(AttentionClassifier(), "part_weights_")
    assert not hasattr(AttentionClassifier(), "prior_strengths_")


def test_weights_that_are_none_are_refused():
    classifier = copy.deepcopy(learned())
    for weights in (b"", b"\xff" * 200, "text"):
        classifier._weights = weights
        for name in ("part_weights_", "prior_strengths_"):
            with pytest.raises(InvalidInputError, match=r"do not fit its priors\. Fit again"):
                getattr(classifier, name)
    classifier = copy.deepcopy(learned())
    classifier.priors_ = learned(WidePrior()).priors_
    with pytest.raises(InvalidInputError, match="do not fit its priors"):
        _ = classifier.part_weights_


WITHOUT_TORCH = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
import nlpfeat
found = nlpfeat.load(sys.argv[1])
print(found.part_weights_, found.prior_strengths_[0].shape)
"""


def test_no_torch_is_needed(tmp_path):
    (tmp_path / "saved").write_bytes(saved(learned(KeyPrior())))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, str(tmp_path / "saved")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "{'attention': 1.0} (2, 2)"
