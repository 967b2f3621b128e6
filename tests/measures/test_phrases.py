"""The table of phrases: by hand, by loops over strings, and what must hold for any text."""

import math
import time

import numpy as np
import pytest
import shared_data
from cooccurrence_oracle import documents_of, token_lists
from hypothesis import given, settings
from hypothesis import strategies as st
from phrase_oracle import rows_of

from nlpfeat.counts.adjacency import count_adjacent_terms
from nlpfeat.counts.adjacent_ngrams import Neighbors
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.measures.phrases import PHRASE_MEASURES, branching_entropy, phrase_table
from nlpfeat.text.corpus import Corpus

COLUMNS = ["phrase", "joined", "n_terms", "count", "npmi", "g2", "left_entropy", "right_entropy"]
HEADLINES = shared_data.HEADLINES / "train.tsv"


def phrases(documents, *segmenter, measure="npmi", top=None, **how):
    """Count and weigh."""
    return phrase_table(
        count_adjacent_terms(documents, *segmenter, **how), measure=measure, top=top
    )


def by_phrase(table):
    return {row[0]: row[2:] for row in table.itertuples()}


def test_a_small_text_by_hand():
    # Pairs (N = 6): 学 人工, 人工 智能 twice, 智能 好 twice, 学 好.
    # Triples (N = 2): 学 人工 智能, 人工 智能 好.
    texts = [["学", "人工", "智能"], ["人工", "智能", "好"], ["学", "好"], ["智能", "好"]]
    table = phrases(texts, min_count=1)
    assert list(table.columns) == COLUMNS
    found = by_phrase(table)
    # 人工 智能: n_x = n_y = 2, the 2x2 table is 2 0 / 0 4; before it 学 and a border.
    assert found["人工 智能"] == pytest.approx(
        (2, 2, 1.0, 2 * (2 * math.log(3) + 4 * math.log(1.5)), 1.0, 1.0), rel=1e-12
    )
    # 智能 好: n_x = 2, n_y = 3, the 2x2 table is 2 0 / 1 3; before it 人工 and a border.
    assert found["智能 好"] == pytest.approx(
        (2, 2, 1 / math.log2(3), 2 * (2 * math.log(2) + math.log(1 / 2) + 3 * math.log(1.5)), 1, 1),
        rel=1e-12,
    )
    # 学 好: once of six, n_x = 2, n_y = 3: exactly as often as expected.
    assert found["学 好"] == pytest.approx((2, 1, 0.0, 0.0, 0.0, 0.0), abs=1e-12)
    # 学 人工 智能: one of two; both splits have n_x = n_y = 1.
    assert found["学 人工 智能"] == pytest.approx((3, 1, 1.0, 4 * math.log(2), 0.0, 0.0), rel=1e-12)
    assert len(found) == 6


def test_a_phrase_is_as_firm_as_its_weakest_joint():
    # 甲乙 always come together; what follows is chance.
    texts = [list("甲乙丙"), list("甲乙丁"), list("戊己丙"), list("戊己丁"), list("庚辛丙")]
    found = by_phrase(phrases(texts, min_count=1))
    # N = 5; 甲 | 乙丙: n_x = 2, n_y = 1. 甲乙 | 丙: n_x = 2, n_y = 3.
    strong, weak = math.log(5 / 2) / math.log(5), math.log(5 / 6) / math.log(5)
    assert found["甲 乙 丙"][2] == pytest.approx(min(strong, weak), rel=1e-12)
    assert found["甲 乙 丙"][3] < 0


def test_borders_and_marks_are_each_a_neighbor_of_their_own():
    texts = [list("甲乙。甲乙，丙"), list("丙甲乙"), list("丙甲乙")]
    found = by_phrase(phrases(texts, min_count=4))
    # Left: border, border, 丙, 丙. Right: 。 ， and two borders.
    assert found["甲 乙"][4:] == (1.5, 2.0)


