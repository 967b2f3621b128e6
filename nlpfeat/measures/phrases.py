"""Phrases: adjacent terms that come together more than by chance, and the freedom around them."""

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Float64Array, Int32Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.counts.adjacency import AdjacentTerms
from nlpfeat.counts.adjacent_ngrams import AdjacentNgrams, Neighbors
from nlpfeat.counts.pair_cells import PairCells
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.tables import Table, TextColumn
from nlpfeat.measures.association import score

PHRASE_MEASURES = {
    "npmi": "NPMI of the weakest joint, -1 to 1",
    "g2": "log-likelihood ratio of the weakest joint; negative when rarer than expected",
    "count": "occurrences",
    "left_entropy": "branching entropy of what stands before the phrase, in bits",
    "right_entropy": "branching entropy of what stands after the phrase, in bits",
}


def phrase_table(
    adjacent: AdjacentTerms, *, measure: str = "npmi", top: int | None = None
) -> Table:
    """Return the sequences of adjacent terms with what speaks for them, the strongest first.

    Parameters
    ----------
    adjacent : AdjacentTerms
        Made by :func:`nlpfeat.count_adjacent_terms`.
    measure : {"npmi", "g2", "count", "left_entropy", "right_entropy"}, default "npmi"
        The column that says the order.
    top : int, default None
        Only so many rows.

    Returns
    -------
    Table
        Rows are in descending order of the measure, then of the count, then in code-point order of
        the terms. Columns:

        - ``phrase``: the terms with blanks between them; ``joined``: the same without blanks.
        - ``n_terms``, ``count``: int64.
        - ``npmi``: in [-1, 1]; ``g2``: any sign. Of the weakest joint, see the notes.
        - ``left_entropy``, ``right_entropy``: bits, from 0 (one and the same neighbor always) to
          log2 of the count.

    Raises
    ------
    InvalidParameterError
        For an unknown measure, and a ``top`` below 1.

    Notes
    -----
    **Joints.** n terms can be split at n - 1 joints into x and y. Over all sequences of n adjacent
    terms of the text (N of them, rare ones too), n_xy is the number of those that are the phrase,
    n_x of those that begin with x, n_y of those that end with y. So all probabilities come from
    one table and sum to one. A phrase of several joints is as firm as the weakest: ``npmi`` and
    ``g2`` are the least over its splits (each by itself), or a fixed pair with any neighbor would
    pass for a phrase. For that, ``g2`` has a sign: a joint rarer than expected is no firm one.

    **Entropies.** H = -sum of p log2 p over what stands beside the phrase. Each sentence end, and
    each punctuation mark, is a neighbor of its own, unlike any other: a phrase that fills whole
    clauses stands freely. A fragment is followed by few different terms and has a low entropy.

    Sources: Bouma (2009) and Dunning (1993) for the measures; Huang and Powers (2003) and Jin and
    Tanaka-Ishii (2006) for branching entropy; sentence ends as in the accessor variety of Feng,
    Chen, Deng and Zheng (2004).

    Examples
    --------
    >>> from nlpfeat.counts.adjacency import count_adjacent_terms
    >>> texts = [["学", "人工", "智能"], ["人工", "智能", "好"], ["学", "好"], ["智能", "好"]]
    >>> table = phrase_table(count_adjacent_terms(texts, min_count=2))
    >>> for phrase, joined, *numbers in table.itertuples():
    ...     print(phrase, joined, [round(number, 3) for number in numbers])
    人工 智能 人工智能 [2, 2, 1.0, 7.638, 1.0, 1.0]
    智能 好 智能好 [2, 2, 0.631, 3.819, 1.0, 1.0]
    """
    top = top if top is None else check_int(top, "top", minimum=1)
    lookup(PHRASE_MEASURES, measure, "measure")
    if not isinstance(adjacent, AdjacentTerms):
        raise InvalidInputError(
            "adjacent must be what count_adjacent_terms(documents) returns. "
            f"Got a {type(adjacent).__name__}."
        )
    longest = max((ngrams.terms.shape[1] for ngrams in adjacent.ngrams), default=2)
    columns = _columns([_scored(ngrams, longest) for ngrams in adjacent.ngrams], longest)
    metadata = {
        **adjacent.preparation,
        "n_documents": str(adjacent.n_documents),
        "n_tokens": str(adjacent.n_tokens),
        "max_length": str(adjacent.max_length),
        "min_count": str(adjacent.min_count),
        "measure": measure,
    }
    return _table(columns, adjacent.vocabulary.terms, measure, top, metadata)


