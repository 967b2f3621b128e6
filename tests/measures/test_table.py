"""The table of associations: every score from its own columns, its order, its filters."""

import math

import numpy as np
import pytest
from cooccurrence_oracle import documents_of, settings_of, token_lists
from hypothesis import given, settings

from nlpfeat.counts.counting import count_cooccurrences
from nlpfeat.errors import InvalidParameterError
from nlpfeat.measures import MEASURES
from nlpfeat.measures.table import association_table, check_options

TEXTS = [
    list("甲丁甲丙戊甲丁己戊乙甲丙戊丁"),
    list("茶叶茶水茶杯水杯"),
    list("甲，丙丙。茶水甲甲丁"),
]


def rows_of(table):
    columns = [column.tolist() for column in table.columns.values()]
    texts = [
        [column.values[number] for number in column.ids.tolist()]
        for column in list(table.columns.values())[:2]
    ]
    return list(zip(*texts, *columns[2:]))


def _all_scores(n_xy, n_x, n_y, total, twice):
    """Compute every measure as docs/definitions.md writes it."""
    pmi = math.log2(n_xy * total / (n_x * n_y))
    bound = -math.log2(n_xy / total)
    dice = 2 * n_xy / (n_x + n_y)
    without_x = total - n_x
    scores = {
        "pmi": pmi,
        "npmi": pmi / bound if bound else 1.0,
        "ppmi": max(pmi, 0.0),
        "dice": dice,
        "logdice": 14 + math.log2(dice),
        "delta_p": n_xy / n_x - (n_y - n_xy) / without_x if without_x else math.nan,
    }
    half = 2 if twice else 1
    o11, r1, c1, n = n_xy / half, n_x / half, n_y / half, total / half
    observed = [o11, r1 - o11, c1 - o11, n - r1 - c1 + o11]
    margins = [(r1, c1), (r1, n - c1), (n - r1, c1), (n - r1, n - c1)]
    e = [row * column / n for row, column in margins]
    scores["t"] = (o11 - e[0]) / math.sqrt(o11)
    scores["chi2"] = sum((o - x) ** 2 / x for o, x in zip(observed, e) if x)
    scores["g2"] = 2 * sum(o * math.log(o / x) for o, x in zip(observed, e) if o and x)
    return scores


@pytest.mark.parametrize(
    "how",
    [
        {"window": 2},
        {"window": 5, "min_count": 2},
        {"window": 1, "direction": "right"},
        {"window": 4, "direction": "left", "scope": "sentence"},
        {"window": 4, "counting": "windows"},
        {"window": "all", "scope": "sentence"},
    ],
)
def test_p55_every_score_from_the_exported_counts(how):
    counts = count_cooccurrences(TEXTS, **how)
    names = list(MEASURES)
    table = association_table(counts, names)
    assert list(table.columns) == ["x", "y", "n_xy", "n_x", "n_y", *names]
    rows = rows_of(table)
    assert len(rows) == counts.pairs.nnz > 10
    for x, y, n_xy, n_x, n_y, *found in rows:
        twice = x == y and how.get("direction", "both") == "both"
        wanted = _all_scores(n_xy, n_x, n_y, counts.total, twice)
        for name, value in zip(names, found):
            assert value == pytest.approx(wanted[name], rel=1e-12, abs=1e-12, nan_ok=True), name


def test_p55_scores_of_text_gcn_counts():
    counts = count_cooccurrences(TEXTS, window=4, counting="textgcn")
    for *_, n_xy, n_x, n_y, pmi, ppmi in rows_of(association_table(counts, ["pmi", "ppmi"])):
        wanted = math.log2(n_xy * counts.total / (n_x * n_y))
        assert pmi == pytest.approx(wanted, rel=1e-12, abs=1e-12)
        assert ppmi == max(pmi, 0)


def test_the_exported_counts_are_those_of_the_data_frame():
    counts = count_cooccurrences(TEXTS, window=3)
    frame = counts.to_frame()
    exported = {row[:5] for row in rows_of(association_table(counts))}
    assert exported == set(frame.itertuples(index=False, name=None))


@settings(deadline=None)
@given(documents_of(), settings_of())
def test_order_is_first_measure_then_count_then_code_points(documents, how):
    counts = count_cooccurrences(token_lists(documents), **how)
    rows = rows_of(association_table(counts, ["ppmi", "pmi"]))
    assert rows == sorted(rows, key=lambda row: (-row[5], -row[2], row[0], row[1]))


