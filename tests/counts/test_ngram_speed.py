import time

import numpy as np
import pytest
from generated_text import WORDS

from nlpfeat.counts.ngrams import NgramSpace
from nlpfeat.text.segmenters import CharSegmenter
from nlpfeat.text.token_ids import TokenIds
from nlpfeat.text.token_spool import spool_tokens

pytestmark = pytest.mark.slow


def learned(n_documents):
    """A space of many columns: of 1,600 words two stand together once or never."""
    draw = np.random.default_rng(5)
    words = np.array([a + b for a in WORDS for b in WORDS])
    documents = [words[draw.integers(0, len(words), 400)].tolist() for _ in range(n_documents)]
    with spool_tokens(documents, CharSegmenter()) as spool:
        return NgramSpace.learn(spool, (1, 2), separator=" ")[0]


@pytest.fixture(scope="module")
def spaces():
    """A space, and one of ten times as many columns."""
    return learned(100), learned(1_000)


def ratio(slow, quick):
    """Return how many times as long one takes as the other, both in turns and at their best."""

    def seconds(work):
        start = time.process_time()
        work()
        return time.process_time() - start

    runs = [(seconds(slow), seconds(quick)) for _ in range(7)]
    return min(slow for slow, _ in runs) / min(quick for _, quick in runs)


def test_one_document_does_not_ask_for_all_columns(spaces):
    small, large = spaces
    assert len(large) > 350_000 > 8 * len(small)
    ids = np.arange(30, dtype=np.int32)
    tokens = TokenIds(ids, np.array([0, 30]), np.array([0, 30]))
    assert large.count(tokens).sum() >= 30
    # Ten times the columns: it would be ten times the time, if all were looked at.
    assert ratio(lambda: large.count(tokens), lambda: small.count(tokens)) < 4


def test_names_take_no_longer_than_plain_strings(spaces):
    large = spaces[1]
    names = large.names()
    assert len(set(names)) == len(names) == len(large)
    # One string is put together for each name, and that is all.
    assert ratio(large.names, lambda: ["".join([name, " "]) for name in names]) < 5
