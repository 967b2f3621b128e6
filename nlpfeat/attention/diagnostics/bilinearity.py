"""D3: whether a score is a sum over the parts of a token.

A bilinear score x W y treats every pair of tokens by itself, and the parts of a token one by one:
s(x, a + b) = s(x, a) + s(x, b). A bias in the projections makes it affine: the sum holds once s(x,
0) is taken away. An additive score is neither. What is bilinear is the score: the weights are not,
since softmax ties the pairs of a query.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from nlpfeat._validation import check_int
from nlpfeat.attention.diagnostics.check import Check
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.diagnostics.pair_scores import pair_scores
from nlpfeat.attention.module import Attention
from nlpfeat.attention.spec import AttentionSpec
from nlpfeat.errors import InvalidParameterError

_WIDTH = 32


@dataclass(frozen=True)
class Bilinearity:
    """How far a score is from being additive in its second token.

    Parameters
    ----------
    bilinear : float
        Mean of |s(x, a+b) - s(x, a) - s(x, b)|, as a share of the mean of
        |s(x, a+b)| + |s(x, a)| + |s(x, b)|: from 0 to 1.
    affine : float
        Mean of |s(x, a+b) - s(x, a) - s(x, b) + s(x, 0)|, as a share of the same with |s(x, 0)|.
    """

    bilinear: float
    affine: float


@dataclass(frozen=True)
class SplitDefect:
    """How far a sequence is from the sum of its two halves, each padded with zeros.

    Parameters
    ----------
    scores : float
        Greatest |S(x, x0 + x1) - S(x, x0) - S(x, x1)|.
    weights : float
        The same of the weights.
    """

    scores: float
    weights: float


def bilinearity(
    score: Callable[[Tensor, Tensor], Tensor], x: Tensor, a: Tensor, b: Tensor
) -> Bilinearity:
    """Return the defects of any score of two tokens; exchange its arguments for the first token.

    Parameters
    ----------
    score : callable
        ``score(x, y)`` returns the scores, a tensor of any shape.
    x, a, b : Tensor
        Tokens as the score takes them, ``a`` and ``b`` of one shape.

    Examples
    --------
    >>> x, a, b = torch.eye(2, dtype=torch.float64)[[0, 0, 1]]
    >>> bilinearity(lambda x, y: x @ y, x, a, b)
    Bilinearity(bilinear=0.0, affine=0.0)
    >>> bilinearity(lambda x, y: x @ y + 1, x, a, b)
    Bilinearity(bilinear=0.2, affine=0.0)
    """
    whole, first, second, none = (score(x, y) for y in (a + b, a, b, torch.zeros_like(a)))
    size = float((whole.abs() + first.abs() + second.abs()).mean())
    return Bilinearity(
        bilinear=_share(float((whole - first - second).abs().mean()), size),
        affine=_share(
            float((whole - first - second + none).abs().mean()), size + float(none.abs().mean())
        ),
    )


@torch.no_grad()
def attention_bilinearity(
    attention: Attention, *, n_tokens: int = 8, generator: torch.Generator
) -> tuple[Bilinearity, Bilinearity]:
    """Return the defects of a layer's score in the token that is asked, and in the one that asks.

    Parameters
    ----------
    attention : Attention
        With ``n_queries=None``. A position bias makes a score affine, turned queries and keys
        (``rope``) leave it bilinear. With float32 weights the defect of a bilinear score is about
        1e-7, in float64 (``attention.double()``) about 1e-16.
    n_tokens : int, default 8
        Queries and keys to draw, at the first places.
    generator : torch.Generator
        What draws the tokens, on the CPU.

    Returns
    -------
    keys, queries : Bilinearity

    Examples
    --------
    >>> from nlpfeat.attention.spec import AttentionSpec
    >>> generator = torch.Generator().manual_seed(0)
    >>> layer = Attention(8, AttentionSpec(position="rope"), generator=generator).double()
    >>> keys, queries = attention_bilinearity(layer, generator=generator)
    >>> keys.bilinear < 1e-14, queries.bilinear < 1e-14
    (True, True)
    """
    check_int(n_tokens, "n_tokens", minimum=1)
    weight = attention.output.weight
    x, a, b = torch.randn(
        3, n_tokens, attention.d_model, generator=generator, dtype=torch.float64
    ).to(weight)
    return (
        bilinearity(lambda x, y: pair_scores(attention, x, y), x, a, b),
        bilinearity(lambda x, y: pair_scores(attention, y, x), x, a, b),
    )


@torch.no_grad()
def split_defect(attention: Attention, tokens: Tensor, cut: int) -> SplitDefect:
    """Compare a sequence of keys with its two halves, the rest of each filled with zeros.

    The scores of a bilinear attention are the sum of those of the halves. Its weights are not.

    Parameters
    ----------
    attention : Attention
        With ``n_queries=None``.
    tokens : Tensor of shape (L, d_model)
        Ask, and are asked.
    cut : int
        Length of the first half, from 1 to L - 1.

    Examples
    --------
    >>> from nlpfeat.attention.spec import AttentionSpec
    >>> generator = torch.Generator().manual_seed(0)
    >>> layer = Attention(8, AttentionSpec(), generator=generator)
    >>> found = split_defect(layer, torch.randn(4, 8, generator=generator), 2)
    >>> found.scores < 1e-6, found.weights > 0.1
    (True, True)
    """
    if not 1 <= check_int(cut, "cut") < len(tokens):
        raise InvalidParameterError(
            f"cut must leave tokens on both sides: from 1 to {len(tokens) - 1}. Got {cut}."
        )
    first, second = tokens.clone(), tokens.clone()
    first[cut:], second[:cut] = 0, 0
    normalizer = attention.spec.normalizer_settings()
    scores = [pair_scores(attention, tokens, keys) for keys in (tokens, first, second)]
    weights = [normalizer(each, None) for each in scores]
    return SplitDefect(*(float((w - a - b).abs().max()) for w, a, b in (scores, weights)))


def checks(generator: torch.Generator) -> Iterator[Check]:
    """Measure freshly drawn attentions."""
    settings = {
        "dot": AttentionSpec(),
        "dot, rope": AttentionSpec(position="rope"),
        "bilinear": AttentionSpec(score="bilinear", n_heads=1),
    }
    for name, spec in settings.items():
        layer = draw_attention(generator, _WIDTH, spec)
        by_key, by_query = attention_bilinearity(layer, generator=generator)
        yield Check(f"{name}: bilinear defect, keys", "<", 1e-14, by_key.bilinear)
        yield Check(f"{name}: bilinear defect, queries", "<", 1e-14, by_query.bilinear)
    layer = draw_attention(generator, _WIDTH, AttentionSpec(projection_bias=True))
    by_key, _ = attention_bilinearity(layer, generator=generator)
    yield Check("dot, projections with a bias: bilinear defect", ">", 1e-3, by_key.bilinear)
    yield Check("dot, projections with a bias: affine defect", "<", 1e-13, by_key.affine)
    layer = draw_attention(generator, _WIDTH, AttentionSpec(score="additive", n_heads=1))
    by_key, _ = attention_bilinearity(layer, generator=generator)
    yield Check("additive: affine defect", ">", 1e-2, by_key.affine)
    layer = draw_attention(generator, _WIDTH, AttentionSpec())
    split = split_defect(layer, draw_normal(generator, 8, _WIDTH), 4)
    yield Check("dot: scores of a text less those of its halves", "<", 1e-12, split.scores)
    yield Check("dot: weights of a text less those of its halves", ">", 1e-2, split.weights)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
