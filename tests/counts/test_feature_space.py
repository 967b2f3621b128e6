from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from nlpfeat.counts import indices
from nlpfeat.counts.documents import TermSpace
from nlpfeat.counts.feature_space import (
    FeatureFrequencies,
    count_documents,
    documents_of,
    frequencies_of,
    ids_in,
    rows_of_cells,
)
from nlpfeat.counts.ngrams import NgramSpace
from nlpfeat.counts.positions import PositionSettings, PositionSpace
from nlpfeat.text.segmenters import CharSegmenter
from nlpfeat.text.token_ids import TokenIds
from nlpfeat.text.token_spool import spool_tokens
from nlpfeat.text.vocabulary import Vocabulary

TEXT = [["茶", "，", "水", "茶"], [], ["水", "杯"], ["。"], ["茶"] * 5]

LEARN = {
    "terms": TermSpace.learn,
    "n-grams": partial(NgramSpace.learn, ngram_range=(1, 2), separator=" "),
    "positions": partial(PositionSpace.learn, settings=PositionSettings()),
}


@pytest.mark.parametrize("learn", LEARN.values(), ids=LEARN)
@pytest.mark.parametrize("documents", [TEXT, [[]], []])
def test_blocks_make_no_difference(learn, documents):
    with spool_tokens(documents, CharSegmenter()) as spool:
        space, frequencies = learn(spool)
        whole = count_documents(spool, space)
        blocks = spool.blocks
        for size in (1, 3, 6):
            spool.blocks = partial(blocks, size)
            table = count_documents(spool, space)
            assert isinstance(table, csr_array)
            assert table.dtype == np.int64
            assert table.indices.dtype == table.indptr.dtype == np.int32
            assert table.has_canonical_format
            assert table.toarray().tolist() == whole.toarray().tolist()
            assert learn(spool)[0].names() == space.names()
    assert whole.shape == (len(documents), len(space))
    assert frequencies.occurrences.tolist() == whole.sum(axis=0).tolist()


def test_stacked_blocks_get_wide_indices_where_they_need_them(monkeypatch):
    monkeypatch.setattr(indices, "INT32_LIMIT", 4)
    with spool_tokens(TEXT, CharSegmenter()) as spool:
        spool.blocks = partial(spool.blocks, 3)
        table = count_documents(spool, TermSpace(spool.vocabulary))
    assert table.indices.dtype == table.indptr.dtype == np.int64
    # 杯 水 茶
    assert table.toarray().tolist() == [[0, 1, 2], [0, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 5]]


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=30).map(sorted))
def test_rows_of_cells_by_brute_force(cells):
    wanted = np.zeros((6, 4), dtype=np.int64)
    for document, column in cells:
        wanted[document, column] += 1
    documents, columns = np.array(cells, dtype=np.int64).reshape(-1, 2).T
    table = rows_of_cells(documents, columns[::1].copy(), (6, 4))
    assert table.toarray().tolist() == wanted.tolist()
    assert table.has_canonical_format
    found = frequencies_of(table)
    assert found.occurrences.tolist() == wanted.sum(axis=0).tolist()
    assert found.documents.tolist() == (wanted > 0).sum(axis=0).tolist()
    assert found.occurrences.dtype == found.documents.dtype == np.int64


def test_documents_of_tokens():
    tokens = TokenIds(
        np.array([0, -1, 0, 1], np.int32), np.array([0, 0, 3, 3, 4]), np.array([0, 3, 4])
    )
    assert documents_of(tokens).tolist() == [1, 1, 1, 3]


def test_frequencies_taken_reindexed_and_added():
    here = FeatureFrequencies(np.array([4, 1]), np.array([2, 1]))
    there = here.reindexed(np.array([0, 2]), 3)
    assert there.occurrences.tolist() == [4, 0, 1]
    assert there.documents.tolist() == [2, 0, 1]
    total = there + there
    assert (total.occurrences.tolist(), total.documents.tolist()) == ([8, 0, 2], [4, 0, 2])
    part = total.take(np.array([2]))
    assert (part.occurrences.tolist(), part.documents.tolist()) == ([2], [2])


def test_frequencies_compare_by_identity():
    here = FeatureFrequencies(np.array([4, 1]), np.array([2, 1]))
    assert here == here
    assert here != here.take(np.array([0, 1]))


def test_ids_of_terms():
    ids = ids_in(Vocabulary.build([["茶", "水", "杯"]]), ["茶", "水"])
    assert (ids.tolist(), ids.dtype) == ([2, 1], np.int64)
