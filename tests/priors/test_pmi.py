"""PMI prior: values of pairs of terms."""

import numpy as np
import pytest
from cooccurrence_oracle import pairs, presence
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.priors import PmiPrior, ReadDocuments
from nlpfeat.priors.placebo import other_terms_as_frequent
from nlpfeat.priors.pmi import FittedPmiPrior
from nlpfeat.text.vocabulary import Vocabulary

TEXTS = ["茶叶茶水茶杯水杯", "雨水茶叶", "水杯，茶杯雨水", "雨天茶"]


def read_of(texts, vocabulary=None):
    return ReadDocuments.read(texts, unit="char", vocabulary=vocabulary)


def fitted(prior, texts=TEXTS):
    read = read_of(texts)
    return prior.fit(read, np.zeros(len(texts), dtype=np.int64), 2, seed=0), read


def table_of(prior, n_terms):
    return prior.pair_values(np.arange(n_terms)).astype(np.float64)


def by_definition(texts, terms, prior):
    """B as docs/priors.md has it, from counts by loops."""
    units = [[each if each in terms else None for each in text] for text in texts]
    if prior.window == "all":
        oracle = presence([list(unit) for unit in units])
    else:
        oracle = pairs(units, prior.window, prior.direction)
    n = len(terms)
    smoothed = {y: oracle.n_y[y] ** prior.smoothing for y in terms}
    whole = sum(smoothed.values()) if prior.smoothing != 1 else oracle.total
    table = np.zeros((n, n))
    for i, x in enumerate(terms):
        for j, y in enumerate(terms):
            if x != y and oracle.n_xy[x, y] >= prior.min_count:
                ratio = oracle.n_xy[x, y] * whole / (oracle.n_x[x] * smoothed[y])
                table[i, j] = max(np.log(ratio) - np.log(prior.shift), 0.0)
    table[table < 1e-12] = 0.0
    if prior.clip is not None:
        table = np.minimum(table, prior.clip)
    seen = table[table > 0]
    scale = seen.std() if len(seen) and seen.std() > 1e-12 else 1.0
    return table / scale, scale


SETTINGS = {
    "default": PmiPrior(),
    "adjacent": PmiPrior(window=1),
    "right": PmiPrior(window=2, direction="right", smoothing=1.0),
    "document": PmiPrior(window="all", smoothing=1.0),
    "shift": PmiPrior(window=2, shift=1.5),
    "clip": PmiPrior(window=2, clip=0.4),
    "no clip": PmiPrior(window=2, clip=None),
    "min_count": PmiPrior(window=2, min_count=2),
}


@pytest.mark.parametrize("prior", SETTINGS.values(), ids=SETTINGS.keys())
def test_values_by_definition(prior):
    found, read = fitted(prior)
    expected, scale = by_definition(TEXTS, read.vocabulary.terms, prior)
    assert expected.any()
    assert found.scale == pytest.approx(scale, rel=1e-9)
    np.testing.assert_allclose(table_of(found, len(expected)), expected, atol=1e-6)


@given(
    st.lists(st.text("茶叶水杯，冷", max_size=8), min_size=1, max_size=4),
    st.sampled_from(list(SETTINGS.values())),
)
@settings(max_examples=60)
def test_values_of_any_text_by_definition(texts, prior):
    """冷 is no term; the comma is a gap."""
    vocabulary = Vocabulary.build([list("茶叶水杯")])
    read = read_of(texts, vocabulary)
    found = prior.fit(read, np.zeros(len(texts), dtype=np.int64), 2, seed=0)
    expected, scale = by_definition(texts, vocabulary.terms, prior)
    assert found.scale == pytest.approx(scale, rel=1e-6)
    np.testing.assert_allclose(table_of(found, 4), expected, atol=1e-5)


def test_cells_are_sorted_and_none_is_on_the_diagonal():
    found, read = fitted(PmiPrior())
    assert (np.diff(found.keys) > 0).all()
    rows, columns = np.divmod(found.keys, len(read.vocabulary))
    assert (rows != columns).all()
    assert (found.values > 0).all()
    assert (found.keys.dtype, found.values.dtype) == (np.int64, np.float32)


