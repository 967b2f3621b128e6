"""Counts do not depend on blocks, ranges, kernels, processes, threads or document order."""

from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pytest
from cooccurrence_oracle import documents_of, settings_of, token_lists
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from nlpfeat.counts import counting
from nlpfeat.counts._kernels import KERNELS
from nlpfeat.counts.counting import count_cooccurrences
from nlpfeat.measures.association import npmi, pmi, ppmi
from nlpfeat.text import batches, token_spool
from nlpfeat.text.token_spool import TokenSpool

DOCUMENTS = [list(line) for line in ("甲丁甲丙戊", "", "甲丁己戊。乙甲", "，", "丙戊丁甲甲", "乙")]


@contextmanager
def small_blocks(block_tokens, cells_at_once):
    """Count as if the text were a thousand times longer, and note how many ranges of rows came."""
    whole = TokenSpool.blocks

    def blocks(self, max_tokens=block_tokens):
        del max_tokens
        return whole(self, block_tokens)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "BLOCK_TOKENS", block_tokens)
        patch.setattr(token_spool, "BLOCK_TOKENS", block_tokens)
        patch.setattr(TokenSpool, "blocks", blocks)
        patch.setattr(counting, "_CELLS_AT_ONCE", cells_at_once)
        yield


def test_small_blocks_do_split_the_work():
    ranges = []
    with small_blocks(4, 3):
        count_cooccurrences(
            DOCUMENTS, progress=lambda step, done, total: ranges.append((step, done, total))
        )
    done = [done for step, done, total in ranges if step == "counting"]
    assert len(done) > 2
    assert done == sorted(set(done))
    assert done[-1] == 6


def test_a_longer_text_has_no_more_ranges():
    def n_ranges(documents):
        steps = []
        with small_blocks(4, 1):
            count_cooccurrences(documents, progress=lambda step, *_: steps.append(step))
        return steps.count("counting")

    # 6 terms: without order no more than 6 + 5 + ... + 1 cells, and an eighth of 960 tokens.
    assert n_ranges(DOCUMENTS) == 6
    assert n_ranges(DOCUMENTS * 40) == 1


@given(st.lists(st.lists(st.integers(0, 2), min_size=12, max_size=12), min_size=1, max_size=20))
def test_tables_are_added_a_few_times_each(tables):
    parts = []
    for table in tables:
        counting._add(parts, csr_array(np.reshape(table, (3, 4))))
        sizes = [part.nnz for part in parts]
        assert all(4 * small < large for large, small in pairwise(sizes))
    total = counting._total(parts)
    assert total.toarray().ravel().tolist() == np.sum(tables, axis=0).tolist()
    assert total.has_canonical_format


@settings(deadline=None, max_examples=200)
@given(
    documents_of(),
    settings_of(),
    st.sampled_from(sorted(KERNELS)),
    st.integers(1, 12),
    st.integers(1, 8),
    st.integers(1, 3),
)
def test_blocks_and_ranges_change_nothing(
    assert_same, documents, how, kernel, block_tokens, cells_at_once, min_count
):
    texts = token_lists(documents)
    whole = count_cooccurrences(texts, kernel=kernel, min_count=min_count, **how)
    with small_blocks(block_tokens, cells_at_once):
        parts = count_cooccurrences(texts, kernel=kernel, min_count=min_count, **how)
    assert_same(parts, whole)


@pytest.mark.parametrize("window", [3, "all", 2**31 - 1])
@pytest.mark.parametrize("texts", [[["，", "。"], ["，"]], [[], [], list("甲乙丙甲"), []]])
def test_blocks_without_a_term_change_nothing(assert_same, texts, window):
    whole = count_cooccurrences(texts, window=window)
    with small_blocks(1, 1):
        assert_same(count_cooccurrences(texts, window=window), whole)


@settings(deadline=None)
@given(documents_of(max_documents=6), settings_of(), st.data())
def test_document_order_changes_nothing(assert_same, documents, how, data):
    texts = token_lists(documents)
    shuffled = data.draw(st.permutations(texts))
    assert_same(count_cooccurrences(shuffled, **how), count_cooccurrences(texts, **how))


