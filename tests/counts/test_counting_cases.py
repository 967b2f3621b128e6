"""What users of other tools ran into, each with a small text and what is right for it."""

import math
from fractions import Fraction

import pytest

from nlpfeat.counts.counting import count_cooccurrences
from nlpfeat.measures.association import pmi
from nlpfeat.measures.table import association_table


def test_p40_no_pair_across_documents():
    counts = count_cooccurrences([["春", "花"], ["秋", "月"]], window=3)
    x, y, _ = counts.pair_cells()
    terms = counts.vocabulary.terms
    pairs = {frozenset((terms[i], terms[j])) for i, j in zip(x, y)}
    assert pairs == {frozenset("春花"), frozenset("秋月")}


def test_p42_window_is_tokens_on_each_side():
    counts = count_cooccurrences([["甲", "乙", "丙"]], window=1)
    assert counts.vocabulary.terms == ("丙", "乙", "甲")
    assert counts.matrix.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    line = [f"词{number:02}" for number in range(13)]
    middle = count_cooccurrences([line], window=5).matrix.toarray()[6]
    assert middle.tolist() == [0] + [1] * 5 + [0] + [1] * 5 + [0]


@pytest.mark.parametrize(
    ("window", "n_xy", "n_x", "n_y", "total"),
    [(1, 1, 3, 2, 7), (2, 1, 6, 4, 13), (3, 3, 9, 6, 18), (4, 3, 11, 8, 22), (5, 5, 13, 10, 25)],
)
def test_p43_pmi_of_wide_windows(window, n_xy, n_x, n_y, total):
    # 茶 stands at 1 3 5 and has min(w, 8 - p) followers; 杯 at 6 8 has min(w, p - 1) tokens before
    # it; their distances are 5 7 3 5 1 3. N = the sum of 8 - d over d = 1 … w.
    text = list("茶叶茶水茶杯水杯")
    counts = count_cooccurrences([text], window=window, direction="right")
    x, y = (counts.vocabulary.ids[term] for term in "茶杯")
    assert counts.matrix[x, y] == n_xy
    assert (counts.x_margin[x], counts.y_margin[y], counts.total) == (n_x, n_y, total)
    assert counts.x_margin.sum() == counts.y_margin.sum() == counts.matrix.sum() == total
    value = math.log2(Fraction(n_xy * total, n_x * n_y))
    assert pmi(counts)[x, y] == pytest.approx(value, rel=1e-15, abs=0)


def test_p45_a_pair_seen_min_count_times_stays():
    counts = count_cooccurrences([["北", "京"]] * 2, direction="right", min_count=2)
    table = association_table(counts, ["pmi", "npmi", "dice"])
    assert table.columns["n_xy"].tolist() == [2]
    assert table.columns["pmi"].tolist() == [0.0]  # log2(2 * 2 / (2 * 2)), and still a row
    assert table.columns["dice"].tolist() == [1.0]
    gone = count_cooccurrences([["北", "京"]] * 2, direction="right", min_count=3)
    assert gone.matrix.nnz == 0
    assert (gone.x_margin.tolist(), gone.total, gone.highest) == ([0, 2], 2, 2)


def test_p50_a_symmetric_window_gives_a_full_table():
    counts = count_cooccurrences([["甲", "乙", "丙", "乙", "甲"]], window=1)
    assert counts.matrix.toarray().tolist() == [[0, 2, 0], [2, 0, 2], [0, 2, 0]]
    assert counts.pairs.toarray().tolist() == [[0, 2, 0], [0, 0, 2], [0, 0, 0]]


def test_p51_order_counts_when_asked():
    documents = [["甲", "乙"], ["甲", "乙"], ["乙", "甲"]]
    right = count_cooccurrences(documents, direction="right")
    assert right.matrix.toarray().tolist() == [[0, 1], [2, 0]]  # 乙 甲
    left = count_cooccurrences(documents, direction="left")
    assert left.matrix.toarray().tolist() == [[0, 2], [1, 0]]


def test_p52_counts_at_one_distance():
    text = list("甲丁甲丙戊甲丁己戊乙甲丙戊丁")
    counts = count_cooccurrences([text], window=3, direction="right", weighting=[0, 0, 1])
    exactly = [(x, y) for x, y in zip(text, text[3:])]
    x, y, cells = counts.pair_cells()
    terms = counts.vocabulary.terms
    found = {(terms[i], terms[j]): n for i, j, n in zip(x, y, cells.n_xy)}
    assert found == {pair: exactly.count(pair) for pair in exactly}
    assert counts.total == 11
    assert [part.sum() for part in counts.slices] == [13, 12, 11]


def test_p54_a_pair_twice_in_a_window_counts_by_the_chosen_counting():
    document = [["甲", "乙", "甲"]]
    assert count_cooccurrences(document, window=2).matrix[0, 1] == 2
    assert count_cooccurrences(document, window=3, counting="windows").matrix[0, 1] == 1
    textgcn = count_cooccurrences(document, window=3, counting="textgcn")
    assert textgcn.matrix[0, 1] == 2
    assert (textgcn.x_margin.tolist(), textgcn.total) == ([1, 1], 1)


@pytest.mark.parametrize("counting", ["windows", "textgcn"])
def test_p56_documents_shorter_than_the_window_are_one_window(counting):
    documents = [["甲"], ["甲", "乙"], ["甲", "乙", "丙"], ["甲", "乙", "丙", "丁"]]
    assert count_cooccurrences(documents, window=3, counting=counting).total == 1 + 1 + 1 + 2


def test_p62_every_pair_of_a_large_vocabulary_is_counted():
    words = [f"词{number:05}" for number in range(30_000)]
    counts = count_cooccurrences([words], window=1, direction="right")
    assert counts.matrix.nnz == counts.total == 29_999
    assert counts.complete_vocabulary
    assert not count_cooccurrences([words[:5]], max_terms=3).complete_vocabulary
