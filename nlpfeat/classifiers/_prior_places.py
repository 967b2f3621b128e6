"""Whether priors can do anything where they act: what means nothing is an error."""

from collections.abc import Sequence

from nlpfeat.attention.spec import AttentionSpec
from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors.prior import Prior
from nlpfeat.priors.topic import TopicPrior


def check_priors_act(priors: Sequence[Prior], spec: AttentionSpec, n_layers: int) -> None:
    """Refuse a prior that could change nothing, whatever its strength.

    Parameters
    ----------
    priors : sequence of Prior
    spec : AttentionSpec
        Of the layers.
    n_layers : int

    Raises
    ------
    InvalidParameterError
        For a prior of layers where there are none, and for weights of keys where the normalizer
        is the same whatever they are; with the reason.
    """
    for prior in priors:
        name = type(prior).__name__
        weighs_keys = _weighs_keys_of_layers_alone(prior)
        if n_layers == 0 and (weighs_keys or prior.name == "pmi"):
            where = f"{name}(where='layers')" if weighs_keys else name
            remedy = "where='all' or 'pooling'" if weighs_keys else "another prior, such as 'key'"
            raise InvalidParameterError(
                f"{where} acts on the layers of self-attention alone, and n_layers=0 has none: it "
                f"would change nothing. Set n_layers=1 or more, or use {remedy}."
            )
        if weighs_keys and spec.normalizer_settings().name == "capsule":
            raise InvalidParameterError(
                f"{name}(where='layers') means nothing with normalizer='capsule', which divides "
                "each key among the queries: what is added to a key for all queries alike falls "
                "out of that share. Use where='all' or 'pooling', or another normalizer."
            )


def _weighs_keys_of_layers_alone(prior: Prior) -> bool:
    if isinstance(prior, TopicPrior) and prior.form != "lift":
        return False
    return getattr(prior, "where", None) == "layers"