def test_scaled_values_have_the_deviation_one():
    found, _ = fitted(PmiPrior(clip=None))
    assert found.values.astype(float).std() == pytest.approx(1.0, rel=1e-6)


def test_pairs_of_a_batch_are_those_of_each_document():
    found, _ = fitted(PmiPrior())
    batch = np.array([[0, 1, 2, 3], [3, 3, -1, 6]])
    both = found.pair_values(batch)
    assert both.shape == (2, 4, 4)
    for row, ids in zip(both, batch):
        assert np.array_equal(row, found.pair_values(ids))
    assert (both[1, :2, :2] == 0).all()  # a term with itself


def test_what_is_no_term_has_the_value_zero():
    found, read = fitted(PmiPrior())
    n_terms = len(read.vocabulary)
    values = found.pair_values([0, n_terms, -1, n_terms + 1, 3])
    assert values[0, 4] > 0
    assert (values[1:4] == 0).all()
    assert (values[:, 1:4] == 0).all()


def test_direction_is_that_of_query_and_key():
    """y after x: 茶 then 叶, never 叶 then 茶."""
    found, read = fitted(PmiPrior(window=1, direction="right", smoothing=1.0), ["茶叶", "雨水"])
    tea, leaf = (read.vocabulary.ids[term] for term in "茶叶")
    values = found.pair_values([tea, leaf])
    assert values[0, 1] > 0
    assert values[1, 0] == 0


def test_without_smoothing_both_directions_are_symmetric():
    found, read = fitted(PmiPrior(smoothing=1.0))
    table = table_of(found, len(read.vocabulary))
    np.testing.assert_allclose(table, table.T, atol=1e-6)


@pytest.mark.parametrize(
    "texts", [["", ""], ["茶", "水"], ["茶茶"]], ids=["empty", "single", "self"]
)
def test_without_a_pair(texts):
    found, _ = fitted(PmiPrior(), texts)
    assert len(found.keys) == 0
    assert found.scale == 1.0
    assert not found.pair_values([0, 0, -1]).any()


@pytest.mark.parametrize("texts", [["茶", "水"], ["茶茶"]], ids=["single", "self"])
def test_low_rank_without_a_pair(texts):
    found, _ = fitted(PmiPrior(rank=2), texts)
    assert found.share == 1.0
    assert not found.pair_values([0, 0]).any()


def test_full_rank_is_exact():
    exact, read = fitted(PmiPrior())
    product, _ = fitted(PmiPrior(rank=100))
    n_terms = len(read.vocabulary)
    assert product.left.shape == product.right.shape == (n_terms + 1, n_terms)
    assert product.share == pytest.approx(1.0)
    assert product.scale == exact.scale
    np.testing.assert_allclose(table_of(product, n_terms), table_of(exact, n_terms), atol=1e-5)


def test_low_rank_is_the_best_of_its_rank():
    exact, read = fitted(PmiPrior())
    table = table_of(exact, len(read.vocabulary))
    singular = np.linalg.svd(table, compute_uv=False)
    found, _ = fitted(PmiPrior(rank=2))
    rest = np.square(table - table_of(found, len(table))).sum()
    assert rest == pytest.approx(np.square(singular[2:]).sum(), rel=1e-4)
    assert found.share == pytest.approx(np.square(singular[:2]).sum() / np.square(singular).sum())
    assert found.left.dtype == np.float32


def test_low_rank_row_of_what_is_no_term():
    found, read = fitted(PmiPrior(rank=2))
    n_terms = len(read.vocabulary)
    assert not found.left[-1].any()
    assert not found.right[-1].any()
    assert not found.pair_values([n_terms, -1, n_terms + 1])[0].any()