@settings(deadline=None)
@given(documents_of(), settings_of(), st.integers(1, 3))
def test_kernels_give_the_same_counts(assert_same, documents, how, min_count):
    texts = token_lists(documents)
    truth = count_cooccurrences(texts, kernel="reference", min_count=min_count, **how)
    for kernel in ("scipy_shift", "numba_scan"):
        found = count_cooccurrences(texts, kernel=kernel, min_count=min_count, n_jobs=1, **how)
        assert_same(found, truth)


@pytest.mark.parametrize("kernel", sorted(KERNELS))
@pytest.mark.parametrize(
    "how",
    [
        {"window": 2},
        {"window": 3, "weighting": "harmonic", "direction": "left"},
        {"window": 3, "counting": "windows", "scope": "sentence"},
        {"window": 3, "counting": "textgcn"},
        {"window": "all"},
    ],
)
def test_processes_and_threads_change_nothing(monkeypatch, assert_same, how, kernel):
    monkeypatch.setattr(batches, "_DOCUMENTS", 2)  # several batches, so that both processes work
    alone = count_cooccurrences(DOCUMENTS, kernel=kernel, n_jobs=1, **how)
    assert_same(count_cooccurrences(DOCUMENTS, kernel=kernel, n_jobs=2, **how), alone)


def test_processes_that_segment_change_nothing(monkeypatch, assert_same):
    monkeypatch.setattr(batches, "_DOCUMENTS", 2)
    texts = ["今天天气很好，我们去公园。", "公园里人很多。", "天气真好！", "", "我们喝茶", "喝茶去"]
    alone = count_cooccurrences(texts, window=3)
    assert_same(count_cooccurrences(texts, window=3, n_jobs=2), alone)
    assert_same(count_cooccurrences(iter(texts), window=3, n_jobs=2), alone)


@settings(deadline=None)
@given(documents_of(), settings_of(["pairs"]))
def test_directions_are_parts_of_one_table(documents, how):
    texts = token_lists(documents)
    if how["window"] == "all":
        table = count_cooccurrences(texts, **how).matrix.toarray()
        assert (table == table.T).all()
        assert not table.diagonal().any()
        return
    both, right, left = (
        count_cooccurrences(texts, **(how | {"direction": direction}))
        for direction in ("both", "right", "left")
    )
    tables = [counts.matrix.toarray() for counts in (both, right, left)]
    assert (tables[0] == tables[0].T).all()
    assert (tables[2] == tables[1].T).all()
    # Weights are added up in another order here; whole numbers stay exact.
    rounding = 0 if how["weighting"] == "flat" else 1e-14
    np.testing.assert_allclose(tables[0], tables[1] + tables[2], rtol=rounding, atol=0)
    assert left.x_margins.tolist() == right.y_margins.tolist()
    assert left.y_margins.tolist() == right.x_margins.tolist()
    assert left.totals.tolist() == right.totals.tolist()
    assert both.totals.tolist() == (2 * right.totals).tolist()
    assert both.x_margins.tolist() == (right.x_margins + right.y_margins).tolist()


@settings(deadline=None)
@given(documents_of(), settings_of(["pairs"]))
def test_margins_of_pairs_sum_to_n(documents, how):
    counts = count_cooccurrences(token_lists(documents), **(how | {"weighting": "flat"}))
    if how["window"] == "all":
        assert counts.x_margin.max() <= counts.total
        return
    assert counts.x_margin.sum() == counts.y_margin.sum() == counts.matrix.sum() == counts.total


@settings(deadline=None, max_examples=200)
@given(documents_of(max_documents=8), settings_of(["pairs", "windows"]), st.integers(1, 3))
def test_npmi_is_within_its_range_and_ppmi_not_negative(documents, how, min_count):
    # P46: in other tools NPMI leaves its range when pruning makes the counts inconsistent.
    counts = count_cooccurrences(token_lists(documents), min_count=min_count, **how)
    values = npmi(counts)
    rounding = 0 if how["weighting"] == "flat" else 1e-12
    assert (abs(values.data) <= 1 + rounding).all()
    assert (ppmi(counts).data > 0).all()
    if how["direction"] == "both":
        assert abs(pmi(counts) - pmi(counts).T).max() <= 1e-12
