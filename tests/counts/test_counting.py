"""Whole tables typed out, and every setting against the definition."""

import numpy as np
import pytest
from cooccurrence_oracle import (
    documents_of,
    expected,
    settings_of,
    token_lists,
    unweighted,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from nlpfeat.counts._kernels import KERNELS
from nlpfeat.counts.counting import count_cooccurrences
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.text.vocabulary import Vocabulary

TEXT = list("甲丁甲丙戊甲丁己戊乙甲丙戊丁")
TERMS = ("丁", "丙", "乙", "己", "戊", "甲")  # rows and columns, in code-point order
MIXED = list("甲丁，甲。丙戊甲丁己")  # two sentences, with a gap in the first

TABLES = {
    "window 1, right": (
        {"window": 1, "direction": "right"},
        [[0, 0, 0, 1, 0, 1],
         [0, 0, 0, 0, 2, 0],
         [0, 0, 0, 0, 0, 1],
         [0, 0, 0, 0, 1, 0],
         [1, 0, 1, 0, 0, 1],
         [2, 2, 0, 0, 0, 0]],
    ),
    "window 2, right": (
        {"window": 2, "direction": "right"},
        [[0, 1, 0, 1, 1, 1],
         [1, 0, 0, 0, 2, 1],
         [0, 1, 0, 0, 0, 1],
         [0, 0, 1, 0, 1, 0],
         [2, 0, 1, 0, 0, 2],
         [2, 2, 0, 1, 2, 1]],
    ),
    "window 5, right": (
        {"window": 5, "direction": "right"},
        [[1, 2, 1, 1, 2, 3],
         [2, 0, 0, 1, 3, 1],
         [1, 1, 0, 0, 1, 1],
         [0, 1, 1, 0, 2, 1],
         [3, 1, 2, 1, 2, 2],
         [4, 3, 1, 2, 4, 4]],
    ),
    "window 1, both": (
        {"window": 1},
        [[0, 0, 0, 1, 1, 3],
         [0, 0, 0, 0, 2, 2],
         [0, 0, 0, 0, 1, 1],
         [1, 0, 0, 0, 1, 0],
         [1, 2, 1, 1, 0, 1],
         [3, 2, 1, 0, 1, 0]],
    ),
    "window 5, both": (
        {"window": 5},
        [[2, 4, 2, 1, 5, 7],
         [4, 0, 1, 2, 4, 4],
         [2, 1, 0, 1, 3, 2],
         [1, 2, 1, 0, 3, 3],
         [5, 4, 3, 3, 4, 6],
         [7, 4, 2, 3, 6, 8]],
    ),
    "window 2, left": (
        {"window": 2, "direction": "left"},
        [[0, 1, 0, 0, 2, 2],
         [1, 0, 1, 0, 0, 2],
         [0, 0, 0, 1, 1, 0],
         [1, 0, 0, 0, 0, 1],
         [1, 2, 0, 1, 0, 2],
         [1, 1, 1, 0, 2, 1]],
    ),
    "window 3, right, harmonic (in sixths)": (
        {"window": 3, "direction": "right", "weighting": "harmonic"},
        [[0, 3, 2, 6, 5, 6],
         [5, 0, 0, 0, 12, 3],
         [0, 3, 0, 0, 2, 6],
         [0, 0, 3, 0, 6, 2],
         [9, 2, 6, 2, 0, 9],
         [14, 14, 0, 3, 8, 5]],
    ),
    "window 3, right, linear (in thirds)": (
        {"window": 3, "direction": "right", "weighting": "linear"},
        [[0, 2, 1, 3, 3, 3],
         [3, 0, 0, 0, 6, 2],
         [0, 2, 0, 0, 1, 3],
         [0, 0, 2, 0, 3, 1],
         [5, 1, 3, 1, 0, 5],
         [7, 7, 0, 2, 5, 3]],
    ),
    "window 3, right, 1/d² (in 36ths)": (
        {"window": 3, "direction": "right", "weighting": lambda distance: 1 / distance**2},
        [[0, 9, 4, 36, 13, 36],
         [13, 0, 0, 0, 72, 9],
         [0, 9, 0, 0, 4, 36],
         [0, 0, 9, 0, 36, 4],
         [45, 4, 36, 4, 0, 45],
         [76, 76, 0, 9, 22, 13]],
    ),
    "windows of 3": (
        {"window": 3, "counting": "windows"},
        [[0, 2, 0, 2, 3, 4],
         [2, 0, 1, 0, 4, 5],
         [0, 1, 0, 1, 2, 2],
         [2, 0, 1, 0, 2, 1],
         [3, 4, 2, 2, 0, 5],
         [4, 5, 2, 1, 5, 0]],
    ),
    # 甲 丁 甲 is one window with both terms and holds two pairs of them.
    "Text GCN, 3": (
        {"window": 3, "counting": "textgcn"},
        [[0, 2, 0, 2, 3, 5],
         [2, 0, 1, 0, 4, 5],
         [0, 1, 0, 1, 2, 2],
         [2, 0, 1, 0, 2, 1],
         [3, 4, 2, 2, 0, 5],
         [5, 5, 2, 1, 5, 0]],
    ),
    "window all": ({"window": "all"}, [[int(x != y) for y in range(6)] for x in range(6)]),
}  # fmt: skip


@pytest.mark.parametrize("kernel", sorted(KERNELS))
@pytest.mark.parametrize("name", TABLES)
def test_whole_tables(name, kernel):
    how, table = TABLES[name]
    counts = count_cooccurrences([TEXT], kernel=kernel, **how)
    unit = {"in sixths": 6, "in thirds": 3, "in 36ths": 36}.get(name[name.find("(") + 1 : -1], 1)
    assert counts.vocabulary.terms == TERMS
    np.testing.assert_allclose(counts.matrix.toarray() * unit, table, rtol=1e-14, atol=0)


MARGINS = {
    "pairs": ({"window": 2}, [9, 8, 4, 4, 11, 14], [9, 8, 4, 4, 11, 14], 50),
    "right": ({"window": 2, "direction": "right"}, [4, 4, 2, 2, 5, 8], [5, 4, 2, 2, 6, 6], 25),
    "left": ({"window": 2, "direction": "left"}, [5, 4, 2, 2, 6, 6], [4, 4, 2, 2, 5, 8], 25),
    "windows": ({"window": 3, "counting": "windows"}, [6, 6, 3, 3, 8, 9], [6, 6, 3, 3, 8, 9], 12),
    "textgcn": ({"window": 3, "counting": "textgcn"}, [6, 6, 3, 3, 8, 9], [6, 6, 3, 3, 8, 9], 12),
    "all": ({"window": "all"}, [1] * 6, [1] * 6, 1),
}


@pytest.mark.parametrize("name", MARGINS)
def test_margins_typed_out(name):
    how, n_x, n_y, total = MARGINS[name]
    counts = count_cooccurrences([TEXT], **how)
    assert counts.x_margin.tolist() == n_x
    assert counts.y_margin.tolist() == n_y
    assert counts.total == total


GAPS = {
    # 甲 。 丙 is a pair at distance 2 of the document, and none within a sentence.
    "document": ({"window": 2}, "甲 丙", 1, 10),
    "sentence": ({"window": 2, "scope": "sentence"}, "甲 丙", 0, 9),
    # The comma keeps its place: 丁 and the second 甲 are 2 apart.
    "next to a gap": ({"window": 1}, "丁 甲", 0, 5),
    "across a gap": ({"window": 2}, "丁 甲", 1, 10),
    "stop word": ({"window": 2, "stop_words": {"丙"}}, "甲 戊", 0, 7),
    "stop word, wider": ({"window": 3, "stop_words": {"丙"}}, "甲 戊", 1, 10),
    "rare": ({"window": 3, "min_term_count": 2}, "甲 丁", 2, 4),
}


@pytest.mark.parametrize("name", GAPS)
def test_gaps_keep_their_place(name):
    how, pair, n_xy, total = GAPS[name]
    x, y = pair.split()
    counts = count_cooccurrences([MIXED], direction="right", **how)
    ids = counts.vocabulary.ids
    assert counts.matrix[ids[x], ids[y]] == n_xy
    assert counts.total == total


def test_windows_and_presence_of_sentences_typed_out():
    windows = count_cooccurrences([MIXED], window=3, scope="sentence", counting="windows")
    assert windows.vocabulary.terms == ("丁", "丙", "己", "戊", "甲")
    # 甲丁， 丁，甲 ，甲。 and 丙戊甲 戊甲丁 甲丁己
    assert windows.matrix.toarray().tolist() == [
        [0, 0, 1, 1, 4],
        [0, 0, 0, 1, 1],
        [1, 0, 0, 0, 1],
        [1, 1, 0, 0, 2],
        [4, 1, 1, 2, 0],
    ]
    assert (windows.x_margin.tolist(), windows.total) == ([4, 1, 1, 2, 6], 6)
    both = count_cooccurrences([MIXED], window="all", scope="sentence")
    assert both.matrix.toarray()[4].tolist() == [2, 1, 1, 1, 0]
    assert (both.x_margin.tolist(), both.total) == ([2, 1, 1, 1, 2], 2)


def test_units_without_a_token_are_no_units_and_units_of_gaps_are():
    documents = [["甲", "乙"], [], ["，"], [" "]]
    for how in ({"window": "all"}, {"window": 3, "counting": "windows"}):
        counts = count_cooccurrences(documents, **how)
        assert counts.total == 2
        assert counts.n_documents == 4
        assert counts.n_tokens == 3


def test_only_the_terms_of_a_vocabulary():
    vocabulary = Vocabulary.build([["丁", "甲", "子"]])
    counts = count_cooccurrences([TEXT], window=2, direction="right", vocabulary=vocabulary)
    assert counts.vocabulary.terms == ("丁", "子", "甲")
    assert counts.matrix.toarray().tolist() == [[0, 0, 1], [0, 0, 0], [2, 0, 1]]
    assert counts.total == 4
    assert not counts.complete_vocabulary


def test_a_vocabulary_of_equal_size_that_lacks_a_term_is_not_complete():
    vocabulary = Vocabulary.build([["甲", "子"]])
    counts = count_cooccurrences([["甲", "乙"]], vocabulary=vocabulary)
    assert not counts.complete_vocabulary


def test_the_terms_of_a_vocabulary_have_the_frequencies_of_the_text():
    vocabulary = Vocabulary.build([["龙", "乙", "，", "甲"]] * 5)
    texts = [list("甲乙甲，丙"), list("乙的"), [], list("，，")]
    for keep_punctuation, commas in ((True, [3, 2]), (False, [0, 0])):
        counts = count_cooccurrences(
            texts, vocabulary=vocabulary, stop_words=["的"], keep_punctuation=keep_punctuation
        )
        found = counts.vocabulary
        assert found.terms == ("乙", "甲", "龙", "，")
        assert found.term_frequencies.tolist() == [2, 2, 0, commas[0]]
        assert found.document_frequencies.tolist() == [2, 1, 0, commas[1]]
    assert vocabulary.term_frequencies.tolist() == [5, 5, 5, 5]
    assert not counts.complete_vocabulary


@pytest.mark.parametrize(
    ("terms", "is_complete"), [("甲乙丙", True), ("甲乙", False), ("甲乙丙，。", True)]
)
def test_gaps_and_stop_words_do_not_make_a_vocabulary_incomplete(terms, is_complete):
    texts = [list("甲乙，丙的。")]
    counts = count_cooccurrences(texts, vocabulary=Vocabulary.build([terms]), stop_words=["的"])
    assert counts.complete_vocabulary == is_complete


@pytest.mark.parametrize("how", [{}, {"counting": "windows"}, {"window": "all"}], ids=str)
def test_a_vocabulary_gives_the_part_of_the_whole_table(how):
    draw = np.random.default_rng(5)
    texts = [draw.choice(list("甲乙丙丁戊，"), 20).tolist() for _ in range(30)]
    whole = count_cooccurrences(texts, **how)
    some = count_cooccurrences(texts, vocabulary=Vocabulary.build(["丁甲丙"]), **how)
    ids = [whole.vocabulary.ids[term] for term in some.vocabulary.terms]
    assert some.matrix.toarray().tolist() == whole.matrix.toarray()[np.ix_(ids, ids)].tolist()
    for name in ("term_frequencies", "document_frequencies"):
        wanted = getattr(whole.vocabulary, name)[ids].tolist()
        assert getattr(some.vocabulary, name).tolist() == wanted


def test_terms_that_no_token_can_equal_are_told(caplog):
    vocabulary = Vocabulary.build([["VIP", "茶"]])
    with caplog.at_level("WARNING", logger="nlpfeat"):
        count_cooccurrences([["VIP", "茶"]], vocabulary=vocabulary, lowercase=False)
        assert not caplog.records
        counts = count_cooccurrences([["VIP", "茶"]], vocabulary=vocabulary)
    assert counts.vocabulary.term_frequencies.tolist() == [0, 1]
    assert "1 of 2 terms of the vocabulary cannot occur" in caplog.text
    assert "VIP (vip)" in caplog.text


def test_a_vocabulary_that_holds_all_terms_is_complete():
    vocabulary = Vocabulary.build([["甲", "乙"]])
    assert count_cooccurrences([["甲", "乙"]], vocabulary=vocabulary).complete_vocabulary


@settings(deadline=None, max_examples=200)
@given(documents_of(), settings_of(), st.sampled_from(sorted(KERNELS)))
def test_all_settings_equal_the_definition(documents, how, kernel):
    counts = count_cooccurrences(token_lists(documents), kernel=kernel, **how)
    truth = expected(documents, how)
    terms = counts.vocabulary.terms
    whole = how["weighting"] == "flat"
    same = np.testing.assert_array_equal if whole else _assert_close
    same(counts.matrix.toarray(), truth.dense(terms).astype(float))
    same(counts.x_margin, [float(truth.n_x[term]) for term in terms])
    same(counts.y_margin, [float(truth.n_y[term]) for term in terms])
    same(counts.total, float(truth.total))
    assert counts.highest == max(unweighted(documents, how).values(), default=0)


def _assert_close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=0)


