"""Fitting the experts of `ExpertPrior`: on all documents, and in folds for what they decide there.

An expert is a scikit-learn classifier of documents. What it decides on a document that it has seen
tells nothing of what it will decide on a new one, so the training documents get their decisions
from experts that have seen the other folds only.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.utils.parallel import Parallel, delayed

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.classifiers.nbsvm import NBSVMClassifier
from nlpfeat.errors import InvalidInputError, InvalidParameterError, NlpfeatError
from nlpfeat.features.document_reader import SegmenterLike
from nlpfeat.features.ngrams import NgramVectorizer
from nlpfeat.features.segmenting import SegmentTransformer
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.priors.expert import ExpertPrior

DocumentList: TypeAlias = Sequence[str] | Sequence[Sequence[str]]

LEAST_PROBABILITY = 1e-6
"""What a probability of 0 counts as, unless a lower one stands beside it."""


def default_expert(segmenter: SegmenterLike = "jieba") -> Pipeline:
    """Return ``"nbsvm"``: the best classical model of short texts that needs no tuning.

    Parameters
    ----------
    segmenter : name, Segmenter or callable
        Cuts texts into words.

    Examples
    --------
    >>> expert = default_expert().fit(["房间很好", "很干净", "房间不好", "不干净"], [1, 1, 0, 0])
    >>> expert.predict(["很干净的房间", "不好"]).tolist()
    [1, 0]
    """
    words = NgramVectorizer(ngram_range=(1, 2), binary=True, keep_punctuation=True)
    characters = NgramVectorizer(
        ngram_range=(1, 3), unit="char", binary=True, keep_punctuation=True
    )
    return make_pipeline(
        SegmentTransformer(segmenter=segmenter),
        make_union(words, characters),
        NBSVMClassifier(alpha=0.3, random_state=0),
    )


def fit_expert(
    prior: ExpertPrior,
    documents: DocumentList,
    y: NDArray[Any],
    seed: int,
    n_jobs: int | None = 1,
    *,
    segmenter: SegmenterLike = "jieba",
) -> tuple[Any, Float64Array]:
    """Fit an expert on all documents, and decide on each of them out of fold.

    Parameters
    ----------
    prior : ExpertPrior
        Its ``expert`` is cloned, and stays as it is.
    documents : sequence of str, or of token lists
        N training documents.
    y : ndarray, shape (N,)
        Their classes, of any kind.
    seed : int
        Of the folds, and of what draws in the expert and has no ``random_state``.
    n_jobs : int or None, default 1
        Processes, which share the folds. No result depends on it.
    segmenter : name, Segmenter or callable, default "jieba"
        Of an expert that is given by name.

    Returns
    -------
    expert : scikit-learn classifier
        Fitted on all documents.
    out_of_fold : ndarray of float64, shape (N, C)
        Decisions, or log-probabilities where the expert has none; columns by ``np.unique(y)``. A
        class that a fold's expert has never seen gets the lowest decision of the document.

    Raises
    ------
    InvalidParameterError
        For an expert that is no classifier.
    InvalidInputError
        When the expert cannot learn from the documents, and for classes with too few of them.
    """
    prior.validate()
    expert = _with_seeds(_checked_expert(prior.expert, segmenter), seed)
    classes, places = np.unique(y, return_inverse=True)
    folds = stratified_folds(places, prior.n_folds, seed)
    _check_folds(places, folds)
    expert, material = _cut_once(expert, list(documents), n_jobs)
    labels = np.asarray(y)
    held_out = [folds == fold for fold in np.unique(folds)]
    jobs = (delayed(_decided)(expert, material, labels, is_test) for is_test in held_out)
    out_of_fold = np.empty((len(labels), len(classes)))
    for is_test, decisions in zip(held_out, Parallel(n_jobs=resolve_n_jobs(n_jobs))(jobs)):
        out_of_fold[is_test] = decisions
    return _fitted(expert, material, labels), out_of_fold


def expert_decisions(fitted: Any, documents: DocumentList) -> Float64Array:
    """Return what a fitted expert says of documents.

    Parameters
    ----------
    fitted : scikit-learn classifier
        As ``fit_expert`` gave it.
    documents : sequence of str, or of token lists
        N documents.

    Returns
    -------
    ndarray of float64, shape (N, C)
        Decisions, one a class; (-d, d) where there is one for two classes. Log-probabilities where
        there are no decisions, a probability of 0 counting as 1e-6 or as the lowest one beside it.

    Raises
    ------
    InvalidInputError
        When the expert refuses the documents, or decides in a form that is none.
    """
    n_classes = len(fitted.classes_)
    if not len(documents):
        return np.empty((0, n_classes))
    if hasattr(fitted, "decision_function"):
        decisions = _asked(fitted.decision_function, documents)
        if decisions.ndim == 1 and n_classes == 2:
            decisions = np.stack([-decisions, decisions], axis=1)
        # One against one, as in SVC(decision_function_shape="ovo"), has a column for each pair.
        if decisions.shape == (len(documents), n_classes) or not hasattr(fitted, "predict_proba"):
            return _checked_shape(decisions, len(documents), n_classes)
    return _checked_shape(_log_probabilities(fitted, documents), len(documents), n_classes)


def stratified_folds(places: Int64Array, n_folds: int, seed: int) -> Int64Array:
    """Return the fold of each document; each class is dealt out like cards.

    Parameters
    ----------
    places : ndarray of int64, shape (N,)
        The class of each document, from 0.
    n_folds : int
    seed : int

    Returns
    -------
    ndarray of int64, shape (N,)
        From 0. The folds differ by one document at most, and so do the members of each class in
        them, however few it has.

    Examples
    --------
    >>> folds = stratified_folds(np.array([0, 0, 0, 0, 1, 1, 2]), n_folds=2, seed=0)
    >>> np.bincount(folds).tolist(), np.bincount(folds[:4]).tolist()
    ([4, 3], [2, 2])
    """
    shuffled = np.random.default_rng(seed).permutation(len(places))
    by_class = shuffled[np.argsort(places[shuffled], kind="stable")]
    folds = np.empty(len(places), dtype=np.int64)
    # The next class goes on where the last one ended, so that no fold gets all that is left over.
    folds[by_class] = np.arange(len(places)) % n_folds
    return folds


def _check_folds(places: Int64Array, folds: Int64Array) -> None:
    """Make sure that every fold leaves two classes to learn from."""
    for fold in np.unique(folds):
        if len(np.unique(places[folds != fold])) < 2:
            counts = np.bincount(places)
            raise InvalidInputError(
                "ExpertPrior decides on each training document with an expert that has not seen "
                "it, so two classes must remain without it. Got "
                f"{len(counts)} classes of {', '.join(map(str, counts))} documents; give at "
                "least two documents of each."
            )


def _checked_expert(expert: Any, segmenter: SegmenterLike) -> Any:
    if isinstance(expert, str):  # the prior knows the names
        return default_expert(segmenter)
    if not isinstance(expert, BaseEstimator) or not is_classifier(expert):
        raise InvalidParameterError(
            "ExpertPrior.expert must be a scikit-learn classifier, or a pipeline that ends in one. "
            f"Got {expert!r}."
        )
    if not (hasattr(expert, "decision_function") or hasattr(expert, "predict_proba")):
        raise InvalidParameterError(
            "ExpertPrior.expert must have decision_function or predict_proba. Got "
            f"{type(expert).__name__}, which only says which class it is."
        )
    return clone(expert)


def _with_seeds(expert: Any, seed: int) -> Any:
    """Give a seed to whatever in the expert draws without one: the same seed, the same expert."""
    parameters = expert.get_params(deep=True)
    names = [name for name in parameters if name.rpartition("__")[2] == "random_state"]
    return expert.set_params(**{name: seed for name in names if parameters[name] is None})


def _cut_once(expert: Any, documents: list[Any], n_jobs: int | None) -> tuple[Any, list[Any]]:
    """Cut the documents where the expert would cut them first of all, once for all folds.

    Its own first step then takes token lists as they are.
    """
    cutter = expert.steps[0][1] if isinstance(expert, Pipeline) else None
    if not isinstance(cutter, SegmentTransformer):
        return expert, documents
    cutter = clone(cutter)
    if cutter.n_jobs is None:
        cutter.set_params(n_jobs=n_jobs)
    return expert, cutter.transform(documents)


def _decided(
    expert: Any, documents: list[Any], labels: NDArray[Any], is_test: NDArray[np.bool_]
) -> Float64Array:
    """Return the decisions on some documents of an expert that has learned from the others."""
    learn, test = np.flatnonzero(~is_test), np.flatnonzero(is_test)
    fitted = _fitted(expert, [documents[place] for place in learn], labels[learn])
    decisions = expert_decisions(fitted, [documents[place] for place in test])
    classes = np.unique(labels)
    aligned = np.repeat(decisions.min(axis=1, keepdims=True), len(classes), axis=1)
    aligned[:, np.searchsorted(classes, fitted.classes_)] = decisions
    return aligned


def _fitted(expert: Any, documents: list[Any], y: NDArray[Any]) -> Any:
    try:
        return clone(expert).fit(documents, y)
    except (ValueError, TypeError, AttributeError) as error:
        raise _as_input_error(error, "could not learn from") from error


def _asked(method: Any, documents: DocumentList) -> Float64Array:
    try:
        return np.asarray(method(documents), dtype=np.float64)
    except (ValueError, TypeError, AttributeError) as error:
        raise _as_input_error(error, "could not decide on") from error


def _as_input_error(error: Exception, what: str) -> Exception:
    if isinstance(error, NlpfeatError):
        return error
    return InvalidInputError(
        f"The expert of ExpertPrior {what} the documents, which it gets as they were given (texts, "
        f"or token lists): {error}. Use a pipeline that begins with a vectorizer of documents."
    )


def _log_probabilities(fitted: Any, documents: DocumentList) -> Float64Array:
    with np.errstate(divide="ignore"):
        if hasattr(fitted, "predict_log_proba"):  # does not underflow
            logs = _asked(fitted.predict_log_proba, documents)
        else:
            logs = np.log(_asked(fitted.predict_proba, documents))
    possible = np.where(logs == -np.inf, 0.0, logs)
    least = np.minimum(possible.min(axis=1, keepdims=True), np.log(LEAST_PROBABILITY))
    return np.asarray(np.where(logs == -np.inf, least, logs))


def _checked_shape(decisions: Float64Array, n_documents: int, n_classes: int) -> Float64Array:
    if decisions.shape != (n_documents, n_classes) or not np.isfinite(decisions).all():
        raise InvalidInputError(
            f"The expert of ExpertPrior must give {n_classes} finite decisions for each of the "
            f"{n_documents} documents. Got shape {decisions.shape}"
            f"{'' if np.isfinite(decisions).all() else ', and numbers that are not finite'}."
        )
    return decisions
