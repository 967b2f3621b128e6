"""Splits: nothing in two parts, every class by its share, the same for all models."""

import re
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.compare.labeled_texts import LabeledTexts
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.splits import (
    Split,
    joined,
    make_parts,
    make_splits,
    split_hash,
    stratified_order,
)
from nlpfeat.errors import InvalidInputError, InvalidParameterError


def texts_of(*counts: int) -> LabeledTexts:
    labels = [f"类{place}" for place, count in enumerate(counts) for _ in range(count)]
    return LabeledTexts("例", tuple(f"文{row}" for row in range(len(labels))), tuple(labels))


@given(
    counts=st.lists(st.integers(12, 40), min_size=2, max_size=5),
    seed=st.integers(0, 1000),
    fraction=st.sampled_from([0.1, 0.2, 0.5]),
)
def test_parts_are_apart_and_each_class_has_its_share(counts, seed, fraction):
    texts = texts_of(*counts)
    protocol = Protocol(split_seed=seed, test_fraction=fraction, dev_fraction=0.25)
    (split,) = make_splits(texts, protocol)
    parts = make_parts(split, texts.places, protocol, seed)
    together = np.concatenate([parts.fit, parts.dev, parts.test])
    assert sorted(together.tolist()) == list(range(len(texts.texts)))
    assert len(parts.test) == round(fraction * len(texts.texts))
    tested = np.bincount(texts.places[parts.test], minlength=len(counts))
    # One of each class stays, so a share is that of the others, rounded up or down.
    assert (np.abs(tested - fraction * np.array(counts)) < 2).all()
    assert set(texts.places[parts.fit].tolist()) == set(range(len(counts)))


@given(st.lists(st.integers(4, 20), min_size=2, max_size=4), st.integers(2, 4), st.integers(0, 99))
def test_every_document_is_tested_once_in_each_repeat(counts, n_folds, seed):
    texts = texts_of(*counts)
    protocol = Protocol(split="folds", n_folds=n_folds, n_repeats=2, split_seed=seed)
    splits = make_splits(texts, protocol)
    assert [split.number for split in splits] == list(range(2 * n_folds))
    for repeat in (0, 1):
        folds = [split for split in splits if split.repeat == repeat]
        tested = np.concatenate([fold.test for fold in folds])
        assert sorted(tested.tolist()) == list(range(len(texts.texts)))
    assert [split.hash for split in splits] == [
        split.hash for split in make_splits(texts, protocol)
    ]


def test_the_seed_of_a_run_draws_the_dev_part_and_never_the_test_part():
    texts = texts_of(30, 30)
    protocol = Protocol()
    (split,) = make_splits(texts, protocol)
    one, other = (make_parts(split, texts.places, protocol, seed) for seed in (0, 1))
    assert one.test.tolist() == other.test.tolist()
    assert one.dev.tolist() != other.dev.tolist()
    again = make_parts(split, texts.places, protocol, 0)
    assert again.dev.tolist() == one.dev.tolist()


def test_a_smaller_size_is_part_of_a_larger_one():
    texts = texts_of(60, 30)
    protocol = Protocol(dev_fraction=0.2)
    (split,) = make_splits(texts, protocol)
    full = make_parts(split, texts.places, protocol, 0)
    small, large = (make_parts(split, texts.places, protocol, 0, size) for size in (12, 30))
    assert set(small.fit) < set(large.fit) < set(full.fit)
    assert set(small.dev) < set(large.dev) < set(full.dev)
    assert len(small.fit) == 12
    assert np.bincount(texts.places[small.fit]).tolist() == [8, 4]
    assert len(small.dev) == round(len(full.dev) * 12 / len(full.fit))
    assert small.test.tolist() == full.test.tolist()
    assert make_parts(split, texts.places, protocol, 0, 10_000).fit.tolist() == full.fit.tolist()


@given(st.lists(st.integers(1, 12), min_size=1, max_size=4), st.integers(0, 99))
def test_every_beginning_of_the_order_has_each_class_by_its_share(counts, seed):
    places = np.repeat(np.arange(len(counts)), counts)
    order = stratified_order(places, np.random.default_rng(seed))
    assert sorted(order.tolist()) == list(range(len(places)))
    for length in range(1, len(places) + 1):
        found = np.bincount(places[order[:length]], minlength=len(counts))
        assert (np.abs(found - length * np.array(counts) / len(places)) < len(counts)).all()


