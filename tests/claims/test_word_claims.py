"""What claims on words, units and topics are measured with, by hand and by a second method."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer

from nlpfeat import LdaTransformer
from nlpfeat.claims import abstraction, important_words, scope, topics
from nlpfeat.claims.real_texts import Split, split_of
from nlpfeat.claims.small_models import pairs_at_their_distance, texts_of
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer

TRAIN = csr_array(np.array([[3, 1, 0], [1, 1, 0], [0, 1, 3]]))
TEST = csr_array(np.array([[1, 1, 0], [0, 0, 2]]))
SPLIT = Split(TRAIN, ["体育", "体育", "美食"], TEST, ["体育", "美食"], ["球", "的", "菜"])


@pytest.mark.parametrize("seed", range(3))
def test_presence_of_words_in_votes_has_twins(seed):
    """So no model of presence, linear or not, is right more often than half of the time."""
    parts = texts_of("frequency", seed)
    for items, groups in (
        (parts.train_items, parts.train_groups), (parts.test_items, parts.test_groups),
    ):  # fmt: skip
        rows = BagOfWordsVectorizer(binary=True).fit_transform([item.tokens for item in items])
        by_group = defaultdict(dict)
        for row, group, item in zip(rows.toarray(), groups.tolist(), items):
            by_group[group][item.label] = row.tobytes()
        assert all(len(rows) == 2 for rows in by_group.values())
        assert all(len(set(rows.values())) == 1 for rows in by_group.values())


def test_pairs_at_their_distance_are_all_pairs_of_places():
    tokens = texts_of("idiom", 0).train_items[0].tokens
    n = len(tokens)
    expected = Counter(tokens)
    for i in range(n):
        expected.update(f"{tokens[i]} {tokens[j]} {j - i}" for j in range(i + 1, n))
    assert Counter(pairs_at_their_distance(tokens)) == expected
    assert expected.total() == n + n * (n - 1) // 2


def test_dependents_of_persons_are_what_the_label_says():
    for item in texts_of("scope", 0).test_items:
        elder_tastes = item.label == "长辈"
        taster = next(each for each in scope.words_and_dependents(item) if each.endswith(" 品尝"))
        other = next(name for name in item.cue[:2] if name != taster.split()[0])
        assert taster.split()[0] in item.cue[:2]
        assert f"{other} 品尝" not in scope.words_and_dependents(item)
        elders = {"父亲", "母亲", "外公", "祖母", "祖父", "伯父", "伯母", "岳父", "婆婆", "师傅"}
        assert (taster.split()[0] in elders) == elder_tastes


def test_words_with_the_same_neighbors_are_one_unit(monkeypatch):
    monkeypatch.setattr(abstraction, "_DIMENSIONS", 6)
    texts = [[noun, adverb, word] for noun in ("房间", "早饭") for adverb in ("很", "太")
             for word in ("好", "坏")]  # fmt: skip
    units = abstraction.units_of(texts)
    assert units["好"] == units["坏"]
    assert units["很"] == units["太"]
    assert len({units["好"], units["很"], units["房间"]}) == 3


def test_units_put_synonyms_together_and_opposites_apart():
    units = abstraction.units_of([item.tokens for item in texts_of("synonyms", 0).train_items])
    assert units["高兴"] == units["愉快"]
    assert units["干净"] == units["雅致"]
    assert units["高兴"] != units["沮丧"]


def test_times_fewer_by_hand():
    texts = [["甲", "乙", "甲"], ["丙", "乙"]]
    units = {"甲": 0, "丙": 0}  # 乙 stays what it is
    assert abstraction.times_fewer(texts, units, 1) == 3 / 2
    assert abstraction.times_fewer(texts, units, 2) == 3 / 2  # 甲乙, 乙甲, 丙乙 of 0乙, 乙0


def test_rankings_by_hand():
    found = important_words.ranked_words(SPLIT)
    assert found["frequency"] == [["球", "的"], ["菜", "的"]]
    counts = csr_array(np.array([[5, 3, 0], [5, 0, 3]]))
    frequent = Split(counts, ["体育", "美食"], counts, ["体育", "美食"], ["的", "球", "菜"])
    found = important_words.ranked_words(frequent)
    assert found["frequency"] == [["的", "球"], ["的", "菜"]]
    # 的 comes as often as expected, 球 twice as often.
    assert found["surprisal"] == [["球", "的"], ["菜", "的"]]


def test_only_the_chosen_words_are_read():
    assert important_words.accuracy_of_words(SPLIT, ["球", "菜"]) == 1.0
    assert important_words.accuracy_of_words(SPLIT, ["的"]) == 0.5


def test_bits_by_hand(monkeypatch):
    frequencies, bits = important_words.bits_told(SPLIT)
    assert len(frequencies) == len(bits) == 0  # no word comes five times
    monkeypatch.setattr(important_words, "_LEAST", 1)
    frequencies, bits = important_words.bits_told(SPLIT)
    assert frequencies.tolist() == [4, 3, 3]
    # Of 10 tokens 6 are of sports; 球 was 4 times there, and 2 * 0.6 are added to 4 of 4 + 2.
    assert bits[0] == pytest.approx(math.log2((4 + 1.2) / 6 / 0.6))
    assert bits[1] == pytest.approx(math.log2((2 + 1.2) / 5 / 0.6))
    assert bits[2] == pytest.approx(math.log2((3 + 0.8) / 5 / 0.4))


def test_splits_share_no_text_and_know_no_word_of_the_test():
    split = split_of("everyday", 0)
    assert (split.train.shape[0], split.test.shape[0]) == (563, 282)
    assert len(split.train_labels) == 563
    assert len(set(split.test_labels)) == 8
    assert (split.train.sum(axis=0) > 0).all()
    assert (split_of("everyday", 1).test.sum(axis=0)[:5] != split.test.sum(axis=0)[:5]).any()


def test_perplexities_by_hand():
    one = topics.together(1.0, TRAIN, [])
    assert one(TEST, []) == pytest.approx(((5 * 4 * 4 * 4) / 13**4) ** (-1 / 4))
    alone = topics.apart(1.0, TRAIN, ["体育", "体育", "美食"])
    # 5, 3 and 1 of 9 for sports, 1, 2 and 4 of 7 for food.
    expected = (5 / 9 * 3 / 9 * (4 / 7) ** 2) ** (-1 / 4)
    assert alone(TEST, ["体育", "美食"]) == pytest.approx(expected)


def test_a_heavy_model_of_all_leaves_nothing_of_the_topics():
    groups = ["体育", "体育", "美食"]
    heavy = topics.on_top(1e12, TRAIN, groups)(TEST, ["体育", "美食"])
    assert heavy == pytest.approx(topics.together(min(topics._ADDED), TRAIN, [])(TEST, []))


def test_a_topic_that_is_not_told_is_summed_over():
    groups, mass = ["体育", "体育", "美食"], 2.0
    rates = {}
    total = (TRAIN.sum(axis=0) + 0.01) / (TRAIN.sum() + 0.03)
    for group, rows in (("体育", [0, 1]), ("美食", [2])):
        weights = TRAIN.toarray()[rows].sum(axis=0) + mass * total
        rates[group] = weights / weights.sum()
    likely = [
        2 / 3 * rates["体育"][0] * rates["体育"][1] + 1 / 3 * rates["美食"][0] * rates["美食"][1],
        2 / 3 * rates["体育"][2] ** 2 + 1 / 3 * rates["美食"][2] ** 2,
    ]
    found = topics.on_top(mass, TRAIN, groups, is_told=False)(TEST, ["", ""])
    assert found == pytest.approx((likely[0] * likely[1]) ** (-1 / 4))


@pytest.mark.parametrize("added", [0.01, 0.3])
def test_one_topic_of_lda_is_one_model_of_word_frequencies(added):
    pytest.importorskip("gensim")
    split = split_of("everyday", 0)
    lda = LdaTransformer(1, term_prior=added, random_state=0).fit(split.train)
    one = topics.together(added, split.train, [""] * split.train.shape[0])
    assert lda.perplexity(split.test) == pytest.approx(
        one(split.test, [""] * split.test.shape[0]), rel=1e-4
    )


def test_the_setting_is_chosen_without_the_test():
    seen = []

    def fit(setting, counts, groups):
        def score(texts, _groups):
            seen.append((setting, counts.shape, texts.shape))
            return abs(setting - 3.0)

        return score

    train = (csr_array(np.array([[1, 0], [1, 0], [1, 0], [0, 1]])), list("甲甲乙乙"))
    test = (csr_array(np.array([[1, 0]])), ["甲"])
    assert topics.held_out(fit, [1.0, 2.5, 9.0], train, test) == 0.5
    # Of four texts three are fitted to, and a word that these lack is left out of the fourth.
    assert seen[:3] == [(setting, (3, 1), (1, 1)) for setting in (1.0, 2.5, 9.0)]
    assert seen[3:] == [(2.5, (4, 2), (1, 2))]


def test_columns_of_pairs_tell_an_idiom():
    items = texts_of("idiom", 0).train_items[:8]
    names = (
        CountVectorizer(analyzer=pairs_at_their_distance)
        .fit([item.tokens for item in items])
        .vocabulary_
    )
    assert all(" ".join((*item.cue, "2")) in names for item in items if item.label == "比喻")
