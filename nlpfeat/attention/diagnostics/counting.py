"""D12: whether an attention can count what it looks at.

A head that looks at three tokens alike gives their mean, a head that looks at five as well: the sum
is lost. A head that also looks at a beginning token leaves 1/4 or 1/6 of its weight there. With the
mean in one head and that in another, what follows can tell three from five, and undo the division.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nlpfeat._validation import check_int
from nlpfeat.attention.diagnostics.check import Check
from nlpfeat.attention.diagnostics.drawing import draw_normal
from nlpfeat.attention.functional import attend

_SIZES = (3, 5)
_PLACES = 8
_WIDTH = 2
#: The value of the beginning token in each dimension, in standard deviations of the means.
_BEGINNING = 3.0
_HIDDEN = 256
_RIDGE = 1e-5
_DOCUMENTS = 4096


@dataclass(frozen=True)
class CountingErrors:
    """Mean squared errors of sums of 3 or 5 values, each dimension of the mean having variance 1.

    Parameters
    ----------
    mean_alone : float
        From one head that sees the members only. No function of the mean does better than 1.
    beside_beginning : float
        From one head that sees the members and a beginning token.
    two_heads : float
        From both heads.
    """

    mean_alone: float
    beside_beginning: float
    two_heads: float


def beginning_weight(n_members: int) -> float:
    """Return the weight of a beginning token beside so many tokens with the same score.

    Parameters
    ----------
    n_members : int
        At least 0.

    Returns
    -------
    float
        1 / (1 + n_members), measured.

    Examples
    --------
    >>> beginning_weight(3), round(beginning_weight(5), 4)
    (0.25, 0.1667)
    """
    n = 1 + check_int(n_members, "n_members", minimum=0)
    same = torch.zeros(1, 1, n, 1, dtype=torch.float64)
    first = torch.eye(n, 1, dtype=torch.float64).view(1, 1, n, 1)
    output, _ = attend(same[:, :, :1], same, first, path="explicit")
    return float(output)


def counting_errors(*, own_dimension: bool = False, generator: torch.Generator) -> CountingErrors:
    """Fit a network of two layers to what one head, one with a beginning token, or both give.

    Each document has 8 places, of which 3 or 5 are members, with equal chances; y is the sum of
    their values. Values are scaled so that the mean has the same distribution for both sizes: it
    tells nothing of the size, and the best guess from it alone, 4 times the mean, has the error 1.
    Scores are equal on the members and masked elsewhere: what is learned is the network, not where
    to look.

    Parameters
    ----------
    own_dimension : bool, default False
        Whether the beginning token has a dimension that no other token uses. With one, the head
        beside it is enough, without a second one.
    generator : torch.Generator
        All that is drawn, on the CPU.

    Returns
    -------
    CountingErrors
        On 4,096 other documents than the 4,096 it was fitted to.

    Notes
    -----
    The first layer of the network is drawn and the second one solved for, by ridge regression
    (Rahimi and Recht, 2008): the same answer at once, and from run to run.
    """
    given, new = (_documents(_DOCUMENTS, own_dimension, generator) for _ in range(2))
    return CountingErrors(
        *(_error_of(heads, given, new, generator) for heads in ((0,), (1,), (0, 1)))
    )


def checks(generator: torch.Generator) -> Iterator[Check]:
    """Measure freshly drawn attentions."""
    for n_members in (3, 5):
        yield Check(f"{n_members} members: weight of the beginning token", "=",
                    1 / (1 + n_members), beginning_weight(n_members), 1e-12)  # fmt: skip
    found = counting_errors(generator=generator)
    yield Check("one head, no beginning token: error of sums", ">", 0.9, found.mean_alone)
    yield Check("one head beside a beginning token: error of sums", ">", 0.5,
                found.beside_beginning)  # fmt: skip
    yield Check("two heads, one beside it: error of sums", "<", 0.1, found.two_heads)


def _error_of(
    heads: tuple[int, ...],
    given: tuple[Tensor, Tensor],
    new: tuple[Tensor, Tensor],
    generator: torch.Generator,
) -> float:
    inputs, new_inputs = (each[:, heads].flatten(1) for each, _ in (given, new))
    center, scale = inputs.mean(0), inputs.std(0).clamp(min=1e-6)
    weight = draw_normal(generator, inputs.shape[1], _HIDDEN)
    offset = draw_normal(generator, _HIDDEN)

    def hidden(inputs: Tensor) -> Tensor:
        active = ((inputs - center) / scale @ weight + offset).relu()
        return nn.functional.pad(active, (0, 1), value=1.0)

    features = hidden(inputs)
    ridge = _RIDGE * len(features) * torch.eye(1 + _HIDDEN, dtype=torch.float64)
    second = torch.linalg.solve(features.T @ features + ridge, features.T @ given[1])
    return float(((hidden(new_inputs) @ second - new[1]) ** 2).mean())


def _documents(n: int, own_dimension: bool, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return what the two heads give, (n, 2, width), and the sums."""
    drawn = torch.randint(len(_SIZES), (n,), generator=generator)
    sizes = torch.tensor(_SIZES)[drawn][:, None]
    members = torch.rand(n, _PLACES, generator=generator).argsort(1) < sizes
    values = draw_normal(generator, n, _PLACES, _WIDTH) * sizes[..., None].double().sqrt()
    # A beginning token before them.
    value = nn.functional.pad(values, (0, int(own_dimension), 1, 0))
    value[:, 0] = _BEGINNING
    mask = torch.stack([nn.functional.pad(members, (1, 0), value=begun) for begun in (False, True)])
    same = values.new_zeros(n, 2, 1 + _PLACES, 1)
    outputs, _ = attend(
        same[:, :, :1], same, value[:, None], mask.transpose(0, 1)[:, :, None], path="explicit"
    )
    return outputs.squeeze(2), (values * members[..., None]).sum(1)