@given(
    n_groups=st.integers(4, 30),
    group_size=st.sampled_from([2, 4, 8]),
    fraction=st.sampled_from([0.1, 0.25, 0.5]),
    seed=st.integers(0, 99),
)
def test_groups_are_drawn_whole(n_groups, group_size, fraction, seed):
    """Rows are shuffled, and a third of the groups is tested: numbers of groups have gaps."""
    order = np.random.default_rng(seed).permutation(n_groups * group_size)
    groups, places = (order // group_size).astype(np.int64), order % 2
    is_test = groups % 3 == 2
    split = Split(0, 0, np.flatnonzero(~is_test), np.flatnonzero(is_test), "")
    protocol = Protocol(dev_fraction=fraction)
    n_train = n_groups - n_groups // 3
    if not round(fraction * n_train):
        with pytest.raises(InvalidInputError, match=r"there must be at least .*dev_fraction"):
            make_parts(split, places, protocol, seed, groups=groups)
        return
    parts = make_parts(split, places, protocol, seed, groups=groups)
    assert sorted([*parts.fit.tolist(), *parts.dev.tolist()]) == split.train.tolist()
    assert len(parts.dev) == round(fraction * n_train) * group_size
    small = make_parts(split, places, protocol, seed, group_size + 1, groups)
    assert len(small.fit) == group_size
    assert set(small.fit) <= set(parts.fit)
    assert set(small.dev) <= set(parts.dev)
    for rows in (parts.fit, parts.dev, small.fit, small.dev):
        assert set(np.bincount(groups[rows]).tolist()) <= {0, group_size}
        assert np.bincount(places[rows]).tolist() == [len(rows) // 2] * 2
        assert (np.diff(rows) > 0).all()


def test_groups_are_drawn_by_the_seed():
    split = Split(0, 0, np.arange(80), np.arange(80, 88), "")
    groups, places = np.arange(88) // 4, np.arange(88) % 2
    one, again, other = (
        make_parts(split, places, Protocol(), seed, groups=groups).dev.tolist()
        for seed in (0, 0, 1)
    )
    assert one == again != other


def test_each_document_a_group_of_its_own_is_no_group():
    """Second method: of one class, groups of one (numbered from behind) are drawn as documents."""
    split = Split(0, 0, np.arange(40), np.arange(40, 44), "")
    places = np.zeros(44, dtype=np.int64)
    for size in (None, 12):
        alone = make_parts(split, places, Protocol(), 3, size)
        grouped = make_parts(split, places, Protocol(), 3, size, np.arange(44)[::-1])
        assert sorted(39 - grouped.fit) == alone.fit.tolist()
        assert sorted(39 - grouped.dev) == alone.dev.tolist()


def test_a_size_below_a_group_is_told():
    split = Split(0, 0, np.arange(16), np.arange(16, 20), "")
    groups, places = np.arange(20) // 4, np.arange(20) % 2
    with pytest.raises(InvalidInputError, match="size of 3 documents is smaller than a group"):
        make_parts(split, places, Protocol(dev_fraction=0.25), 0, 3, groups)


def test_given_test_documents_stand_behind_the_others():
    train, test = texts_of(4, 4), LabeledTexts("测", ("甲", "乙"), ("类0", "类1"))
    (split,) = make_splits(train, Protocol(split="given"), test)
    assert split.test.tolist() == [8, 9]
    both = joined(train, test)
    assert [both.texts[row] for row in split.test] == ["甲", "乙"]
    wanted = sha256(f"{train.hash()} {test.hash()}".encode()).hexdigest()
    assert split.hash == wanted
    assert split_hash([split]) == sha256(wanted.encode()).hexdigest()


def test_what_cannot_be_split_is_told():
    with pytest.raises(InvalidParameterError, match="'given' when test documents are given"):
        make_splits(texts_of(4, 4), Protocol(), texts_of(2))
    with pytest.raises(InvalidParameterError, match="without test documents"):
        make_splits(texts_of(4, 4), Protocol(split="given"))
    with pytest.raises(
        InvalidInputError, match=r"^例: there must be at least 10 documents, .* 5 folds\. Got 8;"
    ):
        make_splits(texts_of(4, 4), Protocol(split="folds"))
    with pytest.raises(InvalidInputError, match=r"at least two documents must be there.*Got 1"):
        make_splits(texts_of(4, 4), Protocol(split="given"), texts_of(1))


@pytest.mark.parametrize("counts", [(1, 1), (1, 9), (1, 1, 1, 9)])
@pytest.mark.parametrize("split", ["holdout", "folds"])
def test_a_class_of_one_document_is_told(counts, split):
    """One alone cannot be learned from and tested on: two classes of more must be there."""
    with pytest.raises(
        InvalidInputError,
        match=r"^例: at least two classes must have two documents each.*Got 1 document of '类0', ",
    ):
        make_splits(texts_of(*counts), Protocol(split=split, n_folds=2))


@given(
    counts=st.lists(st.integers(2, 4), min_size=2, max_size=4),
    fraction=st.sampled_from([0.05, 0.1, 0.2, 0.25, 0.5, 0.9]),
)
def test_the_number_of_documents_that_a_message_asks_for_suffices_and_one_less_does_not(
    counts, fraction
):
    protocol = Protocol(test_fraction=fraction)

    def needed(*counts):
        """What is asked for, or None where these suffice."""
        try:
            (split,) = make_splits(texts_of(*counts), protocol)
        except InvalidInputError as error:
            return int(re.search(r"at least (\d+) documents, so that test_fr", str(error))[1])
        assert len(split.test) >= 2
        return None

    asked = needed(*counts)
    if asked is None:
        return
    assert asked > sum(counts)
    others = counts[1:]
    assert needed(asked - sum(others), *others) is None
    assert needed(asked - sum(others) - 1, *others) == asked


def test_too_few_for_a_dev_part_is_told():
    texts = texts_of(5, 5)
    (split,) = make_splits(texts, Protocol())
    with pytest.raises(
        InvalidInputError,
        match=r"^The training part: there must be at least 51 documents, so that "
        r"dev_fraction=0\.01 of them is 1 or more .* Got 8; give more, or raise Protocol\.dev_f",
    ):
        make_parts(split, texts.places, Protocol(dev_fraction=0.01), 0)
