import numpy as np
import pytest

from nlpfeat import count_cooccurrences
from nlpfeat.counts import indices

TEXT = [["甲", "乙", "丙", "甲", "丁"], ["乙", "甲"]]


def tables(**how):
    counts = count_cooccurrences(TEXT, window=2, **how)
    return (*counts.slices, counts.pairs, counts.matrix)


@pytest.mark.parametrize("how", [{}, {"weighting": "linear"}, {"direction": "left"}])
def test_indices_widen_when_the_count_needs_it_and_nothing_else_changes(monkeypatch, how):
    narrow = tables(**how)
    assert {table.indptr.dtype for table in narrow} == {np.dtype(np.int32)}
    # Four stored numbers are then too many for a narrow index.
    monkeypatch.setattr(indices, "INT32_LIMIT", 3)
    wide = tables(**how)
    assert {table.indptr.dtype for table in wide} == {np.dtype(np.int64)}
    assert {table.indices.dtype for table in wide} == {np.dtype(np.int64)}
    for a, b in zip(narrow, wide, strict=True):
        assert (a.toarray() == b.toarray()).all()
