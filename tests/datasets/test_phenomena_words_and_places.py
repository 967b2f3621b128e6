"""The eight phenomena of words, counts and places, each read by a few lines that know nothing of
its grammar: what the text says is the label, and what a family cannot see it cannot see at all.
"""

import re
from collections import Counter, defaultdict

import numpy as np
import pytest
from phenomena_features import features, made
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from nlpfeat import BagOfWordsVectorizer, JiebaSegmenter, SurprisalTransformer
from nlpfeat.datasets.phenomena import lexicon
from nlpfeat.datasets.phenomena.sampling import Draw

PRAISE = "美味|可口|鲜美|爽口|入味|地道|正宗|香甜"
ABOVE = "老板|房东|老师|教练|师傅|经理"
BELOW = "职员|租客|学生|队员|徒弟|秘书"
LISTS = {
    name: value for name, value in vars(lexicon).items() if name.isupper() and name != "ASIDES"
}


def _keyword(text):
    return "好评" if re.search(PRAISE, text) else "差评"


def _frequency(text):
    return "通过" if text.count("赞成") > text.count("反对") else "否决"


def _negation(text):
    good = re.search("(.)(好吃|可口|新鲜|热情|耐心|友好|干净|方便|舒适)", text)
    bad = re.search("(.)(难闻|油腻|粗鲁|马虎|冷漠|脏乱|杂乱)", text)
    assert bool(good) != bool(bad)
    return "好评" if (good and good[1] == "很") or (bad and bad[1] == "不") else "差评"


def _position(text):
    return "在先" if text.startswith("忽然") else "在后"


def _order(text):
    is_down = re.search(f"({ABOVE})(投诉|批评|表扬|感谢|埋怨|举报|称赞|责怪)了({BELOW})", text)
    return "由上而下" if is_down else "由下而上"


def _absence(text):
    clauses = text.partition("：")[2].split("，")
    return "无缺" if {clause[0] for clause in clauses} == set("和跟与陪") else "有缺"


def _distant_pair(text):
    is_wet = bool(re.search("[小大阵雷]雨。", text))
    return "带对" if is_wet == bool(re.search("带上(雨衣|雨靴|蓑衣)。$", text)) else "带错"


def _far_modifier(text):
    for thing in text.split("一个")[1:]:
        if "的盒子" in thing:
            return f"{thing[0]}盒子"
    raise AssertionError(text)


READERS = {
    "keyword": _keyword,
    "frequency": _frequency,
    "negation": _negation,
    "position": _position,
    "order": _order,
    "absence": _absence,
    "distant_pair": _distant_pair,
    "far_modifier": _far_modifier,
}
#: Families that see the same in a text of each label.
BLIND = [
    ("negation", "bag"),
    ("position", "bag"),
    ("position", "bigrams"),
    ("position", "trigrams"),
    ("order", "bag"),
    ("far_modifier", "bag"),
    ("far_modifier", "bigrams"),
    ("far_modifier", "trigrams"),
]


@pytest.mark.parametrize("name", READERS)
def test_the_text_says_the_label(name):
    parts = made(name)
    for item in parts.train_items + parts.test_items:
        assert READERS[name](item.text) == item.label, item.text


@pytest.mark.parametrize(("name", "family"), BLIND)
def test_each_row_has_a_twin_of_the_other_label(name, family):
    """No function of such features, linear or not, is right more often than half of the time."""
    parts = made(name)
    for matrix, labels in zip(features(name, family), (parts.train.labels(), parts.test.labels())):
        by_row = defaultdict(Counter)
        for row, label in zip(matrix.toarray(), labels):
            by_row[row.tobytes()][label] += 1
        for counts in by_row.values():
            assert set(counts) == set(parts.phenomenon.labels)
            assert len(set(counts.values())) == 1


@pytest.mark.parametrize(("name", "family"), [("order", "bag"), ("far_modifier", "bigrams")])
def test_a_tree_is_no_better(name, family):
    train, test = features(name, family)
    parts = made(name)
    tree = DecisionTreeClassifier(random_state=0).fit(train.toarray(), parts.train.labels())
    assert tree.score(test.toarray(), parts.test.labels()) == 0.5


