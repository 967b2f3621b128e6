"""Accuracy over the number of training documents, and over seconds."""

from collections.abc import Sequence, Set
from math import inf, sqrt
from typing import TypeAlias

from nlpfeat.compare.findings import CurvePoint, Estimate, Findings
from nlpfeat.rendering import Cell, Column, DataTable, Figure, Section
from nlpfeat.rendering.blocks import Chart
from nlpfeat.rendering.charts import Row, chart_data
from nlpfeat.rendering.numbers import interval, percent, quantity

_MOST_COLORS = 10
_LEAST_SECONDS = 1e-3  # a logarithm has no 0
_SECONDS = "training_seconds"
_MOST_LABELS = 8

Pair: TypeAlias = tuple[Estimate, Estimate]
"""Accuracy and seconds of a model."""


def learning_curve(findings: Findings) -> Section | None:
    """Return accuracy over training documents."""
    points = findings.curve
    if not points:
        return None
    figure = Figure(
        "learning-curve",
        "Accuracy over the number of training documents, %",
        "Each line is a model; the bars are intervals of 95 %. The horizontal axis is logarithmic.",
        lambda: _curve_chart(points, _families(findings)),
        _curve_table(points),
        min_width=420,
    )
    return Section("learning-curve", "Learning curve", [figure])


def accuracy_against_seconds(findings: Findings) -> Section | None:
    """Return accuracy over seconds of training."""
    accuracy = {each.model: each for each in findings.estimates if each.metric == "accuracy"}
    seconds = {each.model: each for each in findings.estimates if each.metric == _SECONDS}
    pairs = [(accuracy[name], seconds[name]) for name in accuracy if name in seconds]
    if not pairs:
        return None
    families = _families(findings)
    labeled = _labeled(pairs, {each.reference for each in findings.differences})
    names = "" if len(labeled) == len(pairs) else (
        " Names stand at models that no faster one reaches, and at those that others are compared "
        "with."
    )  # fmt: skip
    figure = Figure(
        "accuracy-seconds",
        "Accuracy over seconds of training, %",
        "Each point is a model, its bar the interval of 95 %, where it is known; up and to the "
        f"left is better. The horizontal axis is logarithmic.{names}",
        lambda: _seconds_chart(pairs, families, labeled),
        _seconds_table(pairs, families),
        min_width=480,
    )
    return Section("accuracy-seconds", "Accuracy against cost", [figure])


def _families(findings: Findings) -> dict[str, str]:
    return {each.name: each.family for each in findings.models}


def _curve_chart(points: Sequence[CurvePoint], families: dict[str, str]) -> Chart:
    import altair

    rows: list[Row] = [
        {
            "model": each.model,
            "family": families.get(each.model, ""),
            "size": each.size,
            "accuracy": 100 * each.mean,
            "low": 100 * each.low,
            "high": 100 * each.high,
            "text": f"{percent(each.mean)} {_written((each.low, each.high))}",
            "seconds": quantity(each.seconds),
        }
        for each in points
    ]
    models = list(dict.fromkeys(each.model for each in points))
    field = "model" if len(models) <= _MOST_COLORS else "family"
    domain = altair.Scale(domain=list(dict.fromkeys(str(row[field]) for row in rows)))
    sizes = sorted({each.size for each in points})
    base = altair.Chart(chart_data(rows)).encode(
        x=altair.X(
            "size:Q", title="Number of training documents, log scale",
            scale=altair.Scale(type="log", nice=False, padding=12),
            axis=altair.Axis(values=sizes, grid=False, format=","),
        ),
        color=altair.Color(f"{field}:N", title=None, scale=domain),
        detail="model:N",
        tooltip=[
            altair.Tooltip("model:N"), altair.Tooltip("size:Q", format=","),
            altair.Tooltip("text:N", title="accuracy, %"),
            altair.Tooltip("seconds:N", title="training, s"),
        ],
    )  # fmt: skip
    low = altair.Y("low:Q", title="Accuracy, %", scale=altair.Scale(zero=False))
    return altair.layer(
        base.mark_rule(strokeWidth=1, opacity=0.5).encode(y=low, y2="high:Q"),
        base.mark_line(strokeWidth=2).encode(y="accuracy:Q"),
        base.mark_point(filled=True, size=45, opacity=1).encode(
            y="accuracy:Q", shape=altair.Shape(f"{field}:N", title=None, scale=domain)
        ),
    ).properties(width="container", height=360)