def test_branching_entropy_of_one_neighbor_is_exactly_0():
    texts = [list("丙甲乙丁")] * 7
    assert by_phrase(phrases(texts, min_count=7))["甲 乙"][4:] == (0.0, 0.0)
    nothing = Neighbors(*(np.empty(0, np.int64),) * 3)
    assert branching_entropy(np.array([1, 3]), nothing).tolist() == [0.0, math.log2(3)]
    # Of 8: two terms twice each, one once, three borders.
    some = Neighbors(np.array([0, 0]), np.array([1, 2]), np.array([1, 2]))
    assert branching_entropy(np.array([8]), some).tolist() == [2 * 0.25 * 2 + 0.125 * 3 + 0.375 * 3]


def test_stop_words_are_in_no_phrase_and_stay_neighbors():
    texts = [list("甲乙的丙"), list("甲乙的丁")]
    found = by_phrase(phrases(texts, min_count=1, stop_words=["的"]))
    assert found == {"甲 乙": (2, 2, 1.0, 0.0, 1.0, 0.0)}


@settings(max_examples=40)
@given(documents_of(), st.integers(2, 4), st.integers(1, 3), st.sets(st.sampled_from("甲乙")))
def test_equals_loops(documents, max_length, min_count, stopped):
    texts = token_lists(documents)
    how = {"max_length": max_length, "min_count": min_count, "stop_words": stopped}
    table = phrases(texts, **how)
    found = by_phrase(table)
    wanted = rows_of(texts, max_length, min_count, stopped)
    assert found.keys() == wanted.keys()
    for phrase, row in found.items():
        assert row[:2] == wanted[phrase][:2]
        assert row == pytest.approx(wanted[phrase], rel=1e-12, abs=1e-12)
        n = row[1]
        # P46: nothing leaves its range.
        assert -1 <= row[2] <= 1
        assert all(0 <= value <= math.log2(n) * (1 + 1e-15) for value in row[4:])
    # The order of documents does not matter, down to the last digit and the last row.
    assert list(phrases(texts[::-1], **how).itertuples()) == list(table.itertuples())


@settings(max_examples=60)
@given(documents_of(), st.sampled_from(list(PHRASE_MEASURES)))
def test_order_is_measure_then_count_then_code_points(documents, measure):
    table = phrases(token_lists(documents), min_count=1, measure=measure)
    place = COLUMNS.index(measure)
    rows = list(table.itertuples())
    assert rows == sorted(rows, key=lambda row: (-row[place], -row[3], row[0].split()))


def test_ties_typed_out():
    # 乙 U+4E59 comes before 子 U+5B50 and 甲 U+7532.
    texts = [["甲", "乙"], ["子", "甲", "子"], ["乙", "子"], ["乙", "子"]]
    table = phrases(texts, measure="count", min_count=1)
    assert [row[0] for row in table.itertuples()] == [
        "乙 子", "子 甲", "子 甲 子", "甲 乙", "甲 子",
    ]  # fmt: skip


def test_p40_no_phrase_crosses_documents_sentences_or_marks():
    texts = ["春花", "秋月。春风，秋雨", "桃\n李"]
    found = by_phrase(phrases(texts, "char", min_count=1))
    assert found.keys() == {"春 花", "秋 月", "春 风", "秋 雨"}


def test_p45_min_count_is_a_count_whatever_the_measure():
    for measure in PHRASE_MEASURES:
        table = phrases([["北", "京"]] * 2, min_count=2, measure=measure)
        assert list(table.itertuples()) == [("北 京", "北京", 2, 2, 1.0, 0.0, 1.0, 1.0)]
        assert not len(phrases([["北", "京"]] * 2, min_count=3, measure=measure))


def test_p45_min_count_changes_no_number_of_those_that_stay():
    draw = np.random.default_rng(11)
    texts = [draw.choice(list("甲乙丙丁戊，。"), 12).tolist() for _ in range(50)]
    everything = list(phrases(texts, min_count=1).itertuples())
    for min_count in (2, 5, 9):
        some = list(phrases(texts, min_count=min_count).itertuples())
        assert some == [row for row in everything if row[3] >= min_count]
        assert 0 < len(some) < len(everything)


@pytest.mark.parametrize("top", [1, 4, 10**6])
def test_p49_top_gives_the_first_rows(top):
    texts = [list("甲乙丙丁甲乙"), list("乙丙甲乙，丁")]
    everything = list(phrases(texts, min_count=1, measure="g2").itertuples())
    some = phrases(texts, min_count=1, measure="g2", top=top)
    assert list(some.itertuples()) == everything[:top]


