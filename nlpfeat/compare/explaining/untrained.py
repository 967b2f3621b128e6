"""The attention of a classifier before it was trained."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from nlpfeat.classifiers.attention import AttentionClassifier
from nlpfeat.compare.explaining.evidence import TokenWeights, attention_on_tokens
from nlpfeat.compare.opened_networks import open_network
from nlpfeat.features.random_states import check_seed

if TYPE_CHECKING:
    from nlpfeat.classifiers._network import Network


def untrained_attention(
    classifier: AttentionClassifier, documents: Sequence[Sequence[str]]
) -> TokenWeights | None:
    """Return the weights that a classifier gave before its first step.

    Parameters
    ----------
    classifier : AttentionClassifier
        Fitted.
    documents : sequence of sequences of str
        N token lists.

    Returns
    -------
    TokenWeights or None
        Of a network that is drawn again by the same seed, with the priors that it began with. None
        where ``random_state`` is no integer: what was drawn cannot be drawn again.
    """
    if not isinstance(classifier.random_state, int | np.integer):
        return None
    import torch

    from nlpfeat.classifiers._fitting import _Seeds
    from nlpfeat.classifiers._predicting import attentions

    architecture, priors = classifier._architecture(), classifier._learned_priors()
    seeds = _Seeds.of(check_seed(classifier.random_state), len(priors))
    network = architecture.build(
        architecture.settings_of(classifier._parts),
        [(each.prior, each.fitted) for each in priors],
        torch.Generator().manual_seed(seeds.network),
    )
    opened = open_network(classifier, documents)
    drawn = cast("Network", network.eval().to(opened.device))
    found = attentions(drawn, opened.batches, opened.tokens, opened.device)
    return attention_on_tokens(found, documents, classifier.unit)
