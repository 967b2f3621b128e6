import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.association import BigramAssocMeasures
from scipy.stats import chi2_contingency, power_divergence

from nlpfeat.measures.significance import chi2_scores, g2_scores, t_scores

CORPORA = st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=12), min_size=1, max_size=4)
WINDOWS = st.integers(1, 4)


def real(fraction):
    return mpmath.mpf(fraction.numerator) / fraction.denominator


def exact(n_xy, n_x, n_y, total):
    """G2, t and chi2 from the textbook formulas, with fractions and eighty digits."""
    n_xy, n_x, n_y, total = (Fraction(n) for n in (n_xy, n_x, n_y, total))
    observed = [n_xy, n_x - n_xy, n_y - n_xy, total - n_x - n_y + n_xy]
    expected = [row * column / total for row in (n_x, total - n_x) for column in (n_y, total - n_y)]
    cells = [(o, e) for o, e in zip(observed, expected) if e]
    with mpmath.workdps(80):
        g2 = 2 * sum(real(o) * mpmath.log(real(o / e)) for o, e in cells if o)
        t = real(observed[0] - expected[0]) / mpmath.sqrt(real(observed[0]))
        return float(g2), float(t), float(sum((o - e) ** 2 / e for o, e in cells))


def test_a_table_by_hand(one_cell):
    # O = 8 2 / 12 78 and E = 2 8 / 18 72, so each O - E is 6 up to its sign.
    cells = one_cell(8, 10, 20, 100)
    assert chi2_scores(cells) == pytest.approx([36 / 2 + 36 / 8 + 36 / 18 + 36 / 72])  # 25
    assert t_scores(cells) == pytest.approx([6 / math.sqrt(8)])
    by_hand = 2 * (
        8 * math.log(4) + 2 * math.log(1 / 4) + 12 * math.log(2 / 3) + 78 * math.log(13 / 12)
    )
    assert g2_scores(cells) == pytest.approx([by_hand], rel=1e-14)
    assert g2_scores(cells) == pytest.approx([19.39103], abs=5e-6)


def test_signed_g2_tells_repulsion_from_attraction(one_cell):
    attracted, repelled = one_cell(8, 10, 20, 100), one_cell(1, 40, 30, 100)
    assert g2_scores(attracted, signed=True) == g2_scores(attracted)
    assert g2_scores(repelled, signed=True) == -g2_scores(repelled)
    assert g2_scores(repelled)[0] > 0
    assert t_scores(repelled) == [1 - 12]  # (1 - 40 * 30 / 100) / 1


def test_the_diagonal_of_a_symmetric_table_is_halved(count):
    # 好 好 好 坏, window 1: the pairs 好好 好好 好坏, so P = 3 and N = 6.
    # The cell (好, 好) is 4, the margin of 好 is 5.
    table = count([[0, 0, 0, 1]], 1)
    assert table.dense.tolist() == [[4, 1], [1, 0]]
    # Two of the three pairs are 好好, and 3 * (5/6)^2 = 25/12 are expected.
    expected = 3 * (5 / 6) ** 2
    assert t_scores(table.cells())[0] == pytest.approx((2 - expected) / math.sqrt(2), rel=1e-14)
    # Halved, the 2x2 table of (好, 好) is 2 1/2 / 1/2 0.
    g2, _, chi2 = exact(2, Fraction(5, 2), Fraction(5, 2), 3)
    assert g2_scores(table.cells())[0] == pytest.approx(g2, rel=1e-13)
    assert chi2_scores(table.cells())[0] == pytest.approx(chi2, rel=1e-13)
    # Off the diagonal nothing is halved: (好, 坏) is 1 4 / 0 1.
    assert t_scores(table.cells())[1] == pytest.approx(1 - 5 * 1 / 6)
    assert g2_scores(table.cells())[1] == pytest.approx(exact(1, 5, 1, 6)[0], rel=1e-13)


def test_halving_the_diagonal_halves_g2_and_chi2(one_cell):
    whole, diagonal = one_cell(4, 9, 9, 60), one_cell(4, 9, 9, 60, twice=True)
    assert g2_scores(diagonal) == pytest.approx(g2_scores(whole) / 2)
    assert chi2_scores(diagonal) == pytest.approx(chi2_scores(whole) / 2)
    assert t_scores(diagonal) == pytest.approx(t_scores(whole) / math.sqrt(2))


@pytest.mark.parametrize(
    ("n_xy", "n_x", "n_y", "total"),
    [
        (10, 10, 10, 10),  # one pair and nothing else
        (4, 10, 4, 10),  # x everywhere
        (4, 4, 10, 10),  # y everywhere
        (0.3, 0.3, 0.3, 0.1 + 0.2),  # the first case, weighted, off by rounding
        (0.2, 0.3, 0.2, 0.1 + 0.2),
    ],
)
def test_an_empty_margin_is_no_evidence(one_cell, n_xy, n_x, n_y, total):
    cells = one_cell(n_xy, n_x, n_y, total)
    for function in (g2_scores, t_scores, chi2_scores):
        assert function(cells) == pytest.approx([0.0], abs=1e-15)


def test_independence_is_exactly_zero(one_cell):
    for cells in (one_cell(2, 4, 5, 10), one_cell(3 * 10**14, 5 * 10**14, 6 * 10**14, 10**15)):
        assert g2_scores(cells).tolist() == [0.0]
        assert t_scores(cells).tolist() == [0.0]
        assert chi2_scores(cells).tolist() == [0.0]