@settings(deadline=None)
@given(documents_of("甲乙丙"), settings_of(), st.integers(1, 5))
def test_min_count_prunes_by_the_unweighted_count_and_leaves_margins(documents, how, min_count):
    texts = token_lists(documents)
    counts = count_cooccurrences(texts, min_count=min_count, **how)
    whole = count_cooccurrences(texts, **how)
    occurrences = unweighted(documents, how)
    kept = {pair for pair, n in occurrences.items() if n >= min_count}
    x, y, cells = counts.pair_cells()
    terms = counts.vocabulary.terms
    assert {(terms[i], terms[j]) for i, j in zip(x.tolist(), y.tolist())} == kept
    full = whole.matrix.toarray()
    assert cells.n_xy.tolist() == [full[i, j] for i, j in zip(x, y)]
    assert counts.x_margins.tolist() == whole.x_margins.tolist()
    assert counts.y_margins.tolist() == whole.y_margins.tolist()
    assert (counts.total, counts.highest) == (whole.total, whole.highest)


@settings(deadline=None)
@given(documents_of(), settings_of(["pairs"]), st.integers(1, 3))
def test_tables_are_sparse_arrays_as_scikit_learn_takes_them(documents, how, min_count):
    counts = count_cooccurrences(token_lists(documents), min_count=min_count, **how)
    for table in (counts.matrix, counts.pairs, *counts.slices):
        assert isinstance(table, csr_array)
        assert table.has_sorted_indices
        assert (table.data > 0).all()
        assert table.has_canonical_format
        assert table.indices.dtype == table.indptr.dtype == np.int32
    whole = how["weighting"] == "flat"
    assert counts.matrix.dtype == (np.int64 if whole else np.float64)
    assert {part.dtype for part in counts.slices} == {np.dtype(np.int64)}
    assert counts.x_margins.dtype == counts.totals.dtype == np.int64


