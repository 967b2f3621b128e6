"""What the strengths of priors became, read from stored weights without torch."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlpfeat._optional import missing_dependency
from nlpfeat._typing import Float32Array
from nlpfeat.errors import InvalidInputError

if TYPE_CHECKING:
    from nlpfeat.classifiers._learned_priors import LearnedPrior

#: Where a term keeps its strengths: of a bias of scores, of an expert.
_STRENGTHS = ("strength.values", "beta")
_GATE = "gate"  # of a token made of topics; its tanh is what counts


def part_weights_of(weights: bytes, priors: "Sequence[LearnedPrior]") -> dict[str, float]:
    """Return how much each part of the log-scores counts in prediction.

    Parameters
    ----------
    weights : bytes
        Of safetensors.
    priors : sequence of LearnedPrior

    Returns
    -------
    dict of str to float
        "attention", then each prior that adds log-scores; of two of one name the second is
        "expert-2".

    Raises
    ------
    MissingDependencyError
        Without safetensors.
    InvalidInputError
        For weights that do not belong to these priors.
    """
    names = ["attention"]
    for prior in (each.prior for each in priors):
        if prior.adds_logits:
            number = 1 + sum(name.partition("-")[0] == prior.name for name in names)
            names.append(prior.name if number == 1 else f"{prior.name}-{number}")
    found = _stored(weights).get("part_weights", np.empty(0))
    if found.shape != (len(names),):
        raise _misfit()
    return dict(zip(names, found.tolist()))


def prior_strengths_of(
    weights: bytes, priors: "Sequence[LearnedPrior]"
) -> list[Float32Array | None]:
    """Return what the strengths of each prior became.

    Parameters
    ----------
    weights : bytes
        Of safetensors.
    priors : sequence of LearnedPrior

    Returns
    -------
    list of ndarray of float32, or None
        For a bias of scores (rows, H): the layers, or all of them in one row, then the pooling,
        where the prior acts on them. For an expert (1,) or (C,). For a token made of topics ():
        how far its gate is open. None for a prior without a strength in the network.

    Raises
    ------
    MissingDependencyError
        Without safetensors.
    InvalidInputError
        For what are no weights.
    """
    stored = _stored(weights)
    found: list[Float32Array | None] = []
    for place in range(len(priors)):
        named = (stored.get(f"terms.{place}.{name}") for name in _STRENGTHS)
        strengths = next((each for each in named if each is not None), None)
        gate = stored.get(f"terms.{place}.{_GATE}")
        found.append(strengths if gate is None else np.asarray(np.tanh(gate)))
    return found


def _stored(weights: bytes) -> dict[str, NDArray[np.float32]]:
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load
    except ImportError as error:
        raise missing_dependency("safetensors", "attention", "AttentionClassifier") from error
    try:
        return dict(load(weights))
    except (SafetensorError, TypeError, ValueError, KeyError) as error:
        raise _misfit() from error


def _misfit() -> InvalidInputError:
    return InvalidInputError(
        "The weights of an AttentionClassifier do not fit its priors. Fit again, or load a sound "
        "file."
    )
