"""Batches of documents: what stands where, which come together, and how much is padded."""

import time
from itertools import pairwise

import numpy as np
import pytest
import shared_data
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from nlpfeat.classifiers._batching import Batch, BatchMaker, TermInputs, length_buckets
from nlpfeat.priors import PriorInputs
from nlpfeat.text.token_ids import GAP, TokenIds

HEADLINES = shared_data.HEADLINES / "train.tsv"

few = settings(max_examples=60)


def tokens_of(documents):
    """Return lists of ids as one flat array."""
    ends = np.cumsum([0, *map(len, documents)])
    flat = np.array([number for document in documents for number in document], dtype=np.int32)
    return TokenIds(flat, ends, np.unique(ends))


#: Four terms, so 4 is an unknown token; the second document is empty, the third has a gap.
DOCUMENTS = [[0, 3, 1], [], [2, GAP, 4], [1]]


def test_a_batch_by_hand():
    maker = BatchMaker(tokens_of(DOCUMENTS), 4, targets=np.array([1, 0, 1, 0]))
    batch = maker.batch(np.array([2, 1, 3]))
    assert batch.ids.tolist() == [[2, 4, 4], [4, 4, 4], [1, 4, 4]]
    assert batch.mask.tolist() == [[True, False, True], [False] * 3, [True, False, False]]
    assert batch.rows.tolist() == [2, 1, 3]
    assert batch.targets.tolist() == [1, 0, 0]
    assert batch.ids.dtype == batch.rows.dtype == batch.targets.dtype == torch.int64
    assert batch.mask.dtype == torch.bool
    assert batch.priors == []
    assert len(maker) == 4


@pytest.mark.parametrize("documents", [[[]], [[], []], [[GAP]]], ids=["one", "two", "a gap"])
def test_a_batch_of_empty_documents_has_a_column(documents):
    batch = BatchMaker(tokens_of(documents), 4).batch(np.arange(len(documents)))
    assert batch.ids.tolist() == [[4]] * len(documents)
    assert not batch.mask.any()
    assert batch.targets is None


def test_what_priors_say_by_hand():
    table = csr_array([[1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 1]], dtype=np.float32)
    inputs = PriorInputs(
        tokens=np.array([1, 2, 3, 4, 5, 6, 7], dtype=np.float32),
        rows=np.array([[0.1], [0.2], [0.3], [0.4]], dtype=np.float32),
        table=table,
    )
    maker = BatchMaker(tokens_of(DOCUMENTS), 4, priors=[PriorInputs(), inputs])
    nothing, said = maker.batch(np.array([3, 1, 2])).priors
    assert nothing == TermInputs()
    # The gap of the third document has no weight, whatever the prior says of it.
    assert said.tokens.tolist() == [[7, 0, 0], [0, 0, 0], [4, 0, 6]]
    assert said.rows.tolist() == pytest.approx(np.array([[0.4], [0.2], [0.3]]))
    assert said.indices.tolist() == [0, 1, 3, 1]
    assert said.offsets.tolist() == [0, 3, 3]
    bag = torch.nn.functional.embedding_bag(
        said.indices, torch.eye(4), said.offsets, mode="sum", include_last_offset=False
    )
    assert bag.tolist() == table.toarray()[[3, 1, 2]].tolist()


def test_a_table_without_an_entry():
    inputs = PriorInputs(table=csr_array((4, 3), dtype=np.float32))
    said = BatchMaker(tokens_of(DOCUMENTS), 4, priors=[inputs]).batch(np.array([0, 1])).priors[0]
    assert said.indices.tolist() == []
    assert said.offsets.tolist() == [0, 0]


def test_a_batch_moves_to_a_device_as_a_whole():
    inputs = PriorInputs(np.zeros(7, np.float32), np.zeros((4, 1), np.float32),
                         csr_array((4, 3), dtype=np.float32))  # fmt: skip
    maker = BatchMaker(tokens_of(DOCUMENTS), 4, np.zeros(4, np.int64), [inputs])
    batch = maker.batch(np.array([0, 1]))
    assert batch.to(torch.device("cpu")) is batch
    moved = batch.to(torch.device("meta"))
    parts = [moved.ids, moved.mask, moved.rows, moved.targets, *vars(moved.priors[0]).values()]
    assert [part.device.type for part in parts] == ["meta"] * 8
    assert BatchMaker(tokens_of([[1]]), 4).batch(np.array([0])).to(moved.ids.device).targets is None


documents_of_ids = st.lists(st.lists(st.integers(-1, 4), max_size=6), min_size=1, max_size=8)


