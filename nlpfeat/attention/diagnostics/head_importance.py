"""D7: which heads a model needs.

The importance of a head is how strongly the loss answers when the head is turned down a little
(Michel, Levy and Neubig, 2019). Ablation asks what happens when it is taken out altogether. The
first is cheap and blind to what other heads would take over; report both, and random orders beside.
"""

import copy
from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor, nn

from nlpfeat.attention.diagnostics.check import Check
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.module import Attention
from nlpfeat.attention.spec import AttentionSpec
from nlpfeat.errors import InvalidInputError, InvalidParameterError

#: Documents whose gradients are computed at once; each takes the memory of a batch.
_AT_ONCE = 32

Losses = Callable[[Tensor], Tensor]
"""From a head mask, of shape (H,) or (n_layers, H), to a loss for each document, (N,)."""


def head_importance(losses: Losses, head_mask: Tensor, *, normalized: bool = False) -> Tensor:
    """Return the mean absolute derivative of each document's loss by the mask of each head.

    Parameters
    ----------
    losses : callable
        ``losses(head_mask)`` returns the loss of each document, shape (N,).
    head_mask : Tensor of shape (H,) or (n_layers, H)
        Ones; its dtype and device are those of the model.
    normalized : bool, default False
        Whether to divide each layer by its Euclidean norm, as the paper does: layers whose
        gradients have different sizes can then be compared.

    Returns
    -------
    Tensor of the shape of ``head_mask``
        At least 0.

    Raises
    ------
    InvalidInputError
        When ``losses`` gives no vector.

    Examples
    --------
    A loss of two documents in which the second head has no part:

    >>> losses = lambda mask: torch.stack([3 * mask[0], -mask[0]]) + 0 * mask[1]
    >>> head_importance(losses, torch.ones(2))
    tensor([2., 0.])
    """
    free = head_mask.detach().clone().requires_grad_()
    each = losses(free)
    if each.dim() != 1 or not len(each):
        raise InvalidInputError(
            "losses must return a vector with the loss of each document. Got a tensor of shape "
            f"{tuple(each.shape)}."
        )
    total = torch.zeros_like(head_mask)
    # A gradient for each document: in that of the mean loss signs would cancel.
    for rows in torch.eye(len(each), dtype=each.dtype, device=each.device).split(_AT_ONCE):
        (slopes,) = torch.autograd.grad(each, free, rows, retain_graph=True, is_grads_batched=True)
        total += slopes.abs().sum(0)
    importance = total / len(each)
    if normalized:
        importance = importance / importance.norm(dim=-1, keepdim=True).clamp(min=1e-30)
    return importance


@torch.no_grad()
def ablation_losses(losses: Losses, head_mask: Tensor) -> Tensor:
    """Return how much the mean loss grows when each head alone is taken out.

    Parameters
    ----------
    losses : callable
        ``losses(head_mask)`` returns the loss of each document, shape (N,).
    head_mask : Tensor of shape (H,) or (n_layers, H)
        Ones.

    Returns
    -------
    Tensor of the shape of ``head_mask``
        Negative where the model does better without the head.

    Examples
    --------
    >>> ablation_losses(lambda mask: 3 - mask[:1] - 2 * mask[1:], torch.ones(2))
    tensor([1., 2.])
    """
    whole = losses(head_mask).mean()
    grown = torch.zeros_like(head_mask)
    for place in _places(head_mask):
        grown[place] = losses(_without(head_mask, [place])).mean() - whole
    return grown


@torch.no_grad()
def pruning_curve(
    score: Callable[[Tensor], float], head_mask: Tensor, order: Sequence[int]
) -> tuple[float, ...]:
    """Return a score of the model with 0, 1, ... heads taken out, one more each time.

    Parameters
    ----------
    score : callable
        ``score(head_mask)``, such as an accuracy.
    head_mask : Tensor of shape (H,) or (n_layers, H)
        Ones.
    order : sequence of int
        Heads in the order in which they go, counted through all layers: the least important first
        is ``importance.flatten().argsort().tolist()``. Draw random orders as a control.

    Raises
    ------
    InvalidParameterError
        When ``order`` names a head twice, or one that is not there.

    Examples
    --------
    >>> pruning_curve(lambda mask: float(mask.sum()), torch.ones(2, 2), [3, 0])
    (4.0, 3.0, 2.0)
    """
    places = _places(head_mask)
    if len(set(order)) < len(order) or not all(0 <= head < len(places) for head in order):
        raise InvalidParameterError(
            f"order must name heads from 0 to {len(places) - 1}, each at most once. "
            f"Got {list(order)}."
        )
    removed = [places[head] for head in order]
    return tuple(float(score(_without(head_mask, removed[:n]))) for n in range(len(removed) + 1))


