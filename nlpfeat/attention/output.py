"""What an attention says, and what it remembers between tokens."""

from dataclasses import dataclass, fields

from torch import Tensor


@dataclass(frozen=True, repr=False)
class AttentionOutput:
    """What an attention says.

    Examples
    --------
    >>> import torch
    >>> from nlpfeat.attention import Attention, AttentionSpec
    >>> Attention(4, AttentionSpec(n_heads=2))(torch.zeros(1, 3, 4))
    AttentionOutput(hidden=(1, 3, 4), heads=(1, 2, 3, 2), weights=None)
    """

    #: Shape (B, Q, d_model): the heads' results side by side, times W_O.
    hidden: Tensor
    #: Shape (B, H, Q, Dv): the result of each head.
    heads: Tensor
    #: Shape (B, H, Q, K), with one softmax a dimension (B, H, D, Q, K); None when not asked for.
    weights: Tensor | None = None

    def __repr__(self) -> str:
        return _with_shapes(self)


@dataclass(repr=False)
class KeyValueCache:
    """Keys and values of the tokens so far; made by ``Attention.new_cache``.

    Examples
    --------
    >>> from nlpfeat.attention import Attention, AttentionSpec
    >>> spec = AttentionSpec(n_heads=8, n_kv_heads=1, causal=True)
    >>> Attention(64, spec).new_cache(batch_size=1, max_length=100).n_bytes
    6400
    """

    #: Shape (B, G, max_length, D).
    key: Tensor
    #: Shape (B, G, max_length, D).
    value: Tensor
    #: How many tokens are there.
    n_tokens: int = 0

    @property
    def n_bytes(self) -> int:
        """The memory that keys and values take."""
        return self.key.nbytes + self.value.nbytes

    def __repr__(self) -> str:
        return _with_shapes(self)


def _with_shapes(made: AttentionOutput | KeyValueCache) -> str:
    """Return how it is shown: thousands of numbers would fill the screen, their shapes do not."""
    named = ((each.name, getattr(made, each.name)) for each in fields(made))
    shown = (
        f"{name}={tuple(part.shape) if isinstance(part, Tensor) else part}" for name, part in named
    )
    return f"{type(made).__name__}({', '.join(shown)})"
