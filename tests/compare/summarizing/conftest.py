"""Runs of three models, two seeds each."""

import pytest
from finished_runs import N, holdout, right_of, says


@pytest.fixture
def compared(finished):
    """Two seeds of a good, an equal and a bad model."""
    return holdout([
        finished(name, says(right_of(share, seed + shift), seed), range(N), seed=seed, dev=share,
                 family=family, seconds=1.0 + seed)
        for name, share, shift, family in (
            ("nbsvm", 0.95, 0, "classical"), ("word-bow", 0.4, 7, "classical"),
            ("attention", 0.95, 3, "attention"),
        )
        for seed in (0, 1)
    ])  # fmt: skip
