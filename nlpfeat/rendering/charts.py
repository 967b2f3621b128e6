"""From rows to a Vega-Lite specification that is the same on every machine."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from nlpfeat.rendering.blocks import Chart
from nlpfeat.rendering.escaping import plain

if TYPE_CHECKING:
    import altair

Row: TypeAlias = Mapping[str, str | float | int | bool | None]


def chart_data(rows: Sequence[Row]) -> "altair.InlineData":
    """Return rows as the data of a chart, inside it.

    Names of fields are those of the program, never a reader's: Vega-Lite takes dots and brackets
    in them for paths. Texts are values only.

    Parameters
    ----------
    rows : sequence of mappings
        From names of fields to texts, numbers, bools and None.
    """
    import altair

    values = [
        {name: plain(value) if isinstance(value, str) else value for name, value in row.items()}
        for row in rows
    ]
    return altair.InlineData(values=values)


def specification(chart: Chart) -> dict[str, Any]:
    """Return the Vega-Lite specification of a chart, without a theme.

    Themes that the user has set up in altair do not show: colors come from
    `nlpfeat.rendering.themes` alone, and equal charts give equal specifications.
    """
    # Each part was validated when it was made; the whole again takes longer than all the rest.
    spec: dict[str, Any] = chart.to_dict(validate=False)
    for name in ("config", "usermeta"):
        spec.pop(name, None)
    return spec


def step_height(n_rows: int, step: int = 26) -> int:
    """Return the height of a chart with that many rows of labels, in pixels."""
    return max(n_rows, 1) * step
