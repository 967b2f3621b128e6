"""What one fitted model says of the documents that its split explains: figures, no text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.compare.explaining.agreement import DocumentAgreement, agreement
from nlpfeat.compare.explaining.deletion import Evaluations
from nlpfeat.compare.explaining.evidence import TokenWeights, token_weights
from nlpfeat.compare.explaining.explained_texts import ExplainedTexts
from nlpfeat.compare.explaining.faithfulness import OrderFigures, faithfulness
from nlpfeat.compare.explaining.omission import OmissionEffect, omission
from nlpfeat.compare.explaining.orders import ORDERS, Explained, descending
from nlpfeat.compare.log_scores import LogScores
from nlpfeat.errors import InvalidInputError


@dataclass(frozen=True, eq=False)
class RunExplanation:
    """The explanation of one run, over the N documents of `ExplainedTexts`.

    Parameters
    ----------
    model : str
    split, seed : int
    method : str
        Where the weights come from: a key of ``METHODS``.
    predicted : list of int
        The column of the predicted class of each document.
    weights : list of ndarray of shape (L,)
        One number a token.
    faithfulness : dict of str to OrderFigures
        For each of ``ORDERS``.
    agreement : dict of str to DocumentAgreement
        For each of ``SCORES``.
    omission : dict of str to OmissionEffect
        For each of ``KINDS``, over the documents that have a token for each kind.
    n_evaluations : int
        How many different documents the model has read for it.
    """

    model: str
    split: int
    seed: int
    method: str
    predicted: list[int]
    weights: list[Float64Array]
    faithfulness: dict[str, OrderFigures]
    agreement: dict[str, DocumentAgreement]
    omission: dict[str, OmissionEffect]
    n_evaluations: int

    def to_dict(self) -> dict[str, Any]:
        """Return lists, texts and numbers that JSON holds; None stands for NaN."""
        return {
            "model": self.model,
            "split": self.split,
            "seed": self.seed,
            "method": self.method,
            "predicted": self.predicted,
            "weights": [each.tolist() for each in self.weights],
            "faithfulness": {
                name: {
                    "raw": {key: _listed(values) for key, values in each.raw.items()},
                    "normalized": {key: _listed(value) for key, value in each.normalized.items()},
                }
                for name, each in self.faithfulness.items()
            },
            "agreement": {
                name: {
                    "tau": _listed(each.tau),
                    "top_three": _listed(each.top_three),
                    "permutation": _listed(each.permutation),
                    "initial": None if each.initial is None else _listed(each.initial),
                }
                for name, each in self.agreement.items()
            },
            "omission": {
                kind: {
                    "right_before": each.right_before.tolist(),
                    "right_after": each.right_after.tolist(),
                    "delta": each.delta.tolist(),
                }
                for kind, each in self.omission.items()
            },
            "n_evaluations": self.n_evaluations,
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "RunExplanation":
        """Return what ``to_dict`` gave."""
        figures = {
            name: OrderFigures(
                {key: _array(values) for key, values in each["raw"].items()},
                {key: _array(values) for key, values in each["normalized"].items()},
            )
            for name, each in stored["faithfulness"].items()
        }
        agreements = {
            name: DocumentAgreement(
                _array(each["tau"]),
                _array(each["top_three"]),
                _array(each["permutation"]),
                None if each["initial"] is None else _array(each["initial"]),
            )
            for name, each in stored["agreement"].items()
        }
        effects = {
            kind: OmissionEffect(
                np.array(each["right_before"], dtype=np.bool_),
                np.array(each["right_after"], dtype=np.bool_),
                _array(each["delta"]),
            )
            for kind, each in stored["omission"].items()
        }
        return cls(
            stored["model"], stored["split"], stored["seed"], stored["method"],
            stored["predicted"], [_array(each) for each in stored["weights"]],
            figures, agreements, effects, stored["n_evaluations"],
        )  # fmt: skip


def _listed(values: Float64Array) -> list[float | None]:
    return [None if np.isnan(each) else each for each in values.tolist()]


def _array(values: Sequence[float | None]) -> Float64Array:
    return np.array([np.nan if each is None else each for each in values], dtype=np.float64)


def explain_run(
    estimator: Any,
    score: LogScores,
    texts: ExplainedTexts,
    *,
    model: str,
    seed: int = 0,
    initial: Sequence[Float64Array] | None = None,
    n_random: int = 5,
    n_permutations: int = 10,
    width: int = 2,
    random_state: int = 0,
) -> RunExplanation:
    """Explain a fitted model on the documents of its split.

    Parameters
    ----------
    estimator : fitted estimator
        Whose weights are read; see `token_weights`.
    score : LogScores
        The same model: log-probabilities, columns in the order of ``texts.classes``. It is asked
        about empty documents too.
    texts : ExplainedTexts
        Of the split on whose training part the model was fitted.
    model : str
        Its name in the comparison.
    seed : int, default 0
    initial : sequence of ndarray of shape (L,), default None
        The weights that the model had before training.
    n_random : int, default 5
        Random orders of deletion of each document.
    n_permutations : int, default 10
        How often weights are shuffled.
    width : int, default 2
        Of the beam that searches the bounds of AOPC.
    random_state : int, default 0
        What draws orders and shuffles.

    Returns
    -------
    RunExplanation

    Raises
    ------
    InvalidInputError
        When there is no document, and when ``score`` gives other columns than classes, or anything
        but log-probabilities.
    InvalidParameterError
        For a number that cannot be.
    """
    if not texts.documents:
        raise InvalidInputError(
            "texts must hold at least one document. Got none: no test document of the split can be "
            "explained, as texts.note says."
        )
    evaluations = Evaluations(score)
    answers = evaluations.log_probabilities(texts.documents)
    if answers.shape[1] != len(texts.classes):
        raise InvalidInputError(
            f"score must return a column for each of the {len(texts.classes)} classes. Got "
            f"{answers.shape[1]}."
        )
    predicted = answers.argmax(axis=1)
    found = token_weights(estimator, texts.documents, evaluations)
    explained = Explained(
        texts.documents, predicted, evaluations, found.weights,
        [each.idf for each in texts.scores], n_random, random_state,
    )  # fmt: skip
    orders = {name: order.make(explained) for name, order in ORDERS.items()}
    scores = [each.of_class(column) for each, column in zip(texts.scores, predicted.tolist())]
    return RunExplanation(
        model=model,
        split=texts.split,
        seed=seed,
        method=found.method,
        predicted=predicted.tolist(),
        weights=found.weights,
        faithfulness=faithfulness(evaluations, texts.documents, orders, width=width),
        agreement=agreement(
            texts.documents, found.weights, scores,
            initial=initial, n_permutations=n_permutations, random_state=random_state,
        ),
        omission=_omission(evaluations, texts, found),
        n_evaluations=evaluations.n_evaluations,
    )  # fmt: skip


def _omission(
    evaluations: Evaluations, texts: ExplainedTexts, found: TokenWeights
) -> dict[str, OmissionEffect]:
    """Return the effects on the documents that have a token for each kind."""
    rows = [row for row, place in enumerate(texts.alike) if place >= 0]
    columns = texts.columns
    places = {
        "strongest": [int(descending(found.weights[row])[0, 0]) for row in rows],
        "cue": [texts.cues[row] for row in rows],
        "random": [texts.alike[row] for row in rows],
    }
    documents = [texts.documents[row] for row in rows]
    return omission(evaluations, documents, [columns[row] for row in rows], places)
