"""The network of attention as a kind of network: its settings, and how much it learns."""

from collections.abc import Iterator, Sequence

import torch
from torch import nn

from nlpfeat._names import lookup
from nlpfeat.attention.scores import SCORES, Score
from nlpfeat.attention.spec import AttentionSpec
from nlpfeat.classifiers._architecture import (
    Architecture,
    Fitted,
    Parts,
    checked_numbers,
    n_numbers,
)
from nlpfeat.classifiers._network import Network, NetworkSettings, layer_specs, pooling_spec
from nlpfeat.classifiers._prior_places import check_priors_act
from nlpfeat.classifiers._prior_terms import build_term
from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors import Prior

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


def attention_spec(parts: Parts) -> AttentionSpec:
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


def network_settings(parts: Parts) -> NetworkSettings:
    """Return the settings of a network from a flat dict: sizes, and the slots of the attention.

    Raises
    ------
    InvalidParameterError
        For a part that is missing, unknown, or cannot be.
    """
    numbers = checked_numbers(parts, _SIZES, _SHARES, _SLOTS)
    return NetworkSettings(spec=attention_spec(parts), **numbers)


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
            yield n_numbers(_slots_of(each, d_model))
        for prior, fitted in priors:
            yield n_numbers(build_term(prior, fitted, settings.sizes, torch.Generator()))


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


def _check(parts: Parts, priors: Sequence[Prior]) -> None:
    check_priors_act(priors, attention_spec(parts), parts["n_layers"])


ATTENTION = Architecture(network_settings, numbers_of, Network, _check)
