"""The scores that every contract is tested on, and what they are tested with."""

from dataclasses import dataclass

import pytest
import torch

from nlpfeat.attention.scores import SCORES, AdditiveScore, CosineScore

ALL = [
    *(each() for each in SCORES.values()),
    AdditiveScore(n_layers=3),
    CosineScore(scale=4.0),
]


@pytest.fixture(params=ALL, ids=repr, scope="session")
def score(request):
    return request.param


@dataclass(frozen=True)
class Draw:
    """Random tensors and functions, all from one generator."""

    generator: torch.Generator

    def normal(self, *shape, dtype=torch.float64):
        return torch.randn(*shape, generator=self.generator, dtype=torch.float64).to(dtype)

    def function(self, score, n_heads=2, width=4, dtype=torch.float64):
        """Return a function whose parameters are all random: biases at 0 would hide mistakes."""
        function = score.build(n_heads, width, self.generator).to(dtype)
        with torch.no_grad():
            for parameter in function.parameters():
                parameter.add_(0.1 * self.normal(*parameter.shape, dtype=dtype))
        return function


@pytest.fixture
def draw():
    return Draw(torch.Generator().manual_seed(0))
