"""Whether the weights of an attention matter at all: the same model, or a bag, without them.

After two of the tests of Wiegreffe and Pinter (2019). Their uniform weights are frozen while the
model is trained; here those of the fitted model are made uniform. The spread between seeds, another
of their tests, is in the rows.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import Tensor

from nlpfeat._typing import Float64Array
from nlpfeat.attention.module import Attention
from nlpfeat.attention.normalizers.normalizer import Normalizer
from nlpfeat.classifiers._predicting import log_probabilities
from nlpfeat.classifiers.attention import AttentionClassifier
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts
from nlpfeat.compare.explaining.omission import OmissionEffect, effect_of
from nlpfeat.compare.log_scores import LogScores, ModelScores
from nlpfeat.compare.opened_networks import open_network

if TYPE_CHECKING:
    from nlpfeat.classifiers._network import Block, Network

_AT_ONCE = 32


@dataclass(frozen=True)
class Uniform(Normalizer):
    """All real keys alike, whatever the scores: A_ij = 1 / number of keys that i may see.

    Examples
    --------
    >>> Uniform()(torch.tensor([[9.0, 0.0, 5.0]]), torch.tensor([[True, True, False]]))
    tensor([[0.5000, 0.5000, 0.0000]])
    """

    name = "uniform"

    def normalize(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        """Return the weights, as in `Normalizer.normalize`."""
        seen = torch.ones_like(scores) if mask is None else mask.to(scores.dtype).expand_as(scores)
        return seen / seen.sum(-1, keepdim=True).clamp(min=1.0)


def controls(
    classifier: AttentionClassifier, score: LogScores, texts: ExplainedTexts
) -> dict[str, OmissionEffect]:
    """Return what is lost when weights of attention are replaced by uniform ones.

    Parameters
    ----------
    classifier : AttentionClassifier
        Fitted.
    score : LogScores
        The same model.
    texts : ExplainedTexts
        Whose ``controls`` are asked about.

    Returns
    -------
    dict of str to OmissionEffect
        For each of ``WITHOUT_WEIGHTS``, over the test documents of ``texts.controls``. The bag has
        none when the training documents there are of one class. Its two models are fitted apart:
        that one is less sure of what the other says is no loss, so that only its accuracies tell.
    """
    given = texts.controls
    columns = np.array(texts.columns_of(given.test_labels))
    with_weights = score(given.test)
    found = {}
    for kind, is_everywhere in (("pooling weights", False), ("all weights", True)):
        changed = _Uniformed(classifier, is_everywhere=is_everywhere)
        after = ModelScores(changed, texts.classes)(given.test)
        found[kind] = effect_of(with_weights, after, columns)
    if len(set(given.training_labels)) > 1:
        before, after = _bags(classifier, texts)
        found["weights of a bag"] = effect_of(before, after, columns)
    return found


class _Uniformed:
    """A fitted classifier with uniform weights, in the pooling alone or everywhere."""

    def __init__(self, classifier: AttentionClassifier, *, is_everywhere: bool) -> None:
        self.classes_ = classifier.classes_
        self._classifier = classifier
        self._is_everywhere = is_everywhere

    def predict_log_proba(self, documents: list[list[str]]) -> Float64Array:
        """Return log-probabilities."""
        opened = open_network(self._classifier, documents)
        network = uniformed(opened.network, is_everywhere=self._is_everywhere)
        return log_probabilities(
            network, opened.batches, opened.device, type(self._classifier).__name__
        )


def uniformed(network: "Network", *, is_everywhere: bool) -> "Network":
    """Return a copy whose pooling, or each of its attentions, weighs all tokens alike.

    Parameters
    ----------
    network : Network
    is_everywhere : bool
        Whether the layers weigh all tokens alike, too.
    """
    changed = copy.deepcopy(network)
    changed.pooling = _with_uniform(changed.pooling)
    if is_everywhere:
        for block in cast("list[Block]", list(changed.layers)):
            block.attention = _with_uniform(block.attention)
    return changed.eval()


def _with_uniform(attention: Attention) -> Attention:
    spec = replace(attention.spec, normalizer=Uniform())
    changed = Attention(attention.d_model, spec, generator=torch.Generator())
    changed.load_state_dict(attention.state_dict())
    return changed.to(attention.projection.weight.device)


def _bags(
    classifier: AttentionClassifier, texts: ExplainedTexts
) -> tuple[Float64Array, Float64Array]:
    """Return log-probabilities of a linear model on weighted sums of token vectors, two times.

    First with the weights of the pooling, then with uniform ones. The vectors are those that the
    classifier learned, and no token knows another: all that the weights can bring are themselves.
    """
    given, found = texts.controls, []
    training = token_vector_means(classifier, given.training)
    test = token_vector_means(classifier, given.test)
    for features, asked in zip(training, test):
        model: Any = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        model.fit(features, np.array(given.training_labels))
        found.append(ModelScores(model, texts.classes)(cast("list[list[str]]", asked)))
    return found[0], found[1]


def token_vector_means(
    classifier: AttentionClassifier, documents: Sequence[Sequence[str]]
) -> tuple[Float64Array, Float64Array]:
    """Return the sum of the learned vectors of the tokens of each document, weighted two ways.

    Parameters
    ----------
    classifier : AttentionClassifier
        Fitted.
    documents : sequence of sequences of str
        N token lists.

    Returns
    -------
    weighted, uniform : ndarray of float64, shape (N, d_model)
        With the weights of the pooling (mean over heads and queries), and with equal ones. Zeros
        for a document without a token.
    """
    opened = open_network(classifier, documents)
    network: Network = opened.network
    width = network.settings.d_model
    weighted, uniform = np.zeros((2, len(documents), width))
    with torch.inference_mode():
        for batch in opened.batches.batches(_AT_ONCE):
            batch = batch.to(opened.device)
            output = network(batch, return_weights=True, path="explicit")
            pooling = cast("list[Tensor]", output.weights)[-1]
            weights = pooling.flatten(1, -2).mean(1)
            alike = batch.mask / batch.mask.sum(1, keepdim=True).clamp(min=1)
            vectors = network.embedding(batch.ids)
            rows = batch.rows.cpu().numpy()
            for means, shares in ((weighted, weights), (uniform, alike)):
                summed = (shares[:, None].to(vectors.dtype) @ vectors)[:, 0]
                means[rows] = summed.double().cpu().numpy()
    return weighted, uniform
