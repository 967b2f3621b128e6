"""What tuning is worth: the accuracy to be expected of fewer trials."""

from collections.abc import Sequence

from nlpfeat.compare.findings import Findings, TuningPoint
from nlpfeat.rendering import Cell, Column, DataTable, Figure, Section
from nlpfeat.rendering.blocks import Chart
from nlpfeat.rendering.charts import Row, chart_data
from nlpfeat.rendering.numbers import NONE, percent

_MOST_COLORS = 10


def tuning(findings: Findings) -> Section | None:
    """Return the expected best accuracy on the dev part over the number of trials."""
    points = findings.tuning
    if not any(each.n_trials > 1 for each in points):
        return None
    families = {each.name: each.family for each in findings.models}
    figure = Figure(
        "tuning",
        "Expected best accuracy on the dev part over the number of trials, %",
        "Each line is a model. A point is the accuracy on the dev part that the best of so many of "
        "the settings that were tried is expected to have (Dodge et al. 2019, Tang et al. 2020). "
        "The default setting is always the first one, the others are drawn; one that failed counts "
        "as never right. A line that still rises at its end is of a model that more trials may "
        "improve.",
        lambda: _chart(points, families),
        _table(points),
        min_width=400,
    )
    return Section("tuning", "What tuning is worth", [figure])


def _chart(points: Sequence[TuningPoint], families: dict[str, str]) -> Chart:
    import altair

    rows: list[Row] = [
        {
            "model": each.model,
            "family": families.get(each.model, ""),
            "trials": each.n_trials,
            "accuracy": 100 * each.accuracy,
        }
        for each in points
    ]
    field = "model" if len({each.model for each in points}) <= _MOST_COLORS else "family"
    domain = altair.Scale(domain=list(dict.fromkeys(str(row[field]) for row in rows)))
    trials = sorted({each.n_trials for each in points})
    base = altair.Chart(chart_data(rows)).encode(
        x=altair.X(
            "trials:Q", title="Trials", scale=altair.Scale(nice=False, padding=12),
            axis=altair.Axis(values=trials, grid=False, format="d"),
        ),
        y=altair.Y("accuracy:Q", title="Accuracy, %", scale=altair.Scale(zero=False)),
        color=altair.Color(f"{field}:N", title=None, scale=domain),
        detail="model:N",
        tooltip=[
            altair.Tooltip("model:N"), altair.Tooltip("trials:Q", format="d"),
            altair.Tooltip("accuracy:Q", title="accuracy, %", format=".1f"),
        ],
    )  # fmt: skip
    return altair.layer(
        base.mark_line(strokeWidth=2),
        base.mark_point(filled=True, size=40, opacity=1).encode(
            shape=altair.Shape(f"{field}:N", title=None, scale=domain)
        ),
    ).properties(width="container", height=260)


def _table(points: Sequence[TuningPoint]) -> DataTable:
    models = list(dict.fromkeys(each.model for each in points))
    trials = sorted({each.n_trials for each in points})
    found = {(each.model, each.n_trials): each.accuracy for each in points}
    return DataTable(
        "Expected best accuracy on the dev part, %",
        [Column("Model", "head"), *(Column(_of(number), "number") for number in trials)],
        [[Cell(model), *(_cell(found.get((model, number))) for number in trials)]
         for model in models],
        "Mean over runs; the last number of a row is that of the settings that were chosen.",
    )  # fmt: skip


def _of(n_trials: int) -> str:
    return "1 trial" if n_trials == 1 else f"{n_trials} trials"


def _cell(accuracy: float | None) -> Cell:
    return Cell(NONE) if accuracy is None else Cell(percent(accuracy), accuracy)
