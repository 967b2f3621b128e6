"""The page of ``nlpfeat topics``: each topic with its words, its share and its coherence."""

from collections.abc import Mapping, Sequence

from nlpfeat.rendering import (
    Block,
    Cell,
    Column,
    DataTable,
    Facts,
    Figure,
    Page,
    Prose,
    Section,
    TokenStrip,
    TokenStrips,
    render_page,
)
from nlpfeat.rendering.blocks import Chart
from nlpfeat.rendering.charts import chart_data, step_height
from nlpfeat.rendering.numbers import decimal, percent
from nlpfeat.rendering.themes import BLUE

_N_NAMING = 4


def topics_page(
    numbers: Sequence[int],
    terms: Sequence[Sequence[tuple[str, float]]],
    shares: Sequence[float],
    coherences: Sequence[float],
    coherence: str,
    metadata: Mapping[str, str],
) -> str:
    """Return the HTML of topics, in the order in which they are given.

    Parameters
    ----------
    numbers : sequence of int
        The number of each topic in the model.
    terms : sequence of sequences of (str, float)
        Its most probable terms, with their probabilities.
    shares : sequence of float
        Its part of the tokens, of 1.
    coherences : sequence of float
    coherence : str
        Which measure of coherence that is.
    metadata : mapping of str to str
        How the topics were made; n_documents, n_tokens and n_terms among it.
    """
    facts = [(name.removeprefix("n_"), f"{int(metadata[name]):,}")
             for name in ("n_documents", "n_tokens", "n_terms")]  # fmt: skip
    labels = [
        f"{number}  {' '.join(term for term, _ in topic[:_N_NAMING])}"
        for number, topic in zip(numbers, terms)
    ]
    strips = [
        TokenStrip(
            f"Topic {number}",
            [("Share of tokens, %", percent(share)), (coherence, decimal(value))],
            [term for term, _ in topic],
            {"probability": [weight for _, weight in topic]},
        )
        for number, topic, share, value in zip(numbers, terms, shares, coherences)
    ]
    explained = Prose([
        "The most probable words of each topic, the first one the most probable; the stronger the "
        "color and the line below a word, the closer its probability is to the first one's."
    ])  # fmt: skip
    figure = Figure(
        "shares",
        "Share of the tokens, %",
        "A bar is a topic: its number and its first words, and which part of all tokens it has.",
        lambda: _chart(labels, shares),
        _table(labels, shares, coherences, coherence),
        min_width=480,
    )
    made: list[Block] = [Facts(list(metadata.items()), is_code=True)]
    return render_page(
        Page(
            metadata["corpus"],
            kicker="Topics",
            lead=[Facts([*facts, ("topics", f"{len(numbers):,}")], is_prominent=True)],
            sections=[
                Section("shares", "How large they are", [figure]),
                Section("topics", "What they are about", [explained, TokenStrips(strips)]),
                Section("provenance", "How it was made", made),
            ],
            footer=f"Made with {metadata['made_with']}. One file, which needs no network.",
        )
    )


def _chart(labels: Sequence[str], shares: Sequence[float]) -> Chart:
    import altair

    data = chart_data([
        {"topic": label, "share": 100 * share} for label, share in zip(labels, shares)
    ])  # fmt: skip
    axis = altair.Axis(labelLimit=260, ticks=False, domain=False)
    chart: altair.Chart = (
        altair.Chart(data)
        .mark_bar(color=BLUE, cornerRadiusEnd=3)
        .encode(
            x=altair.X("share:Q", title="Share of the tokens, %", axis=altair.Axis(tickCount=8)),
            y=altair.Y("topic:N", title=None, axis=axis, scale=altair.Scale(domain=list(labels))),
            tooltip=[altair.Tooltip("topic:N"), altair.Tooltip("share:Q", format=".2f")],
        )
        .properties(width="container", height=step_height(len(labels), 24))
    )
    return chart


def _table(
    labels: Sequence[str], shares: Sequence[float], coherences: Sequence[float], coherence: str
) -> DataTable:
    columns = [Column("Topic", "head"), Column("Share of tokens, %", "number"),
               Column(coherence, "number")]  # fmt: skip
    rows = [
        [Cell(label), Cell(percent(share, 2), share), Cell(decimal(value), value)]
        for label, share, value in zip(labels, shares, coherences)
    ]
    return DataTable("Topics, the largest first", columns, rows)
