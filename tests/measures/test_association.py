import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from nlpfeat.counts.pair_cells import PairCells
from nlpfeat.errors import InvalidParameterError
from nlpfeat.measures import MEASURES, association
from nlpfeat.measures.association import delta_p, g2, logdice, npmi, pmi, ppmi, score

NAMES = ["pmi", "npmi", "ppmi", "g2", "t", "chi2", "dice", "logdice", "delta_p"]
CORPORA = st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=12), min_size=1, max_size=4)
OPTIONS = {"base": 10.0, "shift": 5.0, "smoothing": 0.75, "signed": True}

# 茶 叶 茶 水 茶 杯 水 杯 with 茶 0, 叶 1, 水 2, 杯 3
TEA = [[0, 1, 0, 2, 0, 3, 2, 3]]


def test_the_catalog():
    assert list(MEASURES) == NAMES
    assert {name for name in NAMES if MEASURES[name].log_based} == {"pmi", "ppmi"}
    assert {name for name in NAMES if not MEASURES[name].needs_contingency} == {"pmi", "ppmi"}
    assert all(row.description and row.value_range for row in MEASURES.values())


def test_a_whole_matrix_by_hand(count):
    # N = 7, row sums 3 1 2 1, column sums 2 1 2 2; each of the seven cells is 1.
    expected = np.zeros((4, 4))
    expected[0, 1] = math.log2(7 / 3)
    expected[0, 2] = expected[0, 3] = math.log2(7 / 6)
    expected[1, 0] = expected[3, 2] = math.log2(7 / 2)
    expected[2, 0] = expected[2, 3] = math.log2(7 / 4)
    weighted = pmi(count(TEA, 1, "right"))
    assert isinstance(weighted, csr_array)
    assert weighted.dtype == np.float64
    assert weighted.toarray() == pytest.approx(expected, abs=1e-14)


@given(corpus=CORPORA, window=st.integers(1, 4), name=st.sampled_from(NAMES))
def test_matrices_hold_the_scores_and_nothing_else(count, corpus, window, name):
    table = count(corpus, window)
    before = table.dense.copy()
    weighted = getattr(association, name)(table)
    values = np.zeros(table.dense.shape)
    values[np.nonzero(table.dense)] = np.nan_to_num(score(table.cells(), name))
    assert np.array_equal(weighted.toarray(), values)
    assert weighted.nnz == np.count_nonzero(values)
    assert weighted.has_canonical_format
    assert weighted.indices.dtype == weighted.indptr.dtype == table.matrix.indices.dtype
    assert np.array_equal(table.dense, before)


class Kept:
    """Counts that hand out one and the same matrix."""

    def __init__(self, table):
        self.matrix = table.matrix
        self.cells = table.cells


def test_the_counts_keep_their_matrix(count):
    kept = Kept(count(TEA, 3, "right"))
    before = kept.matrix.copy()
    assert ppmi(kept).nnz < before.nnz
    assert np.array_equal(kept.matrix.indices, before.indices)
    assert np.array_equal(kept.matrix.indptr, before.indptr)
    assert np.array_equal(kept.matrix.data, before.data)


def test_what_is_absent(make_table, count):
    independent = make_table(np.array([[2, 2], [3, 3]]))
    assert pmi(independent).nnz == npmi(independent).nnz == g2(independent).nnz == 0
    negative = make_table(np.array([[1, 9], [9, 1]]))
    assert ppmi(negative).toarray()[[0, 1], [0, 1]].tolist() == [0, 0]
    assert ppmi(negative).nnz == 2
    one_row = make_table(np.array([[3, 1], [0, 0]]))  # n_x = N
    assert delta_p(one_row).nnz == 0
    assert np.isnan(score(one_row.cells(), "delta_p")).all()
    rare = make_table(np.array([[1, 2**15 - 2], [0, 2]]))  # dice 2 / (2^15 - 1 + 1) = 2^-14
    assert logdice(rare).toarray()[0, 0] == 0
    assert logdice(rare).nnz == 2


def test_options_reach_the_measures(count):
    table = count(TEA, 2)
    assert pmi(table, base=4).toarray() == pytest.approx(pmi(table).toarray() / 2)
    assert ppmi(table, shift=1.2, smoothing=0.75).nnz < ppmi(table, smoothing=0.75).nnz
    assert np.any(pmi(table, smoothing=0.75).toarray() != pmi(table).toarray())
    assert g2(table, signed=True).min() < 0
    assert np.array_equal(abs(g2(table, signed=True)).toarray(), g2(table).toarray())
    assert np.array_equal(npmi(table, base=10).toarray(), npmi(table).toarray())