IMPOSSIBLE = [
    ({"window": 0}, r"window .*at least 1\. Got 0"),
    ({"scope": "line"}, r"scope must be one of 'document', 'sentence'\. Got 'line'"),
    ({"direction": "lef"}, r"direction .*mean 'left'"),
    ({"counting": "text_gcn"}, r"counting .*mean 'textgcn'"),
    ({"kernel": "scipy_shif"}, r"kernel .*'auto'.*mean 'scipy_shift'"),
    ({"min_count": 0}, r"min_count must be an integer that is at least 1\. Got 0"),
    ({"min_count": True}, r"min_count must be an integer that is at least 1\. Got True"),
    ({"min_term_count": 0}, r"min_term_count must be an integer .*Got 0"),
    ({"max_terms": 0}, r"max_terms must be an integer that is at least 1\. Got 0"),
    ({"n_jobs": 0}, r"n_jobs must be positive.*Got 0"),
    (
        {"vocabulary": Vocabulary.build([["甲"]]), "max_terms": 3},
        r"vocabulary says which terms .* left out\. Got 1 and 3",
    ),
    (
        {"vocabulary": Vocabulary.build([["甲"]]), "min_term_count": 2},
        r"vocabulary says which terms .* left out\. Got 2 and None",
    ),
]


@pytest.mark.parametrize(("how", "message"), IMPOSSIBLE)
def test_parameters_that_cannot_be(how, message):
    with pytest.raises(InvalidParameterError, match=message):
        count_cooccurrences([TEXT], **how)


