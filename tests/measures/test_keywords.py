import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array, csr_matrix
from scipy.stats import binom, power_divergence
from sklearn.feature_extraction.text import TfidfTransformer

from nlpfeat.counts.pair_cells import PairCells
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.io.tables import Table
from nlpfeat.measures.idf import idf
from nlpfeat.measures.keywords import (
    KEYWORD_MEASURES,
    GroupCounts,
    check_side,
    keyword_table,
    tfidf_scores,
)
from nlpfeat.measures.significance import g2_scores
from nlpfeat.measures.surprisal import q_values, signed_surprisal, two_sided_p_values

COLUMNS = [
    "group", "rank", "term", "count", "expected", "document_frequency", "tfidf", "surprisal", "g2",
    "q_value",
]  # fmt: skip

# Four documents: two of travel, two of finance. Travel has 10 of 22 tokens.
TERMS = ["景点", "股票", "的"]
COUNTS = np.array([[4, 0, 1], [3, 1, 1], [0, 5, 1], [1, 4, 1]])
LABELS = ["旅游", "旅游", "财经", "财经"]

TABLES = arrays(
    np.int64, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.integers(0, 20)
).filter(np.any)


def rows(table):
    return [dict(zip(table.columns, row)) for row in table.itertuples()]


def names(n):
    return [chr(0x4E00 + place) for place in range(n)]


def g2_by_hand(k, n, c, total):
    observed = [k, n - k, c - k, total - n - c + k]
    expected = [row * column / total for row in (n, total - n) for column in (c, total - c)]
    value = 2 * sum(o * math.log(o / e) for o, e in zip(observed, expected) if o)
    return math.copysign(value, k - expected[0])


def test_every_number_by_hand():
    table = keyword_table(COUNTS, TERMS, LABELS, measure="surprisal")
    assert isinstance(table, Table)
    assert list(table.columns) == COLUMNS
    travel = [row for row in rows(table) if row["group"] == "旅游"]
    assert [(row["rank"], row["term"], row["count"]) for row in travel] == [
        (1, "股票", 1), (2, "景点", 7), (3, "的", 2),
    ]  # fmt: skip
    first, second, third = travel
    # 景点 is in three documents, 8 of 22 tokens; 7 of the 10 of travel.
    assert second["document_frequency"] == 3
    assert second["expected"] == pytest.approx(10 * 8 / 22)
    assert second["tfidf"] == pytest.approx(7 * (1 + math.log(5 / 4)))
    tail = sum(math.comb(10, j) * (8 / 22) ** j * (14 / 22) ** (10 - j) for j in range(7, 11))
    assert second["surprisal"] == pytest.approx(-math.log2(tail))
    assert second["g2"] == pytest.approx(g2_by_hand(7, 10, 8, 22))
    # 股票 is 10 of 22: at most once in 10.
    seldom = (12 / 22) ** 10 + 10 * (10 / 22) * (12 / 22) ** 9
    assert first["surprisal"] == pytest.approx(math.log2(seldom))
    assert first["g2"] == pytest.approx(g2_by_hand(1, 10, 10, 22))
    assert first["g2"] < 0
    # Two-sided, times 3 tests by rank; the second's 3 / 2 is less than the first's 3 / 1 or not.
    p = [2 * seldom, 2 * tail, 1.0]
    assert second["q_value"] == pytest.approx(p[1] * 3 / 2)
    assert first["q_value"] == pytest.approx(min(p[0] * 3, p[1] * 3 / 2))
    assert third["q_value"] == pytest.approx(1)


def test_a_missing_term_is_a_keyword_below_zero():
    table = keyword_table([[50, 50, 0], [50, 0, 50]], ["的", "天气", "股票"], measure="g2", top=2)
    first, second = sorted(rows(table)[:2], key=lambda row: -row["g2"])
    assert (first["term"], first["count"], first["expected"]) == ("天气", 50, 25)
    assert (second["term"], second["count"], second["expected"]) == ("股票", 0, 25)
    assert first["g2"] == pytest.approx(-second["g2"])  # the same table, turned
    assert second["g2"] == pytest.approx(g2_by_hand(0, 100, 50, 200))
    assert second["surprisal"] == pytest.approx(100 * math.log2(0.75))
    assert second["q_value"] == pytest.approx(2 * 0.75**100 * 3)
    assert second["tfidf"] == 0


