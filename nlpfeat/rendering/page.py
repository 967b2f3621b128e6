"""A page as one HTML file that needs nothing else: no network, no font, no other file."""

import base64
import hashlib
import math
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from nlpfeat.rendering.blocks import Page
from nlpfeat.rendering.bundle import vega_bundle
from nlpfeat.rendering.charts import specification
from nlpfeat.rendering.escaping import plain, script_json, script_source
from nlpfeat.rendering.requirements import check_page_packages
from nlpfeat.rendering.strips import strip_levels, strip_numbers, strip_table
from nlpfeat.rendering.themes import THEMES

if TYPE_CHECKING:
    import jinja2


def render_page(page: Page) -> str:
    """Return the HTML of a page, to be written as UTF-8.

    Whatever stands in the page as text is shown as text. Only the scripts of this layer run,
    nothing is loaded and nothing is sent: a Content-Security-Policy names the scripts and the style
    by their SHA-256, and charts are computed by Vega's interpreter instead of ``eval``. Equal pages
    give equal bytes under equal versions of altair and vl-convert.

    Parameters
    ----------
    page : Page

    Returns
    -------
    str

    Raises
    ------
    MissingDependencyError
        When a package of the extra ``report`` is not installed.

    Examples
    --------
    >>> from nlpfeat.rendering import Page, Prose
    >>> html = render_page(Page("语料 <b>", lead=[Prose(["今天天气很好。"])]))
    >>> "<h1>语料 &lt;b&gt;</h1>" in html, "<script" in html
    (True, False)
    """
    figures = page.figures()
    check_page_packages("an HTML page", charts=bool(figures))
    specs = {figure.name: script_json(specification(figure.draw())) for figure in figures}
    style = _template_text("page.css")
    scripts = [script_source(_template_text("page.js"))] if figures or _has_table(page) else []
    if figures:
        scripts.insert(0, script_source(vega_bundle()))
    html: str = (
        _environment()
        .get_template("page.html")
        .render(
            page=page,
            policy=_policy(scripts, style),
            style=style,
            scripts=scripts,
            specs=specs,
            themes=script_json(THEMES),
        )
    )
    return html


def _has_table(page: Page) -> bool:
    # Every block but prose and facts may hold a table, which can be sorted.
    blocks = [*page.lead, *(block for section in page.sections for block in section.blocks)]
    return any(block.kind not in ("prose", "facts") for block in blocks)


def _policy(scripts: list[str], style: str) -> str:
    """Return a policy that allows these scripts and this style alone."""
    allowed = " ".join(map(_hash_source, scripts)) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash_source(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash_source(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _template_text(name: str) -> str:
    return files("nlpfeat.rendering").joinpath("templates", name).read_text("utf-8")


@lru_cache(maxsize=1)
def _environment() -> "jinja2.Environment":
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_template_text),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )
    environment.tests["finite"] = _is_finite
    environment.filters["levels"] = strip_levels
    environment.filters["numbers"] = strip_numbers
    environment.globals["strip_table"] = strip_table
    return environment


def _is_finite(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _shown(value: Any) -> Any:
    """Take out of a text what no page can hold; what is markup already has been through this."""
    return plain(value) if type(value) is str else value
