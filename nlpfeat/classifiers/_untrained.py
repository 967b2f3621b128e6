"""A classifier as it was before its first step."""

from copy import copy
from typing import TypeVar

import numpy as np

from nlpfeat.classifiers._network_classifier import NetworkClassifier
from nlpfeat.features.random_states import check_seed

AnyNetworkClassifier = TypeVar("AnyNetworkClassifier", bound=NetworkClassifier)


def untrained(classifier: AnyNetworkClassifier) -> AnyNetworkClassifier | None:
    """Return a copy of a fitted classifier with the weights that it began with.

    Parameters
    ----------
    classifier : NetworkClassifier
        Fitted.

    Returns
    -------
    NetworkClassifier or None
        Its network is drawn again by the same seed, with the priors that it began with. None where
        ``random_state`` is no integer: what was drawn cannot be drawn again.
    """
    if not isinstance(classifier.random_state, int | np.integer):
        return None
    import torch

    from nlpfeat.classifiers._fitting import _Seeds
    from nlpfeat.classifiers._stored_network import weights_as_bytes

    architecture, priors = classifier._architecture(), classifier._learned_priors()
    seeds = _Seeds.of(check_seed(classifier.random_state), len(priors))
    network = architecture.build(
        architecture.settings_of(classifier._parts),
        [(each.prior, each.fitted) for each in priors],
        torch.Generator().manual_seed(seeds.network),
    )
    drawn = copy(classifier)
    drawn._weights = weights_as_bytes(network)
    return drawn
