"""What is special about eight of the phenomena: why the ceilings are where they are."""

import re
from collections import Counter

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from nlpfeat import (
    BagOfWordsVectorizer,
    JiebaSegmenter,
    NgramVectorizer,
    PmiVectorizer,
    PositionalBagOfWordsVectorizer,
)
from nlpfeat.datasets.phenomena import PHENOMENA, Item, make_phenomenon
from nlpfeat.datasets.phenomena.sampling import Draw
from nlpfeat.datasets.phenomena.synonyms import _FIELDS

CROSSED = ("scope", "topic_sense", "omitted_argument", "idiom", "quantifier", "repeated_word")
SAME_BAG = ("scope", "omitted_argument", "idiom", "quantifier", "repeated_word")
UNSEEN_BY_TRIPLES = ("scope", "omitted_argument", "quantifier", "repeated_word")


def groups(name: str, n: int = 20) -> list[tuple[Item, ...]]:
    draw = Draw(np.random.default_rng(7), "train")
    return [PHENOMENA[name].grammar(draw) for _ in range(n)]


def rows(vectorizer: NgramVectorizer, group: tuple[Item, ...]) -> np.ndarray:
    return vectorizer.fit_transform([item.tokens for item in group]).toarray()


def score(vectorizer: object, name: str) -> float:
    parts = make_phenomenon(name)
    model = make_pipeline(vectorizer, LogisticRegression(max_iter=2000))
    model.fit([item.text for item in parts.train_items], [item.label for item in parts.train_items])
    return model.score(
        [item.text for item in parts.test_items], [item.label for item in parts.test_items]
    )


@pytest.mark.parametrize("name", SAME_BAG)
def test_each_bag_stands_under_both_labels(name: str) -> None:
    for group in groups(name):
        labels_of_bags: dict[bytes, Counter[str]] = {}
        for item, row in zip(group, rows(BagOfWordsVectorizer(), group)):
            labels_of_bags.setdefault(row.tobytes(), Counter())[item.label] += 1
        for labels in labels_of_bags.values():
            assert len(labels) == 2
            assert len(set(labels.values())) == 1


@pytest.mark.parametrize("name", UNSEEN_BY_TRIPLES)
def test_each_bag_of_triples_stands_under_both_labels(name: str) -> None:
    for group in groups(name):
        labels_of_bags: dict[bytes, Counter[str]] = {}
        for item, row in zip(group, rows(NgramVectorizer(ngram_range=(1, 3)), group)):
            labels_of_bags.setdefault(row.tobytes(), Counter())[item.label] += 1
        for labels in labels_of_bags.values():
            assert len(labels) == 2
            assert len(set(labels.values())) == 1


@pytest.mark.parametrize("name", CROSSED)
@pytest.mark.parametrize(
    "vectorizer",
    [BagOfWordsVectorizer(), PositionalBagOfWordsVectorizer(), NgramVectorizer(ngram_range=(1, 2))],
    ids=["bag", "positional", "bigrams"],
)
def test_the_labels_of_a_group_have_equal_sums(name: str, vectorizer: NgramVectorizer) -> None:
    # So the slope of every convex loss is 0 at weights of 0, and no linear model moves from there.
    first = PHENOMENA[name].labels[0]
    for group in groups(name):
        counts = rows(vectorizer, group)
        is_first = np.array([item.label == first for item in group])
        np.testing.assert_array_equal(counts[is_first].sum(axis=0), counts[~is_first].sum(axis=0))


@pytest.mark.parametrize("name", ["scope", "topic_sense", "omitted_argument", "quantifier"])
def test_no_triple_tells_the_labels_of_a_group_apart(name: str) -> None:
    first = PHENOMENA[name].labels[0]
    for group in groups(name):
        counts = rows(NgramVectorizer(ngram_range=(3, 3)), group)
        is_first = np.array([item.label == first for item in group])
        np.testing.assert_array_equal(counts[is_first].sum(axis=0), counts[~is_first].sum(axis=0))


def test_an_idiom_is_a_triple() -> None:
    for group in groups("idiom"):
        vectorizer = NgramVectorizer(ngram_range=(3, 3))
        counts = rows(vectorizer, group)
        verb, noun = group[0].cue
        column = vectorizer.get_feature_names_out().tolist().index(f"{verb} 了 {noun}")
        assert counts[:, column].tolist() == [item.label == "比喻" for item in group]


