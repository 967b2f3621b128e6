"""Pages and pictures of results: one self-contained HTML file, Markdown, SVG and PNG.

This layer knows nothing of what it shows. Who has a result makes a `Page` of blocks, and
`render_page` or `render_page_markdown` shows it; texts may hold anything and are shown as text.
"""

from nlpfeat.rendering.blocks import (
    Block,
    Cell,
    Column,
    DataTable,
    Facts,
    Figure,
    FigureGrid,
    Folded,
    Page,
    Prose,
    Section,
    TokenStrip,
    TokenStrips,
)
from nlpfeat.rendering.markdown import render_page_markdown
from nlpfeat.rendering.page import render_page
from nlpfeat.rendering.pictures import chart_png, chart_svg
from nlpfeat.rendering.requirements import check_chart_packages, check_page_packages

__all__ = [
    "Block",
    "Cell",
    "Column",
    "DataTable",
    "Facts",
    "Figure",
    "FigureGrid",
    "Folded",
    "Page",
    "Prose",
    "Section",
    "TokenStrip",
    "TokenStrips",
    "chart_png",
    "chart_svg",
    "check_chart_packages",
    "check_page_packages",
    "render_page",
    "render_page_markdown",
]
