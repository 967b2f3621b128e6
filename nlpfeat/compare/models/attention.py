"""Attention and its variants, alone and with classical features as priors."""

from typing import Any

from nlpfeat.classifiers.attention import AttentionClassifier
from nlpfeat.compare.models.compared_model import ComparedModel
from nlpfeat.compare.models.networks import ON_PHENOMENA as OF_NETWORKS
from nlpfeat.compare.models.networks import RECIPES
from nlpfeat.priors import PRIORS, Prior

_GRID: dict[str, tuple[Any, ...]] = {
    "dropout": (0.2, 0.4),
    "token_dropout": (0.1, 0.2, 0.3),
    "learning_rate": (1e-3, 1.5e-3, 2e-3, 3e-3),
}

ON_PHENOMENA: dict[str, Any] = OF_NETWORKS | {"position": "rope", "learning_rate": 3e-3}
"""What attention takes on the texts of phenomena, with every variant and every prior alike."""

VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "attention": ("2 layers of 4 heads over characters, over words on phenomena", {}),
    "attention-single-head": ("2 layers of one head", {"n_heads": 1}),
    "attention-grouped": ("2 layers, 4 heads on 2 heads of keys and values", {"n_kv_heads": 2}),
    "attention-multi-query": ("2 layers, 4 heads on one of keys and values", {"n_kv_heads": 1}),
    "attention-2x8": (
        "16 heads of width 16, in 2 layers",
        {"n_layers": 2, "n_heads": 8, "d_head": 16},
    ),
    "attention-16x1": (
        "the same 16 heads, in 16 layers",
        {"n_layers": 16, "n_heads": 1, "d_head": 16},
    ),
    "attention-words": ("2 layers of 4 heads over words", {"unit": "word"}),
}

_PRIORS = {
    "wide": "weights of n-grams beside it",
    "expert": "NBSVM beside it",
    "embedding": "tokens that start as PMI vectors",
    "key": "a bias for rare tokens",
    "pmi": "a bias for tokens that like each other's company",
    "topic": "a bias for tokens of the topics of the document",
}


def attention_models() -> list[ComparedModel]:
    """Return the models of the families "attention", "prior" and "placebo"."""
    models = [
        _model(name, "attention", description, AttentionClassifier(**arguments))
        for name, (description, arguments) in VARIANTS.items()
    ]
    for name, description in _PRIORS.items():
        prior = PRIORS[name]()
        models.append(
            _model(f"attention+{name}", "prior", f"attention, {description}", _with(prior))
        )
        wrong = f"{description}, but of the wrong words or documents"
        placebo = _with(prior.shuffled(0))
        models.append(
            _model(f"attention+{name}-placebo", "placebo", f"attention, {wrong}", placebo)
        )
    return models


def _with(prior: Prior) -> AttentionClassifier:
    return AttentionClassifier(priors=(prior,))


def _model(name: str, family: str, description: str, estimator: Any) -> ComparedModel:
    estimator.set_params(device="cpu")
    return ComparedModel(
        name=name, family=family, description=description, estimator=estimator, grid=_GRID,
        recipes=RECIPES, sees="attention", on_phenomena=ON_PHENOMENA,
    )  # fmt: skip
