"""Who is learned from, chosen on and tested on: drawn once, the same for all models."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from math import ceil

import numpy as np

from nlpfeat._typing import BoolArray, Int64Array
from nlpfeat.compare.labeled_texts import LabeledTexts
from nlpfeat.compare.protocol import Protocol
from nlpfeat.errors import InvalidInputError, InvalidParameterError


@dataclass(frozen=True, eq=False)
class Split:
    """A training part and a test part.

    Parameters
    ----------
    number : int
        From 0; fold f of repeat r has r · ``n_folds`` + f.
    repeat : int
        Of folds; 0 for all others.
    train, test : ndarray of int64
        Rows of the documents, in order. ``test`` counts on behind the training corpus where the
        test documents are given.
    hash : str
        SHA-256 of the texts and classes of both parts.
    """

    number: int
    repeat: int
    train: Int64Array
    test: Int64Array
    hash: str


@dataclass(frozen=True, eq=False)
class Parts:
    """The documents of one run.

    Parameters
    ----------
    fit : ndarray of int64
        Rows that models are fitted on.
    dev : ndarray of int64
        Rows on which settings are chosen and the temperature is learned.
    test : ndarray of int64
    """

    fit: Int64Array
    dev: Int64Array
    test: Int64Array


def make_splits(
    texts: LabeledTexts, protocol: Protocol, test: LabeledTexts | None = None
) -> list[Split]:
    """Return the splits that a protocol asks for.

    Parameters
    ----------
    texts : LabeledTexts
    protocol : Protocol
    test : LabeledTexts, default None
        The test documents of ``split="given"``, none of which stands in ``texts``.

    Returns
    -------
    list of Split

    Raises
    ------
    InvalidParameterError
        When test documents are given for another split, or none for "given".
    InvalidInputError
        When there are too few documents.

    Examples
    --------
    >>> texts = LabeledTexts("例", tuple("甲乙丙丁戊己庚辛壬癸"), tuple("正负" * 5))
    >>> split, = make_splits(texts, Protocol())
    >>> len(split.train), len(split.test), sorted(texts.labels[row] for row in split.test)
    (8, 2, ['正', '负'])
    >>> folds = make_splits(texts, Protocol(split="folds", n_folds=2))
    >>> np.sort(np.concatenate([fold.test for fold in folds])).tolist() == list(range(10))
    True
    """
    if (protocol.split == "given") != (test is not None):
        raise InvalidParameterError(
            "Protocol.split must be 'given' when test documents are given, and only then. Got "
            f"{protocol.split!r} {'with' if test is not None else 'without'} test documents."
        )
    if test is None:
        _check_classes(texts)
    elif len(test.texts) < 2:
        raise InvalidInputError(
            f"{test.name}: at least two documents must be there to test on. Got {len(test.texts)}"
            f"{' beside those that were left out' if test.left_out.n_all else ''}."
        )
    both = texts if test is None else joined(texts, test)
    splits = []
    for number, (repeat, is_test) in enumerate(_test_parts(texts, protocol, test)):
        train, tested = np.flatnonzero(~is_test), np.flatnonzero(is_test)
        if len(set(both.places[train].tolist())) < 2:
            raise InvalidInputError(
                f"{texts.name}: at least two classes must be in the training part of each split. "
                f"Got {texts.class_counts()}; give more of each class, or fewer folds."
            )
        digest = sha256(f"{both.hash(train)} {both.hash(tested)}".encode()).hexdigest()
        splits.append(Split(number, repeat, train, tested, digest))
    return splits


def joined(texts: LabeledTexts, test: LabeledTexts) -> LabeledTexts:
    """Return training and test documents as one list."""
    return LabeledTexts(texts.name, texts.texts + test.texts, texts.labels + test.labels)


def make_parts(
    split: Split,
    places: Int64Array,
    protocol: Protocol,
    seed: int,
    size: int | None = None,
    groups: Int64Array | None = None,
) -> Parts:
    """Return the documents of a run; the same ones for all models.

    Parameters
    ----------
    split : Split
    places : ndarray of int64, shape (N,)
        The class of each document, from 0.
    protocol : Protocol
    seed : int
        Draws the dev part.
    size : int, default None
        So many training documents only; the dev part shrinks in proportion. A smaller size is a
        part of a larger one of the same seed, with each class by its share.
    groups : ndarray of int64, shape (N,), default None
        The number of the group of each document: whole groups are drawn then, ``dev_fraction`` and
        ``size`` as near as they allow and never above ``size``. Groups are as large as each other
        and balanced, so that whatever is drawn is balanced too.

    Returns
    -------
    Parts

    Raises
    ------
    InvalidInputError
        When there are too few training documents for a dev part, and for a ``size`` that is
        smaller than a group.

    Examples
    --------
    Ten documents of two classes in turn, in pairs; the last pair is for test:

    >>> split = Split(0, 0, np.arange(8), np.array([8, 9]), hash="")
    >>> places, pairs = np.tile([0, 1], 5), np.repeat(np.arange(5), 2)
    >>> parts = make_parts(split, places, Protocol(dev_fraction=0.25), seed=0, groups=pairs)
    >>> pairs[parts.fit].tolist(), pairs[parts.dev].tolist()
    ([0, 0, 1, 1, 2, 2], [3, 3])
    """
    rng = np.random.default_rng([seed, split.number])
    # What is drawn: documents of a class by its share, or whole groups, all of one kind.
    kinds, unit_of = places[split.train], np.arange(len(split.train))
    if groups is not None:
        numbers, unit_of = np.unique(groups[split.train], return_inverse=True)
        kinds = np.zeros(len(numbers), dtype=np.int64)
    fit, dev = _set_aside(
        kinds, protocol.dev_fraction, rng, "dev_fraction",
        "The training part" if groups is None else "The training part, in groups",
    )  # fmt: skip
    if size is not None and size < np.isin(unit_of, fit).sum():
        n_fit = size * len(kinds) // len(unit_of)
        if not n_fit:
            raise InvalidInputError(
                f"A size of {size:,} documents is smaller than a group of them, which is not "
                f"parted: of {len(unit_of):,} documents there are {len(kinds):,} groups."
            )
        n_dev = max(1, round(len(dev) * n_fit / len(fit)))
        fit = fit[stratified_order(kinds[fit], rng)[:n_fit]]
        dev = dev[stratified_order(kinds[dev], rng)[:n_dev]]
    fit, dev = (split.train[np.isin(unit_of, drawn)] for drawn in (fit, dev))
    return Parts(fit, dev, split.test)


def stratified_order(places: Int64Array, rng: np.random.Generator) -> Int64Array:
    """Return a random order of which every beginning has each class by its share, or nearly so.

    Parameters
    ----------
    places : ndarray of int64, shape (N,)
        The class of each document.
    rng : Generator

    Returns
    -------
    ndarray of int64, shape (N,)

    Examples
    --------
    >>> order = stratified_order(np.array([0] * 6 + [1] * 3), np.random.default_rng(0))
    >>> (order < 6).astype(int).tolist()
    [1, 0, 1, 1, 0, 1, 1, 0, 1]
    """
    # The i-th of n documents of a class stands at (i + ½) / n of the way.
    way = np.empty(len(places))
    for place in np.unique(places):
        rows = rng.permutation(np.flatnonzero(places == place))
        way[rows] = (np.arange(len(rows)) + 0.5) / len(rows)
    shuffled = rng.permutation(len(places))
    return shuffled[np.argsort(way[shuffled], kind="stable")]


def split_hash(splits: list[Split]) -> str:
    """Return one SHA-256 for all splits."""
    return sha256(" ".join(split.hash for split in splits).encode()).hexdigest()


def _test_parts(
    texts: LabeledTexts, protocol: Protocol, test: LabeledTexts | None
) -> Iterator[tuple[int, BoolArray]]:
    """Yield the repeat, and which documents are tested."""
    n_documents = len(texts.texts)
    if test is not None:
        yield 0, np.arange(n_documents + len(test.texts)) >= n_documents
    elif protocol.split == "holdout":
        rng = np.random.default_rng(protocol.split_seed)
        _, rows = _set_aside(
            texts.places, protocol.test_fraction, rng, "test_fraction", texts.name, least=2
        )
        is_test = np.zeros(n_documents, dtype=np.bool_)
        is_test[rows] = True
        yield 0, is_test
    else:
        if n_documents < 2 * protocol.n_folds:
            raise InvalidInputError(
                f"{texts.name}: there must be at least {2 * protocol.n_folds} documents, two to "
                f"test on in each of {protocol.n_folds} folds. Got {n_documents:,}; give more, or "
                "fewer folds."
            )
        for repeat in range(protocol.n_repeats):
            rng = np.random.default_rng(protocol.split_seed + repeat * 1_000_003)
            order = _shuffled_by_class(texts.places, rng)
            for fold in range(protocol.n_folds):
                # Dealt out like cards: folds differ by one document of a class at most.
                is_test = np.zeros(n_documents, dtype=np.bool_)
                is_test[order[fold :: protocol.n_folds]] = True
                yield repeat, is_test


def _check_classes(texts: LabeledTexts) -> None:
    """Raise where a test part could hold one class alone."""
    counts = Counter(texts.labels)
    rare = [label for label, count in sorted(counts.items()) if count < 2]
    if len(counts) - len(rare) < 2:
        raise InvalidInputError(
            f"{texts.name}: at least two classes must have two documents each or more, one to "
            f"learn from and one to test on. Got {texts.class_counts()}."
        )


def _set_aside(
    places: Int64Array,
    fraction: float,
    rng: np.random.Generator,
    parameter: str,
    whose: str,
    least: int = 1,
) -> tuple[Int64Array, Int64Array]:
    """Return the rows that stay and those of a share of them, each class by its share.

    Of each class one row stays at least, so that one that is there once is learned from. At least
    ``least`` rows are set aside, or it cannot be done.
    """
    order = _shuffled_by_class(places, rng)
    _, firsts = np.unique(places[order], return_index=True)
    order = np.delete(order, firsts)
    # At even distances through all classes: each gets its share, rounded up or down.
    share = min(round(fraction * len(places)) / max(len(order), 1), 1.0)
    steps = np.floor(np.arange(len(order) + 1) * share + rng.uniform())
    taken = np.sort(order[steps[1:] > steps[:-1]])
    if len(taken) < least:
        needed = max(len(firsts) + least, ceil((least - 0.5) / fraction))
        needed += round(fraction * needed) < least  # halves are rounded to even
        raise InvalidInputError(
            f"{whose}: there must be at least {needed:,} documents, so that "
            f"{parameter}={fraction!r} of them is {least} or more and one of each class (or group) "
            f"stays to learn from. Got {len(places):,}; give more, or raise Protocol.{parameter}."
        )
    return np.setdiff1d(np.arange(len(places)), taken), taken


def _shuffled_by_class(places: Int64Array, rng: np.random.Generator) -> Int64Array:
    """Return all rows, those of a class together and in random order."""
    shuffled = rng.permutation(len(places))
    return shuffled[np.argsort(places[shuffled], kind="stable")]
