"""Word vectors from counts: PPMI, factorized."""

from typing import TYPE_CHECKING

import numpy as np

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.counts.cooccurrence import CooccurrenceCounts
from nlpfeat.counts.pair_cells import PairCells
from nlpfeat.measures.association import score
from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.truncated_svd import truncated_svd

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def ppmi_svd(counts: CooccurrenceCounts, settings: EmbeddingSettings) -> Float64Array:
    """Return U Σ^p of PPMI ≈ U Σ Vᵀ, one row a term.

    Two words are close when they occur near the same words: they can stand in each other's place,
    which is not to say that they mean the same.

    Only the ``max_contexts`` most frequent terms are factorized and serve as contexts. A row of
    any other term is folded in, M V Σ^(p-1), which for the factorized rows is U Σ^p again. A term
    that occurs a few times has a row of high values by chance; in a plain factorization, where
    every row counts the same, such rows outnumber the others and turn the dimensions their way.

    Parameters
    ----------
    counts : CooccurrenceCounts
        With n_terms terms.
    settings : EmbeddingSettings
        Validated. ``smoothing`` and ``shift`` say which PPMI, ``n_components`` (at most n_terms
        and ``max_contexts``) and ``exponent`` how it is factorized; with a ``context_weight`` c
        above 0 the result is U Σ^p + c V Σ^p.

    Returns
    -------
    ndarray of float64, shape (n_terms, n_components)
        A term whose PPMI row is empty has the zero vector.

    Notes
    -----
    The logarithm is to base 2; another base would multiply all vectors by one number.

    Source: Levy, Goldberg and Dagan (2015); folding in: Deerwester, Dumais, Furnas, Landauer and
    Harshman (1990).

    Examples
    --------
    >>> from nlpfeat import count_cooccurrences
    >>> texts = [["今天", "天气", "好"], ["今天", "天气", "坏"], ["我们", "去", "公园"]]
    >>> counts = count_cooccurrences(texts)
    >>> vectors = ppmi_svd(counts, EmbeddingSettings(n_components=3, exponent=1.0))
    >>> good, bad = (vectors[counts.vocabulary.ids[term]] for term in ("好", "坏"))
    >>> bool(np.allclose(good, bad)), vectors.shape
    (True, (7, 3))
    """
    every = np.arange(len(counts.vocabulary))
    frequent = _most_frequent(counts, settings.max_contexts)
    rows = _ppmi(counts, every, frequent, settings)
    u, s, vt = truncated_svd(rows[frequent], settings.n_components, seed=settings.seed)
    # Where a singular value is 0 its vectors are zero vectors, whatever they are divided by.
    scale = np.where(s > 0, s, 1.0) ** (settings.exponent - 1.0)
    vectors: Float64Array = rows @ (vt.T * scale)
    if settings.context_weight:
        columns = _ppmi(counts, frequent, every, settings)
        vectors += settings.context_weight * (columns.T @ (u * scale))
    return vectors


def _most_frequent(counts: CooccurrenceCounts, n_terms: int) -> Int64Array:
    """Return the ids of so many terms, in order; ties go to the lower code point."""
    by_frequency = np.argsort(-counts.vocabulary.term_frequencies, kind="stable")
    return np.sort(by_frequency[:n_terms])


def _ppmi(
    counts: CooccurrenceCounts, rows: Int64Array, columns: Int64Array, settings: EmbeddingSettings
) -> "csr_array":
    """Return PPMI of some rows and columns, with the margins of the whole table."""
    from scipy.sparse import csr_array

    table = counts.matrix
    if len(rows) < table.shape[0]:
        table = table[rows]
    if len(columns) < table.shape[1]:
        table = table[:, columns]
    y_margin = counts.y_margin
    cells = PairCells(
        n_xy=table.data,
        n_x=counts.x_margin[np.repeat(rows, np.diff(table.indptr))],
        n_y=y_margin[columns[table.indices]],
        total=counts.total,
        twice=None,  # PPMI has no use for it
        y_margin=y_margin,
        contingency=counts.settings.counting != "textgcn",
    )
    values = score(cells, "ppmi", shift=settings.shift, smoothing=settings.smoothing)
    weighted = csr_array((values, table.indices.copy(), table.indptr.copy()), shape=table.shape)
    weighted.eliminate_zeros()
    return weighted
