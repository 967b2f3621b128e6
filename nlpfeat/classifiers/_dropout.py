"""Dropout that costs little on the CPU."""

import torch
from torch import Tensor, nn
from torch.nn import functional

_STEPS = 256


class Dropout(nn.Module):
    """Set a share of the numbers to 0 in training; the others grow to make up for it.

    On the CPU torch draws a float for each number, and a step of a small network would spend most
    of its time on that. A byte is enough: eight of them come with each draw, and the share is
    rounded to 1/256.

    Parameters
    ----------
    share : float
        At least 0 and below 1; what the rounding would make 1 is 255/256.

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
        self._dropped = min(round(share * _STEPS), _STEPS - 1)

    def forward(self, numbers: Tensor) -> Tensor:
        """Return the numbers, a share of them 0 in training."""
        if not self.training or self._dropped == 0:
            return numbers
        if numbers.device.type != "cpu":
            return functional.dropout(numbers, self.share)
        n_numbers = numbers.numel()
        draws = torch.empty(-(-n_numbers // 8), dtype=torch.int64).random_(-(2**63), None)
        levels = draws.view(torch.int8)[:n_numbers].view(numbers.shape).to(numbers.dtype)
        # Of the levels -128 … 127 the lowest are dropped. Comparing would make truth values, which
        # are far slower to multiply by than floats.
        kept = levels.sub_(self._dropped - _STEPS // 2 - 1).clamp_(0.0, 1.0)
        return numbers * kept.mul_(_STEPS / (_STEPS - self._dropped))