def test_order_of_ties_typed_out():
    # All PPMI are 0 or tied; 乙 U+4E59 comes before 子 U+5B50 and 甲 U+7532.
    texts = [["甲", "乙"], ["甲", "子"], ["子", "乙"], ["甲", "子"]]
    counts = count_cooccurrences(texts, window="all")
    found = [row[:3] for row in rows_of(association_table(counts, ["ppmi"]))]
    assert found == [("子", "甲", 2), ("乙", "子", 1), ("乙", "甲", 1)]


def test_several_measures_share_the_order_of_the_first():
    counts = count_cooccurrences(TEXTS, window=2)
    table = association_table(counts, ["g2", "pmi"])
    other = association_table(counts, ["pmi", "g2"])
    assert (np.diff(table.columns["g2"]) <= 0).all()
    assert (np.diff(other.columns["pmi"]) <= 0).all()
    swap = {(row[:5], row[6], row[5]) for row in rows_of(other)}
    assert {(row[:5], row[5], row[6]) for row in rows_of(table)} == swap


@pytest.mark.parametrize("words", [["茶"], {"甲", "水"}, ("丙",), ["甲", "甲"]])
@pytest.mark.parametrize("direction", ["both", "right"])
def test_words_give_the_filtered_full_table(words, direction):
    counts = count_cooccurrences(TEXTS, window=3, direction=direction)
    full = rows_of(association_table(counts, ["npmi", "t"]))
    some = rows_of(association_table(counts, ["npmi", "t"], words=words))
    assert some == [row for row in full if row[0] in words or row[1] in words]
    assert 0 < len(some) < len(full)


def test_no_words_are_all_words_and_a_word_without_a_pair_has_no_row():
    counts = count_cooccurrences([["甲", "乙"], ["丙"]])
    assert association_table(counts, words=[]).n_rows == 1
    assert association_table(counts, words=["丙"]).n_rows == 0


@pytest.mark.parametrize("top", [1, 3, 10**6])
def test_top_gives_the_first_rows(top):
    counts = count_cooccurrences(TEXTS, window=3)
    full = rows_of(association_table(counts, ["pmi"]))
    assert rows_of(association_table(counts, ["pmi"], top=top)) == full[:top]
    some = rows_of(association_table(counts, ["pmi"], words=["茶"]))
    assert rows_of(association_table(counts, ["pmi"], words=["茶"], top=top)) == some[:top]


def test_delta_p_that_is_not_defined():
    # 甲 is in every document: p(y | not 甲) is not defined, p(甲 | y) - p(甲 | not y) is.
    texts = [["甲", "乙"], ["甲", "申"], ["甲"]]
    counts = count_cooccurrences(texts, window="all")
    rows = rows_of(association_table(counts, ["dice", "delta_p"]))
    scores = {row[:2]: row[6] for row in rows}
    assert scores["乙", "甲"] == 0.0  # 1/1 - 2/2
    assert math.isnan(scores["甲", "申"])
    found = [row[:2] for row in rows_of(association_table(counts, ["delta_p", "dice"]))]
    assert found == [("乙", "甲")]


def test_weighted_counts_are_floats_in_the_table():
    counts = count_cooccurrences(TEXTS, window=3, weighting="harmonic")
    table = association_table(counts, ["pmi"])
    assert table.columns["n_xy"].dtype == table.columns["n_x"].dtype == np.float64
    for *_, n_xy, n_x, n_y, pmi in rows_of(table):
        wanted = math.log2(n_xy * counts.total / (n_x * n_y))
        assert pmi == pytest.approx(wanted, rel=1e-12, abs=1e-12)


def test_counts_without_a_pair_give_an_empty_table():
    table = association_table(count_cooccurrences([["甲"], ["乙"]]), ["pmi", "g2"])
    assert table.n_rows == 0
    assert list(table.columns) == ["x", "y", "n_xy", "n_x", "n_y", "pmi", "g2"]


def test_options_reach_the_measures_that_have_them():
    counts = count_cooccurrences(TEXTS, window=2)
    plain = {row[:2]: row[5:] for row in rows_of(association_table(counts, ["pmi", "g2", "ppmi"]))}
    changed = association_table(counts, ["pmi", "g2", "ppmi"], base=4, shift=2, signed=True)
    for x, y, *_, pmi, g2, ppmi in rows_of(changed):
        before = plain[x, y]
        assert pmi == pytest.approx(before[0] / 2, rel=1e-12)
        assert g2 == pytest.approx(math.copysign(before[1], before[0]), rel=1e-12, abs=1e-12)
        assert ppmi == pytest.approx(max((before[0] - 1) / 2, 0), rel=1e-12, abs=1e-15)