@pytest.mark.parametrize(
    ("name", "family"),
    [("keyword", "bag"), ("frequency", "bag"), ("negation", "bigrams"), ("position", "positional")],
)
def test_a_linear_svm_reaches_it_too(name, family):
    train, test = features(name, family)
    parts = made(name)
    model = LinearSVC(random_state=0).fit(train, parts.train.labels())
    assert model.score(test, parts.test.labels()) == 1.0


def test_places_tell_the_order_as_a_difference():
    """Weight −p for one side at place p and +p for the other: a linear function of the columns."""
    parts = made("order")
    for item in parts.train_items + parts.test_items:
        above = next(p for p, token in enumerate(item.tokens) if re.fullmatch(ABOVE, token))
        below = next(p for p, token in enumerate(item.tokens) if re.fullmatch(BELOW, token))
        assert (below - above > 0) == (item.label == "由上而下")


def test_presence_does_not_tell_the_frequency():
    parts = made("frequency")
    vectorizer = BagOfWordsVectorizer(binary=True)
    train = vectorizer.fit_transform([item.tokens for item in parts.train_items])
    test = vectorizer.transform([item.tokens for item in parts.test_items])
    model = LogisticRegression().fit(train, parts.train.labels())
    assert model.score(test, parts.test.labels()) == 0.5
    assert {"赞成", "反对"} <= set(parts.test_items[0].tokens)


def test_presence_tells_the_absence():
    parts = made("absence")
    vectorizer = BagOfWordsVectorizer(binary=True)
    train = vectorizer.fit_transform([item.tokens for item in parts.train_items])
    test = vectorizer.transform([item.tokens for item in parts.test_items])
    model = LogisticRegression(C=10).fit(train, parts.train.labels())
    assert model.score(test, parts.test.labels()) == 1.0


def test_absence_in_numbers():
    """Of 46 words 3.5 are expected to be this one: none is worth 46 log2 (1 − 3.5/46) bits."""
    parts = made("absence")
    words = ["和", "跟", "与", "陪"]
    sizes = {"有缺": (0, 3, 3, 8), "无缺": (1, 1, 4, 8)}
    for item in parts.train_items + parts.test_items:
        counts = Counter(item.tokens)
        assert tuple(sorted(counts[word] for word in words)) == sizes[item.label]
    assert {sum(each) for each in sizes.values()} == {14}
    assert {sum(n * n for n in each) for each in sizes.values()} == {82}
    vectorizer = BagOfWordsVectorizer()
    counts = vectorizer.fit_transform([item.tokens for item in parts.train_items])
    surprisal = SurprisalTransformer().fit_transform(counts).toarray()
    names = vectorizer.get_feature_names_out().tolist()
    four = surprisal[:, [names.index(word) for word in words]]
    assert four.min() == pytest.approx(46 * np.log2(1 - 3.5 / 46), abs=0.01)
    is_missing = np.array(parts.train.labels()) == "有缺"
    assert four[is_missing].sum(axis=1) == pytest.approx(-1.54, abs=0.01)
    assert four[~is_missing].sum(axis=1) == pytest.approx(0.64, abs=0.01)


@pytest.mark.parametrize("name", [name for name in READERS if name != "absence"])
def test_training_and_test_share_no_fillers(name):
    parts = made(name)
    train, test = (
        {token for item in items for token in item.tokens}
        for items in (parts.train_items, parts.test_items)
    )
    for words in LISTS.values():
        assert not train & test & set(words)
    assert test - train


def test_the_lists_share_no_word():
    words = [word for each in LISTS.values() for word in each]
    assert len(words) == len(set(words))
    assert all(len(each) >= 20 for each in LISTS.values())


def test_neutral_clauses_are_cut_at_their_spaces():
    segmenter = JiebaSegmenter()
    for part in ("train", "test"):
        draw = Draw(np.random.default_rng(0), part)
        for _ in range(1500):
            clause = lexicon.aside(draw)
            assert segmenter.segment(clause.replace(" ", "")) == clause.split()


def test_neutral_clauses_of_one_text_differ():
    draw = Draw(np.random.default_rng(0), "train")
    for _ in range(100):
        assert len(set(lexicon.asides(draw, 4))) == 4
