"""Topic coherence: by hand, by plain loops over windows, and by gensim where it agrees."""

import math
from itertools import combinations

import numpy as np
import pytest
from cooccurrence_oracle import documents_of, sliding, token_lists
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.counts.counting import count_cooccurrences
from nlpfeat.errors import InvalidParameterError
from nlpfeat.measures.coherence import COHERENCES, topic_coherence
from nlpfeat.text.vocabulary import Vocabulary

FLOOR = math.log(1e-12)
TEA = [["茶", "叶", "水"], ["茶", "水"], ["山", "路"], ["茶"]]


def counted(documents, measure, window=10, **how):
    """Count what a measure needs, over all terms unless ``vocabulary`` is among ``how``."""
    kind = {"window": "all"} if measure == "u_mass" else {"window": window, "counting": "windows"}
    return count_cooccurrences(documents, **kind, **{"keep_punctuation": True, **how})


def coherence_of(topics, documents, measure="c_npmi", window=10, **how):
    """Count the terms of the topics alone, then score."""
    counts = counted(documents, measure, window, vocabulary=Vocabulary.build(topics), **how)
    return topic_coherence(topics, counts, measure)


def by_loops(topic, units, measure):
    """Compute the mean over pairs straight from the definition; a unit is a list of tokens."""
    total = len(units)
    scores = []
    for y, x in combinations(topic, 2):  # y stands before x
        n_x = sum(x in unit for unit in units)
        n_y = sum(y in unit for unit in units)
        n_xy = sum(x in unit and y in unit for unit in units)
        if measure == "c_npmi":
            if not n_xy:
                scores.append(-1.0)
            elif n_xy == total:
                scores.append(1.0)
            else:
                scores.append(math.log(n_xy * total / (n_x * n_y)) / -math.log(n_xy / total))
        elif not n_x or not n_y:
            scores.append(FLOOR)
        elif measure == "c_uci":
            scores.append(math.log((n_xy / total + 1e-12) / (n_x / total * n_y / total)))
        else:
            scores.append(math.log((n_xy / total + 1e-12) / (n_y / total)))
    return sum(scores) / len(scores)


def units_of(texts, measure, window):
    return [text for text in texts if text] if measure == "u_mass" else sliding(texts, window)


@pytest.mark.parametrize(
    ("topic", "measure", "wanted"),
    [
        # 4 documents, each shorter than a window: 茶 in 3, 水 in 2, both in 2.
        (["茶", "水"], "u_mass", math.log(2 / 3)),
        (["水", "茶"], "u_mass", 0.0),
        (["茶", "水"], "c_uci", math.log(2 * 4 / (3 * 2))),
        (["茶", "水"], "c_npmi", math.log(4 / 3) / math.log(2)),
        # Never together.
        (["茶", "山"], "u_mass", math.log(1e-12 / (3 / 4))),
        (["茶", "山"], "c_uci", math.log(1e-12 / (3 / 16))),
        (["茶", "山"], "c_npmi", -1.0),
        # Never seen.
        (["茶", "龙"], "u_mass", FLOOR),
        (["龙", "茶"], "u_mass", FLOOR),
        (["茶", "龙"], "c_uci", FLOOR),
        (["龙", "凤"], "c_npmi", -1.0),
        # The mean over the pairs 茶 水, 茶 叶, 水 叶.
        (["茶", "水", "叶"], "u_mass", (math.log(2 / 3) + math.log(1 / 3) + math.log(1 / 2)) / 3),
    ],
)
def test_values_by_hand(topic, measure, wanted):
    assert coherence_of([topic], TEA, measure) == pytest.approx([wanted], abs=1e-11)


def test_windows_by_hand():
    # 茶 水 茶 山 in windows of 2: 茶水 水茶 茶山. 茶 in 3 of 3, 水 in 2, 山 in 1.
    found = coherence_of([["茶", "水"], ["水", "山"], ["茶", "山"]], [list("茶水茶山")], window=2)
    assert found.tolist() == [0.0, -1.0, 0.0]
    # One window holds it all: a pair in every window has NPMI 1.
    assert coherence_of([["茶", "山"]], [list("茶水茶山")], window=4).tolist() == [1.0]


@settings(max_examples=40)
@given(
    documents_of(),
    st.lists(st.lists(st.sampled_from("甲乙丙丁戊己龙"), min_size=2, unique=True), min_size=1),
    st.sampled_from(list(COHERENCES)),
    st.integers(1, 7),
)
def test_equals_loops_over_windows(documents, topics, measure, window):
    texts = token_lists(documents)
    if not any(texts):
        return
    found = coherence_of(topics, texts, measure, window=window)
    units = units_of(texts, measure, window)
    wanted = [by_loops(topic, units, measure) for topic in topics]
    assert found == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    assert np.isfinite(found).all()
    assert found.dtype == np.float64
    # P68: empty texts neither hurt nor count; nor does the order of documents.
    again = coherence_of(topics, [[], *texts[::-1], []], measure, window=window)
    assert again.tolist() == found.tolist()


TERMS = [f"词{number}" for number in range(6)]


@st.composite
def texts_that_gensim_counts_right(draw):
    """Texts of 12 tokens in which every pair comes together and no word repeats in 6 tokens."""
    fillers = iter(range(10**6))
    texts = []
    for pair in draw(st.permutations(list(combinations(TERMS, 2)))):
        rest = draw(st.permutations([term for term in TERMS if term not in pair]))
        words = [*pair, *rest[: draw(st.integers(0, 4))]]
        texts.append([*words, *(f"他{next(fillers)}" for _ in range(draw(st.integers(0, 6))))])
    return texts


