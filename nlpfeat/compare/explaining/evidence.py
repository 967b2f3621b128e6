"""How much each token of a document weighs for a model, one number a token."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.classifiers.attention import AttentionClassifier
from nlpfeat.classifiers.document_attention import DocumentAttention
from nlpfeat.classifiers.nbsvm import NBSVMClassifier
from nlpfeat.compare.explaining.deletion import Evaluations
from nlpfeat.compare.explaining.feature_places import FeaturePlaces, feature_places
from nlpfeat.compare.explaining.orders import leave_one_out
from nlpfeat.compare.explaining.token_places import token_places
from nlpfeat.measures.naive_bayes import presence

LINEAR = (LogisticRegression, LinearSVC, RidgeClassifier, SGDClassifier, NBSVMClassifier)
"""Classifiers whose decision for a class is a sum of coefficient times value."""

METHODS = {
    "attention": "the share of each token in what the model pools",
    "evidence": "what each token adds to the decision for the predicted class",
    "leave one out": "what the log-odds of the predicted class lose without the token",
}
"""Where the weights of a model come from."""


@dataclass(frozen=True, eq=False)
class TokenWeights:
    """The weights of the tokens of documents.

    Parameters
    ----------
    weights : list of ndarray of float64, shape (L,)
        One number a token of each document.
    method : str
        A key of ``METHODS``.
    pairs : list of ndarray of float64, shape (L, L), or None
        How much each token takes of each other one, where tokens attend to tokens.
    """

    weights: list[Float64Array]
    method: str
    pairs: list[Float64Array] | None = None


def token_weights(
    estimator: Any, documents: Sequence[Sequence[str]], evaluations: Evaluations
) -> TokenWeights:
    """Return how much each token weighs.

    Parameters
    ----------
    estimator : fitted estimator
        An ``AttentionClassifier``; a pipeline of vectorizers (or a union of them), transformers
        that keep columns, and a linear classifier; or anything else.
    documents : sequence of sequences of str
        N token lists.
    evaluations : Evaluations
        Of the same model; asked where weights cannot be read off.

    Returns
    -------
    TokenWeights
        "attention": weights of characters are added up to their tokens; what the model does not see
        (punctuation, stop words, what stands behind ``max_length``) has 0. "evidence": coefficient
        times value of each feature, in equal parts over its occurrences and the tokens or
        characters of each; they add up to the decision less its intercept. "leave one out":
        log-odds with the token less those without it.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from nlpfeat import BagOfWordsVectorizer
    >>> model = make_pipeline(BagOfWordsVectorizer(), LogisticRegression())
    >>> texts = [["很", "好"], ["好"], ["很", "差"], ["差"]]
    >>> model = model.fit(texts, ["好评", "好评", "差评", "差评"])
    >>> found = token_weights(model, [["不", "好"]], Evaluations(model.predict_log_proba))
    >>> found.method, found.weights[0].round(2).tolist()
    ('evidence', [0.0, 0.67])
    """
    given = [list(document) for document in documents]
    if isinstance(estimator, AttentionClassifier):
        return attention_on_tokens(estimator.attention_weights(given), given, estimator.unit)
    evidence = linear_evidence(estimator, given)
    if evidence is not None:
        return TokenWeights(evidence, "evidence")
    if not given:
        return TokenWeights([], "leave one out")
    predicted = evaluations.log_probabilities(given).argmax(axis=1)
    return TokenWeights(leave_one_out(given, predicted, evaluations), "leave one out")


def attention_on_tokens(
    attentions: Sequence[DocumentAttention], documents: Sequence[Sequence[str]], unit: str
) -> TokenWeights:
    """Return attention brought from the characters or words that a classifier reads to tokens.

    Parameters
    ----------
    attentions : sequence of DocumentAttention
    documents : sequence of sequences of str
        The N token lists that were read.
    unit : {"word", "char"}
        What the classifier reads.

    Returns
    -------
    TokenWeights
        A token has what its characters have together. Of pairs, means over layers and heads: what
        a token takes is the mean of what its characters take. Without layers there are no pairs.

    Examples
    --------
    >>> attention = DocumentAttention(
    ...     ["很", "好", "吃"],
    ...     np.array([[[[0.5, 0.25, 0.25], [0.5, 0.5, 0.0], [0.0, 0.75, 0.25]]]], np.float32),
    ...     np.array([[[0.5, 0.25, 0.25]]], np.float32),
    ... )
    >>> found = attention_on_tokens([attention], [["很", "好吃"]], "char")
    >>> found.weights[0].tolist(), found.pairs[0].tolist()
    ([0.5, 0.5], [[0.5, 0.5], [0.25, 0.75]])
    """
    weights, pairs = [], []
    for document, attention in zip(documents, attentions):
        n_tokens = len(document)
        read = token_places(document, unit)[: len(attention.tokens)]
        # Which token each character belongs to, (number read, L).
        belongs = np.equal.outer(read, np.arange(n_tokens)).astype(np.float64)
        weights.append(attention.token_weights.astype(np.float64) @ belongs)
        if len(attention.layers):
            taken = attention.layers.mean(axis=(0, 1), dtype=np.float64)
            n_read = np.maximum(belongs.sum(axis=0), 1)
            pairs.append(belongs.T @ taken @ belongs / n_read[:, None])
    return TokenWeights(weights, "attention", pairs if len(pairs) == len(weights) else None)


def linear_evidence(estimator: Any, documents: list[list[str]]) -> list[Float64Array] | None:
    """Return what each token adds to the decision for the predicted class.

    Parameters
    ----------
    estimator : fitted estimator
    documents : list of list of str

    Returns
    -------
    list of ndarray of float64, shape (L,), or None
        None when the estimator is no pipeline that ends in a linear classifier, or when a feature
        stands on no token.
    """
    if not isinstance(estimator, Pipeline) or len(estimator.steps) < 2:
        return None
    classifier = estimator[-1]
    is_linear = isinstance(classifier, LINEAR)
    places = feature_places(estimator[:-1], documents) if is_linear else None
    if places is None:
        return None
    if not documents:
        return []
    from scipy.sparse import csr_array

    features = csr_array(estimator[:-1].transform(documents))
    if isinstance(classifier, NBSVMClassifier) and classifier.binary:
        features = presence(features)
    coefficients = np.asarray(classifier.coef_, dtype=np.float64)
    decisions = features @ coefficients.T + classifier.intercept_
    if len(coefficients) == 1:
        coefficients = np.concatenate([-coefficients, coefficients])
        decisions = np.concatenate([-decisions, decisions], axis=1)
    predicted = decisions.argmax(axis=1)
    rows = np.repeat(np.arange(len(documents)), np.diff(features.indptr))
    columns = features.indices.astype(np.int64)
    values = features.data * coefficients[predicted[rows], columns]
    return _spread(values, rows * np.int64(places.n_columns) + columns, places, documents)


def _spread(
    values: Float64Array, cells: Int64Array, places: FeaturePlaces, documents: list[list[str]]
) -> list[Float64Array] | None:
    """Return the sum of values over the tokens on which the features of their cells stand."""
    order = np.argsort(cells)
    cells, values = cells[order], values[order]
    wanted = places.documents * np.int64(places.n_columns) + places.columns
    at = np.searchsorted(cells, wanted)
    is_cell = at < len(cells)
    is_cell[is_cell] = cells[at[is_cell]] == wanted[is_cell]
    at, shares = at[is_cell], places.shares[is_cell]
    totals = np.bincount(at, shares, minlength=len(cells))
    if not totals.all():
        return None
    lengths = [len(document) for document in documents]
    starts = np.cumsum([0, *lengths])
    tokens = starts[places.documents[is_cell]] + places.places[is_cell]
    summed = np.zeros(int(starts[-1]))
    np.add.at(summed, tokens, values[at] * shares / totals[at])
    return np.split(summed, starts[1:-1])
