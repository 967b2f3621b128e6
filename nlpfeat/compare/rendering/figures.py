"""The charts of a comparison, as objects of altair and as files."""

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from nlpfeat._names import lookup
from nlpfeat.compare.findings import Findings
from nlpfeat.compare.rendering.contents import findings_page
from nlpfeat.errors import OutputError
from nlpfeat.io.atomic import atomic_output
from nlpfeat.rendering import chart_png, chart_svg, check_chart_packages
from nlpfeat.rendering.blocks import Chart
from nlpfeat.rendering.pictures import lacks_chinese_font


def _svg(chart: Chart) -> bytes:
    return chart_svg(chart).encode()


FORMATS: dict[str, Callable[[Chart], bytes]] = {"svg": _svg, "png": chart_png}


def figures(findings: Findings) -> dict[str, Chart]:
    """Return all charts of the page, by their names.

    Raises
    ------
    MissingDependencyError
        When altair or vl-convert-python is not installed.
    """
    check_chart_packages("the figures of a report")
    page = findings_page(findings, (), include_documents=False)
    return {figure.name: figure.draw() for figure in page.figures()}


def save_figures(
    findings: Findings, folder: str | Path, formats: Sequence[str] = ("svg", "png")
) -> list[Path]:
    """Write each chart as a file in each format.

    In SVG, text stays text and is shown in a font of the reader. A PNG takes a font of this
    machine; where none has Chinese characters and a chart does, a warning says so, once.

    Parameters
    ----------
    findings : Findings
    folder : str or Path
        Made when it is not there.
    formats : sequence of {"svg", "png"}

    Returns
    -------
    list of Path
        The files, in the order in which they were written.

    Raises
    ------
    InvalidParameterError
        For an unknown format.
    MissingDependencyError
        When altair or vl-convert-python is not installed.
    OutputError
        When a file or the folder cannot be written.
    """
    writers = {name: lookup(FORMATS, name, "formats") for name in formats}
    charts = figures(findings)
    if "png" in writers and any(map(lacks_chinese_font, charts.values())):
        warnings.warn(
            "No font with Chinese characters is installed, so PNG figures show boxes in their "
            "place. Install one, such as Noto Sans CJK (Debian: fonts-noto-cjk), or use SVG.",
            stacklevel=2,
        )
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder {str(folder)!r}: {error.strerror}.") from error
    written = []
    for name, chart in charts.items():
        for ending, write in writers.items():
            path = folder / f"{name}.{ending}"
            with atomic_output(path) as stream:
                stream.write(write(chart))
            written.append(path)
    return written
