"""The network of the attention classifier: embeddings, blocks, pooling, head, and prior terms."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpfeat.attention.functional import Columns
from nlpfeat.attention.initialization import empty_linear, xavier_uniform
from nlpfeat.attention.module import Attention
from nlpfeat.attention.positions.absolute import AbsolutePosition
from nlpfeat.attention.scores import ScoreFunction
from nlpfeat.attention.spec import AttentionSpec
from nlpfeat.classifiers._batching import Batch
from nlpfeat.classifiers._dropout import Dropout, TokenMasking
from nlpfeat.classifiers._prior_terms import POOLING, PriorTerm, TermReading, TermSizes, build_term
from nlpfeat.classifiers._text_network import (
    EMBEDDING_SPREAD,
    NetworkOutput,
    TextNetwork,
    parameter_group,
)
from nlpfeat.errors import InvalidInputError
from nlpfeat.priors import FittedPrior, Prior


@dataclass(frozen=True)
class NetworkSettings:
    """The sizes and parts of a network."""

    #: V; the id V is an unknown token, V + 1 one that is masked in training.
    n_terms: int
    #: C
    n_classes: int
    d_model: int
    n_layers: int
    #: The attention of each layer; the pooling has the same with learned queries.
    spec: AttentionSpec
    #: Learned queries of the pooling.
    n_queries: int
    #: Width of the hidden layer of a block, in widths of the model.
    feed_forward: float = 2.0
    #: Share of numbers that are dropped: of embeddings, of what a block adds, of what is pooled.
    dropout: float = 0.0
    #: Share of tokens that are replaced by the masked one, in training.
    token_dropout: float = 0.0
    #: Tokens of the longest document, for a learned absolute position; None is its own default.
    max_length: int | None = None

    @property
    def sizes(self) -> TermSizes:
        """What the terms of priors must know."""
        return TermSizes(
            self.n_terms, self.n_classes, self.d_model, self.spec.n_heads, self.n_layers,
            self.n_queries,
        )  # fmt: skip

    @property
    def hidden_width(self) -> int:
        """Width of the hidden layer of a block."""
        return max(1, round(self.feed_forward * self.d_model))


class Block(nn.Module):
    """A pre-norm layer: x + attention(norm(x)), then x + feed_forward(norm(x)).

    Parameters
    ----------
    settings : NetworkSettings
    spec : AttentionSpec
    generator : torch.Generator

    Notes
    -----
    What is added to the tokens starts smaller by 1/√(2 · layers), so that their spread does not
    grow with the depth (Radford et al., 2019). Norms before the sub-layers: Xiong et al. (2020).
    """

    def __init__(
        self, settings: NetworkSettings, spec: AttentionSpec, generator: torch.Generator
    ) -> None:
        super().__init__()
        d_model, width = settings.d_model, settings.hidden_width
        gain = 1.0 / math.sqrt(2.0 * settings.n_layers)
        self.attention_norm = nn.LayerNorm(d_model)
        self.attention = Attention(d_model, spec, generator=generator)
        xavier_uniform(self.attention.output.weight, generator, gain)
        self.feed_forward_norm = nn.LayerNorm(d_model)
        self.widen = empty_linear(d_model, width, bias=True)
        xavier_uniform(self.widen.weight, generator)
        self.narrow = empty_linear(width, d_model, bias=True)
        xavier_uniform(self.narrow.weight, generator, gain)
        self.dropout = Dropout(settings.dropout)

    def forward(
        self,
        hidden: Tensor,
        mask: Tensor | None,
        bias: Tensor | None,
        columns: Columns | None,
        return_weights: bool,
        path: str,
    ) -> tuple[Tensor, Tensor | None]:
        """Return the tokens (B, L, d_model) and, when asked for, the weights."""
        answer = self.attention(
            self.attention_norm(hidden), mask, bias=bias, columns=columns,
            return_weights=return_weights, path=path,
        )  # fmt: skip
        hidden = hidden + self.dropout(answer.hidden)
        inner = functional.gelu(self.widen(self.feed_forward_norm(hidden)))
        return hidden + self.dropout(self.narrow(self.dropout(inner))), answer.weights


class Network(TextNetwork):
    """Tokens → layers of attention → pooling by learned queries → log-scores of classes.

    All that the base model has is drawn from ``generator`` first, then each prior draws from a
    generator of its own: the base model starts the same with priors or without. So it is with what
    is drawn in training; ``start_drawing`` seeds that.

    Parameters
    ----------
    settings : NetworkSettings
    priors : sequence of (Prior, FittedPrior)
    generator : torch.Generator
        Of the CPU.

    Attributes
    ----------
    part_weights : Tensor of shape (1 + number of priors that add log-scores,)
        What each part of the log-scores counts in prediction; 1 until they are learned.

    Raises
    ------
    InvalidParameterError
        For settings that mean nothing; as ``AttentionSpec.validated``.
    InvalidInputError
        For a prior that was fitted for other terms or classes.
    """

    settings: NetworkSettings

    def __init__(
        self,
        settings: NetworkSettings,
        priors: Sequence[tuple[Prior, FittedPrior]],
        generator: torch.Generator,
    ) -> None:
        super().__init__()
        self.settings = settings
        d_model, spec = settings.d_model, settings.spec
        rows = torch.empty(settings.n_terms + 2, d_model)
        rows.normal_(std=EMBEDDING_SPREAD, generator=generator)
        self.embedding = nn.Embedding(len(rows), d_model, _weight=rows)
        self.dropout = Dropout(settings.dropout)
        self.masking = TokenMasking(settings.token_dropout, masked=settings.n_terms + 1)
        # Each layer is drawn anew: copies of one layer train badly.
        self.layers = nn.ModuleList(
            Block(settings, each, generator) for each in layer_specs(settings)
        )
        self.norm = nn.LayerNorm(d_model)
        self.pooling = Attention(
            d_model, pooling_spec(spec, settings.n_queries), generator=generator
        )
        self.head = empty_linear(settings.n_queries * d_model, settings.n_classes, bias=True)
        xavier_uniform(self.head.weight, generator)
        self.terms = nn.ModuleList(
            build_term(prior, fitted, settings.sizes, _own_generator(generator))
            for prior, fitted in priors
        )
        n_parts = 1 + sum(term.adds_logits for term in self._terms)
        self.register_buffer("part_weights", torch.ones(n_parts))
        attentions = [block.attention for block in self._blocks]
        for term in self._terms:
            term.change_base(self.embedding, attentions, self.head)

    @property
    def _blocks(self) -> list[Block]:
        return cast("list[Block]", list(self.layers))

    @property
    def _terms(self) -> list[PriorTerm]:
        return cast("list[PriorTerm]", list(self.terms))

    def forward(
        self, batch: Batch, *, return_weights: bool = False, path: str = "auto"
    ) -> NetworkOutput:
        """Return the log-scores of each document.

        Parameters
        ----------
        batch : Batch
            No result depends on what stands where its mask is False.
        return_weights : bool, default False
        path : {"auto", "explicit", "fused", "flex"}, default "auto"
            As for ``attend``.

        Returns
        -------
        NetworkOutput

        Raises
        ------
        InvalidInputError
            For a batch that was made with other priors than the network has.
        """
        self._check(batch)
        ids: Tensor = self.masking(batch.ids.masked_fill(~batch.mask, self.settings.n_terms))
        # Without padding nothing has to be masked. To ask a GPU would wait for it.
        mask = batch.mask if batch.mask.is_cuda or not bool(batch.mask.all()) else None
        terms = self._terms
        readings = [term.read(ids, inputs) for term, inputs in zip(terms, batch.priors)]
        hidden = self._embedded(ids)
        for term, reading in zip(terms, readings):
            hidden = term.hidden(hidden, reading)
        additions = _Additions(terms, readings)
        weights: list[Tensor | None] = []
        for number, block in enumerate(self._blocks):
            bias, columns = additions.of(number)
            hidden, seen = block(hidden, mask, bias, columns, return_weights, path)
            weights.append(seen)
        bias, _ = additions.of(POOLING)
        pooled = self.pooling(
            self.norm(hidden), mask, bias=bias, return_weights=return_weights, path=path
        )
        weights.append(pooled.weights)
        features = self.dropout(pooled.hidden.flatten(1))
        said = [term.logits(reading) for term, reading in zip(terms, readings)]
        parts = [self.head(features), *(part for part in said if part is not None)]
        kept = [each for each in weights if each is not None] if return_weights else None
        return NetworkOutput(self._weighed(parts), parts, features, kept)

    def parameter_groups(self, learning_rate: float, weight_decay: float) -> list[dict[str, Any]]:
        """Return the parameters as groups of an optimizer.

        The matrices of layers, pooling and head decay. Norms, biases, embeddings, learned queries
        and positions do not, nor do strengths of priors; a wide part has its own rate and decay.
        """
        decaying: list[Tensor] = []
        for part in (self.layers, self.pooling, self.head):
            for module in part.modules():
                if isinstance(module, nn.Linear):
                    decaying.append(module.weight)
                elif isinstance(module, ScoreFunction):
                    decaying += _matrices(module)
        known = {id(each) for each in (*decaying, *self.terms.parameters())}
        others = [each for each in self.parameters() if id(each) not in known]
        groups = parameter_group(decaying, learning_rate, weight_decay)
        groups += parameter_group(others, learning_rate, 0.0)
        for term in self._terms:
            groups += term.parameter_groups(learning_rate, weight_decay)
        return groups

    def extra_loss(
        self, output: NetworkOutput, targets: Tensor, weights: Tensor | None
    ) -> Tensor | None:
        """Return what priors add to the loss."""
        return _total(term.loss(output.pooled, targets, weights) for term in self._terms)

    def prior_parameters(self) -> Iterator[nn.Parameter]:
        """Yield what the terms of the priors learn."""
        return self.terms.parameters()

    def _check(self, batch: Batch) -> None:
        if len(batch.priors) != len(self.terms):
            raise InvalidInputError(
                f"A batch must hold what each of the {len(self.terms)} priors of the network says "
                f"of its documents. Got that of {len(batch.priors)} priors."
            )

    def _embedded(self, ids: Tensor) -> Tensor:
        hidden: Tensor = self.embedding(ids)
        if len(self.layers):
            places = torch.arange(ids.shape[1], device=ids.device)
            where = self._blocks[0].attention.position.embed(places)
            hidden = hidden if where is None else hidden + where
        dropped: Tensor = self.dropout(hidden)
        return dropped


class _Additions:
    """What the terms add to the scores of each layer, built once where layers share it."""

    def __init__(self, terms: list[PriorTerm], readings: list[TermReading]) -> None:
        self._pairs = list(zip(terms, readings))
        self._shared = all(term.share_layers for term in terms)
        self._first: tuple[Tensor | None, Columns | None] | None = None

    def of(self, layer: int) -> tuple[Tensor | None, Columns | None]:
        """Return the bias and the columns of a layer or the pooling."""
        if layer == POOLING or not self._shared:
            return self._built(layer)
        if self._first is None:
            self._first = self._built(layer)
        return self._first

    def _built(self, layer: int) -> tuple[Tensor | None, Columns | None]:
        bias = _total(term.bias(reading, layer) for term, reading in self._pairs)
        columns = [term.columns(reading, layer) for term, reading in self._pairs]
        return bias, _side_by_side([each for each in columns if each is not None])


def _total(parts: Iterable[Tensor | None]) -> Tensor | None:
    total: Tensor | None = None
    for part in parts:
        if part is not None:
            total = part if total is None else total + part
    return total


def _side_by_side(columns: list[Columns]) -> Columns | None:
    if len(columns) < 2:
        return columns[0] if columns else None
    return _joined([each[0] for each in columns]), _joined([each[1] for each in columns])


def _joined(parts: list[Tensor]) -> Tensor:
    n_heads = max(each.shape[1] for each in parts)
    return torch.cat([each.expand(-1, n_heads, -1, -1) for each in parts], dim=-1)


def _matrices(score: ScoreFunction) -> list[Tensor]:
    """Return what a score has learned, but for biases and scales."""
    return [each for name, each in score.named_parameters() if each.ndim > 1 and "bias" not in name]


def layer_specs(settings: NetworkSettings) -> list[AttentionSpec]:
    """Return the spec of each layer; an absolute position is for the first alone."""
    spec = replace(settings.spec, n_queries=None)
    position = spec.position_settings()
    if not isinstance(position, AbsolutePosition):
        return [spec] * settings.n_layers
    if settings.max_length is not None and isinstance(spec.position, str):
        position = replace(position, max_length=settings.max_length)
    first, later = replace(spec, position=position), replace(spec, position="none")
    return [first, *[later] * (settings.n_layers - 1)][: settings.n_layers]


def pooling_spec(spec: AttentionSpec, n_queries: int) -> AttentionSpec:
    """Return the spec with learned queries, which stand nowhere and have no past."""
    normalizer = "softmax" if spec.normalizer_settings().couples_queries else spec.normalizer
    return replace(spec, position="none", normalizer=normalizer, n_queries=n_queries, causal=False)


def _own_generator(generator: torch.Generator) -> torch.Generator:
    seed = int(torch.randint(2**62, (), generator=generator))
    return torch.Generator().manual_seed(seed)
