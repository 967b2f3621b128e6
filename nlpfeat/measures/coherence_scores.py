"""Coherence of topics: how much the top terms of a topic keep company in texts.

Every measure is a mean over the pairs of a topic's terms, with probabilities that are shares of
windows (or of documents, for ``u_mass``) and natural logarithms. No value is NaN or infinite:

==========  =====================================  ==================  =========================
measure     a pair, where both terms were seen     never together      a term never seen
==========  =====================================  ==================  =========================
``u_mass``  ln( (p(x,y) + e) / p(y) )              ln( e / p(y) )      ln e
``c_npmi``  ln( p(x,y) / p(x)p(y) ) / -ln p(x,y)   -1                  -1
``c_uci``   ln( (p(x,y) + e) / p(x)p(y) )          ln( e / p(x)p(y) )  ln e
==========  =====================================  ==================  =========================

e = 1e-12; ln e = -27.6 is the least that ``u_mass`` and ``c_uci`` can be.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.counts.pair_cells import PairCells
from nlpfeat.measures.information import npmi_scores

_EPSILON = 1e-12


@dataclass(frozen=True)
class TopicPairs:
    """The counts of pairs of a topic's terms, x standing after y in the topic.

    Attributes
    ----------
    n_xy, n_x, n_y : ndarray of int64, shape (n_pairs,)
        Windows or documents that hold both terms, the one, the other; 0 for what was never seen.
    total : int
        All windows or documents.
    """

    n_xy: Int64Array
    n_x: Int64Array
    n_y: Int64Array
    total: int


def u_mass_scores(pairs: TopicPairs) -> Float64Array:
    """Return ln( (p(x,y) + e) / p(y) ) of each pair, e = 1e-12.

    Parameters
    ----------
    pairs : TopicPairs

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        From ln e to 1e-12.

    Notes
    -----
    Source: Mimno, Wallach, Talley, Leenders and McCallum (2011), who add 1 to the count and sum
    over pairs; e and the mean are those of Röder, Both and Hinneburg (2015) and of gensim.
    """
    return _log_ratio(pairs, pairs.n_y / pairs.total)


def c_npmi_scores(pairs: TopicPairs) -> Float64Array:
    """Return the NPMI of each pair, -1 for one that was never seen.

    Parameters
    ----------
    pairs : TopicPairs

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        In [-1, 1].

    Notes
    -----
    Source: Aletras and Stevenson (2013); Bouma (2009). No e is added: gensim, which adds it, gives
    -1 to a pair that is in every window, where NPMI is 1.
    """
    scores = np.full(pairs.n_xy.shape, -1.0)
    seen = pairs.n_xy > 0
    n_y = pairs.n_y[seen]
    cells = PairCells(pairs.n_xy[seen], pairs.n_x[seen], n_y, pairs.total, None, y_margin=n_y)
    scores[seen] = npmi_scores(cells)
    return scores


def c_uci_scores(pairs: TopicPairs) -> Float64Array:
    """Return ln( (p(x,y) + e) / (p(x) p(y)) ) of each pair, e = 1e-12.

    Parameters
    ----------
    pairs : TopicPairs

    Returns
    -------
    ndarray of shape (n_pairs,), float64
        At least ln e.

    Notes
    -----
    Source: Newman, Lau, Grieser and Baldwin (2010).
    """
    return _log_ratio(pairs, (pairs.n_x / pairs.total) * (pairs.n_y / pairs.total))


def _log_ratio(pairs: TopicPairs, expected: Float64Array) -> Float64Array:
    """Return ln( (p(x,y) + e) / expected ), and ln e where a term was never seen."""
    scores = np.full(pairs.n_xy.shape, np.log(_EPSILON))
    seen = (pairs.n_x > 0) & (pairs.n_y > 0)
    scores[seen] = np.log((pairs.n_xy[seen] / pairs.total + _EPSILON) / expected[seen])
    return scores


@dataclass(frozen=True)
class Coherence:
    """One coherence measure.

    Parameters
    ----------
    function : callable
        ``function(pairs) -> ndarray of shape (n_pairs,), float64``.
    by_document : bool
        Whether documents are counted, instead of windows.
    value_range : str
        The range of the values, in words.
    description : str
        The measure in one line.
    """

    function: Callable[[TopicPairs], Float64Array]
    by_document: bool
    value_range: str
    description: str


COHERENCES: dict[str, Coherence] = {
    "u_mass": Coherence(
        u_mass_scores,
        by_document=True,
        value_range="-27.6 to 0",
        description="log of the share of documents with a term that hold a later one too",
    ),
    "c_npmi": Coherence(
        c_npmi_scores,
        by_document=False,
        value_range="-1 to 1",
        description="NPMI of the terms in sliding windows",
    ),
    "c_uci": Coherence(
        c_uci_scores,
        by_document=False,
        value_range="at least -27.6",
        description="PMI of the terms in sliding windows (natural log)",
    ),
}