@few
@given(documents_of_ids, st.data())
def test_a_batch_is_what_a_loop_makes(documents, data):
    rows = data.draw(st.lists(st.integers(0, len(documents) - 1), min_size=1))
    weights = np.arange(1, 1 + sum(map(len, documents)), dtype=np.float32)
    maker = BatchMaker(tokens_of(documents), 4, priors=[PriorInputs(tokens=weights)])
    batch = maker.batch(np.array(rows))
    width = max(1, *(len(documents[row]) for row in rows))
    starts = np.cumsum([0, *map(len, documents)])
    for place, row in enumerate(rows):
        for column in range(width):
            known = column < len(documents[row]) and documents[row][column] != GAP
            assert bool(batch.mask[place, column]) == known
            assert batch.ids[place, column] == (documents[row][column] if known else 4)
            weight = weights[starts[row] + column] if known else 0
            assert batch.priors[0].tokens[place, column] == weight
    assert batch.ids.shape == (len(rows), width)


lengths_of = st.lists(st.integers(0, 9), max_size=30).map(lambda each: np.array(each, np.int64))


@few
@given(lengths_of, st.integers(1, 7), st.none() | st.integers(0, 5))
def test_every_document_is_in_one_batch(lengths, batch_size, seed):
    rng = None if seed is None else np.random.default_rng(seed)
    buckets = length_buckets(lengths, batch_size, rng)
    flat = [row for rows in buckets for row in rows.tolist()]
    assert sorted(flat) == list(range(len(lengths)))
    sizes = sorted((len(rows) for rows in buckets), reverse=True)
    assert len(sizes) == -(-len(lengths) // batch_size)
    assert all(size == batch_size for size in sizes[:-1])
    # No document of one batch lies, by its length, within another batch.
    bounds = sorted((lengths[rows].min(), lengths[rows].max()) for rows in buckets)
    assert all(before[1] <= after[0] for before, after in pairwise(bounds))


def test_the_order_is_drawn():
    lengths = np.repeat([3, 5, 8], 40)
    first, again, other = (
        [rows.tolist() for rows in length_buckets(lengths, 8, np.random.default_rng(seed))]
        for seed in (0, 0, 1)
    )
    assert first == again
    assert first != other
    assert [len(set(lengths[rows])) for rows in first] == [1] * 15
    assert [lengths[rows[0]] for rows in first] != sorted(lengths[rows[0]] for rows in first)
    members = {tuple(sorted(rows)) for rows in first}
    assert members != {tuple(sorted(rows)) for rows in other}  # not the order of batches alone


def test_the_short_batch_may_hold_any_length():
    lengths = np.repeat(np.arange(1, 11), 10)
    short = set()
    for seed in range(40):
        buckets = length_buckets(lengths, 8, np.random.default_rng(seed))
        short |= {int(lengths[rows[0]]) for rows in buckets if len(rows) == 4}
    assert len(short) > 5


def share_of_padding(lengths, batch_size, seed):
    buckets = length_buckets(lengths, batch_size, np.random.default_rng(seed))
    places = sum(len(rows) * int(lengths[rows].max()) for rows in buckets)
    return 1 - lengths.sum() / places


@pytest.mark.parametrize("batch_size", [32, 64, 256])
def test_little_is_padded(batch_size):
    rng = np.random.default_rng(0)
    like_headlines = rng.binomial(34, 0.58, 10_000)
    like_reviews = np.minimum(rng.lognormal(3.5, 1.0, 40_000).astype(np.int64), 256)
    for lengths in (like_headlines, like_reviews):
        assert share_of_padding(lengths, batch_size, 1) < 0.05


@pytest.mark.shared
def test_little_is_padded_in_the_headlines():
    if not HEADLINES.is_file():
        pytest.skip("there is no text collection beside the checkout")
    texts = [line.partition("\t")[0] for line in HEADLINES.read_text("utf-8").splitlines()]
    lengths = np.array([len("".join(text.split())) for text in texts])
    assert len(lengths) == 45_000
    for batch_size in (64, 128):
        assert share_of_padding(lengths, batch_size, 0) < 0.01


def test_batching_is_quick():
    rng = np.random.default_rng(0)
    lengths = rng.binomial(34, 0.58, 45_000)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    ids = rng.integers(0, 4_000, ends[-1]).astype(np.int32)
    maker = BatchMaker(TokenIds(ids, ends, ends), 4_000, rng.integers(0, 10, len(lengths)))
    start = time.process_time()
    batches = list(maker.batches(64, rng))
    seconds = time.process_time() - start
    assert isinstance(batches[0], Batch)
    assert sum(len(batch.rows) for batch in batches) == 45_000
    assert seconds < 2  # of an epoch that takes half a minute