def test_smoothing_reaches_pmi_and_ppmi():
    counts = count_cooccurrences(TEXTS, window=2)
    whole = (counts.y_margin**0.75).sum()
    table = association_table(counts, ["pmi", "ppmi"], smoothing=0.75)
    for *_, n_xy, n_x, n_y, pmi, ppmi in rows_of(table):
        wanted = math.log2(n_xy * whole / (n_x * n_y**0.75))
        assert pmi == pytest.approx(wanted, rel=1e-12, abs=1e-12)
        assert ppmi == pytest.approx(max(wanted, 0), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("measures", "options", "message"),
    [
        (["npim"], {}, r"measure must be one of 'pmi', 'npmi'.*Got 'npim'\. Did you mean 'npmi'"),
        (["pmi", "G2"], {}, r"measure must be one of .*Got 'G2'"),
        ("pmi", {}, r"measures must be a list of one or more names\. Got 'pmi'"),
        ([], {}, r"measures must be a list of one or more names\. Got \[\]"),
        (["pmi"], {"shift": 2.0}, r"shift is an option of ppmi\. Got shift=2\.0 with pmi"),
        (["t", "dice"], {"base": 10.0}, r"base is an option of pmi, npmi, ppmi\. .*with t, dice"),
        (["pmi"], {"signed": True}, r"signed is an option of g2\. Got signed=True with pmi"),
        (["pmi", "g2"], {"smoothing": 0.75}, r"smoothing is an option of .*'g2' has no such"),
        (["npmi"], {"smoothing": 0.75}, r"smoothing is an option of 'pmi' or 'ppmi'; 'npmi' has"),
        (["pmi"], {"smoothing": 0}, r"smoothing must be a finite number above 0 and at most 1"),
        (["pmi"], {"base": 1}, r"base must be a finite number above 1\. Got 1"),
        (["pmi"], {"words": ["氺"]}, r"'氺' is no term of the text\."),
        (["pmi"], {"words": ["甲", "电脑机"]}, r"'电脑机' is no term.*Did you mean '电脑'\?"),
        (["pmi"], {"words": "电脑"}, r"words must be a list of terms\. Got '电脑': use \['电脑'\]"),
        (["pmi"], {"top": 0}, r"top must be an integer that is at least 1\. Got 0"),
        (["pmi"], {"top": 2.5}, r"top must be an integer that is at least 1\. Got 2\.5"),
    ],
)
def test_what_cannot_be_asked_for(measures, options, message):
    counts = count_cooccurrences([["甲", "电脑", "乙", "甲"]])
    with pytest.raises(InvalidParameterError, match=message):
        association_table(counts, measures, **options)


def test_text_gcn_counts_give_no_other_measure():
    counts = count_cooccurrences(TEXTS, window=3, counting="textgcn")
    with pytest.raises(
        InvalidParameterError, match=r"measure must be 'pmi' or 'ppmi' on .*textgcn"
    ):
        association_table(counts, ["pmi", "npmi"])


def test_options_can_be_checked_before_any_count():
    defaults = {"base": 2.0, "shift": 1.0, "smoothing": 1.0, "signed": False}
    check_options(["pmi", "g2"], **(defaults | {"base": 10.0, "signed": True}))
    with pytest.raises(InvalidParameterError, match=r"shift is an option of ppmi\. Got shift=3\.0"):
        check_options(["pmi", "g2"], **(defaults | {"shift": 3.0}))
    with pytest.raises(InvalidParameterError, match=r"smoothing .*'g2' has no such option"):
        check_options(["pmi", "g2"], **(defaults | {"smoothing": 0.75}))
    with pytest.raises(InvalidParameterError, match=r"base must be a finite number above 1"):
        check_options(["pmi"], **(defaults | {"base": 0.5}))
    with pytest.raises(InvalidParameterError, match=r"'pmi' or 'ppmi' on .*textgcn.*Got 'npmi'"):
        check_options(["pmi", "npmi"], contingency=False, **defaults)
    with pytest.raises(InvalidParameterError, match=r"Did you mean 'ppmi'\?"):
        check_options(["ppmii"], **defaults)
