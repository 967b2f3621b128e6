"""What a trained network says of documents."""

import math

import numpy as np
import torch
from torch import Tensor

from nlpfeat._typing import Float64Array
from nlpfeat.classifiers._batching import BatchMaker
from nlpfeat.classifiers._devices import memory_errors
from nlpfeat.classifiers._network import Network
from nlpfeat.classifiers._text_network import TextNetwork
from nlpfeat.classifiers._training import evaluate
from nlpfeat.classifiers.document_attention import DocumentAttention, Float32Array
from nlpfeat.errors import InvalidInputError

#: Documents at a time: more is no faster, and the result is the same.
_AT_ONCE = 256


def probabilities(
    network: TextNetwork, documents: BatchMaker, device: torch.device, owner: str
) -> Float64Array:
    """Return the probability of each class, float64, shape (N, C); rows sum to 1.

    Parameters
    ----------
    network : TextNetwork
    documents : BatchMaker
    device : torch.device
    owner : str
        What errors call the classifier.
    """
    logits = _log_scores(network, documents, device, owner)
    shares: Float64Array = torch.softmax(logits, dim=1).numpy()
    return shares


def log_probabilities(
    network: TextNetwork, documents: BatchMaker, device: torch.device, owner: str
) -> Float64Array:
    """Return the logarithms of the probabilities, float64, shape (N, C); all are finite."""
    logits = _log_scores(network, documents, device, owner)
    logs: Float64Array = torch.log_softmax(logits, dim=1).numpy()
    return logs


def attentions(
    network: Network, documents: BatchMaker, tokens: list[list[str]], device: torch.device
) -> list[DocumentAttention]:
    """Return the weights of each document.

    Parameters
    ----------
    network : Network
    documents : BatchMaker
    tokens : list of list of str
        The tokens of each document.
    device : torch.device
    """
    found: dict[int, DocumentAttention] = {}
    with memory_errors(), torch.inference_mode():
        for batch in documents.batches(_AT_ONCE):
            weights = network(batch.to(device), return_weights=True, path="explicit").weights
            # Where no token stands no weights are: a document of other length is cut to its own.
            *layers, pooling = (each.float().cpu().numpy() for each in weights)
            for place, row in enumerate(batch.rows.tolist()):
                n_tokens = len(tokens[row])
                pooled = _by_head(pooling[place][..., :n_tokens])
                by_layer = [_by_head(each[place][..., :n_tokens, :n_tokens]) for each in layers]
                found[row] = DocumentAttention(
                    tokens[row], _stacked(by_layer, len(pooled), n_tokens), pooled
                )
    return [found[row] for row in range(len(documents))]


def _log_scores(
    network: TextNetwork, documents: BatchMaker, device: torch.device, owner: str
) -> Tensor:
    with memory_errors():
        logits = evaluate(network, documents, _AT_ONCE, device).double()
    if not bool(torch.isfinite(logits).all()):
        raise InvalidInputError(
            f"The log-scores of this {owner} must be finite, and its weights are too large for "
            "that. Fit again with a lower learning_rate or weight_decay."
        )
    return logits


def _by_head(weights: Float32Array) -> Float32Array:
    """Return the weights of a document as (H, Q, K); a head of each dimension is a head."""
    *heads, n_queries, n_tokens = weights.shape
    return weights.reshape(math.prod(heads), n_queries, n_tokens).copy()


def _stacked(layers: list[Float32Array], n_heads: int, n_tokens: int) -> Float32Array:
    """Return the weights of the layers, shape (n_layers, H, L, L); without layers (0, H, L, L)."""
    if not layers:
        return np.zeros((0, n_heads, n_tokens, n_tokens), dtype=np.float32)
    return np.stack(layers)
