"""A network as plain numbers, texts and bytes, and the network that is made of them again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from nlpfeat.attention.spec import AttentionSpec
from nlpfeat.classifiers._network import Network, NetworkSettings
from nlpfeat.errors import InvalidInputError, InvalidParameterError

if TYPE_CHECKING:
    from nlpfeat.priors.prior import FittedPrior, Prior

Fitted = Sequence[tuple["Prior", "FittedPrior"]]

#: The parts that are slots of the attention, and what AttentionSpec calls them.
_SLOTS = {"attention_score": "score", **{name: name for name in (
    "position", "normalizer", "n_heads", "n_kv_heads", "d_head"
)}}  # fmt: skip

_MISFITS = (InvalidParameterError, RuntimeError, ValueError, TypeError, LookupError, AttributeError)


def attention_spec(parts: dict[str, Any]) -> AttentionSpec:
    """Return the attention of the layers.

    Raises
    ------
    InvalidParameterError
        When the slots mean nothing together.
    """
    slots = {spec_name: parts[name] for name, spec_name in _SLOTS.items()}
    return AttentionSpec(**slots).validated(parts["d_model"])


def network_settings(parts: dict[str, Any]) -> NetworkSettings:
    """Return the settings of a network from a flat dict: sizes, and the slots of the attention."""
    sizes = {name: value for name, value in parts.items() if name not in _SLOTS}
    return NetworkSettings(spec=attention_spec(parts), **sizes)


def weights_as_bytes(network: Network) -> bytes:
    """Return the learned numbers in the format of safetensors."""
    from safetensors.torch import save

    state = {name: value.detach().cpu().contiguous() for name, value in _state(network).items()}
    return save(state)


def network_of(
    parts: dict[str, Any], priors: Fitted, weights: bytes, *, n_terms: int, n_classes: int
) -> Network:
    """Return the network with these settings and weights.

    Parameters
    ----------
    parts : dict
        As for ``network_settings``.
    priors : sequence of (Prior, FittedPrior)
    weights : bytes
        As ``weights_as_bytes`` gave them.
    n_terms, n_classes : int
        Of the classifier; those of the network must be the same.

    Raises
    ------
    InvalidInputError
        When they do not belong together: a file that is damaged or was made to do harm.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load

    try:
        if (parts["n_terms"], parts["n_classes"]) != (n_terms, n_classes):
            raise ValueError(f"not for {n_terms} tokens and {n_classes} classes")
        stored = load(weights)
        if 4 * _largest_part(parts) > len(weights):
            raise ValueError("too few numbers")  # before a network of any size is made
        network = Network(network_settings(parts), priors, torch.Generator())
        network.load_state_dict(stored)
    except (SafetensorError, *_MISFITS) as error:
        # Of the weights that torch finds to be wrong, one is enough.
        reason = " ".join(line.strip() for line in str(error).splitlines()[:2])
        raise InvalidInputError(
            "The weights of an AttentionClassifier do not fit its settings "
            f"({type(error).__name__}: {reason}). Fit again, or load a sound file."
        ) from error
    if not all(bool(torch.isfinite(each).all()) for each in _state(network).values()):
        raise InvalidInputError(
            "The weights of an AttentionClassifier must be finite. Fit again, or load a sound file."
        )
    return network.eval()


def _largest_part(parts: dict[str, Any]) -> int:
    """Return how many numbers the largest part of a network has at least."""
    d_model: int = parts["d_model"]
    heads: int = d_model if parts["d_head"] is None else parts["n_heads"] * parts["d_head"]
    is_absolute = parts["n_layers"] and parts["position"] == "absolute"
    rows: int = max(
        parts["n_terms"],
        parts["n_layers"] * heads,
        parts["n_queries"] * parts["n_classes"],
        parts["max_length"] if is_absolute else 0,
    )
    return rows * d_model


def _state(network: Network) -> dict[str, torch.Tensor]:
    state: dict[str, torch.Tensor] = network.state_dict()
    return state
