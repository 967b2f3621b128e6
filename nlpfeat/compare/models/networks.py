"""Other networks, trained from nothing on the same tokens."""

from typing import Any

from nlpfeat.classifiers.bi_lstm import BiLstmBaseline
from nlpfeat.classifiers.text_cnn import TextCnnBaseline
from nlpfeat.compare.models.compared_model import ComparedModel

_GRID: dict[str, tuple[Any, ...]] = {
    "dropout": (0.2, 0.4, 0.5),
    "token_dropout": (0.0, 0.1, 0.2),
    "learning_rate": (5e-4, 1e-3, 2e-3),
}

RECIPES: dict[int, dict[str, Any]] = {
    2_000: {"max_epochs": 20, "batch_size": 32, "learning_rate": 2e-3},
    10_000: {"max_epochs": 12, "learning_rate": 2e-3},
}
"""How networks are trained on few documents, attention with every variant and prior among them.

With fewer documents an epoch is fewer steps. Chosen on training headlines, for attention; see
docs/bridge.md.
"""

ON_PHENOMENA: dict[str, Any] = {
    "unit": "word",
    "d_model": 32,
    "min_df": 1,
    "dropout": 0.0,
    "token_dropout": 0.0,
    "label_smoothing": 0.0,
    "batch_size": 32,
    "max_epochs": 60,
}
"""What every network takes on the texts of phenomena, with its own learning rate.

A phenomenon is 800 short texts of a grammar, and its ceilings are those of words. With the settings
of a corpus networks learn almost none of them, and what could be seen is the training, not the
feature. Chosen on texts of seed 0, as the strengths of linear models are; see docs/phenomena.md.
"""


def network_models() -> list[ComparedModel]:
    """Return the models of the family "network"."""
    return [
        _model("text-cnn", "convolutions over two to four tokens", TextCnnBaseline()),
        _model("bilstm", "a recurrent network that reads both ways", BiLstmBaseline()),
    ]


def _model(name: str, description: str, estimator: Any) -> ComparedModel:
    estimator.set_params(device="cpu")
    return ComparedModel(
        name=name, family="network", description=description, estimator=estimator, grid=_GRID,
        recipes=RECIPES, on_phenomena=ON_PHENOMENA,
    )  # fmt: skip