@settings(max_examples=12)
@given(texts_that_gensim_counts_right(), st.sampled_from(list(COHERENCES)), st.integers(2, 9))
def test_equals_gensim(texts, measure, window):
    gensim = pytest.importorskip("gensim")
    topics = [TERMS, TERMS[3:], TERMS[1::-1]]
    dictionary = gensim.corpora.Dictionary(texts)
    model = gensim.models.CoherenceModel(
        topics=topics, texts=texts, dictionary=dictionary, coherence=measure, window_size=window,
        corpus=[dictionary.doc2bow(text) for text in texts], processes=1,
    )  # fmt: skip
    found = coherence_of(topics, texts, measure, window=window)
    assert found == pytest.approx(model.get_coherence_per_topic(), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("measure", list(COHERENCES))
def test_counts_of_all_terms_say_the_same(measure):
    texts = [list("甲乙丙丁甲"), list("乙丙，丁戊"), [], list("丁丁甲己")]
    topics = [["甲", "乙", "丁"], ["己", "甲"], ["戊", "龙"]]
    found = coherence_of(topics, texts, measure, window=3)
    for keep_punctuation in (True, False):
        counts = counted(texts, measure, window=3, keep_punctuation=keep_punctuation)
        assert topic_coherence(topics, counts, measure).tolist() == found.tolist()


def test_topics_are_spelled_as_tokens_are():
    texts = ["ＧＤＰ增长", "gdp 增长", "VIP 服务"]
    assert coherence_of([["gdp", "增长"], ("vip", "服务")], texts).tolist() == [1.0, 1.0]
    exact = coherence_of([["GDP", "增长"]], texts, "u_mass", lowercase=False)
    assert exact == pytest.approx([math.log(1 / 1)], abs=1e-11)


def test_punctuation_can_be_a_term_and_keeps_its_place():
    texts = [["茶", "，", "水"], ["茶", "！"], ["！", "水"]]
    assert coherence_of([["茶", "！"]], texts, window=2).tolist() == [
        pytest.approx(math.log(1 * 4 / (2 * 2)) / math.log(4))
    ]
    assert coherence_of([["茶", "水"]], texts, window=2).tolist() == [-1.0]


def test_all_forms_of_topics():
    texts = [["今天", "天气", "很", "好"], [], ["今天", "天气", "不错"], ["明天", "去", "公园"]]
    topics = [["今天", "天气"], ["明天", "公园"]]
    counts = counted(texts, "c_npmi")
    for given_topics in (topics, np.array(topics), (tuple(topic) for topic in topics)):
        assert topic_coherence(given_topics, counts).tolist() == [1.0, 1.0]
    assert topic_coherence([], counts).shape == (0,)


def test_no_pair_of_the_topics_occurs():
    counts = counted([["茶"], ["水"]], "c_npmi", vocabulary=Vocabulary.build([["茶", "水"]]))
    assert counts.pairs.nnz == 0
    assert topic_coherence([["茶", "水"]], counts).tolist() == [-1.0]


@pytest.mark.parametrize(
    ("topics", "message"),
    [
        ("茶水", r"topics must be a list of topics, each a list of terms\. Got '茶水'"),
        (5, r"topics must be a list of topics.*Got 5"),
        (["茶水"], r"topics\[0\] must be a list of terms\. Got '茶水': use a list of lists"),
        ([["茶", "水"], None], r"topics\[1\] must be a list of terms\. Got None"),
        ([["茶", "水"], []], r"topics\[1\] must hold at least 2 terms\. Got \[\]"),
        ([["茶"]], r"topics\[0\] must hold at least 2 terms\. Got \['茶'\]"),
        ([["茶", "水", "茶"]], r"topics\[0\] must hold distinct terms\. Got '茶' a second time"),
        ([["茶", 5]], r"topics\[0\] must hold strings\. Got 5"),
    ],
)
def test_topics_that_are_none(topics, message):
    with pytest.raises(InvalidParameterError, match=message):
        topic_coherence(topics, counted(TEA, "c_npmi"))


@pytest.mark.parametrize(
    ("how", "measure", "message"),
    [
        ({"window": 5}, "c_npmi", r"c_npmi needs counts made with counting='windows'\. Got.*pairs"),
        ({"window": "all"}, "c_uci", r"c_uci needs counts made with counting='windows'.*'all'"),
        ({"counting": "windows"}, "u_mass", r"u_mass needs counts made with window='all', scope"),
        ({"window": "all", "scope": "sentence"}, "u_mass", r"scope='document'\. Got.*'sentence'"),
        ({"counting": "windows", "min_count": 2}, "c_npmi", r"Got counts with min_count=2"),
        ({"counting": "windows", "max_terms": 2}, "c_npmi", r"'叶' is not in the vocabulary"),
        ({"counting": "textgcn"}, "c_npmi", r"counting='windows'\. Got.*counting='textgcn'"),
        ({"counting": "windows"}, "c_v", r"must be one of 'u_mass', 'c_npmi', 'c_uci'\. Got 'c_v'"),
        ({"counting": "windows"}, "npmi", r"Got 'npmi'\. Did you mean 'c_npmi'"),
    ],
)
def test_counts_that_do_not_say_it(how, measure, message):
    counts = count_cooccurrences(TEA, **how)
    with pytest.raises(InvalidParameterError, match=message):
        topic_coherence([["茶", "水"], ["茶", "叶"]], counts, measure)


def test_the_catalog_describes_its_rows():
    for name, row in COHERENCES.items():
        assert row.description
        assert row.value_range
        assert row.by_document is (name == "u_mass")
