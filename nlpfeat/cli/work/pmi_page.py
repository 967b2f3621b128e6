"""The page of ``nlpfeat pmi``: a network of the strongest pairs, and the table."""

from collections.abc import Mapping, Sequence
from itertools import islice

from nlpfeat.counts.cooccurrence import CooccurrenceCounts
from nlpfeat.io.tables import Table
from nlpfeat.rendering import (
    Block,
    Cell,
    Column,
    DataTable,
    Facts,
    Figure,
    Page,
    Section,
    render_page,
)
from nlpfeat.rendering.blocks import Chart
from nlpfeat.rendering.charts import chart_data
from nlpfeat.rendering.layout import network_layout
from nlpfeat.rendering.numbers import decimal
from nlpfeat.rendering.themes import BLUE, GREY

#: Rows of the table that a page holds, and pairs of the network; browsers take no million.
MAX_ROWS = 2_000
MAX_PAIRS = 120

_Row = tuple[str | int | float, ...]


def pmi_page(
    counts: CooccurrenceCounts, table: Table, measure: str, metadata: Mapping[str, str]
) -> str:
    """Return the HTML of a table of word associations.

    Parameters
    ----------
    counts : CooccurrenceCounts
    table : Table
        As `association_table` makes it: x, y, n_xy, n_x, n_y, then measures.
    measure : str
        The one that sorts.
    metadata : mapping of str to str
        How the table was made.
    """
    rows = list(islice(table.itertuples(), MAX_ROWS))
    pairs = [row for row in rows if row[0] != row[1]][:MAX_PAIRS]
    facts = Facts(
        [
            ("documents", f"{counts.n_documents:,}"),
            ("tokens", f"{counts.n_tokens:,}"),
            ("terms", f"{len(counts.vocabulary):,}"),
            ("N", f"{counts.total:,}"),
            ("pairs", f"{table.n_rows:,}"),
        ],
        is_prominent=True,
    )
    sections: list[Section] = []
    if pairs:
        frequencies = dict(
            zip(counts.vocabulary.terms, counts.vocabulary.term_frequencies.tolist())
        )
        column = list(table.columns).index(measure)
        sections.append(
            Section("network", "Network", [_figure(pairs, column, measure, frequencies)])
        )
    sections.append(Section("pairs", "Pairs", [_table(table, rows)]))
    made: list[Block] = [Facts(list(metadata.items()), is_code=True)]
    sections.append(Section("provenance", "How it was made", made))
    return render_page(
        Page(
            metadata["corpus"],
            kicker="Words that occur near one another",
            lead=[facts],
            sections=sections,
            footer=f"Made with {metadata['made_with']}. One file, which needs no network.",
        )
    )


def _figure(
    pairs: Sequence[_Row], column: int, measure: str, frequencies: Mapping[str, int]
) -> Figure:
    return Figure(
        "network",
        f"The {len(pairs):,} strongest pairs by {measure}",
        "A line joins two words; it is thicker where the measure is higher. A point is larger "
        "where the word is more frequent. Places mean no more than that. The same pairs begin the "
        "table below.",
        lambda: network(pairs, column, frequencies),
        min_width=760,
    )


def network(pairs: Sequence[_Row], column: int, frequencies: Mapping[str, int]) -> Chart:
    """Return the network of these rows of the table; lines are as thick as a column says."""
    import altair

    words = list(dict.fromkeys(str(word) for row in pairs for word in row[:2]))
    numbers = {word: number for number, word in enumerate(words)}
    ends = [(numbers[str(row[0])], numbers[str(row[1])]) for row in pairs]
    places = network_layout(len(words), ends).tolist()
    edges = chart_data([
        {
            "x": places[x][0], "y": places[x][1], "x2": places[y][0], "y2": places[y][1],
            "pair": f"{words[x]} – {words[y]}", "value": float(row[column]),
            "count": row[2], "shown": decimal(float(row[column])),
        }
        for (x, y), row in zip(ends, pairs)
    ])  # fmt: skip
    nodes = chart_data([
        {"x": x, "y": y, "word": word, "frequency": frequencies.get(word, 0)}
        for (x, y), word in zip(places, words)
    ])  # fmt: skip
    scale = altair.Scale(domain=[-1.08, 1.08])
    x, y = (altair.X("x:Q", axis=None, scale=scale), altair.Y("y:Q", axis=None, scale=scale))
    base = altair.Chart(nodes).encode(
        x=x, y=y, tooltip=[altair.Tooltip("word:N"), altair.Tooltip("frequency:Q", format=",")]
    )
    size = altair.Size("frequency:Q", legend=None, scale=altair.Scale(range=[30, 420]))
    width = altair.StrokeWidth("value:Q", legend=None, scale=altair.Scale(range=[0.75, 4]))
    return altair.layer(
        altair.Chart(edges)
        .mark_rule(color=GREY, opacity=0.45)
        .encode(
            x=x, y=y, x2="x2:Q", y2="y2:Q", strokeWidth=width,
            tooltip=[altair.Tooltip("pair:N"), altair.Tooltip("shown:N", title="measure"),
                     altair.Tooltip("count:Q", title="n_xy", format=",")],
        ),
        base.mark_circle(color=BLUE, opacity=1, style="node").encode(size=size),
        base.mark_text(style="label", dy=-12, limit=140).encode(text="word:N"),
    ).properties(width="container", height=680)  # fmt: skip


def _table(table: Table, rows: Sequence[_Row]) -> DataTable:
    names = list(table.columns)
    columns = [Column(names[0], "head"), Column(names[1], "head")]
    columns += [Column(name, "number") for name in names[2:]]
    note = ""
    if table.n_rows > len(rows):
        note = (
            f"The first {len(rows):,} of {table.n_rows:,} pairs. All of them are in .tsv, .csv, "
            ".jsonl and .parquet, which --output writes as well."
        )
    return DataTable("Pairs of words", columns, [list(map(_cell, row)) for row in rows], note)


def _cell(value: str | int | float) -> Cell:
    if isinstance(value, str):
        return Cell(value)
    if isinstance(value, int):
        return Cell(f"{value:,}", value)
    return Cell(decimal(value), value)
