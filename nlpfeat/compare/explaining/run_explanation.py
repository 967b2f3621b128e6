"""What one fitted model says of the documents that its split explains: figures, no text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.classifiers.attention import AttentionClassifier
from nlpfeat.compare.explaining.agreement import DocumentAgreement, agreement
from nlpfeat.compare.explaining.attention_figures import AttentionFigures, attention_figures
from nlpfeat.compare.explaining.deletion import Evaluations
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts
from nlpfeat.compare.explaining.evidence import token_weights
from nlpfeat.compare.explaining.faithfulness import OrderFigures, faithfulness
from nlpfeat.compare.explaining.listing import array, listed
from nlpfeat.compare.explaining.omission import OmissionEffect, omission
from nlpfeat.compare.explaining.orders import ORDERS, Explained, descending
from nlpfeat.compare.explaining.untrained import untrained_attention
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
    attention : AttentionFigures or None
        Of an attention alone.
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
    attention: AttentionFigures | None = None

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
                    "raw": {key: listed(values) for key, values in each.raw.items()},
                    "normalized": {key: listed(value) for key, value in each.normalized.items()},
                }
                for name, each in self.faithfulness.items()
            },
            "agreement": {name: each.to_dict() for name, each in self.agreement.items()},
            "omission": {kind: each.to_dict() for kind, each in self.omission.items()},
            "n_evaluations": self.n_evaluations,
            "attention": None if self.attention is None else self.attention.to_dict(),
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "RunExplanation":
        """Return what ``to_dict`` gave."""
        figures = {
            name: OrderFigures(
                {key: array(values) for key, values in each["raw"].items()},
                {key: array(values) for key, values in each["normalized"].items()},
            )
            for name, each in stored["faithfulness"].items()
        }
        attention = stored["attention"]
        return cls(
            stored["model"], stored["split"], stored["seed"], stored["method"],
            stored["predicted"], [array(each) for each in stored["weights"]], figures,
            {
                name: DocumentAgreement.from_dict(each)
                for name, each in stored["agreement"].items()
            },
            {kind: OmissionEffect.from_dict(each) for kind, each in stored["omission"].items()},
            stored["n_evaluations"],
            None if attention is None else AttentionFigures.from_dict(attention),
        )  # fmt: skip


def explain_run(
    estimator: Any,
    score: LogScores,
    texts: ExplainedTexts,
    *,
    model: str,
    seed: int = 0,
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
    evaluations = Evaluations(score)
    predicted = _predicted(evaluations, texts)
    found = token_weights(estimator, texts.documents, evaluations)
    explained = Explained(
        texts.documents, predicted, evaluations, found.weights,
        [each.idf for each in texts.scores], n_random, random_state,
    )  # fmt: skip
    orders = {name: order.make(explained) for name, order in ORDERS.items()}
    scores = [each.of_class(column) for each, column in zip(texts.scores, predicted.tolist())]
    untrained = None
    if isinstance(estimator, AttentionClassifier):
        untrained = untrained_attention(estimator, texts.documents)
    places = omitted_places(texts, found.weights)
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
            initial=None if untrained is None else untrained.weights,
            n_permutations=n_permutations, random_state=random_state,
        ),
        omission=_omission(evaluations, texts, places),
        n_evaluations=evaluations.n_evaluations,
        attention=attention_figures(
            estimator, score, texts, found, places,
            initial=None if untrained is None else untrained.pairs,
            n_permutations=n_permutations, random_state=random_state,
        ) if isinstance(estimator, AttentionClassifier) else None,
    )  # fmt: skip


def _predicted(evaluations: Evaluations, texts: ExplainedTexts) -> Int64Array:
    """Return the column of the class that the model says of each document."""
    if not texts.documents:
        raise InvalidInputError(
            "texts must hold at least one document. Got none: no test document of the split can be "
            "explained, as texts.note says."
        )
    answers = evaluations.log_probabilities(texts.documents)
    if answers.shape[1] != len(texts.classes):
        raise InvalidInputError(
            f"score must return a column for each of the {len(texts.classes)} classes. Got "
            f"{answers.shape[1]}."
        )
    predicted: Int64Array = answers.argmax(axis=1)
    return predicted


def omitted_places(texts: ExplainedTexts, weights: Sequence[Float64Array]) -> dict[str, list[int]]:
    """Return the tokens that are left out, of the documents that have one for each kind.

    Parameters
    ----------
    texts : ExplainedTexts
    weights : sequence of ndarray of shape (L,)
        What a model weighs in each of ``texts.documents``.

    Returns
    -------
    dict of str to list of int
        For each of ``KINDS``, of the documents ``texts.rows_of_omission``.
    """
    rows = texts.rows_of_omission
    return {
        "strongest": [int(descending(weights[row])[0, 0]) for row in rows],
        "cue": [texts.cues[row] for row in rows],
        "random": [texts.alike[row] for row in rows],
    }


def _omission(
    evaluations: Evaluations, texts: ExplainedTexts, places: dict[str, list[int]]
) -> dict[str, OmissionEffect]:
    rows, columns = texts.rows_of_omission, texts.columns
    documents = [texts.documents[row] for row in rows]
    return omission(evaluations, documents, [columns[row] for row in rows], places)
