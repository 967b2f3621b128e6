"""An attention as a layer with weights."""

import torch
from torch import Tensor, nn

from nlpfeat._validation import check_int
from nlpfeat.attention.argument_checks import (
    check_bias,
    check_dtype,
    check_generator,
    check_tensor,
)
from nlpfeat.attention.functional import Columns, attend
from nlpfeat.attention.heads import merge_heads, split_heads
from nlpfeat.attention.initialization import empty_linear, xavier_uniform
from nlpfeat.attention.output import AttentionOutput, KeyValueCache
from nlpfeat.attention.presets import PRESETS
from nlpfeat.attention.spec import AttentionSpec
from nlpfeat.errors import InvalidInputError, InvalidParameterError


class Attention(nn.Module):
    """A layer of attention: projections, :func:`attend`, and W_O.

    Parameters
    ----------
    d_model : int
        Width of the tokens, and of the result.
    spec : AttentionSpec
    generator : torch.Generator, default None
        What weights are drawn from, on the CPU; None is torch's own.

    Attributes
    ----------
    spec : AttentionSpec
    layout : HeadLayout
    projection : nn.Linear
        Queries, keys and values of all heads, below one another: ``query_weight``, ``key_weight``
        and ``value_weight`` are its parts. Self-attention alone has queries in it; a score that
        takes the tokens as they are, such as ``bilinear``, has no keys in it.
    queries : nn.Parameter of shape (H, n_queries, D)
        Only with ``n_queries``: the learned queries.
    output : nn.Linear
        W_O, without a bias: what no token answered stays 0.
    score, position : nn.Module
        What these slots have learned. An absolute position is added to the tokens before the first
        layer, ``attention.position.embed``, and not here.

    Raises
    ------
    InvalidParameterError
        As ``AttentionSpec.validated``, and for a spec or a generator that is none.

    Examples
    --------
    >>> attention = Attention(8, AttentionSpec(n_heads=2, n_kv_heads=1))
    >>> tokens, mask = torch.zeros(1, 3, 8), torch.tensor([[True, True, False]])
    >>> attention(tokens, mask, return_weights=True).weights[0, 0].tolist()
    [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0]]
    """

    def __init__(
        self, d_model: int, spec: AttentionSpec, *, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.d_model = check_int(d_model, "d_model", minimum=1)
        self.spec = spec = _checked(spec).validated(self.d_model)
        self.layout = spec.heads(self.d_model)
        generator = check_generator(generator)
        score, position = spec.score_settings(), spec.position_settings()
        n_heads, n_kv_heads, d_head = (
            self.layout.n_heads, self.layout.n_kv_heads, self.layout.d_head,
        )  # fmt: skip
        width = score.query_width(self.d_model, d_head)
        self._projects_keys = score.projects_keys
        self._widths = [
            0 if spec.n_queries else n_heads * width,
            n_kv_heads * width if score.projects_keys else 0,
            n_kv_heads * d_head,
        ]
        self.projection = empty_linear(d_model, sum(self._widths), bias=spec.projection_bias)
        for part in self._parts():
            xavier_uniform(part, generator)
        if spec.n_queries:
            self.queries = nn.Parameter(torch.empty(n_heads, spec.n_queries, width))
            nn.init.normal_(self.queries, std=width**-0.5, generator=generator)
        self.output = empty_linear(n_heads * d_head, d_model, bias=False)
        xavier_uniform(self.output.weight, generator)
        self.score = score.build(n_heads, width, generator)
        self.position = position.build(n_heads, width, self.d_model, generator)
        self._normalizer = spec.normalizer_settings()

    @property
    def query_weight(self) -> Tensor:
        """W_Q, shape (H·D, d_model): a view of the projection."""
        return self._parts()[0]

    @property
    def key_weight(self) -> Tensor:
        """W_K, shape (G·D, d_model): a view of the projection."""
        return self._parts()[1]

    @property
    def value_weight(self) -> Tensor:
        """W_V, shape (G·D, d_model): a view of the projection."""
        return self._parts()[2]

    def _parts(self) -> tuple[Tensor, ...]:
        parts: tuple[Tensor, ...] = self.projection.weight.split(self._widths)
        return parts

    def forward(
        self,
        tokens: Tensor,
        mask: Tensor | None = None,
        *,
        bias: Tensor | None = None,
        columns: Columns | None = None,
        head_mask: Tensor | None = None,
        return_weights: bool = False,
        path: str = "auto",
    ) -> AttentionOutput:
        """Let every token, or every learned query, look at all tokens.

        Parameters
        ----------
        tokens : Tensor of shape (B, K, d_model)
        mask : bool Tensor of shape (B, K), default None
            True = a real token. No result depends on what stands at the others, NaN included; the
            result at such a place is that of any query, except where the normalizer couples
            queries: there it is 0. Real tokens must be finite: one that is not may spoil the whole
            document, with ``causal`` the rows before it too.
        bias : Tensor, broadcastable to (B, H, Q, K), default None
            Log-weights, added to the scores, as for :func:`attend`.
        columns : pair of Tensor, default None
            A bias of low rank, as for :func:`attend`.
        head_mask : Tensor of shape (H,), default None
            What each head's result is multiplied by: 0 takes a head out.
        return_weights : bool, default False
        path : {"auto", "explicit", "fused", "flex"}, default "auto"

        Returns
        -------
        AttentionOutput

        Raises
        ------
        InvalidInputError
            For what is no tensor, and shapes or dtypes that do not fit.
        """
        self._check(tokens, mask, bias, head_mask)
        if mask is not None:
            # Here and not in attend: a padded token asks as well.
            tokens = tokens.masked_fill(~mask.unsqueeze(-1), 0.0)
        query, key, value = self.project(tokens)
        if self.spec.n_queries is None:
            places = torch.arange(tokens.shape[1], device=tokens.device)
            query, key = self.position.rotate(query, key, places, places)
            bias = self._with_position_bias(bias, query, places, places)
        heads, weights = attend(
            query, key, value, self._pairs(mask, tokens), bias,
            score=self.score, normalizer=self._normalizer, columns=columns,
            dropout=self.spec.dropout if self.training else 0.0,
            return_weights=return_weights, path=path, unseen_are_finite=True,
        )  # fmt: skip
        if head_mask is not None:
            heads = heads * head_mask.to(heads.dtype).view(1, -1, 1, 1)
        return AttentionOutput(self.output(merge_heads(heads)), heads, weights)

    def project(self, tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries (B, H, Q, D), keys (B, G, K, D) and values (B, G, K, D) of tokens.

        All are of the dtype in which the projection was computed: under autocast that of its region
        and not that of the weights.
        """
        query, key, value = self.projection(tokens).split(self._widths, dim=-1)
        n_heads, n_kv_heads = self.layout.n_heads, self.layout.n_kv_heads
        return (
            self.queries.to(value.dtype).expand(len(tokens), -1, -1, -1)
            if self.spec.n_queries
            else split_heads(query, n_heads),
            split_heads(key, n_kv_heads)
            if self._projects_keys
            else tokens.unsqueeze(1).to(value.dtype),
            split_heads(value, n_kv_heads),
        )

    def new_cache(self, batch_size: int, max_length: int) -> KeyValueCache:
        """Return room for the keys and values of so many tokens.

        Parameters
        ----------
        batch_size : int
            Documents, at least 0.
        max_length : int
            Tokens of each, at least 1.

        Raises
        ------
        InvalidParameterError
            For a number that cannot be.
        """
        batch_size = check_int(batch_size, "batch_size", minimum=0)
        max_length = check_int(max_length, "max_length", minimum=1)
        like = self.projection.weight
        keys, values = self._cache_shapes(batch_size, max_length)
        return KeyValueCache(like.new_zeros(keys), like.new_zeros(values))

    def _cache_shapes(self, batch_size: int, max_length: int) -> tuple[tuple[int, ...], ...]:
        n_kv_heads = self.layout.n_kv_heads
        return (
            (batch_size, n_kv_heads if self._projects_keys else 1, max_length, self.score_width()),
            (batch_size, n_kv_heads, max_length, self.layout.d_head),
        )

    def score_width(self) -> int:
        """Return the width of queries and keys."""
        return self.spec.score_settings().query_width(self.d_model, self.layout.d_head)

    @torch.no_grad()
    def decode(self, token: Tensor, cache: KeyValueCache) -> Tensor:
        """Return what the layer says at the next token, and remember its key and value.

        For predicting: without gradients, and for documents that are equally long so far.

        Parameters
        ----------
        token : Tensor of shape (B, 1, d_model)
        cache : KeyValueCache
            Changed in place.

        Returns
        -------
        Tensor of shape (B, 1, d_model)
            As ``forward`` of all tokens so far gives in its last row.

        Raises
        ------
        InvalidParameterError
            When the layer is not causal: the rows of earlier tokens would change.
        InvalidInputError
            When the cache is full or was made for another layer or batch, and for a token whose
            shape or dtype does not fit. The cache stays as it was.
        """
        self._check_decoding(token, cache)
        at = cache.n_tokens
        query, key, value = self.project(token)
        places = torch.arange(at + 1, device=token.device)
        query, key = self.position.rotate(query, key, places[-1:], places[-1:])
        cache.key[:, :, at : at + 1], cache.value[:, :, at : at + 1] = key, value
        cache.n_tokens = at + 1
        keys, values = (kept[:, :, : at + 1].to(query.dtype) for kept in (cache.key, cache.value))
        bias = self._with_position_bias(None, query, places[-1:], places)
        heads, _ = attend(
            query, keys, values, bias=bias, score=self.score, normalizer=self._normalizer
        )
        hidden: Tensor = self.output(merge_heads(heads))
        return hidden

    def _with_position_bias(
        self, bias: Tensor | None, query: Tensor, query_places: Tensor, key_places: Tensor
    ) -> Tensor | None:
        by_place = self.position.bias(query_places, key_places)
        parts = (
            None if by_place is None else by_place.unsqueeze(0),
            self.position.query_bias(query, query_places, key_places),
        )
        for part in parts:
            if part is not None:
                bias = part if bias is None else bias + part
        return bias

    def _pairs(self, mask: Tensor | None, tokens: Tensor) -> Tensor | None:
        """Return which pairs are real, (B or 1, 1, Q or 1, K)."""
        pairs = None if mask is None else mask[:, None, None, :]
        if pairs is not None and self._normalizer.couples_queries and self.spec.n_queries is None:
            pairs = pairs & pairs.mT
        if self.spec.causal:
            n_tokens = tokens.shape[1]
            past = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=tokens.device).tril()
            pairs = past[None, None] if pairs is None else pairs & past
        return pairs

    def _check(
        self, tokens: Tensor, mask: Tensor | None, bias: Tensor | None, head_mask: Tensor | None
    ) -> None:
        self._check_tokens(tokens, "tokens")
        if mask is not None:
            check_tensor(mask, "mask")
            if mask.dtype is not torch.bool or mask.shape != tokens.shape[:2]:
                raise InvalidInputError(
                    f"mask must be of truth values, True = a real token, of the shape "
                    f"{tuple(tokens.shape[:2])}. Got {mask.dtype} of shape {tuple(mask.shape)}."
                )
        n_heads, (n_documents, n_tokens) = self.layout.n_heads, tokens.shape[:2]
        if bias is not None:
            # Before the bias of a position is added to it.
            check_bias(bias, (n_documents, n_heads, self.spec.n_queries or n_tokens, n_tokens))
        if head_mask is not None:
            check_tensor(head_mask, "head_mask")
            if head_mask.shape != (n_heads,):
                raise InvalidInputError(
                    f"head_mask must have a number for each head, the shape ({n_heads},). "
                    f"Got {tuple(head_mask.shape)}."
                )

    def _check_tokens(self, tokens: Tensor, name: str) -> None:
        check_tensor(tokens, name)
        if tokens.dim() != 3 or tokens.shape[-1] != self.d_model:
            raise InvalidInputError(
                f"{name} must have the shape (batch, tokens, {self.d_model}). "
                f"Got {tuple(tokens.shape)}."
            )
        check_dtype(tokens, name, "the layer", self.projection.weight)

    def _check_decoding(self, token: Tensor, cache: KeyValueCache) -> None:
        if not self.spec.causal:
            raise InvalidParameterError(
                "decode needs causal=True: without it earlier tokens see later ones. "
                f"Got {self.spec!r}."
            )
        self._check_tokens(token, "token")
        if token.shape[1] != 1:
            raise InvalidInputError(
                f"token must be one token of each document, the shape (batch, 1, {self.d_model}). "
                f"Got {tuple(token.shape)}. Call decode for one after the other."
            )
        if not isinstance(cache, KeyValueCache):
            raise InvalidInputError(
                "cache must be a KeyValueCache, of new_cache(batch_size, max_length). "
                f"Got a {type(cache).__name__}."
            )
        max_length = cache.key.shape[2]
        wanted = self._cache_shapes(len(token), max_length)
        if (tuple(cache.key.shape), tuple(cache.value.shape)) != wanted:
            raise InvalidInputError(
                f"cache must be made by this layer, for {len(token)} documents: keys and values of "
                f"the shapes {wanted[0]} and {wanted[1]}. Got {cache!r}. "
                f"Use new_cache(batch_size={len(token)}, max_length={max_length})."
            )
        if cache.n_tokens == max_length:
            raise InvalidInputError(
                f"The cache has room for {max_length} tokens and is full. Make a larger one: "
                "new_cache(batch_size, max_length)."
            )


def _checked(spec: object) -> AttentionSpec:
    if isinstance(spec, AttentionSpec):
        return spec
    preset = spec if isinstance(spec, str) and spec in PRESETS else "multi_head"
    raise InvalidParameterError(
        f"spec must be an AttentionSpec. Got {spec!r}. "
        f"Use AttentionSpec(...) or PRESETS[{preset!r}]."
    )