@pytest.mark.parametrize(("how", "message"), IMPOSSIBLE)
def test_parameters_are_checked_before_any_document_is_read(how, message):
    def documents():
        pytest.fail("a document was asked for")
        yield TEXT

    with pytest.raises(InvalidParameterError, match=message):
        count_cooccurrences(documents(), **how)


def test_a_vocabulary_that_pruning_empties_is_refused():
    message = r"No term occurs at least 9 times; the most frequent one occurs 4 times\. Lower"
    with pytest.raises(InvalidParameterError, match=message):
        count_cooccurrences([TEXT], min_term_count=9)


@pytest.mark.parametrize(
    ("documents", "n"), [([], 0), ([""], 1), ([[], []], 2), ([[" ", "\n"]], 1)]
)
def test_documents_without_a_token(documents, n):
    with pytest.raises(InvalidInputError, match=f"hold no token: .* found in {n} documents"):
        count_cooccurrences(documents)


def test_text_of_punctuation_alone_has_no_pair():
    counts = count_cooccurrences([["，", "。"]])
    assert (counts.matrix.shape, counts.total, counts.highest) == ((0, 0), 0, 0)
    assert count_cooccurrences([["，", "。"]], window=2, counting="windows").total == 1


@pytest.mark.parametrize("window", [10**6, 2**31 - 1])
@pytest.mark.parametrize("kernel", sorted(KERNELS))
def test_a_window_wider_than_the_text_is_the_text(window, kernel):
    wide = count_cooccurrences([TEXT], window=window, kernel=kernel)
    assert (wide.matrix != count_cooccurrences([TEXT], window=13).matrix).nnz == 0
    assert wide.total == 14 * 13
