"""Which feature sees what: accuracy on controlled corpora."""

from collections.abc import Mapping, Sequence

from nlpfeat.compare.findings import Findings, PhenomenonScore
from nlpfeat.datasets.phenomena import PHENOMENA
from nlpfeat.rendering import Cell, Column, DataTable, Figure, Section
from nlpfeat.rendering.blocks import Chart
from nlpfeat.rendering.charts import chart_data
from nlpfeat.rendering.numbers import NONE, interval, percent
from nlpfeat.rendering.themes import HEAT_EDGES, is_strong

_CELL_WIDTH, _CELL_HEIGHT, _LABEL_WIDTH = 46, 30, 200
_GAP = "\u200b"  # repeated, the name of the empty column between two families


def phenomena(findings: Findings) -> Section | None:
    """Return the heat map phenomena × models, with its numbers.

    Rows are in the order of ``PHENOMENA``, columns stand together by family.
    """
    if not findings.phenomena:
        return None
    families = {each.name: each.family for each in findings.models}
    scores = _by_phenomenon(findings.phenomena)
    models = _models(scores, families)
    figure = Figure(
        "phenomena",
        "Accuracy on controlled corpora, %",
        "A row is a corpus that isolates one thing, a column a model; families of models stand "
        "apart. Darker is more accurate (in the dark theme, brighter). What the features of a "
        "model can reach at best is shown when the pointer rests on a cell, and in the table.",
        lambda: heat_map(scores, families),
        _table(scores, models),
        min_width=_LABEL_WIDTH + _CELL_WIDTH * len(models),
    )
    return Section("phenomena", "Which feature sees what", [figure])


def heat_map(scores: Sequence[PhenomenonScore], families: Mapping[str, str]) -> Chart:
    """Return the heat map; each cell holds its number, so color is not needed to read it.

    Parameters
    ----------
    scores : sequence of PhenomenonScore
        In the order of rows.
    families : mapping of str to str
        Of models.
    """
    import altair

    data = chart_data([
        {
            "phenomenon": _row_title(each),
            "model": each.model,
            "family": families.get(each.model, ""),
            "accuracy": each.mean,
            "text": percent(each.mean, 0),
            "bound": _bound(each),
            "interval": interval(percent(each.low), percent(each.high)),
            "is_strong": is_strong(each.mean),
        }
        for each in scores
    ])  # fmt: skip
    titles = list(dict.fromkeys(map(_row_title, scores)))
    models = _models(scores, families)
    domain = altair.Scale(domain=_columns(models, families))
    top = altair.Axis(values=models, orient="top", labelAngle=-40, labelAlign="left", domain=False,
                      ticks=False, labelLimit=150)  # fmt: skip
    left = altair.Axis(domain=False, ticks=False, labelLimit=_LABEL_WIDTH)
    base = altair.Chart(data).encode(
        x=altair.X("model:N", title=None, axis=top, scale=domain),
        y=altair.Y("phenomenon:N", title=None, axis=left, scale=altair.Scale(domain=titles)),
        tooltip=[
            altair.Tooltip("phenomenon:N"), altair.Tooltip("model:N"), altair.Tooltip("family:N"),
            altair.Tooltip("text:N", title="accuracy, %"), altair.Tooltip("interval:N"),
            altair.Tooltip("bound:N", title="at best, %"),
        ],
    )  # fmt: skip
    color = altair.Color(
        "accuracy:Q", legend=None,
        scale=altair.Scale(type="threshold", domain=list(HEAT_EDGES), range="heatmap"),
    )  # fmt: skip
    layers = [base.mark_rect(cornerRadius=3, xOffset=1, x2Offset=-1, yOffset=1, y2Offset=-1).encode(
        color=color
    )]  # fmt: skip
    for strong in (False, True):
        chosen = base.transform_filter(altair.datum.is_strong == strong)
        layers.append(
            chosen.mark_text(style="on-strong" if strong else "on-weak").encode(text="text:N")
        )
    return altair.layer(*layers).properties(
        width="container", height=_CELL_HEIGHT * max(len(titles), 1)
    )


def _models(scores: Sequence[PhenomenonScore], families: Mapping[str, str]) -> list[str]:
    """Return the models by family, families and models in the order in which they are listed."""
    models = _places([*families, *(each.model for each in scores)])
    groups = _places([*families.values(), ""])
    found = {each.model for each in scores}
    return sorted(found, key=lambda name: (groups[families.get(name, "")], models[name]))


def _by_phenomenon(scores: Sequence[PhenomenonScore]) -> list[PhenomenonScore]:
    """Return scores in the order of the catalog; what is not in it comes last, as it came."""
    rows = _places([*PHENOMENA, *(each.phenomenon for each in scores)])
    return sorted(scores, key=lambda each: rows[each.phenomenon])


def _places(names: Sequence[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def _columns(models: Sequence[str], families: Mapping[str, str]) -> list[str]:
    """Return the models, with an empty column between two families."""
    columns: list[str] = []
    family = None
    for model in models:
        if columns and families.get(model) != family:
            columns.append(_GAP * len(columns))
        family = families.get(model)
        columns.append(model)
    return columns


def _row_title(score: PhenomenonScore) -> str:
    """Return the Chinese title and the English name."""
    name = score.phenomenon.replace("_", " ")
    return f"{score.title}  {name}" if score.title else name


def _bound(score: PhenomenonScore) -> str:
    return NONE if score.ceiling is None else percent(score.ceiling, 0)


def _table(scores: Sequence[PhenomenonScore], models: Sequence[str]) -> DataTable:
    found = {(each.phenomenon, each.model): each for each in scores}
    titles = {each.phenomenon: each.title or each.phenomenon for each in scores}
    rows = [
        [Cell(title, detail=name), *(_cell(found.get((name, model))) for model in models)]
        for name, title in titles.items()
    ]
    return DataTable(
        "Accuracy on controlled corpora, %",
        [Column("Phenomenon", "head"), *(Column(model, "number") for model in models)],
        rows,
        "Below each mean its interval of 95 %, and after ≤ the ceiling of the model's features.",
    )


def _cell(score: PhenomenonScore | None) -> Cell:
    if score is None:
        return Cell(NONE)
    details = [interval(percent(score.low), percent(score.high))]
    if score.ceiling is not None:
        details.append(f"≤ {percent(score.ceiling, 0)}")
    return Cell(percent(score.mean), score.mean, "\n".join(details))
