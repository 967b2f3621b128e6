"""Reliability: how far the confidence of a model is its accuracy."""

from functools import partial

from nlpfeat.compare.findings import Calibration, Findings
from nlpfeat.rendering import Cell, Column, DataTable, Figure, FigureGrid, Folded, Prose, Section
from nlpfeat.rendering.blocks import Chart
from nlpfeat.rendering.charts import chart_data
from nlpfeat.rendering.numbers import decimal, percent, span
from nlpfeat.rendering.themes import BLUE, GREY, ORANGE

_WORDS = ("before scaling", "after scaling")


def calibration(findings: Findings) -> Section | None:
    """Return a small reliability chart for each model, and the bins of all."""
    if not findings.calibration:
        return None
    figures = [
        Figure(
            f"calibration-{number}",
            each.model,
            f"Temperature {decimal(each.temperature, 2)}.",
            partial(_chart, each),
            min_width=200,
        )
        for number, each in enumerate(findings.calibration)
    ]
    explained = Prose([
        "Documents are put into bins by the probability of the predicted class; a point is the "
        "mean confidence and the accuracy of a bin, larger where the bin holds more documents: "
        "orange with a dashed line before temperature scaling, blue with a solid line after it. On "
        "the diagonal a model is as often right as it says; below it, it is too sure. A "
        "temperature above 1 makes it less sure, below 1 surer; it is learned on the dev part."
    ])  # fmt: skip
    return Section(
        "calibration",
        "Calibration",
        [explained, FigureGrid(figures), Folded("Numbers of these charts", [_table(findings)])],
    )


def _chart(found: Calibration) -> Chart:
    import altair

    data = chart_data([
        {
            "confidence": 100 * each.confidence,
            "accuracy": 100 * each.accuracy,
            "documents": each.n_documents,
            "when": when,
            "bin": span(percent(each.low, 0), percent(each.high, 0)),
        }
        for when, bins in zip(_WORDS, (found.before, found.after))
        for each in bins
        if each.n_documents
    ])  # fmt: skip
    scale = altair.Scale(domain=[0, 100])
    x = altair.X("confidence:Q", title="Confidence, %", scale=scale,
                 axis=altair.Axis(tickCount=4))  # fmt: skip
    y = altair.Y("accuracy:Q", title="Accuracy, %", scale=scale, axis=altair.Axis(tickCount=4))
    colors = altair.Scale(domain=list(_WORDS), range=[ORANGE, BLUE])
    color = altair.Color("when:N", legend=None, scale=colors)
    diagonal = altair.Chart(
        chart_data([{"confidence": end, "accuracy": end} for end in (0, 100)])
    ).mark_line(color=GREY, strokeWidth=1)
    base = altair.Chart(data).encode(x=x, y=y, color=color)
    dashes = altair.Scale(domain=list(_WORDS), range=[[4, 3], [1, 0]])
    return altair.layer(
        diagonal.encode(x=x, y=y),
        base.mark_line(strokeWidth=1.75).encode(
            strokeDash=altair.StrokeDash("when:N", legend=None, scale=dashes)
        ),
        base.mark_point(filled=True, opacity=0.9).encode(
            size=altair.Size("documents:Q", legend=None, scale=altair.Scale(range=[18, 150])),
            tooltip=[
                altair.Tooltip("when:N"), altair.Tooltip("bin:N", title="bin, %"),
                altair.Tooltip("confidence:Q", format=".1f"),
                altair.Tooltip("accuracy:Q", format=".1f"),
                altair.Tooltip("documents:Q", format=","),
            ],
        ),
    ).properties(width="container", height=190)  # fmt: skip


def _table(findings: Findings) -> DataTable:
    rows = [
        [
            Cell(found.model),
            Cell(when),
            Cell(span(percent(each.low, 0), percent(each.high, 0)), each.low),
            Cell(f"{each.n_documents:,}", each.n_documents),
            Cell(percent(each.confidence), each.confidence) if each.n_documents else Cell(""),
            Cell(percent(each.accuracy), each.accuracy) if each.n_documents else Cell(""),
        ]
        for found in findings.calibration
        for when, bins in zip(_WORDS, (found.before, found.after))
        for each in bins
    ]
    columns = [
        Column("Model", "head"), Column("When"), Column("Bin, %", "number"),
        Column("Documents", "number"), Column("Confidence, %", "number"),
        Column("Accuracy, %", "number"),
    ]  # fmt: skip
    return DataTable("Reliability, bin by bin", columns, rows)
