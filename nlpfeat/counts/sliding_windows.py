"""Windows of w tokens that slide by one, described by the positions of their last token.

A document of n tokens has max(n - w + 1, 1) windows; a short document is one window. A window holds
a term when its *last* occurrence in the window lies in it, so each window is counted once for a
term, and once for a pair of terms, by looking at last occurrences only.
"""

from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import Int32Array, Int64Array
from nlpfeat.counts.margins import Margins


@dataclass(frozen=True)
class WindowEnds:
    """For each position, the windows (by their last token) in which it is the last of its term.

    Attributes
    ----------
    first : ndarray of int64, shape (n_tokens,)
        The first window that holds the position.
    last : ndarray of int64, shape (n_tokens,)
        The last window in which the term has no later occurrence; before ``first`` when none. Each
        gap is taken for a term of its own.
    last_holding : ndarray of int64, shape (n_tokens,)
        The last window that holds the position.
    n_windows : int
        All windows of the block.
    """

    first: Int64Array
    last: Int64Array
    last_holding: Int64Array
    n_windows: int


def window_ends(ids: Int32Array, bounds: Int64Array, window: int) -> WindowEnds:
    """Describe the windows of a block.

    Examples
    --------
    >>> ends = window_ends(np.array([0, 1, 0], np.int32), np.array([0, 3]), 2)
    >>> ends.first.tolist(), ends.last.tolist(), ends.n_windows
    ([1, 1, 2], [1, 2, 2], 2)
    """
    lengths = np.diff(bounds)
    start = np.repeat(bounds[:-1], lengths)
    final = np.repeat(bounds[1:], lengths) - 1
    position = np.arange(len(ids))
    first = np.minimum(np.maximum(position, start + window - 1), final)
    last_holding = np.minimum(position + window - 1, final)
    last = np.minimum(last_holding, _next_occurrence(ids) - 1)
    return WindowEnds(first, last, last_holding, int(np.maximum(lengths - window + 1, 1).sum()))


def window_margins(ids: Int32Array, ends: WindowEnds, n_terms: int) -> Margins:
    """Count the windows that hold each term, and the windows."""
    known = ids >= 0
    n_windows = np.maximum(ends.last - ends.first + 1, 0)[known]
    held = np.bincount(ids[known], weights=n_windows, minlength=n_terms).astype(np.int64)
    return Margins(held, held, ends.n_windows)


def _next_occurrence(ids: Int32Array) -> Int64Array:
    """Return where the same term stands next, in whatever unit; a place far away if nowhere."""
    known = np.flatnonzero(ids >= 0)  # few, where only the terms of topics are looked for
    order = known[np.argsort(ids[known], kind="stable")]
    here, then = order[:-1], order[1:]
    same = ids[here] == ids[then]
    following = np.full(len(ids), np.iinfo(np.int64).max, dtype=np.int64)
    following[here[same]] = then[same]
    return following
