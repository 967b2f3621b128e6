"""D5: what a pair of tokens knows of its places.

With an absolute position a score is made of (x_i, x_j, i, j): it changes when the whole text moves.
A relative position leaves (x_i, x_j, i - j): only the distance counts. Without a position the order
of the tokens is not seen at all, and the outputs are permuted as the tokens are.
"""

from collections.abc import Iterator

import torch
from torch import Tensor

from nlpfeat._validation import check_int
from nlpfeat.attention.diagnostics.check import Check
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.diagnostics.pair_scores import pair_scores
from nlpfeat.attention.module import Attention
from nlpfeat.attention.positions import POSITIONS
from nlpfeat.attention.spec import AttentionSpec


@torch.no_grad()
def shift_defect(attention: Attention, tokens: Tensor, shift: int = 17) -> float:
    """Return how much the scores change when all tokens move by the same number of places.

    Parameters
    ----------
    attention : Attention
        With ``n_queries=None``.
    tokens : Tensor of shape (L, d_model)
        An absolute position is added to them here.
    shift : int, default 17

    Returns
    -------
    float
        Greatest |S(positions + shift) - S(positions)|: 0, to rounding errors, for a relative
        position.

    Examples
    --------
    >>> from nlpfeat.attention.spec import AttentionSpec
    >>> tokens = torch.randn(4, 8, generator=torch.Generator().manual_seed(0))
    >>> shift_defect(Attention(8, AttentionSpec(position="t5")), tokens)
    0.0
    >>> shift_defect(Attention(8, AttentionSpec(position="absolute")), tokens) > 0.001
    True
    """
    check_int(shift, "shift", minimum=0)
    places = torch.arange(len(tokens), device=tokens.device)
    before = pair_scores(attention, tokens, tokens, places, places)
    after = pair_scores(attention, tokens, tokens, places + shift, places + shift)
    return float((after - before).abs().max())


@torch.no_grad()
def permutation_defect(attention: Attention, tokens: Tensor, order: Tensor) -> float:
    """Return how far the outputs of permuted tokens are from the permuted outputs.

    Parameters
    ----------
    attention : Attention
        With ``n_queries=None``. Switch dropout off: ``attention.eval()``.
    tokens : Tensor of shape (L, d_model)
        An absolute position is added to them here.
    order : int64 Tensor of shape (L,)
        A permutation of 0, ..., L - 1.

    Returns
    -------
    float
        Greatest difference: 0, to rounding errors, when order is not seen.

    Examples
    --------
    >>> from nlpfeat.attention.spec import AttentionSpec
    >>> tokens, order = torch.eye(3, 8), torch.tensor([2, 0, 1])
    >>> generator = torch.Generator().manual_seed(0)
    >>> layer = Attention(8, AttentionSpec(), generator=generator)
    >>> permutation_defect(layer, tokens, order) < 1e-6
    True
    """
    embedded = attention.position.embed(torch.arange(len(tokens), device=tokens.device))
    moved = tokens[order]
    if embedded is not None:
        tokens, moved = tokens + embedded, moved + embedded
    before = attention(tokens[None], path="explicit").hidden[0]
    after = attention(moved[None], path="explicit").hidden[0]
    return float((after - before[order]).abs().max())


def checks(generator: torch.Generator) -> Iterator[Check]:
    """Measure freshly drawn attentions."""
    tokens = draw_normal(generator, 10, 16)
    order = torch.randperm(10, generator=generator)
    for name, position in POSITIONS.items():
        layer = draw_attention(generator, 16, AttentionSpec(position=name))
        moved = shift_defect(layer, tokens)
        setting = f"{name}: scores after a shift by 17"
        if position.relative:
            yield Check(setting, "<", 1e-9, moved)
        else:
            yield Check(setting, ">", 1e-3, moved)
        permuted = permutation_defect(layer, tokens, order)
        setting = f"{name}: outputs of permuted tokens"
        if name == "none":
            yield Check(setting, "<", 1e-12, permuted)
        else:
            yield Check(setting, ">", 1e-3, permuted)