def _scored(ngrams: AdjacentNgrams, longest: int) -> dict[str, np.ndarray]:
    """Return the columns of the phrases of one length, their terms padded with -1."""
    length = ngrams.terms.shape[1]
    padding = ((0, 0), (0, longest - length))
    return {
        "terms": np.pad(ngrams.terms, padding, constant_values=-1),
        "n_terms": np.full(len(ngrams.counts), length, dtype=np.int64),
        "count": ngrams.counts,
        "npmi": _weakest_joint(ngrams, "npmi"),
        "g2": _weakest_joint(ngrams, "g2", signed=True),
        "left_entropy": branching_entropy(ngrams.counts, ngrams.left),
        "right_entropy": branching_entropy(ngrams.counts, ngrams.right),
    }


def _weakest_joint(ngrams: AdjacentNgrams, measure: str, *, signed: bool = False) -> Float64Array:
    splits = [
        score(PairCells(ngrams.counts, n_x, n_y, ngrams.total, twice=None, y_margin=n_y),
              measure, signed=signed)
        for n_x, n_y in zip(ngrams.first, ngrams.second)
    ]  # fmt: skip
    weakest: Float64Array = np.min(splits, axis=0)
    return weakest


def branching_entropy(occurrences: Int64Array, neighbors: Neighbors) -> Float64Array:
    """Return -sum of p log2 p over the neighbors of each phrase.

    Parameters
    ----------
    occurrences : ndarray of int64, shape (n_phrases,)
        Above 0.
    neighbors : Neighbors
        How often terms stand beside the phrase of a row. What is missing to the occurrences are
        sentence ends and punctuation, each one a neighbor of its own.

    Returns
    -------
    ndarray of shape (n_phrases,), float64
        Bits, from 0 to log2 of the occurrences.

    Examples
    --------
    Of four occurrences, one term follows in two, and the sentence ends in two:

    >>> beside = Neighbors(rows=np.array([0]), counts=np.array([2]), n_terms=np.array([1]))
    >>> branching_entropy(np.array([4]), beside)
    array([1.5])
    """
    n_phrases = len(occurrences)
    rows, counts, n_terms = neighbors.rows, neighbors.counts, neighbors.n_terms
    share = counts / occurrences[rows]
    of_terms = np.bincount(rows, -n_terms * share * np.log2(share), n_phrases)
    without_term = occurrences - np.bincount(rows, n_terms * counts, n_phrases)
    return np.asarray(of_terms + without_term / occurrences * np.log2(occurrences))


def _columns(lengths: list[dict[str, np.ndarray]], longest: int) -> dict[str, np.ndarray]:
    """Return the columns of all phrases; with the right types where there is none."""
    nothing: dict[str, np.ndarray] = {
        "terms": np.empty((0, longest), dtype=np.int32),
        "n_terms": np.empty(0, dtype=np.int64),
        "count": np.empty(0, dtype=np.int64),
    }
    for name in ("npmi", "g2", "left_entropy", "right_entropy"):
        nothing[name] = np.empty(0)
    return {
        name: np.concatenate([column, *(part[name] for part in lengths)])
        for name, column in nothing.items()
    }


def _table(
    columns: dict[str, np.ndarray], terms: tuple[str, ...], measure: str, top: int | None,
    metadata: dict[str, str],
) -> Table:  # fmt: skip
    by_code_point = columns["terms"].T[::-1]
    order = np.lexsort((*by_code_point, -columns["count"], -columns[measure]))[:top]
    ordered = {name: column[order] for name, column in columns.items()}
    parts = _parts(ordered.pop("terms"), terms)
    places = np.arange(len(parts), dtype=np.int32)
    return Table(
        {
            "phrase": TextColumn(places, [" ".join(words) for words in parts]),
            "joined": TextColumn(places, ["".join(words) for words in parts]),
            **ordered,
        },
        metadata,
    )


def _parts(ids: Int32Array, terms: tuple[str, ...]) -> list[list[str]]:
    return [[terms[number] for number in row if number >= 0] for row in ids.tolist()]
