"""What is left out of a network in training: numbers, tokens, whole rows."""

import torch
from torch import Tensor

from nlpfeat.classifiers._drawing import Drawing

_STEPS = 256


class Dropout(Drawing):
    """Set a share of the numbers to 0 in training; the others grow to make up for it.

    On the CPU torch draws a float for each number, and a step of a small network would spend most
    of its time on that. A byte is enough: eight of them come with each draw. The share is rounded
    to 1/256 there: 0.4 is 102/256. Any share above 0 is 1/256 at least, and none is more than
    255/256. On other devices it is not rounded.

    Parameters
    ----------
    share : float
        At least 0 and below 1; 0 drops nothing.

    Examples
    --------
    >>> dropped = Dropout(0.5)(torch.ones(10000))
    >>> dropped.unique().tolist(), round(float(dropped.mean()), 1)
    ([0.0, 2.0], 1.0)
    >>> Dropout(0.5).eval()(torch.ones(2)).tolist()
    [1.0, 1.0]
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share
        self._dropped = min(max(round(share * _STEPS), 1), _STEPS - 1)

    def forward(self, numbers: Tensor) -> Tensor:
        """Return the numbers, a share of them 0 in training."""
        if not self.training or self.share == 0.0:
            return numbers
        if numbers.device.type != "cpu":
            kept = torch.empty_like(numbers).bernoulli_(1.0 - self.share, generator=self.generator)
            return numbers * kept.div_(1.0 - self.share)
        n_numbers = numbers.numel()
        draws = torch.empty(-(-n_numbers // 8), dtype=torch.int64)
        draws.random_(-(2**63), None, generator=self.generator)
        levels = draws.view(torch.int8)[:n_numbers].view(numbers.shape).to(numbers.dtype)
        # Of the levels -128 … 127 the lowest are dropped. Comparing would make truth values, which
        # are far slower to multiply by than floats.
        kept = levels.sub_(self._dropped - _STEPS // 2 - 1).clamp_(0.0, 1.0)
        return numbers * kept.mul_(_STEPS / (_STEPS - self._dropped))


class RowDropout(Drawing):
    """Set a share of the rows to 0 in training; the others stay as they are.

    Parameters
    ----------
    share : float
        From 0 to 1.

    Examples
    --------
    >>> rows = RowDropout(0.5)(torch.ones(1000, 2))
    >>> rows.unique().tolist(), bool((rows[:, 0] == rows[:, 1]).all())
    ([0.0, 1.0], True)
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, rows: Tensor) -> Tensor:
        """Return the rows (N, width), a share of them 0 in training."""
        if not self.training or self.share == 0.0:
            return rows
        draws = torch.rand(len(rows), 1, generator=self.generator, device=rows.device)
        return rows * (draws >= self.share)


class TokenMasking(Drawing):
    """Replace a share of the tokens in training.

    Parameters
    ----------
    share : float
        At least 0 and below 1.
    masked : int
        The id of the token that takes their places.

    Examples
    --------
    >>> TokenMasking(0.25, 9)(torch.zeros(1000, dtype=torch.int64)).unique().tolist()
    [0, 9]
    """

    def __init__(self, share: float, masked: int) -> None:
        super().__init__()
        self.share, self.masked = share, masked

    def forward(self, ids: Tensor) -> Tensor:
        """Return the ids, a share of them replaced in training."""
        if not self.training or self.share == 0.0:
            return ids
        draws = torch.rand(ids.shape, generator=self.generator, device=ids.device)
        return ids.masked_fill(draws < self.share, self.masked)