@pytest.mark.parametrize("rank", [None, 3])
def test_placebo_is_the_table_of_other_terms(rank):
    found, read = fitted(PmiPrior(rank=rank))
    placebo, _ = fitted(PmiPrior(rank=rank).shuffled(5))
    order = other_terms_as_frequent(read.vocabulary.term_frequencies, seed=5)
    assert (order != np.arange(len(order))).any()
    table, shuffled = (table_of(each, len(order)) for each in (found, placebo))
    np.testing.assert_allclose(shuffled, table[np.ix_(order, order)], atol=1e-6)
    np.testing.assert_allclose(
        np.linalg.svd(shuffled, compute_uv=False), np.linalg.svd(table, compute_uv=False), atol=1e-5
    )


def test_stored_cells_are_checked():
    found, _ = fitted(PmiPrior())
    with pytest.raises(InvalidInputError, match=r"keys must be ascending numbers x \* 2 \+ y"):
        FittedPmiPrior(2, found.keys, found.values, 1.0)
    with pytest.raises(InvalidInputError, match="keys must be ascending numbers"):
        FittedPmiPrior(found.n_terms, found.keys[::-1], found.values, 1.0)
    with pytest.raises(InvalidInputError, match=r"values must be an array.*with cells = "):
        FittedPmiPrior(found.n_terms, found.keys, found.values[1:], 1.0)


def test_no_stored_cell_is_of_a_term_with_itself():
    cell = np.ones(1, np.float32)
    FittedPmiPrior(3, np.array([5]), cell, 1.0)  # 1 * 3 + 2
    for key in (0, 4, 8):
        with pytest.raises(InvalidInputError, match="of different terms"):
            FittedPmiPrior(3, np.array([key]), cell, 1.0)


@pytest.mark.slow
def test_many_terms():
    """8,000 terms and more than a million pairs: the look-up needs no table of all pairs."""
    random = np.random.default_rng(0)
    weights = 1 / np.arange(1, 8_001) ** 0.7
    drawn = 0x4E00 + random.choice(8_000, (10_000, 40), p=weights / weights.sum())
    texts = ["".join(map(chr, row)) for row in drawn.tolist()]
    found, read = fitted(PmiPrior(smoothing=1.0), texts)
    assert len(read.vocabulary) > 7_900
    assert len(found.keys) > 1_000_000
    ids = read.tokens.ids[: 64 * 32].reshape(64, 32)
    values = found.pair_values(ids)
    lookup = dict(zip(found.keys.tolist(), found.values.tolist()))
    for _ in range(500):
        row, i, j = random.integers(64), *random.integers(32, size=2)
        key = int(ids[row, i]) * len(read.vocabulary) + int(ids[row, j])
        assert values[row, i, j] == lookup.get(key, 0.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"window": 0}, r"window \(an integer or 'all'\) must be an integer that is at least 1"),
        ({"window": "all", "direction": "right"}, r"window='all' has no order"),
        ({"direction": "left"}, r"PmiPrior.direction must be one of 'both', 'right'"),
        ({"smoothing": 1.5}, r"PmiPrior.smoothing must be a finite number above 0 and at most 1"),
        ({"shift": 0.0}, r"PmiPrior.shift must be a finite number above 0"),
        ({"clip": 0.0}, r"PmiPrior.clip \(or None\) must be a finite number above 0"),
        ({"min_count": 0}, r"PmiPrior.min_count must be an integer that is at least 1"),
        ({"rank": 0}, r"PmiPrior.rank \(or None\) must be an integer that is at least 1"),
        ({"decay": 0.0}, r"PmiPrior.decay \(or None\) must be a finite number above 0"),
        ({"self_term": "yes"}, r"PmiPrior.self_term must be True or False"),
        ({"rank": 4, "decay": 2.0}, r"product of two vectors, which knows no distance"),
        ({"rank": 4, "self_term": True}, r"product of two vectors, which knows no distance"),
        ({"strength": "0"}, r"PmiPrior.strength must be a finite number"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_settings_that_cannot_be(change, message):
    with pytest.raises(InvalidParameterError, match=message):
        fitted(PmiPrior(**change))