@torch.no_grad()
def merged_heads(attention: Attention, kept: int, dropped: int) -> Attention:
    """Return a copy in which one head answers for two: the output weights of both, the other 0.

    The result is the same where the two heads give the same outputs; what differs otherwise is
    what the second head had to say.

    Parameters
    ----------
    attention : Attention
    kept, dropped : int
        Two heads.

    Raises
    ------
    InvalidParameterError
        When they are not two heads of the layer.

    Examples
    --------
    >>> from nlpfeat.attention.spec import AttentionSpec
    >>> layer = Attention(4, AttentionSpec(n_heads=2))
    >>> bool(merged_heads(layer, 0, 1).output.weight[:, 2:].any())
    False
    """
    n_heads = attention.layout.n_heads
    if kept == dropped or not (0 <= kept < n_heads and 0 <= dropped < n_heads):
        raise InvalidParameterError(
            f"kept and dropped must be two heads from 0 to {n_heads - 1}. Got {kept} and {dropped}."
        )
    merged = copy.deepcopy(attention)
    slices = merged.output.weight.unflatten(1, (n_heads, -1))
    slices[:, kept] += slices[:, dropped]
    slices[:, dropped] = 0
    return merged


def rank_correlation(first: Tensor, second: Tensor) -> float:
    """Return Spearman's correlation of two vectors; NaN when one has equal entries only.

    Examples
    --------
    >>> rank_correlation(torch.tensor([1.0, 2.0, 9.0]), torch.tensor([5.0, 6.0, 7.0]))
    1.0
    """
    if first.dim() != 1 or first.shape != second.shape or len(first) < 2:
        raise InvalidInputError(
            "first and second must be vectors of one length, at least 2. Got tensors of shape "
            f"{tuple(first.shape)} and {tuple(second.shape)}."
        )
    x, y = (_ranks(each.detach().cpu().double()) for each in (first, second))
    x, y = x - x.mean(), y - y.mean()
    return float((x @ y) / (x @ x * (y @ y)).sqrt())


def checks(generator: torch.Generator) -> Iterator[Check]:
    """Measure freshly drawn attentions."""
    layer = draw_attention(generator, 16, AttentionSpec())
    classifier, tokens = draw_normal(generator, 16, 3), draw_normal(generator, 12, 5, 16)
    classes = torch.randint(3, (12,), generator=generator)

    def logits(layer: Attention, head_mask: Tensor) -> Tensor:
        hidden: Tensor = layer(tokens, head_mask=head_mask).hidden
        return hidden.mean(1) @ classifier

    def losses(head_mask: Tensor) -> Tensor:
        return nn.functional.cross_entropy(logits(layer, head_mask), classes, reduction="none")

    ones = torch.ones(4, dtype=torch.float64)
    left = _without(ones, [(2,)])
    yield Check("any head: importance", ">", 1e-6, float(head_importance(losses, ones).min()))
    with torch.no_grad():
        slices = layer.output.weight.unflatten(1, (4, -1))
        slices[:, 2] = 0
    yield Check("a head with output weights 0: importance", "=", 0.0,
                float(head_importance(losses, ones)[2]))  # fmt: skip
    yield Check("a head with output weights 0, removed: logits", "=", 0.0,
                _apart(logits(layer, left), logits(layer, ones)))  # fmt: skip
    layer = draw_attention(generator, 16, AttentionSpec())
    for weight in (layer.query_weight, layer.key_weight, layer.value_weight):
        heads = weight.detach().unflatten(0, (4, -1))
        heads[2] = heads[0]
    merged = merged_heads(layer, 0, 2)
    yield Check("a head and its copy, merged: logits", "<", 1e-12,
                _apart(logits(merged, left), logits(layer, ones)))  # fmt: skip


def _apart(first: Tensor, second: Tensor) -> float:
    return float((first - second).detach().abs().max())


def _ranks(values: Tensor) -> Tensor:
    """Return ranks; equal values share the mean of theirs."""
    below = (values[None] < values[:, None]).sum(1)
    equal = (values[None] == values[:, None]).sum(1)
    return below + (equal - 1).double() / 2


def _places(head_mask: Tensor) -> list[tuple[int, ...]]:
    return [tuple(place) for place in torch.ones_like(head_mask).nonzero().tolist()]


def _without(head_mask: Tensor, places: Sequence[tuple[int, ...]]) -> Tensor:
    left = head_mask.clone()
    for place in places:
        left[place] = 0
    return left
