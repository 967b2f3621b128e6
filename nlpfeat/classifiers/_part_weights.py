"""How much attention, and each prior that adds log-scores, counts in the end."""

from typing import cast

import numpy as np
import torch
from torch import Tensor

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.classifiers._batching import BatchMaker
from nlpfeat.classifiers._devices import memory_errors
from nlpfeat.classifiers._text_network import TextNetwork
from nlpfeat.errors import InvalidParameterError
from nlpfeat.features.user_warnings import warn_user

MOST_DOCUMENTS = 2_000
"""So many are enough to tell a few weights: their share of a large text would be a waste."""

_AT_ONCE = 256
_WIDEST = 7.0  # of the logarithm of a weight


def learn_part_weights(
    network: TextNetwork,
    documents: BatchMaker,
    device: torch.device,
    class_weights: Tensor | None = None,
) -> None:
    """Set the weights of the network's parts to those that fit documents it has not learned from.

    Parameters
    ----------
    network : TextNetwork
        Trained; changed in place.
    documents : BatchMaker
        With targets. Priors say of them what they would say of new documents.
    device : torch.device
    class_weights : Tensor of float32, shape (C,), default None
        How much a document of each class counts, as in training.

    Warns
    -----
    UserWarning
        When it is interrupted: the weights stay 1 then.

    Raises
    ------
    InvalidParameterError
        When what a part says is not finite.
    """
    try:
        parts = _parts_of(network, documents, device)
        if not np.isfinite(parts).all():
            raise InvalidParameterError(
                "The log-scores of documents that were not learned from are no longer finite. "
                "Lower learning_rate or weight_decay, or raise warmup."
            )
        classes = cast("Int64Array", documents.targets)
        counts = None if class_weights is None else _as_float64(class_weights)[classes]
        weights = torch.from_numpy(part_weights(parts, classes, counts))
    except KeyboardInterrupt:
        warn_user(
            "The weighing of the parts of the log-scores was interrupted: the classifier has the "
            "weights of its training, and each part counts 1."
        )
        return
    network.part_weights.copy_(weights)


def _parts_of(network: TextNetwork, documents: BatchMaker, device: torch.device) -> Float64Array:
    """Return what each part says of the documents, (P, N, C)."""
    n_parts = len(network.part_weights)
    parts = np.empty((n_parts, len(documents), network.settings.n_classes))
    network.eval()
    with memory_errors(), torch.inference_mode():
        for batch in documents.batches(_AT_ONCE):
            said = network(batch.to(device)).parts
            parts[:, batch.rows.numpy()] = _as_float64(torch.stack(said))
    return parts


def _as_float64(numbers: Tensor) -> Float64Array:
    # On the CPU first: not every device has numbers of 64 bits.
    found: Float64Array = numbers.cpu().double().numpy()
    return found


def part_weights(
    parts: Float64Array, classes: Int64Array, counts: Float64Array | None = None
) -> Float64Array:
    """Return the weights w that make log softmax(Σ w_p · part_p) fit the classes best.

    They minimize the sum of the log losses plus half the squares of ln w: a normal distribution
    around 1 for the logarithm of each weight, so that few documents move it little and no weight is
    negative.

    Parameters
    ----------
    parts : ndarray of float64, shape (P, N, C)
        Finite log-scores.
    classes : ndarray of int64, shape (N,)
        From 0 to C - 1.
    counts : ndarray of float64, shape (N,), default None
        How much the loss of each document counts; None is 1. What was trained with weights of
        classes is weighed with them too: else a part that was trained without them, such as an
        expert, would undo them.

    Returns
    -------
    ndarray of float64, shape (P,)
        Above 0.

    Notes
    -----
    With one part it is the temperature of Guo et al. (2017), with several the stacking of Wolpert
    (1992).

    Examples
    --------
    The first part is always right, the second is right half of the time:

    >>> classes = np.array([0, 1] * 50)
    >>> right = np.where(classes[:, None] == np.arange(2), 1.0, 0.0)
    >>> idle = np.tile([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], (25, 1))
    >>> part_weights(np.stack([right, idle]), classes).round(1)
    array([6.1, 0.8])
    """
    from scipy.optimize import minimize

    own = np.arange(len(classes)), classes
    said = parts[:, own[0], own[1]]  # (P, N)
    counts = np.ones(len(classes)) if counts is None else counts

    def loss(logs: Float64Array) -> tuple[float, Float64Array]:
        weights = np.exp(logs)
        scores = np.tensordot(weights, parts, axes=1)
        scores -= scores.max(axis=1, keepdims=True)
        exponentials = np.exp(scores)
        sums = exponentials.sum(axis=1, keepdims=True)
        value = float(counts @ (np.log(sums[:, 0]) - scores[own]) + logs @ logs / 2)
        expected = np.einsum("pnc,nc->pn", parts, exponentials / sums)
        slope = weights * ((expected - said) @ counts) + logs
        return value, slope

    start = np.zeros(len(parts))
    found = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=[(-_WIDEST, _WIDEST)] * len(parts)
    )
    return np.asarray(np.exp(found.x))
