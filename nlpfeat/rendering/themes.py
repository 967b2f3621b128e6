"""How charts look, in light and in dark; the page holds both and the reader's system chooses."""

from collections.abc import Sequence
from typing import Any, TypeAlias

Config: TypeAlias = dict[str, Any]

#: Fonts of text, those with Chinese characters of each system among them.
FONT_STACK = (
    'system-ui, -apple-system, "Segoe UI", "Helvetica Neue", "Noto Sans", "PingFang SC", '
    '"Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Source Han Sans SC", '
    '"WenQuanYi Micro Hei", sans-serif'
)
#: The same in both themes: at least 3:1 on either background, and different in grey too.
BLUE, ORANGE, GREY = "#3579b8", "#cc6a1c", "#858c94"
#: Where the colors of a heat map change.
HEAT_EDGES = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
_STRONG_FROM = 0.75

_SERIES_LIGHT = ["#2f6fab", "#c8641a", "#3d8361", "#a3487c", "#7a6a2b", "#6456b7", "#1f8a99",
                 "#b5423f", "#5f6670", "#8a5a2f"]  # fmt: skip
_SERIES_DARK = ["#6aaee6", "#f09a52", "#6fbf97", "#dd86b6", "#c2ac57", "#a79bf0", "#58c3d1",
                "#ef8582", "#a9b1ba", "#c99a6b"]  # fmt: skip
_HEAT_LIGHT = ["#f4f1ea", "#e9eae8", "#d9e2e8", "#c5d8e6", "#accbe1", "#2f74ae", "#2868a0",
               "#215b90", "#1a4d7e", "#123e6a"]  # fmt: skip
_HEAT_DARK = ["#22262b", "#252e37", "#283746", "#2b4157", "#2e4c69", "#74b0e2", "#87bce8",
              "#9bc9ee", "#b1d6f3", "#c9e4f8"]  # fmt: skip


def _theme(
    *, ink: str, muted: str, faint: str, paper: str, series: Sequence[str], heat: Sequence[str]
) -> Config:
    axis = {"labelColor": muted, "titleColor": muted, "gridColor": faint, "domainColor": faint,
            "tickColor": faint, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 500,
            "titlePadding": 10, "labelLimit": 190, "labelPadding": 6}  # fmt: skip
    legend = {"labelColor": ink, "titleColor": muted, "labelFontSize": 12, "titleFontSize": 12,
              "titleFontWeight": 500, "labelLimit": 130, "columns": 5, "orient": "top",
              "symbolLimit": 200, "symbolOpacity": 1, "symbolStrokeWidth": 2}  # fmt: skip
    return {
        "aria": False,  # the frame of the chart says what it shows
        "background": None,
        "font": FONT_STACK,
        "axis": axis,
        "axisY": {"labelColor": ink},
        "legend": legend,
        "range": {"category": list(series), "ramp": list(heat), "heatmap": list(heat)},
        "style": {
            "label": {"color": ink, "fontSize": 12},
            "minor": {"color": muted, "fontSize": 11},
            "on-weak": {"color": ink, "fontSize": 13},
            "on-strong": {"color": paper, "fontSize": 13},
            "on-weak-minor": {"color": ink, "fontSize": 10},
            "on-strong-minor": {"color": paper, "fontSize": 10},
            "node": {"stroke": paper, "strokeWidth": 1.5},
        },
        "view": {"stroke": None},
    }


#: What vega-embed is given as its configuration.
THEMES: dict[str, Config] = {
    "light": _theme(ink="#1d2126", muted="#5b636c", faint="#e3e2dc", paper="#ffffff",
                    series=_SERIES_LIGHT, heat=_HEAT_LIGHT),
    "dark": _theme(ink="#e8e6e1", muted="#a3abb4", faint="#33383f", paper="#101317",
                   series=_SERIES_DARK, heat=_HEAT_DARK),
}  # fmt: skip


def is_strong(value: float) -> bool:
    """Tell whether text on this value's colour of the heat map takes the style "on-strong"."""
    return value >= _STRONG_FROM