@pytest.mark.parametrize("measure", KEYWORD_MEASURES)
@given(counts=TABLES)
@settings(max_examples=40)
def test_every_number_by_another_way(measure, counts):
    n_terms = counts.shape[1]
    table = keyword_table(csr_array(counts), names(n_terms), measure=measure, top=None)
    total, sums = counts.sum(), counts.sum(axis=0)
    idf = TfidfTransformer().fit(counts).idf_
    for row in rows(table):
        document, term = int(row["group"]), ord(row["term"]) - 0x4E00
        k, n, c = (int(x) for x in (counts[document, term], counts[document].sum(), sums[term]))
        assert row["count"] == k
        assert row["expected"] == pytest.approx(n * c / total)
        assert row["document_frequency"] == np.count_nonzero(counts[:, term])
        assert row["tfidf"] == pytest.approx(k * idf[term])
        assert row["surprisal"] == signed_surprisal(k, n, c / total)
        if k > n * c / total:
            tail = binom.sf(k - 1, n, c / total)
            assert row["surprisal"] == pytest.approx(-math.log2(tail), abs=1e-9)
        if 0 < n < total and 0 < c < total:
            observed = np.array([[k, n - k], [c - k, total - n - c + k]])
            expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / total
            theirs = power_divergence(observed, expected, axis=None, lambda_="log-likelihood")
            assert abs(row["g2"]) == pytest.approx(theirs.statistic, abs=1e-9)
        assert 0 <= row["q_value"] <= 1


def test_g2_is_that_of_the_same_two_by_two_table():
    # As the association of a pair: k together, n and c the margins.
    n, c, k = np.array([10, 10]), np.array([8, 10]), np.array([7, 1])
    cells = PairCells(n_xy=k, n_x=n, n_y=c, total=22, twice=None, y_margin=c)
    expected = g2_scores(cells, signed=True)
    table = keyword_table(COUNTS, TERMS, LABELS, measure="g2")
    ours = {row["term"]: row["g2"] for row in rows(table) if row["group"] == "旅游"}
    assert [ours["景点"], ours["股票"]] == expected.tolist()


@pytest.mark.parametrize("measure", KEYWORD_MEASURES)
@given(counts=TABLES, data=st.data())
@settings(max_examples=40)
def test_order_of_documents_and_terms_makes_no_difference(measure, counts, data):
    n_documents, n_terms = counts.shape
    labels = data.draw(
        st.lists(st.sampled_from("甲乙丙"), min_size=n_documents, max_size=n_documents)
    )
    top = data.draw(st.integers(1, 4))
    table = rows(keyword_table(counts, names(n_terms), labels, measure=measure, top=top))
    by_document = data.draw(st.permutations(range(n_documents)))
    by_term = data.draw(st.permutations(range(n_terms)))
    other = keyword_table(
        counts[by_document][:, by_term],
        [names(n_terms)[place] for place in by_term],
        [labels[place] for place in by_document],
        measure=measure,
        top=top,
    )
    assert rows(other) == table
    for label in set(labels):
        part = [row for row in table if row["group"] == label]
        assert [row["rank"] for row in part] == list(range(1, len(part) + 1))
        keys = [(-abs(row[measure]), -row["count"], row["term"]) for row in part]
        assert keys == sorted(keys)


@given(counts=TABLES, top=st.integers(1, 6))
@settings(max_examples=40)
def test_top_is_the_head_of_all(counts, top):
    terms = names(counts.shape[1])
    everything = rows(keyword_table(counts, terms, measure="g2", top=None))
    some = rows(keyword_table(counts, terms, measure="g2", top=top))
    assert some == [row for row in everything if row["rank"] <= top]


def row_by_row(counts, measure, top, side):
    """All terms of each document weighed and sorted, the missing ones too."""
    n_documents, n_terms = counts.shape
    sums, df = counts.sum(axis=0), np.count_nonzero(counts, axis=0)
    sign = {"over": 1, "under": -1, "both": 0}[side]
    for document, row in enumerate(counts):
        group = GroupCounts(row, sums, row.sum(), counts.sum(), idf(df, n_documents))
        scores = {name: each.function(group) for name, each in KEYWORD_MEASURES.items()}
        q = q_values(two_sided_p_values(scores["surprisal"]))
        value = scores[measure]
        told = [term for term in range(n_terms) if value[term] and sign * value[term] >= 0]
        told.sort(key=lambda term: (-abs(value[term]), -row[term], term))
        for rank, term in enumerate(told[:top], 1):
            numbers = [each[term] for each in scores.values()]
            yield (str(document), rank, chr(0x4E00 + term), row[term], group.expected[term],
                   df[term], *numbers, q[term])  # fmt: skip


@pytest.mark.parametrize("measure", KEYWORD_MEASURES)
@given(
    counts=arrays(
        np.int64, st.tuples(st.integers(1, 4), st.integers(1, 30)),
        elements=st.sampled_from([0, 0, 0, 0, 1, 1, 2, 9, 40]),
    ).filter(np.any),
    top=st.none() | st.integers(1, 12),
    data=st.data(),
)  # fmt: skip
def test_the_table_of_all_terms_that_are_weighed_one_by_one(measure, counts, top, data):
    signed = KEYWORD_MEASURES[measure].signed
    side = data.draw(st.sampled_from(["both", "over", *["under"] * signed]))
    terms = names(counts.shape[1])
    table = keyword_table(counts, terms, measure=measure, top=top, side=side)
    assert list(table.itertuples()) == list(row_by_row(counts, measure, top, side))


