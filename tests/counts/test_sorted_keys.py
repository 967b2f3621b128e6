from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.counts import sorted_keys
from nlpfeat.counts.feature_space import frequencies_of
from nlpfeat.counts.sorted_keys import (
    Cells,
    CountedKeys,
    Groups,
    KeyCounter,
    find,
    joined_keys,
    union_of,
)
from nlpfeat.errors import InvalidInputError

THINGS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 6)), max_size=40)


def columns_of(things):
    """Return documents (ascending), high and low numbers as arrays."""
    return np.array(sorted(things), dtype=np.int64).reshape(-1, 3).T


def counted(things):
    documents, high, low = columns_of(things)
    return Groups.of((high, 4), (low, 7)).counted(documents)


@settings(max_examples=60)
@given(THINGS, st.sampled_from([0, 10**9]))
def test_groups_by_brute_force(things, values_per_thing):
    documents, high, low = columns_of(things)
    with mock.patch.object(sorted_keys, "_VALUES_PER_THING", values_per_thing):
        groups = Groups.of((high, 4), (low, 7))
    keys = [h * 7 + n for h, n in zip(high.tolist(), low.tolist())]
    assert groups.keys.tolist() == sorted(set(keys))
    found = np.split(groups.order, groups.bounds[1:-1]) if things else []
    for key, places in zip(groups.keys.tolist(), found, strict=True):
        assert places.tolist() == [place for place, each in enumerate(keys) if each == key]
    assert groups.sizes.tolist() == [keys.count(key) for key in groups.keys.tolist()]

    cells = Cells()
    columns = np.arange(len(groups.keys))
    cells.add(groups, columns, documents)
    table = cells.matrix((5, len(columns)))
    wanted = np.zeros(table.shape, dtype=np.int64)
    for document, key in zip(documents.tolist(), keys):
        wanted[document, groups.keys.tolist().index(key)] += 1
    assert table.toarray().tolist() == wanted.tolist()
    assert table.has_canonical_format
    frequencies = groups.counted(documents).frequencies
    assert frequencies.occurrences.tolist() == frequencies_of(table).occurrences.tolist()
    assert frequencies.documents.tolist() == frequencies_of(table).documents.tolist()


def test_one_number():
    groups = Groups.of((np.array([3, 1, 3]), 4))
    assert (groups.keys.tolist(), groups.order.tolist()) == ([1, 3], [1, 0, 2])


def test_groups_without_a_column_are_left_out():
    cells = Cells()
    cells.add(Groups.of((np.array([3, 1, 3]), 4)), np.array([-1, 0]), np.array([0, 0, 1]))
    cells.add(Groups.of((np.array([2]), 4)), np.array([1]), np.array([1]))
    assert cells.matrix((2, 2)).toarray().tolist() == [[1, 0], [1, 1]]
    assert Cells().matrix((2, 3)).toarray().tolist() == [[0] * 3] * 2


@settings(max_examples=30)
@given(st.lists(THINGS, max_size=7))
def test_blocks_add_up(blocks):
    counter = KeyCounter()
    for block in blocks:
        counter.add(counted(block))
    # Documents of the blocks are different ones.
    together = [(d + 5 * n, *rest) for n, block in enumerate(blocks) for d, *rest in block]
    found, wanted = counter.total(), counted(together)
    assert found.keys.tolist() == wanted.keys.tolist()
    assert found.frequencies.occurrences.tolist() == wanted.frequencies.occurrences.tolist()
    assert found.frequencies.documents.tolist() == wanted.frequencies.documents.tolist()


def test_a_key_is_moved_seldom():
    moved = []

    class Spy(CountedKeys):
        def plus(self, other):
            both = super().plus(other)
            moved.append(len(both))
            return Spy(both.keys, both.frequencies)

    counter = KeyCounter()
    for block in range(64):
        part = counted([(0, 0, 0)])
        counter.add(Spy(part.keys + block, part.frequencies))
    assert len(counter.total()) == 64
    assert sum(moved) <= 64 * 7  # once a block it would be 64 * 65 / 2


@given(st.sets(st.integers(0, 20)), st.lists(st.integers(0, 20)))
def test_find_by_brute_force(keys, wanted):
    known = sorted(keys)
    found = find(np.array(known, dtype=np.int64), np.array(wanted, dtype=np.int64))
    assert found.tolist() == [known.index(key) if key in keys else -1 for key in wanted]
    both = union_of(np.array(known, dtype=np.int64), np.unique(np.array(wanted, dtype=np.int64)))
    assert both.tolist() == sorted(keys | set(wanted))


def test_keys_that_do_not_fit():
    number = np.array([0])
    largest = np.array([2**31 - 2])
    assert joined_keys((largest, 2**31), (largest, 2**31)).tolist() == [(2**31 - 2) * (2**31 + 1)]
    with pytest.raises(InvalidInputError, match=r"4,294,967,296 by 4,294,967,296 possible"):
        joined_keys((number, 2**32), (number, 2**32))
