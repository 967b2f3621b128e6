"""The normalizers that every contract is tested on: each name's default, and other settings."""

import pytest
import torch

from nlpfeat.attention.normalizers import NORMALIZERS, Capsule, Sinkhorn

ALL = [
    *(each() for each in NORMALIZERS.values()),
    Capsule(renormalize=False),
    Sinkhorn(n_iterations=1),
    Sinkhorn(n_iterations=2),
]


@pytest.fixture(params=ALL, ids=repr, scope="session")
def normalizer(request):
    return request.param


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)
