"""The networks of the classifiers that are in use, beside the classifiers.

What a classifier holds itself is plain, and can be copied, pickled and saved; torch is loaded when
a network is asked for.
"""

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from sklearn.utils.validation import check_is_fitted

from nlpfeat._optional import missing_dependency

if TYPE_CHECKING:
    import torch

    from nlpfeat.classifiers._network_classifier import NetworkClassifier
    from nlpfeat.classifiers._text_network import TextNetwork

#: Each network with the weights that it was made of: after another ``fit`` they are others.
_NETWORKS: "WeakKeyDictionary[NetworkClassifier, tuple[bytes, TextNetwork]]" = WeakKeyDictionary()


def network_and_device(classifier: "NetworkClassifier") -> "tuple[TextNetwork, torch.device]":
    """Return the network of a fitted classifier, on its device.

    Raises
    ------
    NotFittedError
        Before ``fit``.
    MissingDependencyError
        Without the extra ``attention``.
    InvalidParameterError
        When the device is not there, or its memory does not suffice.
    InvalidInputError
        When weights and settings do not belong together.
    """
    check_is_fitted(classifier)
    check_extra(type(classifier).__name__)
    from nlpfeat.classifiers._devices import memory_errors, resolve_device
    from nlpfeat.classifiers._stored_network import network_of

    device = resolve_device(classifier.device)
    weights, network = _NETWORKS.get(classifier, (None, None))
    with memory_errors():
        if network is None or weights is not classifier._weights:
            network = network_of(
                classifier._architecture(),
                classifier._parts,
                [(each.prior, each.fitted) for each in classifier._learned_priors()],
                classifier._weights,
                n_terms=len(classifier._vocabulary),
                n_classes=len(classifier.classes_),
                owner=type(classifier).__name__,
            )
            _NETWORKS[classifier] = classifier._weights, network
        return network.to(device), device


def check_extra(owner: str) -> None:
    """Raise when a package of the extra is missing that a classifier needs.

    Raises
    ------
    MissingDependencyError
    """
    try:
        import safetensors  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        package = error.name or "torch"
        raise missing_dependency(package, "attention", owner) from error
