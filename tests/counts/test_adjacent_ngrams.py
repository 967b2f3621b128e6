"""N-grams and their neighbors: by hand, and by loops over sentences."""

from collections import Counter

import numpy as np
import pytest
from cooccurrence_oracle import documents_of, token_lists
from hypothesis import given
from hypothesis import strategies as st
from phrase_oracle import margins_of, occurrences_of, sentences_of

from nlpfeat.counts import adjacent_ngrams as module
from nlpfeat.counts.adjacent_ngrams import adjacent_ngrams
from nlpfeat.text.segmenters import as_segmenter
from nlpfeat.text.token_spool import spool_tokens


def neighbors_of(neighbors, n_ngrams):
    """Return {count: terms with it} for each n-gram."""
    found = [{} for _ in range(n_ngrams)]
    entries = list(zip(*(part.tolist() for part in (neighbors.rows, neighbors.counts,
                                                    neighbors.n_terms))))  # fmt: skip
    assert entries == sorted(entries)
    for row, count, n_terms in entries:
        found[row][count] = n_terms
    return found


def counted(texts, max_length, min_count=1, stopped=(), **how):
    """Return, for each length, the n-grams with count, margins and neighbors, and the total."""
    with spool_tokens(texts, as_segmenter("jieba")) as spool:
        terms = spool.vocabulary.terms
        excluded = np.array([term in stopped for term in terms], dtype=np.bool_)
        result = []
        for ngrams in adjacent_ngrams(spool, max_length, min_count, excluded=excluded, **how):
            words = [tuple(terms[number] for number in row) for row in ngrams.terms.tolist()]
            assert words == sorted(words)
            splits = [list(zip(a, b)) for a, b in zip(ngrams.first.T.tolist(),
                                                      ngrams.second.T.tolist())]  # fmt: skip
            sides = [neighbors_of(side, len(words)) for side in (ngrams.left, ngrams.right)]
            rows = dict(zip(words, zip(ngrams.counts.tolist(), splits, *sides)))
            result.append((rows, ngrams.total))
    return result


def by_loops(texts, max_length, min_count, stopped=()):
    result = []
    for length in range(2, max_length + 1):
        found = occurrences_of(sentences_of(texts), length, stopped)
        counts = {words: len(places) for words, places in found.items()}
        rows = {}
        for words, places in found.items():
            if len(places) >= min_count:
                splits = [margins_of(counts, words, split) for split in range(1, length)]
                beside = [Counter(filter(None, terms)) for terms in zip(*places)]
                equally_often = (dict(Counter(terms.values())) for terms in beside)
                rows[words] = (len(places), splits, *equally_often)
        if not rows:
            break
        result.append((rows, sum(counts.values())))
    return result


def test_by_hand():
    # Pairs: 甲乙 甲乙 甲丙 乙丙 丙甲, no pair across ， or 。
    texts = [list("甲乙丙甲。"), list("甲乙，甲丙")]
    (pairs, n_pairs), (triples, n_triples) = counted(texts, 3)
    assert n_pairs == 5
    assert pairs == {
        ("丙", "甲"): (1, [(1, 1)], {1: 1}, {}),
        ("乙", "丙"): (1, [(1, 2)], {1: 1}, {1: 1}),
        ("甲", "丙"): (1, [(3, 2)], {}, {}),
        ("甲", "乙"): (2, [(3, 2)], {}, {1: 1}),
    }
    assert n_triples == 2
    assert triples["甲", "乙", "丙"] == (1, [(1, 1), (1, 1)], {}, {1: 1})
    # The margins of a frequent pair count the rare ones too.
    assert counted(texts, 3, 2) == [({("甲", "乙"): (2, [(3, 2)], {}, {1: 1})}, 5)]


def test_excluded_terms_are_gaps_inside_and_terms_beside():
    texts = [list("甲乙的丙丁")]
    (pairs, total), *more = counted(texts, 3, stopped={"的"})
    assert pairs == {
        ("丙", "丁"): (1, [(1, 1)], {1: 1}, {}),
        ("甲", "乙"): (1, [(1, 1)], {}, {1: 1}),
    }
    assert (total, more) == (2, [])


def test_terms_that_stand_there_equally_often_are_one_entry():
    # Before 甲乙: 丙 and 丁 twice each, 戊 once, a border once; behind it borders alone.
    texts = [list(f"{before}甲乙") for before in "丙丙丁丁戊"] + [list("甲乙")]
    (pairs, _), *_ = counted(texts, 2)
    assert pairs["甲", "乙"] == (6, [(6, 6)], {1: 1, 2: 2}, {})


@given(documents_of(), st.integers(2, 5), st.integers(1, 3), st.sets(st.sampled_from("甲乙")))
def test_equals_loops(documents, max_length, min_count, stopped):
    texts = token_lists(documents)
    assert counted(texts, max_length, min_count, stopped) == by_loops(
        texts, max_length, min_count, stopped
    )


@pytest.mark.parametrize(
    ("block_tokens", "keys_at_once"), [(1, 1 << 24), (20, 20), (50, 1), (1 << 23, 20)]
)
def test_neither_blocks_nor_ranges_matter(block_tokens, keys_at_once, monkeypatch):
    draw = np.random.default_rng(3)
    texts = [draw.choice(list("甲乙丙丁戊，。"), draw.integers(0, 15)).tolist() for _ in range(30)]
    wanted = by_loops(texts, 3, 2)
    assert len(wanted) == 2
    monkeypatch.setattr(module, "_KEYS_AT_ONCE", keys_at_once)
    assert counted(texts, 3, 2, block_tokens=block_tokens) == wanted


@pytest.mark.parametrize("texts", [[[]], [list("，。")], [["甲"]], [list("甲，乙。丙")], []])
def test_texts_without_a_pair(texts):
    assert counted(texts, 3) == []


def test_progress_tells_of_the_lengths():
    told = []
    counted([list("甲乙丙丁")], 3, progress=lambda *step: told.append(step))
    assert told == [("counting", 1, 2), ("counting", 2, 2)]