def test_three_and_five_are_the_same_words() -> None:
    for three, five in groups("counting_three_five"):
        assert (three.label, five.label) == ("三次", "五次")
        assert set(three.tokens) == set(five.tokens)
        assert len(three.tokens) == len(five.tokens)
        changed = Counter(three.tokens)
        changed.subtract(five.tokens)
        assert sorted(n for n in changed.values() if n) == [-2, 2]
        assert three.tokens.count(three.cue[0]) == len(three.cue) == 3
        assert five.tokens.count(five.cue[0]) == len(five.cue) == 5


def test_presence_does_not_count() -> None:
    assert score(BagOfWordsVectorizer(binary=True), "counting_three_five") == 0.5
    assert score(BagOfWordsVectorizer(), "counting_three_five") == 1.0


def test_synonyms_share_no_character() -> None:
    # So that single characters carry nothing over either.
    train = {word for field in _FIELDS for pair in field.pairs[:2] for word in pair}
    test = {word for field in _FIELDS for pair in field.pairs[2:] for word in pair}
    assert len(train) == len(test) == len(_FIELDS) * 4
    assert set("".join(train)).isdisjoint("".join(test))


def test_synonyms_never_stand_together() -> None:
    meanings = [{pair[side] for pair in field.pairs} for field in _FIELDS for side in (0, 1)]
    parts = make_phenomenon("synonyms")
    for item in parts.train_items + parts.test_items:
        assert all(len(words.intersection(item.tokens)) <= 1 for words in meanings)


def test_in_training_words_of_the_test_stand_with_their_opposites() -> None:
    parts = make_phenomenon("synonyms")
    vectorizer = BagOfWordsVectorizer()
    counts = vectorizer.fit_transform([item.text for item in parts.train_items]).toarray()
    columns = vectorizer.vocabulary_
    for field in _FIELDS:
        for good, bad in field.pairs[2:]:
            assert counts[:, columns[good]].sum() > 0
            np.testing.assert_array_equal(counts[:, columns[good]], counts[:, columns[bad]])


def test_vectors_carry_over_to_synonyms_and_bags_do_not() -> None:
    assert score(BagOfWordsVectorizer(), "synonyms") == 0.5
    assert score(NgramVectorizer(ngram_range=(1, 3)), "synonyms") == 0.5
    low, high = binom.interval(0.99, 400, 0.5)
    assert low <= 400 * score(NgramVectorizer(ngram_range=(1, 2), unit="char"), "synonyms") <= high
    least, _ = binom.interval(0.99, 400, 0.99)
    assert 400 * score(PmiVectorizer(random_state=0), "synonyms") >= least


def test_vectors_need_neighbors_that_tell_good_from_bad() -> None:
    # Where opposites have the same neighbors, vectors are at chance too: closeness is
    # substitutability. Here the tails of the tales are cut off.
    parts = make_phenomenon("synonyms")
    cut = [
        [re.sub(r"(里\w{2}的\w{2})[^；。]*", r"\1", item.text) for item in items]
        for items in (parts.train_items, parts.test_items)
    ]
    model = make_pipeline(PmiVectorizer(random_state=0), LogisticRegression(max_iter=2000))
    model.fit(cut[0], [item.label for item in parts.train_items])
    accuracy = model.score(cut[1], [item.label for item in parts.test_items])
    low, high = binom.interval(0.99, 400, 0.5)
    assert low <= accuracy * 400 <= high


def test_things_that_are_asked_for_differ_between_the_parts() -> None:
    parts = make_phenomenon("repeated_word")
    asked_train = {thing for item in parts.train_items for thing in item.cue[1:]}
    asked_test = {thing for item in parts.test_items for thing in item.cue[1:]}
    assert (len(asked_train), len(asked_test)) == (20, 10)
    assert asked_train.isdisjoint(asked_test)
    shown = {token for item in parts.train_items for token in item.tokens}
    assert asked_test <= shown


@pytest.mark.parametrize("name", [*CROSSED, "synonyms", "counting_three_five"])
def test_the_cue_is_what_jieba_cuts(name: str) -> None:
    segment = JiebaSegmenter().segment
    for group in groups(name):
        for item in group:
            assert Counter(item.cue) <= Counter(segment(item.text))


@pytest.mark.parametrize("name", [*CROSSED, "synonyms", "counting_three_five"])
def test_thousands_of_texts(name: str) -> None:
    parts = make_phenomenon(name, n_train=2000, n_test=1000, random_state=3)
    assert len({item.text for item in parts.train_items + parts.test_items}) == 3000
