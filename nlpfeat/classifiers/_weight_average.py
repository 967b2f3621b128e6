"""The running mean of what a network learns."""

from copy import deepcopy

import torch
from torch import nn

from nlpfeat.classifiers._text_network import TextNetwork


class WeightAverage:
    """A running mean of the weights of a network; the first step is taken as it is.

    Buffers do not change in training: the mean shares them with the network.

    Parameters
    ----------
    network : TextNetwork
    n_steps : float
        About how many of the last steps the mean is of; it is 1 / ``n_steps`` of the newest.

    Attributes
    ----------
    network : TextNetwork
        With the mean of the weights; it predicts.

    Notes
    -----
    Source: Polyak and Juditsky (1992) for the mean; one that forgets is usual since Kingma and Ba
    (2015).
    """

    def __init__(self, network: TextNetwork, n_steps: float) -> None:
        kept = {id(buffer): buffer for buffer in network.buffers()}
        self.network = deepcopy(network, kept).eval()
        for module in self.network.modules():
            if isinstance(module, nn.RNNBase):
                # A copy of its weights is in pieces, and cuDNN would join them at every call.
                module.flatten_parameters()
        self._share = 1.0 / max(n_steps, 1.0)
        self._is_new = True
        pairs = zip(network.parameters(), self.network.parameters())
        learned = [(own.detach(), mean.detach()) for own, mean in pairs if own.requires_grad]
        self._weights = [own for own, _ in learned]
        self._means = [mean for _, mean in learned]

    def update(self) -> None:
        """Take the weights in that the network has now."""
        # One pass over all of them instead of a small one for each.
        torch._foreach_lerp_(self._means, self._weights, 1.0 if self._is_new else self._share)
        self._is_new = False
