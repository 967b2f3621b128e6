"""Batches that are typed out, for tests of networks that are computed by hand."""

from collections.abc import Sequence

import numpy as np
import torch

from nlpfeat.classifiers._batching import Batch

N_TERMS = 7

Tokens = Sequence[int | None]
"""The ids of a document; None is a gap."""

#: Shorter than a filter, nothing, gaps alone, gaps at all places.
TOKENS: list[Tokens] = [
    [0, 3, 2, 6, 1, 5], [4], [], [None, None], [None, 2, None, None, 7, None], [1, 0, 3],
]  # fmt: skip


def batch_of(documents: Sequence[Tokens], n_columns: int | None = None) -> Batch:
    """Return the batch of documents, padded to a number of columns."""
    n_columns = n_columns or max(1, *map(len, documents))
    ids = np.full((len(documents), n_columns), N_TERMS)
    mask = np.zeros(ids.shape, dtype=bool)
    for row, tokens in enumerate(documents):
        for place, token in enumerate(tokens):
            if token is not None:
                ids[row, place], mask[row, place] = token, True
    return Batch(torch.from_numpy(ids), torch.from_numpy(mask), torch.arange(len(documents)))
