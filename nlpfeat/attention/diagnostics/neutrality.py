"""D13: whether a prior of strength 0 is no prior, and yet can be learned.

A prior enters attention as a bias of the scores, or as further columns of queries and keys. At
strength 0 the outputs must be those of the attention without it, bit for bit on the explicit path,
and the strength must have a gradient there. A bias that is the same for all keys of a query is no
prior at all: softmax over the keys does not see it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from nlpfeat.attention.diagnostics.check import Check
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.functional import Columns
from nlpfeat.attention.module import Attention
from nlpfeat.attention.normalizers import NORMALIZERS
from nlpfeat.attention.spec import AttentionSpec


@dataclass(frozen=True)
class Neutrality:
    """How a prior of strength 0 stands to none.

    Parameters
    ----------
    difference : float
        Greatest difference of the outputs; exactly 0 where the prior is neutral.
    gradient : float
        Absolute derivative by the strength, of the outputs summed with random weights; above 0
        where the strength can be learned.
    """

    difference: float
    gradient: float


def neutrality(
    output: Callable[[Tensor], Tensor], base: Tensor, *, generator: torch.Generator
) -> Neutrality:
    """Compare what a strength of 0 gives with what no prior gives.

    Parameters
    ----------
    output : callable
        ``output(strength)``, of a scalar tensor.
    base : Tensor
        The output without the prior.
    generator : torch.Generator
        What draws the weights of the sum, on the CPU.

    Examples
    --------
    >>> generator = torch.Generator().manual_seed(0)
    >>> base = torch.tensor([1.0, 2.0])
    >>> neutrality(lambda strength: base + strength, base, generator=generator).difference
    0.0
    """
    strength = torch.zeros((), dtype=base.dtype, device=base.device, requires_grad=True)
    with torch.enable_grad():
        result = output(strength)
    probe = torch.randn(base.shape, generator=generator, dtype=torch.float64).to(base)
    (gradient,) = torch.autograd.grad(
        (probe * result).sum(), strength, allow_unused=True, materialize_grads=True
    )
    return Neutrality(
        difference=float((result - base).detach().abs().max()), gradient=abs(float(gradient))
    )


def prior_neutrality(
    attention: Attention,
    tokens: Tensor,
    mask: Tensor | None = None,
    *,
    bias: Tensor | None = None,
    columns: Columns | None = None,
    path: str = "explicit",
    generator: torch.Generator,
) -> Neutrality:
    """Return how a bias, further columns, or both, stand to none in a layer, at strength 0.

    Parameters
    ----------
    attention : Attention
    tokens : Tensor of shape (B, L, d_model)
    mask : bool Tensor of shape (B, L), default None
    bias : Tensor, broadcastable to (B, H, Q, K), default None
        Multiplied by the strength.
    columns : pair of Tensor, default None
        As for `attend`; the columns of the queries are multiplied by the strength.
    path : str, default "explicit"
        Another path agrees to about 1e-6 only.
    generator : torch.Generator
        As for `neutrality`.

    Examples
    --------
    >>> from nlpfeat.attention.spec import AttentionSpec
    >>> generator = torch.Generator().manual_seed(0)
    >>> layer = Attention(8, AttentionSpec(), generator=generator)
    >>> tokens = torch.randn(1, 3, 8, generator=generator)
    >>> idf = torch.tensor([1.0, 2.0, 1.0]).log().view(1, 1, 1, 3)
    >>> found = prior_neutrality(layer, tokens, bias=idf, generator=generator)
    >>> found.difference, found.gradient > 0
    (0.0, True)
    """

    def output(strength: Tensor) -> Tensor:
        given = None if bias is None else strength * bias
        beside = None if columns is None else (strength * columns[0], columns[1])
        hidden: Tensor = attention(tokens, mask, bias=given, columns=beside, path=path).hidden
        return hidden

    with torch.no_grad():
        base: Tensor = attention(tokens, mask, path=path).hidden
    return neutrality(output, base, generator=generator)


@torch.no_grad()
def query_bias_effect(attention: Attention, tokens: Tensor, shift: Tensor) -> float:
    """Return how much a bias that is the same for all keys of a query changes the outputs.

    Parameters
    ----------
    attention : Attention
        Switch dropout off: ``attention.eval()``.
    tokens : Tensor of shape (L, d_model)
    shift : Tensor of shape (Q,)
        What is added to all scores of each query.

    Returns
    -------
    float
        Greatest difference: 0, to rounding errors, for a normalizer of each query by itself; above
        0 for a softmax over the queries.

    Examples
    --------
    >>> from nlpfeat.attention.spec import AttentionSpec
    >>> layer = Attention(8, AttentionSpec(), generator=torch.Generator().manual_seed(0))
    >>> query_bias_effect(layer, torch.eye(3, 8), torch.tensor([5.0, -2.0, 0.0])) < 1e-6
    True
    """
    shifted = attention(tokens[None], bias=shift.view(1, 1, -1, 1), path="explicit")
    return float((shifted.hidden - attention(tokens[None], path="explicit").hidden).abs().max())


def checks(generator: torch.Generator) -> Iterator[Check]:
    """Measure freshly drawn attentions."""
    tokens = draw_normal(generator, 2, 5, 16)
    bias = draw_normal(generator, 2, 4, 5, 5)
    columns = (draw_normal(generator, 2, 1, 5, 3), draw_normal(generator, 2, 1, 5, 3))
    for name in NORMALIZERS:
        layer = draw_attention(generator, 16, AttentionSpec(normalizer=name, position="t5"))
        for prior, given in (("bias", {"bias": bias}), ("columns", {"columns": columns})):
            found = prior_neutrality(layer, tokens, generator=generator, **given)
            yield Check(f"{name}, {prior} of strength 0: change", "=", 0.0, found.difference)
            yield Check(f"{name}, {prior} of strength 0: gradient", ">", 1e-6, found.gradient)
    shift = draw_normal(generator, 5)
    for name in NORMALIZERS:
        layer = draw_attention(generator, 16, AttentionSpec(normalizer=name))
        change = query_bias_effect(layer, tokens[0], shift)
        setting = f"{name}, a bias equal for all keys: change"
        if name in ("capsule", "dual"):
            # A softmax over the queries sees what is added to a query.
            yield Check(setting, ">", 1e-3, change)
        else:
            yield Check(setting, "<", 1e-12, change)