@pytest.mark.parametrize(
    ("n_xy", "n_x", "n_y", "total"),
    [
        (3, 17, 29, 1_000),
        (110, 2442, 111, 31_777),
        (7, 10**9, 10**7, 10**15),  # O22 is nearly N: the plain sum would be off by 0.1
        (1, 1, 1, 10**15),
        (10_000_300, 10**11, 10**11, 10**15),  # near independence in a huge table
        (10**14, 2 * 10**14, 3 * 10**14, 10**15),
        (5, 10**15 - 1, 6, 10**15),
    ],
)
@pytest.mark.parametrize("twice", [False, True])
def test_against_eighty_digits(one_cell, n_xy, n_x, n_y, total, twice):
    half = 2 if twice else 1
    g2, t, chi2 = exact(*(Fraction(n, half) for n in (n_xy, n_x, n_y, total)))
    cells = one_cell(n_xy, n_x, n_y, total, twice=twice)
    assert g2_scores(cells) == pytest.approx([g2], rel=1e-9)
    assert t_scores(cells) == pytest.approx([t], rel=1e-9)
    assert chi2_scores(cells) == pytest.approx([chi2], rel=1e-9)


def test_g2_never_falls_below_zero_by_rounding(one_cell):
    # One pair more than expected, E = k^2 10^4 of N = 10^10: G2 is about 1 / E.
    for k in range(100, 1000, 7):
        n_x = k * 10**7
        for n_xy in (k * k * 10**4 - 1, k * k * 10**4 + 1):
            assert g2_scores(one_cell(n_xy, n_x, n_x, 10**10))[0] >= 0


@given(corpus=CORPORA, window=WINDOWS, direction=st.sampled_from(["right", "left"]))
def test_nltk_and_scipy_agree(count, corpus, window, direction):
    cells = count(corpus, window, direction).cells()
    g2, t, chi2 = g2_scores(cells), t_scores(cells), chi2_scores(cells)
    for k, (n_xy, n_x, n_y) in enumerate(
        zip(cells.n_xy.tolist(), cells.n_x.tolist(), cells.n_y.tolist())
    ):
        margins = (n_xy, (n_x, n_y), cells.total)
        assert t[k] == pytest.approx(BigramAssocMeasures.student_t(*margins), abs=1e-12)
        if cells.total in (n_x, n_y):
            assert (g2[k], chi2[k]) == (0, 0)
            continue
        assert g2[k] == pytest.approx(BigramAssocMeasures.likelihood_ratio(*margins), abs=1e-9)
        assert chi2[k] == pytest.approx(BigramAssocMeasures.chi_sq(*margins), abs=1e-9)
        observed = np.array([[n_xy, n_x - n_xy], [n_y - n_xy, cells.total - n_x - n_y + n_xy]])
        theirs = chi2_contingency(observed, correction=False)
        assert chi2[k] == pytest.approx(theirs.statistic, abs=1e-9)
        likelihood = power_divergence(
            observed, theirs.expected_freq, axis=None, lambda_="log-likelihood"
        )
        assert g2[k] == pytest.approx(likelihood.statistic, abs=1e-9)


@given(corpus=CORPORA, window=WINDOWS)
def test_symmetric_tables_by_fractions(count, corpus, window):
    table = count(corpus, window, "both")
    cells = table.cells()
    scores = np.stack([g2_scores(cells), t_scores(cells), chi2_scores(cells)], axis=1)
    for k, twice in enumerate(cells.twice.tolist()):
        half = 2 if twice else 1
        margins = (cells.n_xy[k].item(), cells.n_x[k].item(), cells.n_y[k].item(), cells.total)
        assert scores[k] == pytest.approx(exact(*(Fraction(n, half) for n in margins)), abs=1e-10)
    for column in scores.T:
        dense = np.zeros(table.dense.shape)
        dense[np.nonzero(table.dense)] = column
        assert dense == pytest.approx(dense.T, abs=1e-11)


@given(corpus=CORPORA, window=WINDOWS, direction=st.sampled_from(["both", "right", "left"]))
def test_weighted_tables_stay_in_range(count, corpus, window, direction):
    cells = count(corpus, window, direction, harmonic=True).cells()
    g2, chi2, t = g2_scores(cells), chi2_scores(cells), t_scores(cells)
    # Neither passes 2 N ln 2 (two terms that split all pairs) or N (phi squared is at most 1).
    assert np.all((g2 >= 0) & (g2 <= 2 * math.log(2) * cells.total + 1e-9))
    assert np.all((chi2 >= 0) & (chi2 <= cells.total + 1e-9))
    assert np.all(t <= np.sqrt(cells.n_xy) + 1e-12)
    assert np.array_equal(np.sign(g2_scores(cells, signed=True))[g2 > 0], np.sign(t)[g2 > 0])


@given(corpus=CORPORA, window=WINDOWS, factor=st.integers(2, 50))
def test_evidence_grows_with_the_counts(count, make_table, corpus, window, factor):
    table = count(corpus, window)
    scaled = make_table(table.dense * factor, symmetric=True).cells()
    cells = table.cells()
    assert g2_scores(scaled) == pytest.approx(factor * g2_scores(cells), abs=1e-9)
    assert chi2_scores(scaled) == pytest.approx(factor * chi2_scores(cells), abs=1e-9)
    assert t_scores(scaled) == pytest.approx(math.sqrt(factor) * t_scores(cells), abs=1e-9)
