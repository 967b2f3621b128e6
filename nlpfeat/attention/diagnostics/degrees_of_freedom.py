"""D1: in how many directions the outputs of an attention can move while the keys stay.

One head that sees n keys mixes n values with weights that sum to one, so all its outputs lie in a
space of n - 1 dimensions, however wide they are. Each further head adds as many. What counts is
the number of distinct weight vectors, not of value sets: multi-query attention has the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from nlpfeat._validation import check_int, check_real
from nlpfeat.attention.diagnostics.check import Check
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.diagnostics.pair_scores import outputs_of_queries
from nlpfeat.attention.module import Attention
from nlpfeat.attention.spec import AttentionSpec
from nlpfeat.errors import InvalidInputError

_WIDTH = 32


@dataclass(frozen=True)
class DegreesOfFreedom:
    """How many directions a set of outputs spans.

    Parameters
    ----------
    affine : int
        Rank of the outputs after their mean is taken away: the dimension of the smallest flat
        that holds them.
    linear : int
        Rank of the outputs themselves: one more, unless their flat goes through the origin.
    effective : float
        exp of the entropy of the singular values (after centering) as shares of their sum, from 1
        to ``affine``; 0 when all outputs are equal. Source: Roy and Vetterli (2007).
    """

    affine: int
    linear: int
    effective: float


def degrees_of_freedom(outputs: Tensor, *, tolerance: float = 1e-8) -> DegreesOfFreedom:
    """Return the ranks of outputs that many queries got from the same keys.

    Parameters
    ----------
    outputs : Tensor of shape (m, d)
        One row a query, the heads side by side. Many more rows than the rank, or the rows cap it.
    tolerance : float, default 1e-8
        Singular values up to this share of the largest one (before centering) count as 0.

    Raises
    ------
    InvalidInputError
        When ``outputs`` is no matrix with at least two rows.

    Examples
    --------
    Mixtures of two values, whatever the weights, lie on a line:

    >>> weights = torch.tensor([[0.1, 0.9], [0.5, 0.5], [0.8, 0.2]])
    >>> values = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]])
    >>> found = degrees_of_freedom(weights @ values)
    >>> found.affine, found.linear, round(found.effective, 3)
    (1, 2, 1.0)
    """
    check_real(tolerance, "tolerance", above=0.0, at_most=1.0)
    if outputs.dim() != 2 or len(outputs) < 2:
        raise InvalidInputError(
            "outputs must be a matrix with a row for each of two or more queries. Got a tensor of "
            f"shape {tuple(outputs.shape)}."
        )
    outputs = outputs.detach().cpu().double()
    spectrum = torch.linalg.svdvals(outputs)
    centered = torch.linalg.svdvals(outputs - outputs.mean(0))
    # One threshold for both: equal outputs leave nothing but rounding errors when centered.
    threshold = tolerance * spectrum[0]
    kept = centered[centered > threshold]
    return DegreesOfFreedom(
        affine=len(kept),
        linear=int((spectrum > threshold).sum()),
        effective=_effective_rank(kept),
    )


@torch.no_grad()
def attention_degrees_of_freedom(
    attention: Attention,
    tokens: Tensor,
    *,
    n_queries: int = 256,
    tolerance: float = 1e-8,
    generator: torch.Generator,
) -> DegreesOfFreedom:
    """Return the ranks of what random queries get from the same tokens.

    Parameters
    ----------
    attention : Attention
        In float64, ``attention.double()``, or the tolerance must be about 1e-5. Positions, dropout
        and the output projection do not enter.
    tokens : Tensor of shape (K, d_model)
        What is asked.
    n_queries : int, default 256
        Standard normal queries for each head; many more than the rank.
    tolerance : float, default 1e-8
        As for `degrees_of_freedom`.
    generator : torch.Generator
        What draws the queries, on the CPU.

    Examples
    --------
    Three tokens, as 我 爱 你, and two heads: each spans a plane.

    >>> from nlpfeat.attention.spec import AttentionSpec
    >>> generator = torch.Generator().manual_seed(0)
    >>> layer = Attention(8, AttentionSpec(n_heads=2), generator=generator).double()
    >>> tokens = torch.randn(3, 8, generator=generator, dtype=torch.float64)
    >>> attention_degrees_of_freedom(layer, tokens, generator=generator).affine
    4
    """
    check_int(n_queries, "n_queries", minimum=2)
    shape = (attention.layout.n_heads, n_queries, attention.score_width())
    query = draw_normal(generator, *shape).to(attention.output.weight)
    return degrees_of_freedom(outputs_of_queries(attention, query, tokens), tolerance=tolerance)


def expected_rank(n_keys: int, n_heads: int, d_head: int, *, per_dimension: bool = False) -> int:
    """Return the affine rank that the outputs of the heads, side by side, can reach.

    ``n_heads * min(n_keys - 1, d_head)``. With one softmax a dimension each dimension is a head of
    width one. The output projection can lower the rank, to its own.

    Parameters
    ----------
    n_keys, n_heads, d_head : int
        All at least 1. How many key and value heads there are makes no difference.
    per_dimension : bool, default False
        Whether each dimension has weights of its own (multi-dimensional attention).

    Examples
    --------
    Two keys, 32 dimensions: one head, eight heads, a softmax per dimension.

    >>> expected_rank(2, 1, 32), expected_rank(2, 8, 4), expected_rank(2, 1, 32, per_dimension=True)
    (1, 8, 32)
    """
    check_int(n_keys, "n_keys", minimum=1)
    check_int(n_heads, "n_heads", minimum=1)
    check_int(d_head, "d_head", minimum=1)
    if per_dimension:
        return expected_rank(n_keys, n_heads * d_head, 1)
    return n_heads * min(n_keys - 1, d_head)


def checks(generator: torch.Generator) -> Iterator[Check]:
    """Measure freshly drawn attentions."""
    for n_keys in (2, 3, 5):
        for n_heads in (1, 4, 8):
            expected = expected_rank(n_keys, n_heads, _WIDTH // n_heads)
            for n_kv_heads in sorted({n_heads, 1}, reverse=True):
                found = attention_degrees_of_freedom(
                    draw_attention(
                        generator, _WIDTH, AttentionSpec(n_heads=n_heads, n_kv_heads=n_kv_heads)
                    ),
                    draw_normal(generator, n_keys, _WIDTH),
                    generator=generator,
                )
                kind = "one head"
                if n_heads > 1:
                    kind = f"{n_heads} heads, {n_kv_heads} of keys and values"
                yield Check(f"{n_keys} keys, {kind}: affine rank", "=", expected, found.affine)
                if n_heads == 1:
                    yield Check(f"{n_keys} keys, {kind}: linear rank", "=", n_keys, found.linear)
    found = attention_degrees_of_freedom(
        draw_attention(generator, _WIDTH, AttentionSpec(score="multidim", n_heads=1)),
        draw_normal(generator, 2, _WIDTH),
        generator=generator,
    )
    yield Check("2 keys, a softmax per dimension: affine rank", "=", _WIDTH, found.affine)


def _effective_rank(spectrum: Tensor) -> float:
    if not len(spectrum):
        return 0.0
    return float(torch.special.entr(spectrum / spectrum.sum()).sum().exp())
