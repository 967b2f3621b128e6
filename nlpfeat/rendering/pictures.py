"""Charts as SVG and PNG, without a browser."""

import copy
import json
import re
from typing import Any

from nlpfeat.rendering.blocks import Chart
from nlpfeat.rendering.bundle import vega_lite_version
from nlpfeat.rendering.charts import specification
from nlpfeat.rendering.escaping import script_json
from nlpfeat.rendering.fonts import chinese_font
from nlpfeat.rendering.requirements import check_chart_packages
from nlpfeat.rendering.themes import FONT_STACK, THEMES, Config

WIDTH = 760
_PIXEL_RATIO = 2.0
_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def chart_svg(chart: Chart) -> str:
    """Return a chart as SVG on white; its text stays text, shown in a font of the reader.

    Raises
    ------
    MissingDependencyError
        When altair or vl-convert-python is not installed.
    """
    check_chart_packages("an SVG figure")
    import altair
    import vl_convert

    version = vega_lite_version(altair.SCHEMA_VERSION)
    return vl_convert.vegalite_to_svg(_fixed_width(chart), vl_version=version, config=_config())


def chart_png(chart: Chart) -> bytes:
    """Return a chart as PNG on white, two pixels to a point.

    Chinese takes a font of this machine: see `lacks_chinese_font`.

    Raises
    ------
    MissingDependencyError
        When altair or vl-convert-python is not installed.
    """
    check_chart_packages("a PNG figure")
    import altair
    import vl_convert

    version = vega_lite_version(altair.SCHEMA_VERSION)
    return vl_convert.vegalite_to_png(
        _fixed_width(chart), vl_version=version, scale=_PIXEL_RATIO, config=_config()
    )


def lacks_chinese_font(chart: Chart) -> bool:
    """Tell whether a PNG of this chart would show boxes in the place of Chinese characters."""
    spec = script_json(specification(chart))
    return chinese_font() is None and _CHINESE.search(spec) is not None


def _fixed_width(chart: Chart) -> dict[str, Any]:
    # Through JSON, as on a page: a number that is not finite is none.
    spec: dict[str, Any] = json.loads(script_json(specification(chart)))
    return {**spec, "width": WIDTH} if spec.get("width") == "container" else spec


def _config() -> Config:
    config = copy.deepcopy(THEMES["light"])
    font = chinese_font()
    config["background"] = "#ffffff"
    config["font"] = FONT_STACK if font is None else f'"{font}", {FONT_STACK}'
    return config
