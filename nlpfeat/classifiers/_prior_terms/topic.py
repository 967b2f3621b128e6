"""Topics of the document in a network: a lift of keys, a gate of tokens, or one more token."""

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpfeat.attention.initialization import xavier_uniform
from nlpfeat.classifiers._prior_terms.key import TokenBias
from nlpfeat.classifiers._prior_terms.term import PriorTerm, TermReading, TermSizes
from nlpfeat.classifiers._text_network import parameter_group

if TYPE_CHECKING:
    from nlpfeat.priors.topic import FittedTopicPrior, TopicPrior


class TopicGate(PriorTerm):
    """h ← (1 + W_g θ) ∘ h + W_b θ, on the tokens before the first layer; both matrices start at 0.

    Notes
    -----
    Source: feature-wise linear modulation, Perez et al. (2018).
    """

    def __init__(self, n_topics: int, d_model: int, *, learned: bool) -> None:
        super().__init__()
        self.factors = nn.Parameter(torch.zeros(d_model, n_topics), requires_grad=learned)
        self.shifts = nn.Parameter(torch.zeros(d_model, n_topics), requires_grad=learned)

    def hidden(self, hidden: Tensor, reading: TermReading) -> Tensor:
        """Return the tokens, stretched and moved by the topics of their document."""
        theta = _theta(reading, self.factors)
        if theta is None:
            return hidden
        factors, shifts = functional.linear(theta, torch.cat([self.factors, self.shifts])).chunk(
            2, -1
        )
        return (1.0 + factors)[:, None] * hidden + shifts[:, None]

    def parameter_groups(self, learning_rate: float, weight_decay: float) -> list[dict[str, Any]]:
        """Return the matrices, which decay as those of layers do."""
        return parameter_group(list(self.parameters()), learning_rate, weight_decay)


class TopicToken(PriorTerm):
    """One more token, made of topics: a key W_k θ and a value W_v θ, before the first layer.

    Each token attends to it and to an empty one, whose score and value are 0: the weight is
    a_i = sigmoid(norm(h_i) · W_k θ / √d), and h_i ← h_i + tanh(g) a_i W_v θ. The gate g starts at
    0. Among the keys of a layer the token could not be neutral: softmax gives each key some weight.

    Notes
    -----
    Source: the gate of cross-attention, Alayrac et al. (2022).
    """

    def __init__(
        self, n_topics: int, d_model: int, *, learned: bool, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.key = nn.Parameter(torch.empty(d_model, n_topics), requires_grad=learned)
        self.value = nn.Parameter(torch.empty(d_model, n_topics), requires_grad=learned)
        for weight in (self.key, self.value):
            xavier_uniform(weight, generator)
        self.gate = nn.Parameter(torch.zeros(()), requires_grad=learned)

    def hidden(self, hidden: Tensor, reading: TermReading) -> Tensor:
        """Return the tokens and what each takes of the topics."""
        theta = _theta(reading, self.key)
        if theta is None:
            return hidden
        d_model = hidden.shape[-1]
        key, value = functional.linear(theta, torch.cat([self.key, self.value])).chunk(2, -1)
        query = functional.layer_norm(hidden, (d_model,))
        weights = torch.sigmoid(query @ key[:, :, None] * d_model**-0.5)
        return hidden + torch.tanh(self.gate) * weights * value[:, None]

    def parameter_groups(self, learning_rate: float, weight_decay: float) -> list[dict[str, Any]]:
        """Return the matrices, which decay, and the gate, which does not."""
        return [
            *parameter_group([self.key, self.value], learning_rate, weight_decay),
            *parameter_group([self.gate], learning_rate, 0.0),
        ]


def _theta(reading: TermReading, like: Tensor) -> Tensor | None:
    """Return the topic shares (B, K)."""
    rows = reading.inputs.rows
    return None if rows is None else rows.to(like.dtype)


def build_topic(
    prior: "TopicPrior",
    fitted: "FittedTopicPrior",
    sizes: TermSizes,
    generator: torch.Generator,
) -> PriorTerm:
    """Return the term of the form that was fitted."""
    n_topics = len(fitted.components)
    if fitted.form == "gate":
        return TopicGate(n_topics, sizes.d_model, learned=prior.learned)
    if fitted.form == "token":
        return TopicToken(n_topics, sizes.d_model, learned=prior.learned, generator=generator)
    return TokenBias(
        sizes,
        prior.strength,
        learned=prior.learned,
        share_layers=prior.share_layers,
        where=prior.where,
    )