def test_all_forms_of_documents(tmp_path):
    texts = ["人工智能，Ａ股 人工智能", "", "a股人工智能"]
    path = tmp_path / "text.txt"
    path.write_text("\n".join(texts), encoding="utf-8")
    wanted = list(phrases(texts, "char", min_count=2).itertuples())
    assert ("a 股", "a股", 2, 2) in [row[:4] for row in wanted]
    for documents in (iter(texts), Corpus(path), np.array(texts), [list(text) for text in texts]):
        assert list(phrases(documents, "char", min_count=2).itertuples()) == wanted
    assert list(phrases(texts, "char", min_count=2, n_jobs=2).itertuples()) == wanted
    apart = by_phrase(phrases(texts, "char", min_count=1, fold_width=False))
    assert {"ａ 股", "a 股"} <= apart.keys()


def test_p62_metadata_says_how_the_table_was_made():
    table = phrases([list("甲乙的丙")], min_count=1, stop_words=["的", "了"])
    assert table.metadata == {
        "segmenter": "none: token lists", "fold_width": "True", "lowercase": "True",
        "keep_punctuation": "False", "stop_words": "了 的", "n_documents": "1", "n_tokens": "4",
        "max_length": "3", "min_count": "1", "measure": "npmi",
    }  # fmt: skip


@pytest.mark.parametrize("texts", [[["甲"]], [list("甲，乙")], [["，"]]])
def test_texts_without_a_phrase_give_an_empty_table(texts):
    table = phrases(texts, min_count=1)
    assert len(table) == 0
    assert list(table.columns) == COLUMNS


def test_progress_tells_of_text_and_counting(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("今天天气很好\n今天天气不错\n", encoding="utf-8")
    told = []
    phrases(Corpus(path), min_count=1, progress=lambda *step: told.append(step))
    n_bytes = path.stat().st_size
    assert told[-3:] == [("segmenting", n_bytes, n_bytes), ("counting", 1, 2), ("counting", 2, 2)]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"top": 0}, r"top must be an integer that is at least 1\. Got 0"),
        ({"top": True}, r"top must be an integer that is at least 1\. Got True"),
        ({"measure": "npim"}, r"measure must be one of 'npmi'.*Got 'npim'\. Did you mean 'npmi'"),
        ({"measure": "phrase"}, r"measure must be one of 'npmi', 'g2', 'count', 'left_entropy'"),
    ],
)
def test_settings_that_cannot_be(how, message):
    with pytest.raises(InvalidParameterError, match=message):
        phrases([["甲", "乙"]], **how)


@pytest.mark.parametrize("documents", [["甲乙"], [["甲", "乙"]], "甲乙"])
def test_documents_are_counted_first(documents):
    with pytest.raises(InvalidInputError, match=r"adjacent must be what count_adjacent_terms\("):
        phrase_table(documents)


def test_one_count_serves_all_measures():
    adjacent = count_adjacent_terms([list("甲乙丙甲乙"), list("乙丙")], min_count=1)
    rows = [set(phrase_table(adjacent, measure=name).itertuples()) for name in PHRASE_MEASURES]
    assert all(part == rows[0] for part in rows)
    assert len(rows[0]) == len(phrase_table(adjacent))


@pytest.mark.shared
def test_p61_forty_five_thousand_headlines_take_seconds():
    if not HEADLINES.is_file():
        pytest.skip("there is no text collection beside the checkout")
    with HEADLINES.open(encoding="utf-8") as lines:
        texts = [line.split("\t")[0] for line in lines]
    start = time.process_time()
    table = phrases(texts)
    assert time.process_time() - start < 30
    assert len(table) > 1_000
    assert np.abs(table.columns["npmi"]).max() <= 1
    assert {"浮出 水面", "非诚 勿扰"} <= by_phrase(table.head(20)).keys()


def test_a_length_that_no_phrase_has_costs_nothing():
    adjacent = count_adjacent_terms([["茶", "叶", "茶", "叶"]], max_length=10**9, min_count=1)
    table = phrase_table(adjacent)
    assert max(table.columns["n_terms"]) == 4
