"""The table of word associations: pairs, counts and measures, in order."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from nlpfeat._names import closest, lookup
from nlpfeat._typing import BoolArray, Float64Array, Int64Array, NumberArray
from nlpfeat._validation import check_int
from nlpfeat.errors import InvalidParameterError
from nlpfeat.io.tables import Table, TextColumn
from nlpfeat.measures import MEASURES
from nlpfeat.measures.association import check_score, score

if TYPE_CHECKING:
    from nlpfeat.counts.cooccurrence import CooccurrenceCounts
    from nlpfeat.text.vocabulary import Vocabulary

_FILTERED_OPTIONS = ("base", "shift", "signed")


def association_table(
    counts: "CooccurrenceCounts",
    measures: Sequence[str] = ("pmi",),
    *,
    base: float = 2.0,
    shift: float = 1.0,
    smoothing: float = 1.0,
    signed: bool = False,
    words: Collection[str] = (),
    top: int | None = None,
) -> Table:
    """Return the counted pairs with their counts and measures, the strongest first.

    Parameters
    ----------
    counts : CooccurrenceCounts
    measures : sequence of str, default ("pmi",)
        Names in :data:`nlpfeat.measures.MEASURES`, a column each. Rows are in descending order of
        the first, then of ``n_xy``, then in code-point order of x and y.
    base, shift, signed :
        Options of the measures that have them.
    smoothing : float, default 1.0
        For ``pmi`` and ``ppmi``; together with any other measure it is an error.
    words : collection of str, default ()
        Only pairs with at least one of these terms.
    top : int, default None
        Only so many rows.

    Returns
    -------
    Table
        Columns x, y, n_xy, n_x, n_y and the measures. Pairs for which the first measure is not
        defined are left out; another measure is NaN there.

    Raises
    ------
    InvalidParameterError
        For an unknown measure or word, or an option that none of the measures has.

    Examples
    --------
    >>> from nlpfeat.counts.counting import count_cooccurrences
    >>> counts = count_cooccurrences([["茶", "叶", "茶", "水"]], window=1, direction="right")
    >>> table = association_table(counts, ["pmi", "dice"])
    >>> {name: column.tolist() for name, column in list(table.columns.items())[2:]}
    {'n_xy': [1, 1, 1], 'n_x': [1, 2, 2], 'n_y': [1, 1, 1], 'pmi': [1.584962500721156, \
0.5849625007211562, 0.5849625007211562], 'dice': [1.0, 0.6666666666666666, 0.6666666666666666]}
    """
    if isinstance(measures, str) or not measures:
        raise InvalidParameterError(
            f"measures must be a list of one or more names. Got {measures!r}."
        )
    options = {"base": base, "shift": shift, "smoothing": smoothing, "signed": signed}
    x, y, cells = counts.pair_cells()
    check_options(measures, contingency=cells.contingency, **options)
    columns: dict[str, Float64Array] = {}
    for name in measures:
        columns[name] = score(cells, name, **_usable(name, options))  # type: ignore[arg-type]
    first = columns[measures[0]]
    rows = np.flatnonzero(~np.isnan(first) & _holding(counts.vocabulary, words, x, y))
    rows = rows[_order(first[rows], cells.n_xy[rows])]
    if top is not None:
        rows = rows[: check_int(top, "top", minimum=1)]
    terms = counts.vocabulary.terms
    return Table(
        {
            "x": TextColumn(x[rows].astype(np.int32), terms),
            "y": TextColumn(y[rows].astype(np.int32), terms),
            "n_xy": cells.n_xy[rows],
            "n_x": cells.n_x[rows],
            "n_y": cells.n_y[rows],
            **{name: column[rows] for name, column in columns.items()},
        }
    )


def check_options(measures: Sequence[str], *, contingency: bool = True, **options: float) -> None:
    """Raise for what `association_table` would refuse, before there are counts.

    Parameters
    ----------
    measures : sequence of str
    contingency : bool, default True
        Whether the counts give each pair a 2x2 table, as all but Text GCN's do.
    **options : base, shift, smoothing and signed, as in `association_table`

    Raises
    ------
    InvalidParameterError
        When a measure is unknown or does not go with the counts, and when an option is out of
        its range or has no taker.
    """
    chosen = [lookup(MEASURES, name, "measure") for name in measures]
    for option in _FILTERED_OPTIONS:
        changed = options[option] != (2.0 if option == "base" else 1.0 if option == "shift" else 0)
        if changed and not any(option in measure.options for measure in chosen):
            takers = ", ".join(name for name, row in MEASURES.items() if option in row.options)
            raise InvalidParameterError(
                f"{option} is an option of {takers}. Got {option}={options[option]!r} with "
                f"{', '.join(measures)}."
            )
    for name in measures:
        usable = _usable(name, options)
        check_score(name, contingency=contingency, **usable)  # type: ignore[arg-type]


def _usable(name: str, options: dict[str, float]) -> dict[str, float]:
    """Return the options that the measure has, and those that no measure may be without."""
    taken = MEASURES[name].options
    return {key: value for key, value in options.items()
            if key in taken or key not in _FILTERED_OPTIONS}  # fmt: skip


def _holding(
    vocabulary: "Vocabulary", words: Collection[str], x: Int64Array, y: Int64Array
) -> BoolArray:
    if isinstance(words, str):
        raise InvalidParameterError(
            f"words must be a list of terms. Got {words!r}: use [{words!r}]."
        )
    if not words:
        return np.ones(len(x), dtype=np.bool_)
    ids = vocabulary.ids
    for word in words:
        if word not in ids:
            raise InvalidParameterError(f"{word!r} is no term of the text.{closest(word, ids)}")
    wanted = np.array([ids[word] for word in words])
    return np.isin(x, wanted) | np.isin(y, wanted)


def _order(scores: Float64Array, n_xy: NumberArray) -> Int64Array:
    # Rows come in code-point order of x and y, and the sort keeps that order among equals.
    return np.lexsort((-n_xy, -scores))
