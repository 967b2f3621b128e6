"""A network as plain numbers, texts and bytes, and the network that is made of them again."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from nlpfeat.classifiers._architecture import Architecture, Fitted, Parts
from nlpfeat.classifiers._devices import is_memory_error
from nlpfeat.classifiers._text_network import TextNetwork
from nlpfeat.errors import InvalidInputError, InvalidParameterError

_MISFITS = (InvalidParameterError, RuntimeError, ValueError, TypeError, LookupError, AttributeError)


def weights_as_bytes(network: TextNetwork) -> bytes:
    """Return the learned numbers in the format of safetensors."""
    from safetensors.torch import save

    state = {name: value.detach().cpu().contiguous() for name, value in _state(network).items()}
    return save(state)


def network_of(
    architecture: Architecture,
    parts: Parts,
    priors: Fitted,
    weights: bytes,
    *,
    n_terms: int,
    n_classes: int,
    owner: str,
) -> TextNetwork:
    """Return the network with these settings and weights.

    Parameters
    ----------
    architecture : Architecture
    parts : dict
    priors : sequence of (Prior, FittedPrior)
    weights : bytes
        As ``weights_as_bytes`` gave them.
    n_terms, n_classes : int
        Of the classifier; those of the network must be the same.
    owner : str
        What errors call the classifier.

    Raises
    ------
    InvalidInputError
        When they do not belong together: a file that is damaged or was made to do harm. A network
        that is larger than its weights is never made.
    """
    from safetensors.torch import load

    with _misfits(owner):
        settings = architecture.settings_of(parts)
        if (settings.n_terms, settings.n_classes) != (n_terms, n_classes):
            raise ValueError(f"not for {n_terms} tokens and {n_classes} classes")
        stored = load(weights)
        room = len(weights) // 4
        for size in architecture.numbers_of(settings, priors):
            room -= size
            if room < 0:
                raise ValueError("too few numbers")
        network = architecture.build(settings, priors, torch.Generator())
        network.load_state_dict(stored)
    if not all(bool(torch.isfinite(each).all()) for each in _state(network).values()):
        raise InvalidInputError(
            f"The weights of this {owner} must be finite. Fit again, or load a sound file."
        )
    return network.eval()


@contextmanager
def _misfits(owner: str) -> Iterator[None]:
    from safetensors import SafetensorError

    try:
        yield
    except (SafetensorError, *_MISFITS) as error:
        if is_memory_error(error):
            raise
        # Of the weights that torch finds to be wrong, one is enough.
        reason = " ".join(line.strip() for line in str(error).splitlines()[:2])
        raise InvalidInputError(
            f"The weights of this {owner} do not fit its settings "
            f"({type(error).__name__}: {reason}). Fit again, or load a sound file."
        ) from error


def _state(network: TextNetwork) -> dict[str, torch.Tensor]:
    state: dict[str, torch.Tensor] = network.state_dict()
    return state
