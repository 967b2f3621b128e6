"""Models minus a reference: the forest plot, and the tests beside it."""

from collections.abc import Sequence
from functools import partial

from nlpfeat.compare.findings import Difference, Findings
from nlpfeat.compare.rendering.titles import title_of
from nlpfeat.rendering import Cell, Column, DataTable, Figure, Prose, Section
from nlpfeat.rendering.blocks import Chart
from nlpfeat.rendering.charts import chart_data, step_height
from nlpfeat.rendering.numbers import decimal, interval, p_value, percent
from nlpfeat.rendering.themes import BLUE, GREY, ORANGE

_TONES = {"better": "better", "worse": "worse", "equivalent": "equal", "undecided": "open"}
_COLORS = {"better": BLUE, "worse": ORANGE, "equivalent": GREY, "undecided": GREY}
_SHAPES = {
    "better": "triangle-up", "worse": "triangle-down", "equivalent": "square",
    "undecided": "circle",
}  # fmt: skip


def differences(findings: Findings) -> Section | None:
    """Return a forest plot and a table for each metric of the differences."""
    if not findings.differences:
        return None
    blocks: list[Prose | Figure | DataTable] = [Prose([_resolution(findings)])]
    for number, metric in enumerate(dict.fromkeys(each.metric for each in findings.differences)):
        rows = [each for each in findings.differences if each.metric == metric]
        # The region is one in accuracy; of no width it is not drawn.
        equivalence = (findings.resolution.equivalence or None) if metric == "accuracy" else None
        blocks += [_figure(number, metric, rows, equivalence), _table(metric, rows)]
    return Section("differences", "Differences", blocks)


def _resolution(findings: Findings) -> str:
    found = findings.resolution
    return (
        f"What these {found.n_documents:,} test documents can resolve: a difference in accuracy "
        f"below about {decimal(100 * found.paired, 1)} percentage points between two models on "
        f"the same documents cannot be told from chance (95 %; the median pair disagrees on "
        f"{percent(found.disagreement)} % of them); no winner is named below that. The accuracy of "
        f"one model alone, near {percent(found.accuracy)} %, is known to about "
        f"±{decimal(100 * found.unpaired, 1)} points. A difference in accuracy within "
        f"±{decimal(100 * found.equivalence, 1)} points counts as none that matters: the region of "
        "practical equivalence."
    )


def _label(difference: Difference, has_one_reference: bool) -> str:
    if has_one_reference:
        return difference.model
    return f"{difference.model} − {difference.reference}"


def _figure(
    number: int, metric: str, rows: Sequence[Difference], equivalence: float | None
) -> Figure:
    title = title_of(metric)
    references = list(dict.fromkeys(each.reference for each in rows))
    against = references[0] if len(references) == 1 else "the reference"
    side = " Below 0 is better." if title.is_lower_better else ""
    band = "" if equivalence is None else (
        f" The grey band, ±{decimal(100 * equivalence, 1)}, is the region of practical equivalence."
    )  # fmt: skip
    return Figure(
        f"differences-{number}",
        f"{title.name}: model minus {against}",
        "Each line is the interval of 95 % of a difference on the same documents; where it crosses "
        f"the line at 0, the documents do not decide.{side}{band}{_twins(rows)}",
        partial(_forest, metric, rows, equivalence),
        min_width=480,
    )


def _twins(rows: Sequence[Difference]) -> str:
    """Say what a point at 0 without a line is."""
    if not any(each.says_the_same for each in rows):
        return ""
    return f" A point at 0 without a line: {_SAME}, so there is nothing to resample."


def _ends(each: Difference) -> str:
    title = title_of(each.metric)
    if each.says_the_same:
        return _SAME
    return interval(title.difference(each.low), title.difference(each.high))


