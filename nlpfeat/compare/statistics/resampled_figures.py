"""The metric of every run on documents that are drawn with replacement."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from nlpfeat._names import lookup
from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.compare.metrics import METRICS, Metric
from nlpfeat.compare.metrics.metric import DocumentSums, Terms
from nlpfeat.compare.metrics.predictions import class_numbers, log_probabilities_of_runs
from nlpfeat.compare.statistics.resampling import resampled_sums
from nlpfeat.errors import InvalidInputError, InvalidParameterError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Compute: TypeAlias = Callable[[Int64Array, Float64Array], float]
Statistic: TypeAlias = str | Metric | Compute


def resampled_figures(
    statistic: Statistic,
    expected: ArrayLike,
    predictions: ArrayLike,
    *,
    n_resamples: int = 10_000,
    random_state: int = 0,
) -> Float64Array:
    """Return the metric of each run on documents drawn with replacement, the same for all runs.

    Give the runs of all models in one call, and split the columns: documents are then drawn once.

    Parameters
    ----------
    statistic : str, Metric or callable
        A name or a row of ``METRICS``, or a function of (expected, log-probabilities), arrays of
        the shapes (N,) and (N, C), that returns a number.
    expected : array-like of int, shape (N,)
        Classes, from 0 to C - 1.
    predictions : array-like
        Log-probabilities, float of the shape (R, N, C), or (N, C) for one run; for "accuracy" and
        "macro_f1" also predicted classes, int of the shape (R, N) or (N,).
    n_resamples : int, default 10_000
    random_state : int, default 0
        Seed, at least 0. The same seed draws the same documents for every metric and model.

    Returns
    -------
    ndarray of float64, shape (n_resamples, R)

    Raises
    ------
    InvalidInputError
        For classes that do not fit the predictions, less than 2 documents, and rows that are no
        log-probabilities.
    InvalidParameterError
        For an unknown metric, or one that needs more than predicted classes.

    Notes
    -----
    A metric comes from sums over documents, and takes a matrix product; the bins of
    "adaptive_calibration_error" stay those of all documents. A function is called for every run and
    resample with the N documents that were drawn.

    Examples
    --------
    >>> figures = resampled_figures("accuracy", [0, 1, 1, 0], [[0, 1, 1, 1]], n_resamples=3)
    >>> figures.ravel().tolist()
    [0.75, 1.0, 0.5]
    """
    classes, (runs,) = checked_runs(statistic, expected, {"predictions": predictions})
    n_resamples = check_int(n_resamples, "n_resamples", minimum=1)
    seed = check_int(random_state, "random_state", minimum=0)
    metric = lookup(METRICS, statistic, "statistic") if isinstance(statistic, str) else statistic
    if isinstance(metric, Metric):
        return _of_sums(metric.sums, classes, runs, n_resamples, seed)
    return _of_function(metric, classes, runs, n_resamples, seed)


def observed_figures(statistic: Statistic, classes: Int64Array, runs: Float64Array) -> Float64Array:
    """Return the metric of each run on all documents.

    Parameters
    ----------
    statistic : str, Metric or callable
    classes : ndarray of int64, shape (N,)
    runs : ndarray of float64, shape (R, N, C)

    Returns
    -------
    ndarray of float64, shape (R,)

    Examples
    --------
    >>> observed_figures("accuracy", np.array([0, 1]), np.log([[[0.9, 0.1], [0.6, 0.4]]]))
    array([0.5])
    """
    metric = lookup(METRICS, statistic, "statistic") if isinstance(statistic, str) else statistic
    compute = metric.compute if isinstance(metric, Metric) else metric
    return np.array([float(compute(classes, run)) for run in runs])


def checked_runs(
    statistic: Statistic, expected: ArrayLike, predictions: Mapping[str, ArrayLike]
) -> tuple[Int64Array, list[Float64Array]]:
    """Return classes, and the log-probabilities of the runs of each model.

    Parameters
    ----------
    statistic : str, Metric or callable
        What will be computed.
    expected : array-like of int, shape (N,)
    predictions : dict of str to array-like
        By what a message calls them; each as in :func:`resampled_figures`.

    Returns
    -------
    tuple
        Of int64, shape (N,), and a list of float64, each of shape (R, N, C).

    Raises
    ------
    InvalidInputError, InvalidParameterError
        As in :func:`resampled_figures`.

    Examples
    --------
    >>> _, (runs,) = checked_runs("accuracy", [0, 1], {"predictions": [[0, 1], [1, 1], [0, 0]]})
    >>> runs.shape
    (3, 2, 2)
    """
    metric = lookup(METRICS, statistic, "statistic") if isinstance(statistic, str) else statistic
    if not callable(metric) and not isinstance(metric, Metric):
        raise InvalidParameterError(
            "statistic must be the name of a metric, a Metric or a function of (expected, "
            f"log-probabilities). Got {statistic!r}."
        )
    classes = class_numbers(expected)
    if len(classes) < 2:
        raise InvalidInputError("expected must hold at least 2 documents to resample. Got 1.")
    given = {name: np.asarray(each) for name, each in predictions.items()}
    whole = [each for each in given.values() if each.dtype.kind in "iu" and each.size]
    if whole and isinstance(metric, Metric) and metric.reads_probabilities:
        raise InvalidParameterError(
            f"statistic {metric.name!r} needs log-probabilities. Got predicted classes: they are "
            "enough for 'accuracy' and 'macro_f1'."
        )
    n_classes = max(int(each.max()) + 1 for each in [classes, *whole])
    runs = [log_probabilities_of_runs(each, name, n_classes) for name, each in given.items()]
    for name, each in zip(given, runs):
        if each.shape[1] != len(classes) or each.shape[2] < n_classes:
            raise InvalidInputError(
                f"{name} must be of the {len(classes)} documents of expected and of its "
                f"{n_classes} classes. Got {each.shape[1]} documents and {each.shape[2]} classes."
            )
    return classes, runs


def _of_sums(
    sums: DocumentSums, classes: Int64Array, runs: Float64Array, n_resamples: int, seed: int
) -> Float64Array:
    terms = [sums.terms(classes, run) for run in runs]
    drawn = resampled_sums(_side_by_side(terms), n_resamples, seed)
    return sums.figure(drawn.reshape(n_resamples, len(runs), -1), len(classes))


def _side_by_side(terms: list[Terms]) -> "Float64Array | csr_array":
    if isinstance(terms[0], np.ndarray):
        return np.concatenate(terms, axis=1)
    from scipy.sparse import hstack

    return hstack(terms, format="csr")


def _of_function(
    compute: Compute, classes: Int64Array, runs: Float64Array, n_resamples: int, seed: int
) -> Float64Array:
    random = np.random.default_rng(seed)
    figures = np.empty((n_resamples, len(runs)))
    for row in figures:
        drawn = random.integers(len(classes), size=len(classes))
        row[:] = [float(compute(classes[drawn], run[drawn])) for run in runs]
    return figures
