"""Keywords: the terms that tell each document, or each label, from the others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nlpfeat._names import lookup
from nlpfeat._typing import BoolArray, Float64Array, Int64Array, NumberArray
from nlpfeat._validation import check_int
from nlpfeat.counts.pair_cells import PairCells
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.io.tables import Table, TextColumn
from nlpfeat.measures.idf import idf
from nlpfeat.measures.significance import g2_scores
from nlpfeat.measures.surprisal import (
    check_dispersion,
    q_values,
    signed_surprisal,
    two_sided_p_values,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class GroupCounts:
    """What the measures of keywords read: the terms of one group, and of all.

    Parameters
    ----------
    counts : ndarray of shape (n_terms,)
        How often each term occurs in the group, 0 included.
    sums : ndarray of shape (n_terms,)
        How often it occurs in all documents.
    n_tokens : int or float
        The sum of ``counts`` over all terms.
    total : int or float
        The sum of ``sums`` over all terms.
    idf : ndarray of shape (n_terms,), float64
    dispersion : float or None
        As in `nlpfeat.measures.surprisal.signed_surprisal`.
    """

    counts: NumberArray
    sums: NumberArray
    n_tokens: float
    total: float
    idf: Float64Array
    dispersion: float | None = None

    @property
    def expected(self) -> Float64Array:
        """What each count would be, were the group like all documents together."""
        # In floating point, since a product of two large counts is beyond 64 bits.
        return np.asarray(self.n_tokens / self.total * self.sums, dtype=np.float64)


@dataclass(frozen=True)
class KeywordMeasure:
    """One measure of keywords.

    Parameters
    ----------
    function : callable
        ``function(group) -> ndarray of shape (n_terms,), float64``; 0 is no keyword.
    signed : bool
        Whether terms rarer than expected have a value, below 0.
    value_range, description : str
        For a help text.
    """

    function: Callable[[GroupCounts], Float64Array]
    signed: bool
    value_range: str
    description: str


def tfidf_scores(group: GroupCounts) -> Float64Array:
    """Count in the group times idf, k (1 + ln( (N + 1) / (df + 1) )), N documents.

    Source: Spärck Jones (1972).
    """
    return np.asarray(group.counts * group.idf, dtype=np.float64)


def surprisal_scores(group: GroupCounts) -> Float64Array:
    """Signed surprisal of the count in bits, by the rate of the term in all documents."""
    rates = group.sums / group.total
    return signed_surprisal(group.counts, group.n_tokens, rates, dispersion=group.dispersion)


def signed_g2_scores(group: GroupCounts) -> Float64Array:
    """Log-likelihood ratio of the group against the rest, below 0 for a term that is too rare.

    2 sum of O ln(O / E), natural logarithm, over the table of k, n - k, c - k, N - n - c + k:
    k of c occurrences of the term are among the n of N tokens that the group has.

    Source: Dunning (1993), Rayson and Garside (2000).
    """
    cells = PairCells(
        n_xy=group.counts,
        n_x=np.full_like(group.counts, group.n_tokens),
        n_y=group.sums,
        total=group.total,
        twice=None,
        y_margin=group.sums,
        holds_unseen=True,
    )
    return g2_scores(cells, signed=True)


KEYWORD_MEASURES: dict[str, KeywordMeasure] = {
    "tfidf": KeywordMeasure(
        tfidf_scores,
        signed=False,
        value_range="at least 0",
        description="count times inverse document frequency (natural log)",
    ),
    "surprisal": KeywordMeasure(
        surprisal_scores,
        signed=True,
        value_range="any; below 0 for a term that is too rare",
        description="signed surprisal of the count, in bits",
    ),
    "g2": KeywordMeasure(
        signed_g2_scores,
        signed=True,
        value_range="any; below 0 for a term that is too rare",
        description="log-likelihood ratio of the group against the rest (natural log)",
    ),
}

_SIDES: dict[str, Callable[[Float64Array], BoolArray]] = {
    "both": lambda scores: scores != 0.0,
    "over": lambda scores: scores > 0.0,
    "under": lambda scores: scores < 0.0,
}


def keyword_table(
    counts: Any,
    names: Sequence[str],
    groups: Sequence[Any] | None = None,
    *,
    measure: str = "tfidf",
    top: int | None = 20,
    side: str = "both",
    dispersion: float | None = None,
) -> Table:
    """Return the keywords of each document, or of each label, with all their numbers.

    Parameters
    ----------
    counts : sparse or dense matrix of shape (n_documents, n_terms)
        Counts, at least 0.
    names : sequence of str, length n_terms
        The terms.
    groups : sequence of str or int, length n_documents, default None
        The label or name of each document: texts, or integers. The documents of a label are added
        up, and labels come in code-point order. None: each document by itself, named by its row,
        from 0 on.
    measure : str, default "tfidf"
        A name in ``KEYWORD_MEASURES``. Its largest values come first, whatever their sign; ties by
        count, then by code point of the term.
    top : int, default 20
        So many terms a group; None is all that have a value other than 0.
    side : {"both", "over", "under"}, default "both"
        Whether terms that are more frequent than expected are shown, rarer ones (missing ones
        included), or both. ``tfidf`` knows of no rarer ones.
    dispersion : float, default None
        Of the surprisal: see `nlpfeat.measures.surprisal.signed_surprisal`.

    Returns
    -------
    Table
        One row a group and term, with the columns ``group``, ``rank`` (from 1), ``term``,
        ``count`` (k, in the group), ``expected`` (n c / N: n of N tokens are the group's, c of N
        the term's), ``document_frequency`` (of all documents, whatever the groups), ``tfidf``,
        ``surprisal`` (bits, signed), ``g2`` (signed) and ``q_value`` (the two-sided p value of the
        surprisal, adjusted by Benjamini and Hochberg for all terms, those that the group lacks
        included). A group without a keyword has no row.

    Raises
    ------
    InvalidInputError
        When the counts are no counts, or names or labels do not fit them.
    InvalidParameterError
        For an unknown measure or side, and a parameter out of its range.

    Notes
    -----
    The terms that a group lacks are evidence too; those with the same sum are computed once.

    Examples
    --------
    >>> counts = np.array([[4, 0, 1], [3, 1, 1], [0, 5, 1], [1, 4, 1]])
    >>> labels = ["旅游", "旅游", "财经", "财经"]
    >>> table = keyword_table(counts, ["景点", "股票", "的"], labels, measure="g2", top=2)
    >>> for group, rank, term, count, expected, *_, g2, q in table.itertuples():
    ...     print(group, rank, term, count, round(expected, 2), round(g2, 2))
    旅游 1 股票 1 4.55 -10.32
    旅游 2 景点 7 3.64 9.74
    财经 1 股票 9 5.45 10.32
    财经 2 景点 1 4.36 -9.74
    """
    check_side(side, measure)
    if top is not None:
        top = check_int(top, "top", minimum=1)
    check_dispersion(dispersion)
    names = names if isinstance(names, str) else list(names)
    matrix = _checked_counts(counts, names)
    terms = [str(name) for name in names]
    labels, by_group = _grouped(matrix, groups)
    frequencies = np.bincount(matrix.indices, minlength=matrix.shape[1]).astype(np.int64)
    background = _Background.of(matrix, idf(frequencies, matrix.shape[0]), dispersion)
    alphabet = np.argsort(sorted(range(len(terms)), key=terms.__getitem__))
    parts: list[dict[str, NDArray[Any]]] = []
    for place in range(len(labels)):
        found = _Group.of(background, by_group[[place]])
        values = found.scores[measure][found.places]
        order = _strongest(values, found.counts.counts[found.places], alphabet, top, side)
        columns = {"document_frequency": frequencies[order], **found.numbers(order)}
        parts.append({"group": np.full(len(order), place), **columns})
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    texts = {
        "group": TextColumn(columns["group"].astype(np.int32), labels),
        "term": TextColumn(columns["term"].astype(np.int32), terms),
    }
    return Table({name: texts.get(name, columns[name]) for name in _COLUMNS})


_COLUMNS = (
    "group", "rank", "term", "count", "expected", "document_frequency",
    *KEYWORD_MEASURES, "q_value",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Background:
    """All documents together. Terms that are equally frequent are alike where they are missing."""

    sums: NumberArray
    idf: Float64Array
    dispersion: float | None
    distinct_sums: NumberArray
    sum_numbers: Int64Array  # of each term, its place in distinct_sums
    n_terms: Int64Array  # with each of these sums

    @classmethod
    def of(
        cls, matrix: "csr_array", weights: Float64Array, dispersion: float | None
    ) -> "_Background":
        sums = np.asarray(matrix.sum(axis=0))
        distinct, numbers, n_terms = np.unique(sums, return_inverse=True, return_counts=True)
        return cls(sums, weights, dispersion, distinct, numbers, n_terms)


@dataclass(frozen=True, eq=False)
class _Group:
    """One group: first the terms that it holds, then one for all missing terms of the same sum."""

    counts: GroupCounts
    scores: dict[str, Float64Array]
    q_values: Float64Array
    places: Int64Array  # of each term, its place in these

    @classmethod
    def of(cls, background: _Background, row: "csr_array") -> "_Group":
        present, held = row.indices, row.data
        n_distinct = len(background.distinct_sums)
        counts = GroupCounts(
            np.concatenate([held, np.zeros(n_distinct, dtype=held.dtype)]),
            np.concatenate([background.sums[present], background.distinct_sums]),
            held.sum().item(),
            background.sums.sum().item(),
            np.concatenate([background.idf[present], np.zeros(n_distinct)]),
            background.dispersion,
        )
        scores = {name: each.function(counts) for name, each in KEYWORD_MEASURES.items()}
        places = len(present) + background.sum_numbers
        places[present] = np.arange(len(present))
        here = np.bincount(background.sum_numbers[present], minlength=n_distinct)
        times = np.concatenate([np.ones(len(present), np.int64), background.n_terms - here])
        q = q_values(two_sided_p_values(scores["surprisal"]), times)
        return cls(counts, scores, q, places)

    def numbers(self, columns: Int64Array) -> dict[str, NDArray[Any]]:
        """Return columns of the table for the chosen terms."""
        places = self.places[columns]
        return {
            "rank": np.arange(1, len(columns) + 1, dtype=np.int64),
            "term": columns,
            "count": self.counts.counts[places],
            "expected": self.counts.expected[places],
            **{name: values[places] for name, values in self.scores.items()},
            "q_value": self.q_values[places],
        }


def check_side(side: str, measure: str) -> None:
    """Check that there is such a side, and that the measure knows of it.

    Raises
    ------
    InvalidParameterError
        For an unknown side or measure, and for ``"under"`` with a measure that is never below 0.
    """
    chosen = lookup(KEYWORD_MEASURES, measure, "measure")
    lookup(_SIDES, side, "side")
    if side == "under" and not chosen.signed:
        signed = " or ".join(repr(name) for name, row in KEYWORD_MEASURES.items() if row.signed)
        raise InvalidParameterError(
            f"side='under' needs a measure of terms that are too rare: {signed}. Got {measure!r}."
        )


def _checked_counts(counts: Any, names: Sequence[str]) -> "csr_array":
    from scipy.sparse import csr_array

    try:
        matrix = csr_array(counts)
    except (TypeError, ValueError) as error:
        raise InvalidInputError(
            f"counts must be a sparse or dense matrix of numbers. Got a {type(counts).__name__} "
            f"of which none can be made: {error}."
        ) from error
    if matrix.dtype.kind not in "biuf":
        raise InvalidInputError(f"counts must be a matrix of numbers. Got {matrix.dtype}.")
    integers = matrix.dtype.kind in "biu"
    matrix = matrix.astype(np.int64 if integers else np.float64)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise InvalidInputError(
            f"counts must be a matrix of documents and terms, at least one each. Got the shape "
            f"{matrix.shape}."
        )
    if not matrix.nnz:
        raise InvalidInputError("counts must hold at least one count above 0. Got zeros only.")
    if not np.all((matrix.data > 0) & np.isfinite(matrix.data)):
        raise InvalidInputError(
            f"counts must be at least 0 and finite. Got {matrix.data.min()} to {matrix.data.max()}."
        )
    if isinstance(names, str) or len(names) != matrix.shape[1]:
        raise InvalidInputError(
            f"names must hold one term for each of the {matrix.shape[1]} columns of counts. Got "
            f"{len(names)}."
        )
    return matrix


def _grouped(matrix: "csr_array", groups: Sequence[Any] | None) -> tuple[list[str], "csr_array"]:
    """Return the names of the groups, and the sum of the rows of each."""
    from scipy.sparse import csr_array

    n_documents = matrix.shape[0]
    if groups is None:
        return [str(row) for row in range(n_documents)], matrix
    if isinstance(groups, str) or len(groups) != n_documents:
        raise InvalidInputError(
            f"groups must hold one label for each of the {n_documents} rows of counts. Got "
            f"{len(groups)}."
        )
    is_text: dict[str, bool] = {}
    for row, label in enumerate(groups):
        if not isinstance(label, str | int | np.integer):
            raise InvalidInputError(
                f"groups must hold texts or integers. Got {label!r} in row {row}."
            )
        if is_text.setdefault(str(label), isinstance(label, str)) != isinstance(label, str):
            raise InvalidInputError(
                f"groups must not hold {str(label)!r} both as a text and as a number. Got "
                f"{label!r} in row {row}: make all of them texts, or give the two different names."
            )
    texts = [str(label) for label in groups]
    labels = sorted(is_text)
    places = {label: place for place, label in enumerate(labels)}
    cells = (np.ones(n_documents, dtype=np.int64),
             ([places[text] for text in texts], np.arange(n_documents)))  # fmt: skip
    return labels, csr_array(cells, shape=(len(labels), n_documents)) @ matrix


def _strongest(
    scores: Float64Array, counts: NumberArray, alphabet: Int64Array, top: int | None, side: str
) -> Int64Array:
    """Return the columns of the strongest terms, in order."""
    columns = np.flatnonzero(_SIDES[side](scores))
    size = np.abs(scores)
    if top is not None and top < len(columns):  # ties with the last one stay, to be put in order
        columns = columns[size[columns] >= np.partition(size[columns], -top)[-top]]
    order = np.lexsort((alphabet[columns], -counts[columns], -size[columns]))
    return np.asarray(columns[order][:top], dtype=np.int64)