@pytest.mark.parametrize("name", NAMES)
def test_nothing_seen_gives_nothing(make_table, name):
    weighted = getattr(association, name)(make_table(np.zeros((3, 3), dtype=np.int64)))
    assert weighted.shape == (3, 3)
    assert weighted.nnz == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_of_other_measures_is_refused(one_cell, name, option):
    cells = one_cell(2, 4, 5, 20)
    if option in MEASURES[name].options:
        assert np.isfinite(score(cells, name, **{option: OPTIONS[option]})).all()
    else:
        with pytest.raises(
            InvalidParameterError, match=rf"{option} is an option of .*'{name}' has no such option"
        ):
            score(cells, name, **{option: OPTIONS[option]})


def test_the_refusal_names_the_takers_and_the_remedy(one_cell):
    with pytest.raises(
        InvalidParameterError,
        match=r"smoothing is an option of 'pmi' or 'ppmi'; 'g2' has no such option\. "
        r"Got smoothing=0\.75: leave it at 1\.0 or choose another measure\.",
    ):
        score(one_cell(2, 4, 5, 20), "g2", smoothing=0.75)
    with pytest.raises(InvalidParameterError, match="shift is an option of 'ppmi'; 'pmi' has no"):
        score(one_cell(2, 4, 5, 20), "pmi", shift=5)


@pytest.mark.parametrize(
    ("option", "bad", "message"),
    [
        ("base", 1, "base must be a finite number above 1"),
        ("base", 0.5, "base must be a finite number above 1"),
        ("base", math.inf, "base must be a finite number above 1"),
        ("base", "e", "base must be a finite number above 1.*'e'"),
        ("shift", 0, "shift must be a finite number above 0"),
        ("smoothing", 0, "smoothing must be a finite number above 0 and at most 1"),
        ("smoothing", 1.5, "smoothing must be a finite number above 0 and at most 1"),
        ("signed", 1, "signed must be True or False. Got 1"),
    ],
)
@pytest.mark.parametrize("name", ["ppmi", "t"])
def test_values_that_an_option_cannot_have(one_cell, name, option, bad, message):
    with pytest.raises(InvalidParameterError, match=message):
        score(one_cell(2, 4, 5, 20), name, **{option: bad})


def test_an_unknown_measure(one_cell):
    with pytest.raises(
        InvalidParameterError, match=r"measure must be one of 'pmi', .*'npim'\. Did you mean 'npmi'"
    ):
        score(one_cell(2, 4, 5, 20), "npim")


@pytest.mark.parametrize("name", NAMES)
def test_text_gcn_counts_allow_pmi_and_ppmi_alone(one_cell, name):
    # The pair came 6 times in 4 windows that hold x: no 2x2 table has that.
    cells = one_cell(6, 4, 5, 20, contingency=False)
    if name in ("pmi", "ppmi"):
        assert score(cells, name) == pytest.approx([math.log2(6 * 20 / (4 * 5))])
    else:
        with pytest.raises(
            InvalidParameterError,
            match=r"measure must be 'pmi' or 'ppmi' on counts made with counting='textgcn'"
            rf".*Got '{name}': choose one of these, or count with",
        ):
            score(cells, name)


def test_presence_counts_with_smoothing():
    # Windows: N = 4 windows, margins 4 and 2 and 2 sum to 8. p(y) becomes 2^.5 / (2 + 2 * 2^.5).
    cells = PairCells(
        n_xy=np.array([2]),
        n_x=np.array([4]),
        n_y=np.array([2]),
        total=4,
        twice=None,
        y_margin=np.array([4, 2, 2]),
    )
    root = math.sqrt(2)
    assert score(cells, "pmi", smoothing=0.5) == pytest.approx(
        [math.log2((2 / 4) * (2 + 2 * root) / root)]
    )
    assert score(cells, "pmi") == [0.0]


def test_importing_the_measures_loads_no_scipy():
    code = (
        "import sys, nlpfeat.measures.association; "
        "sys.exit(any(name in sys.modules for name in ('scipy', 'sklearn', 'torch')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