@pytest.mark.parametrize(("measure", "side"), [("tfidf", "both"), ("g2", "over")])
def test_a_document_costs_as_much_as_its_own_terms(measure, side, monkeypatch):
    weighed = []

    def spy(group):
        weighed.append(len(group.counts))
        return tfidf_scores(group)

    row = replace(KEYWORD_MEASURES["tfidf"], function=spy)
    monkeypatch.setitem(KEYWORD_MEASURES, "tfidf", row)
    counts = np.arange(1, 401) * np.eye(400, dtype=np.int64)  # sums from 1 to 400, 80,200 in all
    keyword_table(csr_array(counts[:20]), names(400), measure=measure, side=side)
    assert len(weighed) == 20
    assert max(weighed) < 25


def test_ties_go_by_count_and_then_by_code_point():
    # 一 is U+4E00, 丁 U+4E01 and 乙 U+4E59.
    table = keyword_table([[2, 2, 2, 0], [0, 0, 0, 6]], ["乙", "丁", "一", "水"], measure="tfidf")
    assert [row["term"] for row in rows(table)][:3] == ["一", "丁", "乙"]


def test_sides():
    def terms(side):
        table = keyword_table(COUNTS, TERMS, LABELS, measure="g2", side=side, top=None)
        return [(row["group"], row["term"]) for row in rows(table)]

    assert terms("over") == [("旅游", "景点"), ("旅游", "的"), ("财经", "股票")]
    assert terms("under") == [("旅游", "股票"), ("财经", "景点"), ("财经", "的")]
    assert sorted(terms("both")) == sorted(terms("over") + terms("under"))


@pytest.mark.parametrize("form", [csr_array, csr_matrix, np.array, np.ndarray.tolist])
def test_every_form_of_a_matrix(form):
    assert rows(keyword_table(form(COUNTS), TERMS)) == rows(keyword_table(COUNTS, TERMS))


def test_fractions_and_labels_that_are_numbers():
    table = keyword_table(COUNTS / 2, TERMS, [10, 10, 9, 9], measure="g2")
    assert [row["group"] for row in rows(table)] == ["10"] * 3 + ["9"] * 3
    assert rows(table)[0]["count"] == 0.5
    with pytest.raises(InvalidInputError, match="counts must be whole numbers with dispersion"):
        keyword_table(COUNTS / 2, TERMS, dispersion=0.1)


def test_dispersion_lowers_the_surprise():
    plain = rows(keyword_table(COUNTS, TERMS, LABELS, measure="g2"))
    bursty = rows(keyword_table(COUNTS, TERMS, LABELS, measure="g2", dispersion=0.2))
    assert abs(bursty[0]["surprisal"]) < abs(plain[0]["surprisal"])
    assert bursty[0]["surprisal"] == signed_surprisal(1, 10, 10 / 22, dispersion=0.2)


def test_groups_without_keywords_have_no_rows():
    table = keyword_table([[0, 0], [3, 1]], ["好", "坏"], measure="surprisal")
    assert len(table) == 0  # an empty document, and one that is all there is
    assert list(table.columns) == COLUMNS


def test_the_counts_stay_as_they_are():
    given = csr_array((np.array([1, 2, 0]), np.array([1, 1, 0]), np.array([0, 3])))
    keyword_table(given, ["好", "坏"])
    assert given.data.tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"measure": "g3"}, InvalidParameterError, "measure must be one of .* Did you mean 'g2'"),
        ({"side": "up"}, InvalidParameterError, "side must be one of 'both', 'over', 'under'"),
        ({"side": "under"}, InvalidParameterError, "side='under' needs .*'surprisal' or 'g2'"),
        ({"top": 0}, InvalidParameterError, "top must be an integer that is at least 1"),
        ({"dispersion": 2}, InvalidParameterError, "dispersion must be"),
        ({"names": ["一"]}, InvalidInputError, "names must hold one term for each of the 3 col"),
        ({"names": "一二三"}, InvalidInputError, "names must hold one term for each of the 3 col"),
        ({"groups": ["一"]}, InvalidInputError, "groups must hold one label for each of the 4"),
        ({"groups": "一二三四"}, InvalidInputError, "groups must hold one label for each of the 4"),
        ({"groups": [1, "1", 2, 2]}, InvalidInputError, r"'1' both as a text and as a .* in row 1"),
        ({"groups": ["一", None, "一", "一"]}, InvalidInputError, "Got None in row 1"),
        ({"counts": -COUNTS}, InvalidInputError, "counts must be at least 0 and finite. Got -5"),
        ({"counts": COUNTS * np.nan}, InvalidInputError, "counts must be at least 0 and finite"),
        ({"counts": COUNTS * 0}, InvalidInputError, "counts must hold at least one count above 0"),
        ({"counts": np.empty((0, 3))}, InvalidInputError, "counts must be a matrix of documents"),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        keyword_table(**{"counts": COUNTS, "names": TERMS, **arguments})


def test_sides_know_their_measures():
    for measure, row in KEYWORD_MEASURES.items():
        check_side("both", measure)
        if row.signed:
            check_side("under", measure)
    with pytest.raises(InvalidParameterError, match=r"side='under' needs .* Got 'tfidf'"):
        check_side("under", "tfidf")
