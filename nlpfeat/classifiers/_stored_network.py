"""A network as plain numbers, texts and bytes, and the network that is made of them again."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from nlpfeat._names import lookup
from nlpfeat._validation import check_int, check_real
from nlpfeat.attention.scores import SCORES, Score
from nlpfeat.attention.spec import AttentionSpec
from nlpfeat.classifiers._devices import is_memory_error
from nlpfeat.classifiers._network import Network, NetworkSettings, layer_specs, pooling_spec
from nlpfeat.classifiers._prior_terms import build_term
from nlpfeat.errors import InvalidInputError, InvalidParameterError

if TYPE_CHECKING:
    from nlpfeat.priors.prior import FittedPrior, Prior

Fitted = Sequence[tuple["Prior", "FittedPrior"]]

#: The parts that are slots of the attention, and what AttentionSpec calls them.
_SLOTS = {"attention_score": "score", **{name: name for name in (
    "position", "normalizer", "n_heads", "n_kv_heads", "d_head"
)}}  # fmt: skip
#: The other parts: whole numbers with the least that each may be, and shares.
_SIZES = {
    "n_terms": 0, "n_classes": 1, "d_model": 1, "n_layers": 0, "n_queries": 1, "max_length": 1,
}  # fmt: skip
_SHARES = ("dropout", "token_dropout")

#: The most that settings of the slots may be. More would only fill the memory, or never end; and a
#: file may hold any number.
_MOST = {
    "n_layers": 100, "n_iterations": 1_000, "n_buckets": 1_024, "max_distance": 2**20,
    "max_length": 2**20,
}  # fmt: skip

_MISFITS = (InvalidParameterError, RuntimeError, ValueError, TypeError, LookupError, AttributeError)


def attention_spec(parts: dict[str, Any]) -> AttentionSpec:
    """Return the attention of the layers.

    Raises
    ------
    InvalidParameterError
        When the slots mean nothing together, or a setting of one is larger than any could need.
    """
    slots = {spec_name: parts[name] for name, spec_name in _SLOTS.items()}
    if not isinstance(slots["score"], Score):
        # By the name that the classifier gives it.
        lookup(SCORES, slots["score"], "attention_score")
    try:
        spec = AttentionSpec(**slots).validated(parts["d_model"])
    except InvalidParameterError as error:
        raise InvalidParameterError(str(error).replace(" score=", " attention_score=")) from None
    for slot in (spec.score_settings(), spec.position_settings(), spec.normalizer_settings()):
        for name, most in _MOST.items():
            value = getattr(slot, name, 0)
            if value > most:
                raise InvalidParameterError(
                    f"{name} of {type(slot).__name__} must be at most {most:,}. Got {value:,}."
                )
    return spec


def network_settings(parts: dict[str, Any]) -> NetworkSettings:
    """Return the settings of a network from a flat dict: sizes, and the slots of the attention.

    Raises
    ------
    InvalidParameterError
        For a part that is missing, unknown, or cannot be.
    """
    known = {*_SLOTS, *_SIZES, *_SHARES}
    if parts.keys() != known:
        raise InvalidParameterError(
            f"A network has the parts {sorted(known)}. Got {sorted(parts)}."
        )
    numbers: dict[str, Any] = {
        name: check_int(parts[name], name, minimum=least) for name, least in _SIZES.items()
    }
    numbers |= {name: check_real(parts[name], name) for name in _SHARES}
    return NetworkSettings(spec=attention_spec(parts), **numbers)


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
        When they do not belong together: a file that is damaged or was made to do harm. A network
        that is larger than its weights is never made.
    """
    from safetensors.torch import load

    with _misfits():
        settings = network_settings(parts)
        if (settings.n_terms, settings.n_classes) != (n_terms, n_classes):
            raise ValueError(f"not for {n_terms} tokens and {n_classes} classes")
        stored = load(weights)
        room = len(weights) // 4
        for n_numbers in numbers_of(settings, priors):
            room -= n_numbers
            if room < 0:
                raise ValueError("too few numbers")
        network = Network(settings, priors, torch.Generator())
        network.load_state_dict(stored)
    if not all(bool(torch.isfinite(each).all()) for each in _state(network).values()):
        raise InvalidInputError(
            "The weights of an AttentionClassifier must be finite. Fit again, or load a sound file."
        )
    return network.eval()


@contextmanager
def _misfits() -> Iterator[None]:
    from safetensors import SafetensorError

    try:
        yield
    except (SafetensorError, *_MISFITS) as error:
        if is_memory_error(error):
            raise
        # Of the weights that torch finds to be wrong, one is enough.
        reason = " ".join(line.strip() for line in str(error).splitlines()[:2])
        raise InvalidInputError(
            "The weights of an AttentionClassifier do not fit its settings "
            f"({type(error).__name__}: {reason}). Fit again, or load a sound file."
        ) from error


def numbers_of(settings: NetworkSettings, priors: Fitted) -> Iterator[int]:
    """Yield how many numbers each part of a network learns, before any is made.

    What has come so far limits what the next part costs to count: whoever stops where the sum is
    too large has spent little.

    Parameters
    ----------
    settings : NetworkSettings
    priors : sequence of (Prior, FittedPrior)

    Yields
    ------
    int
        Of matrices and norms; of the slots of each layer and the pooling; of each prior.
    """
    spec, d_model = settings.spec, settings.d_model
    layout, score = spec.heads(d_model), spec.score_settings()
    asked = layout.n_heads * score.query_width(d_model, layout.d_head)
    keys = asked // layout.n_heads * layout.n_kv_heads if score.projects_keys else 0
    taken = (layout.n_kv_heads + layout.n_heads) * layout.d_head  # values and their sums
    hidden = settings.hidden_width
    # A norm has 2 · d_model; hidden layers and the head have biases.
    layer = (asked + keys + taken + 2 * hidden + 5) * d_model + hidden
    yield settings.n_layers * layer
    yield (settings.n_terms + 2 + keys + taken + 2) * d_model + settings.n_queries * asked
    yield (settings.n_queries * d_model + 1) * settings.n_classes
    with torch.device("meta"):  # shapes alone
        for each in (*layer_specs(settings), pooling_spec(spec, settings.n_queries)):
            yield _n_numbers(_slots_of(each, d_model))
        for prior, fitted in priors:
            yield _n_numbers(build_term(prior, fitted, settings.sizes, torch.Generator()))


def _slots_of(spec: AttentionSpec, d_model: int) -> nn.Module:
    """Return what the score and the position of an attention learn."""
    layout, score = spec.heads(d_model), spec.score_settings()
    width = score.query_width(d_model, layout.d_head)
    generator = torch.Generator()
    return nn.ModuleList(
        (
            score.build(layout.n_heads, width, generator),
            spec.position_settings().build(layout.n_heads, width, d_model, generator),
        )
    )


def _n_numbers(module: nn.Module) -> int:
    return sum(each.numel() for each in module.parameters())


def _state(network: Network) -> dict[str, torch.Tensor]:
    state: dict[str, torch.Tensor] = network.state_dict()
    return state
