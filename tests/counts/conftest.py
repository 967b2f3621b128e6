"""Comparison of counts down to the last number."""

import numpy as np
import pytest


def _assert_same(found, wanted):
    """Compare all that two counts hold; settings by what they mean, weights of functions too."""
    for name in ("window", "scope", "direction", "counting"):
        assert getattr(found.settings, name) == getattr(wanted.settings, name)
    weights = [counts.settings.weights for counts in (found, wanted)]
    assert np.array_equal(*weights) if weights[0] is not None else weights[1] is None
    assert found.vocabulary == wanted.vocabulary
    assert len(found.slices) == len(wanted.slices)
    for ours, theirs in zip(found.slices, wanted.slices):
        assert ours.shape == theirs.shape
        assert ours.dtype == theirs.dtype
        assert ours.indptr.tolist() == theirs.indptr.tolist()
        assert ours.indices.tolist() == theirs.indices.tolist()
        assert ours.data.tolist() == theirs.data.tolist()
    for name in ("x_margins", "y_margins", "totals"):
        ours, theirs = getattr(found, name), getattr(wanted, name)
        assert ours.dtype == theirs.dtype == np.int64
        assert ours.tolist() == theirs.tolist()
    for name in ("min_count", "highest", "n_documents", "n_tokens", "complete_vocabulary"):
        assert getattr(found, name) == getattr(wanted, name), name


@pytest.fixture(scope="session")
def assert_same():
    return _assert_same
