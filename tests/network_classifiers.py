"""Every classifier that is a network, small and quick: what tests of all of them go over."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from nlpfeat import AttentionClassifier, BiLstmBaseline, TextCnnBaseline, load_everyday

#: Each with the parameters that make its own part small.
KINDS: dict[str, tuple[type, dict[str, Any]]] = {
    "attention": (AttentionClassifier, {"n_layers": 1, "n_heads": 2}),
    "convolutions": (TextCnnBaseline, {"n_filters": 8}),
    "lstm": (BiLstmBaseline, {"d_hidden": 8}),
}
SMALL = {"d_model": 16, "min_df": 1, "random_state": 0, "max_epochs": 2, "batch_size": 8}

each = pytest.mark.parametrize("kind", KINDS)
"""Run a test with each kind."""


def small(kind: str, **parameters: Any) -> Any:
    """Return a small classifier that is not fitted."""
    make, own = KINDS[kind]
    return make(**{**SMALL, **own, **parameters})


@cache
def everyday() -> tuple[list[str], list[str]]:
    """Return texts and labels, shuffled."""
    documents = list(load_everyday().documents())
    order = np.random.default_rng(0).permutation(len(documents)).tolist()
    return [documents[row].text for row in order], [str(documents[row].label) for row in order]


@cache
def learned(kind: str) -> Any:
    """Return a classifier that has learned something; not to be changed."""
    texts, labels = everyday()
    parameters: dict[str, Any] = {"d_model": 32, "min_df": 2, "max_epochs": 8, "batch_size": 32}
    # Fewer texts than the defaults are for: what they hold back is needed here.
    parameters |= {"averaging": None, "label_smoothing": 0.0, "learning_rate": 5e-3}
    own: dict[str, dict[str, Any]] = {
        "attention": {"dropout": 0.3, "n_queries": 1},
        "convolutions": {"dropout": 0.1, "n_filters": 64},
        "lstm": {"dropout": 0.1, "d_hidden": 32, "batch_size": 16, "learning_rate": 1e-2},
    }
    return small(kind, **{**parameters, **own[kind]}).fit(texts[::2], labels[::2])
