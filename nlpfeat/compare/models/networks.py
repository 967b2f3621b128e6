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
"""What networks take on the texts of phenomena; see the one of attention."""


def network_models() -> list[ComparedModel]:
    """Return the models of the family "network"."""
    return [
        _model("text-cnn", "convolutions over two to four characters", TextCnnBaseline()),
        _model("bilstm", "a recurrent network that reads both ways", BiLstmBaseline()),
    ]


def _model(name: str, description: str, estimator: Any) -> ComparedModel:
    estimator.set_params(device="cpu")
    return ComparedModel(
        name=name, family="network", description=description, estimator=estimator, grid=_GRID,
        on_phenomena=ON_PHENOMENA,
    )  # fmt: skip
