"""The network inside a fitted classifier, and documents as it takes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nlpfeat.classifiers._kept_networks import network_and_device
from nlpfeat.classifiers._network_classifier import NetworkClassifier

if TYPE_CHECKING:
    import torch

    from nlpfeat.classifiers._batching import BatchMaker


@dataclass(frozen=True, eq=False)
class OpenedNetwork:
    """A network with documents.

    Parameters
    ----------
    network : TextNetwork
        That of the classifier, ready to predict. Copy it before it is changed.
    batches : BatchMaker
        N documents.
    tokens : list of list of str
        What the classifier reads in each of them.
    device : torch.device
    """

    network: Any
    batches: "BatchMaker"
    tokens: list[list[str]]
    device: "torch.device"


def open_network(
    classifier: NetworkClassifier, documents: Sequence[Sequence[str]]
) -> OpenedNetwork:
    """Return the network of a fitted classifier with documents that it has read.

    Parameters
    ----------
    classifier : NetworkClassifier
        Fitted.
    documents : sequence of sequences of str
        N token lists.

    Returns
    -------
    OpenedNetwork
    """
    network, device = network_and_device(classifier)
    reading = classifier._reading()
    given = [list(document) for document in documents]
    read, tokens = reading.read_with_tokens(given, classifier._vocabulary)
    return OpenedNetwork(network, classifier._batches(read), tokens, device)
