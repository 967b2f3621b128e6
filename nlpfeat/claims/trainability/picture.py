"""Which recipe trains which row, as a picture."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nlpfeat.claims.trainability.records import Summary
from nlpfeat.claims.trainability.settings import RECIPES
from nlpfeat.rendering.charts import chart_data, step_height

if TYPE_CHECKING:
    import altair

#: Where the ten colors change; the second half of them takes light text.
_EDGES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
_STRONG_FROM = 0.5
_GAP = 0.06  # between cells, of one with its gap


def trained_chart(found: Sequence[Summary]) -> "altair.LayerChart | altair.FacetChart":
    """Return a heat map: a row for each row of the notes, a column for each recipe.

    A cell says how many of its runs trained, and is the darker the more did. What was not run has
    no cell.

    Parameters
    ----------
    found : sequence of Summary
        In the order in which they are shown.
    """
    import altair

    rows = list(dict.fromkeys(_row(each) for each in found))
    run = {each.recipe.name for each in found}
    recipes = [name for name in RECIPES if name in run]
    data = chart_data([
        {
            "row": _row(each),
            "recipe": each.recipe.name,
            "share": len(each.trained) / len(each.outcomes),
            "text": f"{len(each.trained)}/{len(each.outcomes)}",
            "is_strong": len(each.trained) / len(each.outcomes) >= _STRONG_FROM,
        }
        for each in found
    ])  # fmt: skip
    top = altair.Axis(orient="top", labelAngle=-40, labelAlign="left", domain=False, ticks=False,
                      labelLimit=800)  # fmt: skip
    left = altair.Axis(domain=False, ticks=False, labelLimit=800)
    base = altair.Chart(data).encode(
        x=altair.X(
            "recipe:N", title=None, axis=top, scale=altair.Scale(domain=recipes, padding=_GAP)
        ),
        y=altair.Y("row:N", title=None, axis=left, scale=altair.Scale(domain=rows, padding=_GAP)),
    )
    scale = altair.Scale(type="threshold", domain=_EDGES, range="heatmap")
    layers = [
        base.mark_rect(cornerRadius=3).encode(
            color=altair.Color("share:Q", legend=None, scale=scale)
        )
    ]
    for strong in (False, True):
        chosen = base.transform_filter(altair.datum.is_strong == strong)
        style = "on-strong" if strong else "on-weak"
        layers.append(chosen.mark_text(style=style).encode(text="text:N"))
    return altair.layer(*layers).properties(
        width=max(1, len(recipes)) * 44, height=step_height(len(rows))
    )


def _row(each: Summary) -> str:
    # Rows of two tables have one name: the default initialization is a row of its own.
    return f"table {each.setting.table}: {each.setting.name}"
