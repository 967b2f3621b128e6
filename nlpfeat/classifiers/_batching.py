"""Documents as padded batches of tensors; documents of like length come together."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

import numpy as np
import torch
from torch import Tensor

from nlpfeat._typing import Int64Array
from nlpfeat.priors.prior import PriorInputs
from nlpfeat.text.token_ids import GAP, TokenIds

if TYPE_CHECKING:
    from nlpfeat._typing import BoolArray


@dataclass
class TermInputs:
    """What one prior says of the documents of a batch; what it does not speak of is None.

    Parameters
    ----------
    tokens : Tensor of float32, shape (B, L)
        A log-weight for each token; 0 where no token stands.
    rows : Tensor of float32, shape (B, W)
        Numbers of each document.
    indices, offsets : Tensor of int64, shapes (number of features in the batch,) and (B,)
        The features that each document holds, one document behind the other, and where each
        document begins: what ``torch.nn.EmbeddingBag`` takes.
    """

    tokens: Tensor | None = None
    rows: Tensor | None = None
    indices: Tensor | None = None
    offsets: Tensor | None = None

    def to(self, device: torch.device) -> Self:
        """Return the same on a device."""
        parts = (self.tokens, self.rows, self.indices, self.offsets)
        return type(self)(*(part if part is None else part.to(device) for part in parts))


@dataclass
class Batch:
    """B documents, padded to the L tokens of the longest of them.

    Parameters
    ----------
    ids : Tensor of int64, shape (B, L)
        0 … V-1, and V for an unknown token; V too where no token stands.
    mask : Tensor of bool, shape (B, L)
        False for padding, and for gaps, which keep their place.
    rows : Tensor of int64, shape (B,)
        The numbers of the documents.
    targets : Tensor of int64, shape (B,), or None
        Their classes.
    priors : list of TermInputs
        One for each prior.
    """

    ids: Tensor
    mask: Tensor
    rows: Tensor
    targets: Tensor | None = None
    priors: list[TermInputs] = field(default_factory=list)

    def to(self, device: torch.device) -> "Batch":
        """Return the same on a device."""
        if device.type == "cpu":
            return self
        return replace(
            self,
            ids=self.ids.to(device),
            mask=self.mask.to(device),
            rows=self.rows.to(device),
            targets=None if self.targets is None else self.targets.to(device),
            priors=[inputs.to(device) for inputs in self.priors],
        )


class BatchMaker:
    """Makes batches of documents that are held as one flat array of ids.

    Parameters
    ----------
    tokens : TokenIds
        N documents: 0 … V-1, V for an unknown token, ``GAP`` for one that was removed.
    n_terms : int
        V.
    targets : ndarray of int64, shape (N,), default None
        The class of each document.
    priors : sequence of PriorInputs
        What each prior says of these documents.
    """

    def __init__(
        self,
        tokens: TokenIds,
        n_terms: int,
        targets: Int64Array | None = None,
        priors: Sequence[PriorInputs] = (),
    ) -> None:
        self._n_terms = n_terms
        # One more entry behind the last token: what stands where a document has ended.
        self._ids = np.append(tokens.ids, np.int32(GAP)).astype(np.int64)
        self._starts = tokens.indptr[:-1]
        self._numbers = np.arange(len(self._starts))  # of the documents, for the priors
        self.lengths: Int64Array = np.diff(tokens.indptr)
        self.targets = targets
        self._priors = [_Rows(inputs) for inputs in priors]

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.lengths)

    def batch(self, rows: Int64Array) -> Batch:
        """Return the batch of some documents, in the order of ``rows``; at least one column."""
        lengths = self.lengths[rows]
        columns = np.arange(max(int(lengths.max(initial=1)), 1))
        places = self._starts[rows][:, None] + columns
        places[columns >= lengths[:, None]] = len(self._ids) - 1
        ids = self._ids[places]
        is_token = ids != GAP
        ids[~is_token] = self._n_terms
        targets = None if self.targets is None else torch.from_numpy(self.targets[rows])
        return Batch(
            torch.from_numpy(ids),
            torch.from_numpy(is_token),
            torch.from_numpy(rows),
            targets,
            [inputs.of(self._numbers[rows], places, is_token) for inputs in self._priors],
        )

    def part(self, rows: Int64Array) -> "BatchMaker":
        """Return what makes batches of some of the documents, numbered anew from 0."""
        part = copy(self)
        part._starts, part._numbers = self._starts[rows], self._numbers[rows]
        part.lengths = self.lengths[rows]
        part.targets = None if self.targets is None else self.targets[rows]
        return part

    def batches(self, batch_size: int, rng: np.random.Generator | None = None) -> Iterator[Batch]:
        """Yield all documents once, in batches of like length.

        Parameters
        ----------
        batch_size : int
        rng : Generator, default None
            Draws the order; None gives the same batches each time.
        """
        for rows in length_buckets(self.lengths, batch_size, rng):
            yield self.batch(rows)


class _Rows:
    """What one prior says of all documents, from which that of a batch is taken."""

    def __init__(self, inputs: PriorInputs) -> None:
        self._tokens = None if inputs.tokens is None else np.append(inputs.tokens, np.float32(0))
        self._rows = inputs.rows
        self._table = inputs.table

    def of(self, rows: Int64Array, places: Int64Array, is_token: "BoolArray") -> TermInputs:
        found = TermInputs()
        if self._tokens is not None:
            weights = self._tokens[places]
            weights[~is_token] = 0.0
            found.tokens = torch.from_numpy(weights)
        if self._rows is not None:
            found.rows = torch.from_numpy(np.ascontiguousarray(self._rows[rows]))
        if self._table is not None:
            indptr = self._table.indptr
            starts, lengths = indptr[rows].astype(np.int64), np.diff(indptr)[rows].astype(np.int64)
            offsets = np.cumsum(lengths) - lengths
            # Entry e of document d stands at starts[d] + (e - offsets[d]).
            entries = np.arange(int(lengths.sum())) + np.repeat(starts - offsets, lengths)
            found.indices = torch.from_numpy(self._table.indices[entries].astype(np.int64))
            found.offsets = torch.from_numpy(offsets)
        return found


def length_buckets(
    lengths: Int64Array, batch_size: int, rng: np.random.Generator | None = None
) -> list[Int64Array]:
    """Put documents of like length together, so that little is padded.

    Parameters
    ----------
    lengths : ndarray of int64, shape (N,)
        Tokens of each document.
    batch_size : int
        Documents of a batch; one batch may have fewer.
    rng : Generator, default None
        Draws the order of the batches, and of documents of one length. None: the shortest come
        first, and of one length the first comes first.

    Returns
    -------
    list of ndarray of int64
        The numbers of the documents of each batch; every document is in one of them.

    Examples
    --------
    >>> [rows.tolist() for rows in length_buckets(np.array([3, 1, 3, 2, 1]), 2)]
    [[1, 4], [3, 0], [2]]
    """
    order = np.arange(len(lengths)) if rng is None else rng.permutation(len(lengths))
    order = order[np.argsort(lengths[order], kind="stable")]
    # Where the short batch falls is drawn too: else it would always hold the longest documents.
    n_batches = -(-len(order) // batch_size)
    short = n_batches - 1 if rng is None or not n_batches else int(rng.integers(n_batches))
    ends = np.arange(1, n_batches) * batch_size
    ends[short:] -= n_batches * batch_size - len(order)
    buckets = np.split(order, ends) if n_batches else []
    if rng is not None:
        buckets = [buckets[place] for place in rng.permutation(n_batches).tolist()]
    return buckets
