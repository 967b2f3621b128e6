"""Product of experts: the calibrated decisions of a classical model beside those of attention."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, ClassVar

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Float32Array, Float64Array, Int64Array
from nlpfeat._validation import check_int, check_real
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.priors.forms import Form, misfit
from nlpfeat.priors.prior import FittedPrior, Prior, spread

EXPERTS: Mapping[str, str] = {"nbsvm": "NBSVM on n-grams of words and characters"}
LEARNED: Mapping[str, str] = {
    "no": "the strength stays as it is",
    "scalar": "one strength is learned",
    "class": "one for each class is learned",
}
HEADS: Mapping[str, str] = {
    "zero": "the last layer of the attention starts at 0: the model starts as the expert",
    "random": "it starts as without the prior",
}

_WIDEST = np.log(1e3)  # of the temperature, as a multiple of how much decisions differ, and 1 / it


@dataclass(frozen=True, eq=False)
class FittedExpertPrior(FittedPrior):
    """What turns the decisions of an expert into log-probabilities.

    Parameters
    ----------
    temperature : float
        T: decisions are divided by it.
    deviation : float
        Standard deviation of the log-probabilities out of fold.
    pool : ndarray of float32, shape (N, C) or (0, C)
        For the placebo: the log-probabilities of the training documents.
    placebo : int or None
        Its seed.
    """

    forms: ClassVar[Mapping[str, Form]] = {"pool": Form(np.float32, ("N", "C"))}

    temperature: float
    deviation: float
    pool: Float32Array = field(repr=False)
    placebo: int | None = None

    def check_parts(self) -> None:
        """Check the temperature, and whether a placebo has something to give."""
        owner = type(self).__name__
        check_real(self.temperature, f"{owner}.temperature", above=0.0)
        highest = self.pool.max(initial=0.0)
        if self.pool.shape[1] < 2 or highest > 0:
            wanted = "log-probabilities, at most 0, of two classes or more"
            raise misfit(self, "pool", wanted, f"{self.pool.shape[1]} classes, up to {highest}")
        if self.placebo is not None:
            check_int(self.placebo, f"{owner}.placebo (or None)", minimum=0)
            if not len(self.pool):
                raise misfit(self, "pool", "the log-probabilities of documents", "none")

    @property
    def scale(self) -> float:
        """Standard deviation of the log-probabilities of the training documents."""
        return self.deviation

    def calibrated(self, decisions: Float64Array) -> Float32Array:
        """Return log p = log softmax(g / T).

        The placebo gives each document the log-probabilities of some training document instead.
        The decisions themselves choose which (by a hash), so that a document has the same ones
        whatever it comes with.

        Parameters
        ----------
        decisions : ndarray, shape (N, C)
            g, finite, of the same expert.

        Returns
        -------
        ndarray of float32, shape (N, C)

        Raises
        ------
        InvalidInputError
            For decisions that are not finite, or not one a class.
        """
        decisions = checked_decisions(decisions, self.pool.shape[1])
        if self.placebo is None:
            return _log_softmax(decisions / self.temperature).astype(np.float32)
        # Rounded, as the last digits may depend on what a document comes with.
        rounded = np.round(decisions / self.temperature, 6) + 0.0  # and no -0.0
        places = [_hashed(row.tobytes(), self.placebo) % len(self.pool) for row in rounded]
        return self.pool[np.array(places, dtype=np.int64)]


@dataclass(frozen=True, kw_only=True)
class ExpertPrior(Prior):
    """Product of experts: log p = log softmax(attention + β g / T), g the decisions of an expert.

    The expert is a classical model of the same training documents. It is fitted by the classifier
    that holds the prior, on all of them, and does not change with the attention. In training, the
    decisions on a document come from an expert that has not seen it (out of fold): on what it has
    seen an expert is nearly always right, and would leave nothing to learn.

    Parameters
    ----------
    expert : {"nbsvm"} or scikit-learn classifier of documents, default "nbsvm"
        With ``decision_function`` or ``predict_proba``; a pipeline that begins with a vectorizer.
        "nbsvm" is naive Bayes and a support vector machine on n-grams of words (1 to 2) and
        characters (1 to 3). A pipeline that begins with a ``SegmentTransformer`` cuts texts once
        for all folds.
    n_folds : int, default 5
        At least 2.
    strength : float, default 1.0
        β, or where it starts when it is learned. 0 is attention alone.
    learned : {"no", "scalar", "class"}, default "no"
        Whether β is learned: not, as one number, or as one for each class.
    auxiliary : float, default 1.0
        Weight, at least 0, of a second loss: that of a second head, which tells the classes by
        attention without the expert and is used for nothing else. Where the expert is right
        already, the product alone would teach attention nothing.
    head : {"zero", "random"}, default "zero"
        Whether the last layer of the attention starts at 0, so that training begins at the
        expert's answer, or at random as without the prior.
    placebo : int, default None
        Seed with which documents get the log-probabilities of other documents.

    Notes
    -----
    T, the temperature, minimizes the loss of the decisions out of fold. The expert that decides on
    new documents has seen a little more, so T errs towards too little confidence.

    Sources: Hinton (2002) for products of experts; Guo et al. (2017) for the temperature; Clark,
    Yatskar and Zettlemoyer (2019) use the same form to unlearn what the expert knows.

    Examples
    --------
    >>> prior = ExpertPrior()
    >>> out_of_fold = np.array([[2.0, -2.0], [1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]])
    >>> fitted = prior.fit_logits(out_of_fold, np.array([0, 0, 1, 1]))
    >>> round(fitted.temperature, 2)
    2.46
    >>> np.exp(fitted.calibrated(np.array([[2.0, -2.0]]))).round(2)
    array([[0.84, 0.16]], dtype=float32)
    """

    name: ClassVar[str] = "expert"
    adds_logits: ClassVar[bool] = True
    needs_expert: ClassVar[bool] = True

    expert: Any = "nbsvm"
    n_folds: int = 5
    strength: float = 1.0
    learned: str = "no"
    auxiliary: float = 1.0
    head: str = "zero"

    def validate(self) -> None:
        """Check the settings.

        Raises
        ------
        InvalidParameterError
            For a setting that cannot be.
        """
        super().validate()
        if isinstance(self.expert, str):
            lookup(EXPERTS, self.expert, "ExpertPrior.expert")
        elif isinstance(self.expert, type) or not hasattr(self.expert, "fit"):
            raise InvalidParameterError(
                "ExpertPrior.expert must be 'nbsvm', or a scikit-learn classifier of documents, "
                f"such as make_pipeline(NgramVectorizer(), MultinomialNB()). Got {self.expert!r}."
            )
        check_int(self.n_folds, "ExpertPrior.n_folds", minimum=2)
        check_real(self.strength, "ExpertPrior.strength")
        if check_real(self.auxiliary, "ExpertPrior.auxiliary") < 0:
            raise InvalidParameterError(
                f"ExpertPrior.auxiliary must be at least 0. Got {self.auxiliary!r}."
            )
        lookup(LEARNED, self.learned, "ExpertPrior.learned")
        lookup(HEADS, self.head, "ExpertPrior.head")

    def fit_logits(self, decisions: Float64Array, classes: Int64Array) -> FittedExpertPrior:
        """Learn the temperature.

        Parameters
        ----------
        decisions : ndarray, shape (N, C)
            Decisions (or log-probabilities) of the expert, finite, each of a document that it had
            not seen.
        classes : ndarray of int64, shape (N,)
            The class of each document, from 0 to C - 1.

        Returns
        -------
        FittedExpertPrior

        Raises
        ------
        InvalidInputError
            For decisions that are not finite, and for classes that do not fit them.
        """
        self.validate()
        decisions = checked_decisions(decisions)
        temperature = learned_temperature(decisions, classes)
        logs = _log_softmax(decisions / temperature).astype(np.float32)
        pool = logs[:0] if self.placebo is None else logs
        return FittedExpertPrior(temperature, spread(logs), pool, self.placebo)


def learned_temperature(decisions: Float64Array, classes: Int64Array) -> float:
    """Return the T that makes log softmax(g / T) fit the classes best.

    It minimizes the mean log loss, in which each document counts as if N + 1 of N + 2 documents
    like it were of its class and one were of any: where no document is decided wrongly, T would
    be 0 otherwise.

    Parameters
    ----------
    decisions : ndarray, shape (N, C)
        g, finite.
    classes : ndarray of int64, shape (N,)
        From 0 to C - 1.

    Returns
    -------
    float
        Above 0, and between a thousandth and a thousand of how much the decisions differ; 1 where
        they do not. The upper end means that they say nothing of the classes, or the opposite.

    Raises
    ------
    InvalidInputError
        For decisions that are not finite, and for classes that do not fit them.

    Notes
    -----
    The loss is convex in 1 / T, so there is one minimum. Sources: Guo et al. (2017); Platt (1999)
    for the targets that are not quite 1.

    Examples
    --------
    Nine of ten decisions are right, each by 1: ln 9 = 2.197 = 1 / T, but for the extra document.

    >>> decisions = np.tile([1.0, 0.0], (10, 1))
    >>> round(1 / learned_temperature(decisions, np.array([0] * 9 + [1])), 3)
    1.872
    """
    from scipy.optimize import minimize_scalar

    decisions = checked_decisions(decisions)
    n_documents, n_classes = decisions.shape
    classes = np.asarray(classes)
    if (
        classes.shape != (n_documents,)
        or classes.dtype.kind not in "iu"
        or not np.isin(classes, np.arange(n_classes)).all()
    ):
        raise InvalidInputError(
            f"classes must hold one class from 0 to {n_classes - 1} for each of the {n_documents} "
            f"documents. Got {classes.dtype} of shape {classes.shape}."
        )
    centered = decisions - decisions.mean(axis=1, keepdims=True)
    size = float(np.sqrt(np.mean(centered**2)))
    if size <= 1e-12 * float(np.abs(decisions).max(initial=0.0)):
        return 1.0
    centered /= size
    own = np.arange(n_documents), classes
    share = (n_documents + 1) / (n_documents + 2)

    def loss(log_temperature: float) -> float:
        logs = _log_softmax(centered / np.exp(log_temperature))
        return -float(share * logs[own].mean() + (1 - share) * logs.mean())

    found = minimize_scalar(
        loss, bounds=(-_WIDEST, _WIDEST), method="bounded", options={"xatol": 1e-8}
    )
    return size * float(np.exp(found.x))


def checked_decisions(decisions: Float64Array, n_classes: int | None = None) -> Float64Array:
    """Return decisions as float64 when they are finite, of at least two classes.

    Raises
    ------
    InvalidInputError
        When they are not, or are not of ``n_classes``.
    """
    checked = np.asarray(decisions, dtype=np.float64)
    if checked.ndim != 2 or checked.shape[1] < 2 or n_classes not in (None, checked.shape[1]):
        wanted = "at least two classes" if n_classes is None else f"{n_classes} classes"
        raise InvalidInputError(
            f"Decisions of an expert must have the shape (documents, {wanted}). "
            f"Got {checked.shape}."
        )
    if not np.isfinite(checked).all():
        row = int(np.argmin(np.isfinite(checked).all(axis=1)))
        raise InvalidInputError(
            "Decisions of an expert must be finite; replace log-probabilities of 0 by a small "
            f"probability. Got {checked[row].tolist()} in row {row + 1}."
        )
    return checked


def _log_softmax(scores: Float64Array) -> Float64Array:
    below = scores - scores.max(axis=1, keepdims=True)
    return np.asarray(below - np.log(np.exp(below).sum(axis=1, keepdims=True)))


def _hashed(row: bytes, seed: int) -> int:
    key = seed.to_bytes((seed.bit_length() + 7) // 8 or 1, "little")
    return int.from_bytes(blake2b(row + key, digest_size=8).digest(), "little")
