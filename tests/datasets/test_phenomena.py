"""The frame of the phenomena, and what holds for each of them."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from phenomena_features import VECTORIZERS, features, made
from scipy.stats import binom
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupShuffleSplit
from sklearn.tree import DecisionTreeClassifier

import nlpfeat
from nlpfeat import Corpus, JiebaSegmenter
from nlpfeat.datasets import make_phenomenon
from nlpfeat.datasets.phenomena import PHENOMENA
from nlpfeat.datasets.phenomena.phenomenon import FAMILIES, SEES_AS, Ceiling, Phenomenon, write
from nlpfeat.datasets.phenomena.sampling import Draw, draw_parts
from nlpfeat.errors import InvalidParameterError

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "corpora" / "phenomena"
NAMES = sorted(PHENOMENA)
segmenter = JiebaSegmenter()

#: Places that training has not seen are no evidence: there a positional ceiling of 1 is only near.
TOLERANCE = {"positional": 0.05}


@pytest.fixture(params=NAMES)
def parts(request):
    return made(request.param)


def _by_text(items):
    return {item.text: item.label for item in items}


def test_there_are_sixteen():
    assert len(PHENOMENA) == 16
    assert [each.name for each in PHENOMENA.values()] == list(PHENOMENA)
    assert len({each.title for each in PHENOMENA.values()}) == 16


def test_the_public_name():
    assert nlpfeat.make_phenomenon is make_phenomenon


def test_what_a_phenomenon_says(parts):
    phenomenon = parts.phenomenon
    assert phenomenon.name in NAMES
    assert set(FAMILIES) <= set(phenomenon.ceilings) <= {*FAMILIES, *SEES_AS}
    for ceiling in phenomenon.ceilings.values():
        assert 0.5 <= ceiling.accuracy <= 1.0
        assert ceiling.reason[0].islower() or ceiling.reason[0] > "\x7f"
    assert len(set(phenomenon.labels)) == 2
    assert 400 % phenomenon.group_size == 0


def test_the_corpora_hold_the_items(parts):
    for corpus, items, part in (
        (parts.train, parts.train_items, "train"),
        (parts.test, parts.test_items, "test"),
    ):
        assert list(corpus) == [item.text for item in items]
        assert corpus.labels() == [item.label for item in items]
        assert corpus.name == f"{parts.phenomenon.name}.{part}"


def test_sizes_balance_and_no_text_twice(parts):
    assert len(parts.train_items) == 800
    assert len(parts.test_items) == 400
    for items in (parts.train_items, parts.test_items):
        counts = Counter(item.label for item in items)
        assert counts == dict.fromkeys(parts.phenomenon.labels, len(items) // 2)
    assert len(_by_text(parts.train_items + parts.test_items)) == 1200


def test_each_text_has_the_number_of_its_group(parts, monkeypatch):
    """Second method: what the grammar returned, noted down group by group as it was called."""
    grammar, written = parts.phenomenon.grammar, {}

    def noted(draw):
        group = grammar(draw)
        written.update({item.text: [each.text for each in group] for item in group})
        return group

    monkeypatch.setitem(PHENOMENA, "noted", replace(parts.phenomenon, grammar=noted))
    again = make_phenomenon("noted", n_train=160, n_test=80)
    for items, groups in (
        (again.train_items, again.train_groups),
        (again.test_items, again.test_groups),
    ):
        assert groups.dtype == np.int64
        size = parts.phenomenon.group_size
        assert np.bincount(groups).tolist() == [size] * (len(items) // size)
        for number in range(len(items) // size):
            group = [items[place] for place in np.flatnonzero(groups == number)]
            assert sorted(item.text for item in group) == sorted(written[group[0].text])
            counts = Counter(item.label for item in group)
            assert counts == dict.fromkeys(parts.phenomenon.labels, size // 2)


def test_the_order_is_shuffled(parts):
    labels = np.array([item.label == parts.phenomenon.labels[0] for item in parts.train_items])
    low, high = binom.interval(0.999, 799, 0.5)
    assert low <= np.count_nonzero(labels[1:] == labels[:-1]) <= high


def test_jieba_cuts_where_the_grammar_does(parts):
    for item in parts.train_items + parts.test_items:
        assert tuple(segmenter.segment(item.text)) == item.tokens


def test_the_cue_is_in_the_text(parts):
    for item in parts.train_items + parts.test_items:
        assert item.cue
        assert not Counter(item.cue) - Counter(item.tokens)
        assert "".join(item.tokens) == item.text


def test_the_same_seed_gives_the_same_bytes(parts):
    name = parts.phenomenon.name
    again = make_phenomenon(name)
    assert again.train_items == parts.train_items
    assert again.test_items == parts.test_items
    other = make_phenomenon(name, random_state=1)
    assert other.train_items != parts.train_items
    assert other.test_items != parts.test_items


def test_the_test_part_does_not_depend_on_the_training_part(parts):
    assert make_phenomenon(parts.phenomenon.name, n_train=40).test_items == parts.test_items


@pytest.mark.parametrize("family", ["bag", "positional", "bigrams", "trigrams"])
@pytest.mark.parametrize("name", [name for name in NAMES if name != "synonyms"])
def test_at_chance_both_labels_have_the_same_mean(name, family):
    """The derivative of every convex loss at weight 0 is then 0: no weight is better than none.

    The synonyms are at chance because the words of the test decide nothing in training.
    """
    phenomenon = PHENOMENA[name]
    if phenomenon.ceiling(family).accuracy == 0.5:
        counts, _ = features(name, family)
        is_first = np.array([label == phenomenon.labels[0] for label in made(name).train.labels()])
        assert not ((2 * is_first - 1) @ counts).any()


#: Phenomena whose bags are equal in the mean alone; other bags at one half are twins.
EQUAL_MEANS = {"absence", "distant_pair", "topic_sense"}


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in NAMES
        if PHENOMENA[name].ceiling("bag").accuracy == 0.5 and name != "synonyms"
    ],
)
def test_twins_leave_any_model_at_exactly_one_half_and_equal_means_do_not(name):
    """A tree learns what no linear model does, and nothing from rows that are the same."""
    parts = made(name)
    train, test = features(name, "bag")
    tree = DecisionTreeClassifier(random_state=0).fit(train, parts.train.labels())
    right = tree.predict(test) == np.array(parts.test.labels())
    by_group = np.bincount(parts.test_groups, weights=right) / parts.phenomenon.group_size
    assert (by_group == 0.5).all() == (name not in EQUAL_MEANS)


@pytest.mark.parametrize("family", ["bag", "positional", "bigrams", "trigrams"])
@pytest.mark.parametrize("name", [name for name in NAMES if name != "synonyms"])
def test_of_whole_groups_a_linear_model_at_chance_learns_nothing(name, family):
    parts = made(name)
    if parts.phenomenon.ceiling(family).accuracy == 0.5:
        train, test = features(name, family)
        splitter = GroupShuffleSplit(1, train_size=0.9, random_state=0)
        ((rows, _),) = splitter.split(train, groups=parts.train_groups)
        assert 0 < len(rows) < 800
        model = LogisticRegression(C=10).fit(train[rows], np.array(parts.train.labels())[rows])
        assert not model.coef_.any()
        assert model.score(test, parts.test.labels()) == 0.5


@pytest.mark.parametrize("family", VECTORIZERS)
def test_a_linear_model_reaches_the_ceiling_and_no_more(parts, family):
    train, test = features(parts.phenomenon.name, family)
    model = LogisticRegression(C=10, max_iter=1000).fit(train, parts.train.labels())
    accuracy = model.score(test, parts.test.labels())
    ceiling = parts.phenomenon.ceiling(family).accuracy
    low, high = binom.interval(0.99, 400, ceiling)
    if ceiling == 1.0:
        assert accuracy >= 1.0 - TOLERANCE.get(family, 0.0)
    else:
        assert low / 400 <= accuracy <= high / 400


@pytest.mark.parametrize("sees_as", sorted(SEES_AS))
def test_families_that_see_what_another_sees(sees_as):
    order = PHENOMENA["order"]
    assert order.ceiling(sees_as) is order.ceilings[SEES_AS[sees_as]]
    absence = PHENOMENA["absence"]
    assert absence.ceiling("surprisal") is absence.ceilings["surprisal"]


def test_an_unknown_family():
    with pytest.raises(InvalidParameterError, match=r"family must be one of 'bag'.*mean 'bigrams'"):
        PHENOMENA["order"].ceiling("bigram")


def test_an_unknown_name():
    message = r"name must be one of 'keyword', .*Got 'negations'\. Did you mean 'negation'\?"
    with pytest.raises(InvalidParameterError, match=message):
        make_phenomenon("negations")


@pytest.mark.parametrize("name", [None, 3, ["order"]])
def test_no_name(name):
    with pytest.raises(InvalidParameterError, match="name must be one of"):
        make_phenomenon(name)


@pytest.mark.parametrize("parameter", ["n_train", "n_test"])
@pytest.mark.parametrize("value", [0, -4, 2.0, True, "8", None])
def test_no_number_of_texts(parameter, value):
    with pytest.raises(InvalidParameterError, match=f"{parameter} must be an integer that is at"):
        make_phenomenon("order", **{parameter: value})


@pytest.mark.parametrize(("value", "choice"), [(1, "take 4"), (7, "take 4 or 8")])
def test_groups_are_never_parted(value, choice):
    message = rf"n_test must be a multiple of 4: .*negation.*Got {value}; {choice}\."
    with pytest.raises(InvalidParameterError, match=message):
        make_phenomenon("negation", n_test=value)


def test_far_too_many_texts():
    with pytest.raises(
        InvalidParameterError, match=r"n_train must be at most 100,000\. Got 100,002"
    ):
        make_phenomenon("order", n_train=100_002)


@pytest.mark.parametrize("seed", [-1, 0.5, None])
def test_no_seed(seed):
    with pytest.raises(InvalidParameterError, match="random_state must be an integer that is at"):
        make_phenomenon("order", n_train=2, n_test=2, random_state=seed)


def _small(draw):
    """Of six dishes two belong to the test part and four to training: so many groups there are."""
    dish = draw.one(draw.own(["面条", "饺子", "包子", "馒头", "米饭", "烧饼"]))
    return write(f"{dish} 好吃", "好评", "好吃"), write(f"{dish} 难吃", "差评", "难吃")


SMALL = Phenomenon(
    name="small",
    title="小",
    description="",
    asks="",
    labels=("好评", "差评"),
    ceilings={"bag": Ceiling(1.0, "")},
    grammar=_small,
)


def test_all_texts_that_there_are():
    train, test = draw_parts(SMALL, n_train=8, n_test=4, random_state=0)
    texts = sorted(item.text for item in test.items)
    assert texts == ["包子好吃", "包子难吃", "烧饼好吃", "烧饼难吃"]
    assert {item.text[:2] for item in train.items} == {"面条", "饺子", "馒头", "米饭"}
    assert len(_by_text(train.items)) == 8
    for part in (train, test):  # a dish is a group
        dishes = {(group, item.text[:2]) for group, item in zip(part.groups.tolist(), part.items)}
        assert [group for group, _ in sorted(dishes)] == list(range(len(part.items) // 2))


@pytest.mark.parametrize(("asked", "part", "n"), [((8, 6), "test", 4), ((10, 4), "train", 8)])
def test_more_texts_than_there_are(asked, part, n):
    message = rf"n_{part} must be at most {n} here: small made so many.*Got {n + 2}\."
    with pytest.raises(InvalidParameterError, match=message):
        draw_parts(SMALL, *asked, random_state=0)


def test_a_group_with_a_text_that_was_there_is_thrown_away():
    def same_twice(draw):
        return write("面条 好吃", "好评", "好吃"), write("面条 好吃", "差评", "好吃")

    broken = Phenomenon(
        name="broken",
        title="坏",
        description="",
        asks="",
        labels=("好评", "差评"),
        ceilings={},
        grammar=same_twice,
    )
    with pytest.raises(InvalidParameterError, match="n_test must be at most 0 here"):
        draw_parts(broken, 2, 2, 0)


@given(st.lists(st.integers(), max_size=40))
def test_own_words_part_a_list(words):
    generator = np.random.default_rng(0)
    train, test = (Draw(generator, part).own(words) for part in ("train", "test"))
    assert Counter(train) + Counter(test) == Counter(words)
    assert test == tuple(words[2::3])


@given(st.integers(0, 2**32), st.integers(1, 8))
def test_draws(seed, n):
    draw = Draw(np.random.default_rng(seed), "train")
    pool = "甲乙丙丁戊己庚辛"
    assert draw.one(pool) in pool
    assert len(set(draw.some(pool, n))) == n
    assert sorted(draw.shuffled(pool)) == sorted(pool)
    assert 3 <= draw.number(3, 5) <= 5


def test_the_committed_samples_are_what_the_grammars_write():
    names = {path.name for path in SAMPLES.glob("*.tsv")}
    assert names == {f"{name}.{part}.tsv" for name in NAMES for part in ("train", "test")}
    for name in NAMES:
        parts = make_phenomenon(name, n_train=80, n_test=40)
        for corpus in (parts.train, parts.test):
            lines = [f"{text}\t{label}\n" for text, label in zip(corpus, corpus.labels())]
            written = (SAMPLES / f"{corpus.name}.tsv").read_bytes()
            assert written == "".join(lines).encode("utf-8"), corpus.name


def test_a_sample_is_read_as_a_corpus():
    corpus = Corpus(SAMPLES / "order.train.tsv", text_column=1, label_column=2, encoding="utf-8")
    documents = list(corpus.documents())
    parts = make_phenomenon("order", n_train=80, n_test=40)
    assert [each.text for each in documents] == list(parts.train)
    assert [each.label for each in documents] == parts.train.labels()


def test_the_table_of_the_docs_says_what_the_code_says():
    page = (ROOT / "docs" / "phenomena.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([一-鿿]+) \| ([1½].*) \|$", page, flags=re.MULTILINE)
    told = {"½": 0.5, "1": 1.0}
    for (name, title, cells), phenomenon in zip(rows, PHENOMENA.values(), strict=True):
        *values, extra = [cell.strip() for cell in cells.split("|")]
        assert (name, title) == (phenomenon.name, phenomenon.title)
        ceilings = {family: told[value] for family, value in zip(FAMILIES, values, strict=True)}
        for other in filter(None, extra.split(", ")):
            family, value = other.split()
            ceilings[family] = told[value]
        own = {family: each.accuracy for family, each in phenomenon.ceilings.items()}
        assert ceilings == own
        assert f"\n## `{name}`" in page
