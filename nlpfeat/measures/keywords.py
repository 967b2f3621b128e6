"""Keywords: the terms that tell each document, or each label, from the others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nlpfeat._names import lookup
from nlpfeat._typing import BoolArray, Float64Array, Int64Array, NumberArray
from nlpfeat._validation import check_int
from nlpfeat.counts.pair_cells import PairCells
from nlpfeat.errors import InvalidParameterError
from nlpfeat.io.tables import Table, TextColumn
from nlpfeat.measures.grouped_counts import checked_counts, grouped
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
    The terms that a group lacks are evidence too. Those with the same sum are computed once, and
    told one by one only where they are among the strongest, so a group costs as much as the terms
    that it holds and, where missing terms are ranked, the different sums.

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
    matrix = checked_counts(counts, names)
    terms = [str(name) for name in names]
    labels, by_group = grouped(matrix, groups)
    frequencies = np.bincount(matrix.indices, minlength=matrix.shape[1]).astype(np.int64)
    alphabet = np.argsort(sorted(range(len(terms)), key=terms.__getitem__))
    background = _Background.of(matrix, idf(frequencies, matrix.shape[0]), dispersion, alphabet)
    ranks_missing = KEYWORD_MEASURES[measure].signed and side != "over"
    parts: list[dict[str, NDArray[Any]]] = []
    for place, (start, stop) in enumerate(pairwise(by_group.indptr.tolist())):
        row = by_group.indices[start:stop], by_group.data[start:stop]
        found = _Group.of(background, *row, every_sum=ranks_missing)
        entries, columns = found.strongest(measure, side, top)
        parts.append({
            "group": np.full(len(columns), place),
            "document_frequency": frequencies[columns],
            **found.numbers(entries, columns),
        })  # fmt: skip
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    texts = {
        "group": TextColumn(joined["group"].astype(np.int32), labels),
        "term": TextColumn(joined["term"].astype(np.int32), terms),
    }
    return Table({name: texts.get(name, joined[name]) for name in _COLUMNS})


_COLUMNS = (
    "group", "rank", "term", "count", "expected", "document_frequency",
    *KEYWORD_MEASURES, "q_value",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Background:
    """All documents together. Terms that are equally frequent are alike where they are missing."""

    sums: NumberArray
    total: float
    idf: Float64Array
    dispersion: float | None
    alphabet: Int64Array  # of each term, its place in code-point order
    distinct_sums: NumberArray
    sum_numbers: Int64Array  # of each term, its place in distinct_sums
    n_terms: Int64Array  # with each of these sums
    by_sum: Int64Array  # the terms in the order of their sums, and then of code points

    @classmethod
    def of(
        cls,
        matrix: "csr_array",
        weights: Float64Array,
        dispersion: float | None,
        alphabet: Int64Array,
    ) -> "_Background":
        sums = np.asarray(matrix.sum(axis=0))
        distinct, numbers, n_terms = np.unique(sums, return_inverse=True, return_counts=True)
        by_sum = np.lexsort((alphabet, numbers))
        total = sums.sum().item()
        return cls(sums, total, weights, dispersion, alphabet, distinct, numbers, n_terms, by_sum)

    def first_surprising(self, n_tokens: float) -> int:
        """Return a place in ``distinct_sums``: a missing term before it has a p value of 1.

        Where p is at most 1/2 and n p at most 0.4, (1 - p)^n is above 4^(-n p), so the term is
        missing more often than not. With dispersion it is still more often.
        """
        return int(np.searchsorted(self.distinct_sums, self.total * 0.4 / max(n_tokens, 0.8)))

    def with_sums(self, numbers: Int64Array, most: Int64Array) -> Int64Array:
        """Return of each of these places in ``distinct_sums`` the first ``most`` terms."""
        starts = (np.cumsum(self.n_terms) - self.n_terms)[numbers]
        offsets = np.arange(most.sum()) - np.repeat(np.cumsum(most) - most, most)
        terms: Int64Array = self.by_sum[np.repeat(starts, most) + offsets]
        return terms


@dataclass(frozen=True, eq=False)
class _Group:
    """One group: entries of the terms that it holds, then one for missing terms of the same sum."""

    background: _Background
    present: NDArray[np.integer]
    first: int  # the place in distinct_sums from which on missing terms have an entry
    counts: GroupCounts
    scores: dict[str, Float64Array]
    times: Int64Array  # how many terms each entry stands for
    q_values: Float64Array

    @classmethod
    def of(
        cls,
        background: _Background,
        present: NDArray[np.integer],
        held: NumberArray,
        *,
        every_sum: bool,
    ) -> "_Group":
        n_tokens = held.sum().item()
        first = 0 if every_sum else background.first_surprising(n_tokens)
        missing = background.distinct_sums[first:]
        counts = GroupCounts(
            np.concatenate([held, np.zeros(len(missing), dtype=held.dtype)]),
            np.concatenate([background.sums[present], missing]),
            n_tokens,
            background.total,
            np.concatenate([background.idf[present], np.zeros(len(missing))]),
            background.dispersion,
        )
        scores = {name: each.function(counts) for name, each in KEYWORD_MEASURES.items()}
        numbers = background.sum_numbers[present]
        here = np.bincount(numbers[numbers >= first] - first, minlength=len(missing))
        n_missing = background.n_terms[first:] - here
        times = np.concatenate([np.ones(len(present), dtype=np.int64), n_missing])
        # All other terms are missing, with a p value of 1.
        n_others = len(background.sums) - times.sum()
        p_values = np.append(two_sided_p_values(scores["surprisal"]), 1.0)
        q = q_values(p_values, np.append(times, n_others))
        return cls(background, present, first, counts, scores, times, q)

    def strongest(
        self, measure: str, side: str, top: int | None
    ) -> tuple[Int64Array, NDArray[np.integer]]:
        """Return the entries of the strongest terms, and the terms, in order."""
        values = self.scores[measure]
        size = np.abs(values)
        entries = np.flatnonzero(_SIDES[side](values) & (self.times > 0))
        if top is not None:  # ties with the last one stay, to be put in order
            descending = entries[np.argsort(-size[entries])]
            n_before = np.cumsum(self.times[descending]) - self.times[descending]
            above = size[descending[n_before < top]]
            entries = entries[size[entries] >= above.min(initial=np.inf)]
        entries, columns = self._terms_of(entries, top)
        alphabet = self.background.alphabet[columns]
        order = np.lexsort((alphabet, -self.counts.counts[entries], -size[entries]))[:top]
        return entries[order], columns[order]

    def _terms_of(
        self, entries: Int64Array, top: int | None
    ) -> tuple[Int64Array, NDArray[np.integer]]:
        """Return an entry for each term that could be among the strongest, and the term."""
        is_held = entries < len(self.present)
        held, missing = entries[is_held], entries[~is_held]
        if not len(missing):
            return held, self.present[held]
        numbers = missing - len(self.present) + self.first
        most = self.background.n_terms[numbers]
        if top is not None:  # and as many more as are not missing
            most = np.minimum(most, top + most - self.times[missing])
        columns = self.background.with_sums(numbers, most)
        is_missing = np.isin(columns, self.present, invert=True)
        return (
            np.concatenate([held, np.repeat(missing, most)[is_missing]]),
            np.concatenate([self.present[held], columns[is_missing]]),
        )

    def numbers(self, entries: Int64Array, columns: NDArray[np.integer]) -> dict[str, NDArray[Any]]:
        """Return columns of the table for the chosen terms."""
        return {
            "rank": np.arange(1, len(columns) + 1, dtype=np.int64),
            "term": columns,
            "count": self.counts.counts[entries],
            "expected": self.counts.expected[entries],
            **{name: values[entries] for name, values in self.scores.items()},
            "q_value": self.q_values[entries],
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