def _forest(metric: str, rows: Sequence[Difference], equivalence: float | None) -> Chart:
    import altair

    title = title_of(metric)
    has_one = len({each.reference for each in rows}) == 1
    labels = list(dict.fromkeys(_label(each, has_one) for each in rows))
    data = chart_data([
        {
            "model": _label(each, has_one),
            "value": title.scale * each.value,
            "low": title.scale * each.low,
            "high": title.scale * each.high,
            "outcome": each.outcome,
            "interval": f"{title.difference(each.value)} {_ends(each)}",
        }
        for each in rows
    ])  # fmt: skip
    outcomes = list(dict.fromkeys(each.outcome for each in rows))
    axis = altair.Axis(tickCount=8)
    y = altair.Y("model:N", title=None, scale=altair.Scale(domain=labels))
    unit = f" ({title.unit_of_difference})" if title.unit_of_difference else ""
    x = altair.X("low:Q", title=f"Difference{unit}", axis=axis)
    colors = altair.Scale(domain=outcomes, range=[_COLORS.get(each, GREY) for each in outcomes])
    shapes = altair.Scale(domain=outcomes, range=[_SHAPES.get(each, "circle") for each in outcomes])
    color = altair.Color("outcome:N", title=None, scale=colors)
    tooltip = [altair.Tooltip("model:N"), altair.Tooltip("interval:N", title="difference"),
               altair.Tooltip("outcome:N")]  # fmt: skip
    base = altair.Chart(data)
    layers: list[altair.Chart] = []
    if equivalence is not None:
        edge = 100 * equivalence
        layers.append(
            altair.Chart(chart_data([{"low": -edge, "high": edge}]))
            .mark_rect(color=GREY, opacity=0.16)
            .encode(x=x, x2="high:Q")
        )
    zero = altair.Chart(chart_data([{"low": 0.0}]))
    layers += [
        zero.mark_rule(color=GREY, strokeWidth=1).encode(x=x),
        base.mark_rule(strokeWidth=2.5).encode(
            y=y, x=x, x2="high:Q", color=color, tooltip=tooltip
        ),
        base.mark_point(filled=True, size=95, opacity=1).encode(
            y=y, x="value:Q", color=color, tooltip=tooltip,
            shape=altair.Shape("outcome:N", title=None, scale=shapes),
        ),
    ]  # fmt: skip
    return altair.layer(*layers).properties(width="container", height=step_height(len(labels)))


def _table(metric: str, rows: Sequence[Difference]) -> DataTable:
    title = title_of(metric)
    unit = f", {title.unit_of_difference}" if title.unit_of_difference else ""
    has_posterior = any(each.p_better is not None for each in rows)
    has_needs = any(each.documents_needed is not None for each in rows)
    told = _BOOTSTRAP if any(each.test == "bootstrap" for each in rows) else ""
    columns = [
        Column("Model", "head"), Column("Reference"), Column(f"Difference{unit}", "number"),
        Column("Outcome"), Column("Test"), Column("p", "number"),
        Column("p, Holm", "number", "corrected for all differences of this table"),
    ]  # fmt: skip
    if has_posterior:
        columns += [Column(f"P({name}), %", "number", _POSTERIOR)
                    for name in ("worse", "equivalent", "better")]  # fmt: skip
    if has_needs:
        columns.append(Column("Documents needed", "number", _NEEDS))
    return DataTable(
        f"{title.name}: tests",
        columns,
        [_row(each, has_posterior, has_needs) for each in rows],
        "Below each difference its interval of 95 %. p is corrected by Holm's method over all "
        f"differences of this table.{told}",
    )


_POSTERIOR = "probability by the Bayesian correlated t-test with a region of practical equivalence"
_BOOTSTRAP = (
    " bootstrap: p is twice the smaller share of resampled documents and runs on one side of 0."
)
_SAME = "both models gave the same predictions on every document"
_NEEDS = "about how many test documents a difference of this size takes"


def _row(each: Difference, has_posterior: bool, has_needs: bool) -> list[Cell]:
    row = [
        Cell(each.model),
        Cell(each.reference),
        Cell(title_of(each.metric).difference(each.value), each.value, _ends(each)),
        Cell(each.outcome, tone=_TONES.get(each.outcome, "open")),
        Cell(each.test),
        Cell(p_value(each.p_value), each.p_value),
        Cell(p_value(each.p_holm), each.p_holm),
    ]
    if has_posterior:
        row += [Cell(percent(value), value)
                for value in (each.p_worse, each.p_equivalent, each.p_better)]  # fmt: skip
    if has_needs:
        needed = each.documents_needed
        row.append(Cell("" if needed is None else f"{needed:,}", needed))
    return row
