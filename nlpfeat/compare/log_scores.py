"""A fitted model as a function: token lists to log-probabilities of all classes."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.compare.metrics.predictions import LEAST_LOG_PROBABILITY
from nlpfeat.errors import InvalidInputError

_VOTE = 1e-6


class LogScores(Protocol):
    """Documents → log-probabilities."""

    def __call__(self, documents: list[list[str]]) -> Float64Array:
        """Return log-probabilities.

        Parameters
        ----------
        documents : list of list of str
            N token lists.

        Returns
        -------
        ndarray of float64, shape (N, C)
            Finite.
        """


class ModelScores:
    """`LogScores` of a fitted estimator.

    It takes the first that there is: ``predict_log_proba``, ``predict_proba``, the softmax of
    ``decision_function`` (for two classes the logistic function of it), or what ``predict`` says,
    which gets all but a millionth.

    Parameters
    ----------
    estimator : object
        Fitted.
    classes : sequence of str
        All C classes, sorted. One that the estimator does not know gets the least probability.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> from nlpfeat import BagOfWordsVectorizer
    >>> model = make_pipeline(BagOfWordsVectorizer(), LinearSVC(random_state=0))
    >>> scores = ModelScores(model.fit([["好"], ["坏"]], ["正", "负"]), ["正", "负"])
    >>> np.exp(scores([["好"], []])).round(2)
    array([[0.66, 0.34],
           [0.5 , 0.5 ]])
    """

    def __init__(self, estimator: Any, classes: Sequence[str]) -> None:
        self.estimator = estimator
        self.classes = list(classes)
        known = getattr(estimator, "classes_", None)
        known = self.classes if known is None else [str(each) for each in np.asarray(known)]
        strange = sorted(set(known) - set(self.classes))
        if strange:
            raise InvalidInputError(
                f"{type(estimator).__name__} must tell the classes that it was fitted on. Got "
                f"{strange[0]!r} among its classes_."
            )
        self._columns = [self.classes.index(each) for each in known]

    def __call__(self, documents: list[list[str]]) -> Float64Array:
        """Return log-probabilities, shape (N, C)."""
        n_documents, n_classes = len(documents), len(self.classes)
        logs = np.full((n_documents, n_classes), LEAST_LOG_PROBABILITY)
        if n_documents:
            found = self._known(documents)
            self._check(found, (n_documents, len(self._columns)))
            logs[:, self._columns] = np.maximum(found, LEAST_LOG_PROBABILITY)
        return logs

    def _known(self, documents: list[list[str]]) -> Float64Array:
        """Return log-probabilities of the classes that the estimator knows."""
        estimator = self.estimator
        if hasattr(estimator, "predict_log_proba"):
            with np.errstate(divide="ignore"):
                return np.asarray(estimator.predict_log_proba(documents), dtype=np.float64)
        if hasattr(estimator, "predict_proba"):
            shares = np.asarray(estimator.predict_proba(documents), dtype=np.float64)
            if (shares < 0).any():
                raise InvalidInputError(
                    f"{type(estimator).__name__} must give probabilities of at least 0. Got "
                    f"{shares.min():g}."
                )
            with np.errstate(divide="ignore"):
                return np.log(shares)
        if hasattr(estimator, "decision_function"):
            decisions = np.asarray(estimator.decision_function(documents), np.float64)
            if np.isposinf(decisions).any():
                raise InvalidInputError(
                    f"{type(estimator).__name__} must decide by numbers below infinity. Got inf."
                )
            return log_softmax(decisions)
        return self._votes(documents)

    def _check(self, found: Float64Array, shape: tuple[int, int]) -> None:
        """Raise for anything but a number for each document and class."""
        name = type(self.estimator).__name__
        if found.shape != shape:
            raise InvalidInputError(
                f"{name} must give a number for each document and class, shape {shape}. Got shape "
                f"{found.shape}."
            )
        if np.isnan(found).any():
            raise InvalidInputError(
                f"{name} must give a number for each document and class. Got NaN."
            )

    def _votes(self, documents: list[list[str]]) -> Float64Array:
        known = [self.classes[column] for column in self._columns]
        predicted = np.asarray(self.estimator.predict(documents))
        if predicted.shape != (len(documents),):
            raise InvalidInputError(
                f"{type(self.estimator).__name__} must predict one class for each of "
                f"{len(documents):,} documents. Got shape {predicted.shape}."
            )
        votes = np.full((len(documents), len(known)), _VOTE / max(len(known) - 1, 1))
        for row, label in enumerate(predicted):
            if str(label) not in known:
                raise InvalidInputError(
                    f"{type(self.estimator).__name__} must predict classes that it was fitted on. "
                    f"Got {str(label)!r}."
                )
            votes[row, known.index(str(label))] = 1 - _VOTE
        return np.asarray(np.log(votes))


def log_softmax(decisions: Float64Array) -> Float64Array:
    """Return log-probabilities of decisions.

    Parameters
    ----------
    decisions : ndarray of float64, shape (N, C), or (N,) for two classes

    Returns
    -------
    ndarray of float64, shape (N, C)

    Examples
    --------
    >>> np.exp(log_softmax(np.array([0.0, np.log(3)])))
    array([[0.5 , 0.5 ],
           [0.25, 0.75]])
    """
    if decisions.ndim == 1:
        decisions = np.stack([np.zeros_like(decisions), decisions], axis=1)
    from scipy.special import log_softmax as stable

    return np.asarray(stable(decisions, axis=1))