def _written(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else interval(*map(percent, ends))


def _curve_table(points: Sequence[CurvePoint]) -> DataTable:
    return DataTable(
        "Accuracy over the number of training documents",
        [
            Column("Model", "head"), Column("Training documents", "number"),
            Column("Accuracy, %", "number"), Column("Runs", "number"),
            Column("Training, s", "number"),
        ],
        [
            [
                Cell(each.model),
                Cell(f"{each.size:,}", each.size),
                Cell(percent(each.mean), each.mean, _written((each.low, each.high))),
                Cell(str(each.n_runs), each.n_runs),
                Cell(quantity(each.seconds), each.seconds),
            ]
            for each in points
        ],
    )  # fmt: skip


def _labeled(pairs: Sequence[Pair], references: Set[str]) -> set[str]:
    """Return which models have their names beside them: all of a few, those that matter of many."""
    if len(pairs) <= _MOST_LABELS:
        return {accuracy.model for accuracy, _ in pairs}
    found = {accuracy.model for accuracy, _ in pairs if accuracy.model in references}
    highest = -inf
    for accuracy, _ in sorted(pairs, key=lambda pair: (pair[1].mean, -pair[0].mean)):
        if accuracy.mean > highest:
            highest = accuracy.mean
            found.add(accuracy.model)
    return found


def _seconds_chart(pairs: Sequence[Pair], families: dict[str, str], labeled: Set[str]) -> Chart:
    import altair

    shown = [max(seconds.mean, _LEAST_SECONDS) for _, seconds in pairs]
    middle = sqrt(max(shown) * min(shown))  # labels of the right half stand on the left
    rows: list[Row] = [
        {
            "model": accuracy.model,
            "family": families.get(accuracy.model, ""),
            "seconds": max(seconds.mean, _LEAST_SECONDS),
            "side": _side(seconds.mean > middle) if accuracy.model in labeled else "",
            "accuracy": 100 * accuracy.mean,
            "low": None if accuracy.low is None else 100 * accuracy.low,
            "high": None if accuracy.high is None else 100 * accuracy.high,
            "shown": quantity(seconds.mean),
            "text": f"{percent(accuracy.mean)} {_written(accuracy.ends)}",
        }
        for accuracy, seconds in pairs
    ]
    base = altair.Chart(chart_data(rows)).encode(
        x=altair.X(
            "seconds:Q", title="Seconds of training, log scale",
            scale=altair.Scale(type="log", nice=False, padding=30),
            axis=altair.Axis(grid=False, tickCount=6),
        ),
        tooltip=[
            altair.Tooltip("model:N"), altair.Tooltip("family:N"),
            altair.Tooltip("text:N", title="accuracy, %"),
            altair.Tooltip("shown:N", title="training, s"),
        ],
    )  # fmt: skip
    domain = altair.Scale(domain=list(dict.fromkeys(str(row["family"]) for row in rows)))
    color = altair.Color("family:N", title=None, scale=domain)
    low = altair.Y("low:Q", title="Accuracy, %", scale=altair.Scale(zero=False))
    labels = base.encode(y="accuracy:Q", text="model:N")
    return altair.layer(
        base.transform_filter(altair.expr.isValid(altair.datum.low))
        .mark_rule(strokeWidth=1.5, opacity=0.5)
        .encode(y=low, y2="high:Q", color=color),
        base.mark_point(filled=True, size=80, opacity=1).encode(
            y="accuracy:Q", color=color, shape=altair.Shape("family:N", title=None, scale=domain)
        ),
        labels.transform_filter(altair.datum.side == _side(False)).mark_text(
            style="label", align="left", dx=9, dy=-7, limit=190
        ),
        labels.transform_filter(altair.datum.side == _side(True)).mark_text(
            style="label", align="right", dx=-9, dy=-7, limit=190
        ),
    ).properties(width="container", height=400)


def _side(is_right: bool) -> str:
    return "left" if is_right else "right"


def _seconds_table(pairs: Sequence[Pair], families: dict[str, str]) -> DataTable:
    return DataTable(
        "Accuracy over seconds of training",
        [
            Column("Model", "head"), Column("Family"), Column("Training, s", "number"),
            Column("Accuracy, %", "number"),
        ],
        [
            [
                Cell(accuracy.model),
                Cell(families.get(accuracy.model, "")),
                Cell(quantity(seconds.mean), seconds.mean),
                Cell(percent(accuracy.mean), accuracy.mean, _written(accuracy.ends)),
            ]
            for accuracy, seconds in sorted(pairs, key=lambda pair: pair[1].mean)
        ],
    )  # fmt: skip
