"""The packages of the extra ``report``, asked for before any work."""

from importlib.util import find_spec

from nlpfeat._optional import missing_dependency

_EXTRA = "report"
_TEMPLATES = ("jinja2",)
_CHARTS = ("altair", "vl_convert")
_NAMES = {"vl_convert": "vl-convert-python"}


def check_page_packages(purpose: str, *, charts: bool = True) -> None:
    """Raise where a page cannot be made, without loading what makes it.

    Parameters
    ----------
    purpose : str
        What needs the packages, as the message begins.
    charts : bool, default=True
        Whether the page has charts.

    Raises
    ------
    MissingDependencyError
        When jinja2, altair or vl-convert-python is not installed.
    """
    _check((*_TEMPLATES, *_CHARTS) if charts else _TEMPLATES, purpose)


def check_chart_packages(purpose: str) -> None:
    """Raise where charts cannot be drawn; see `check_page_packages`."""
    _check(_CHARTS, purpose)


def _check(modules: tuple[str, ...], purpose: str) -> None:
    for module in modules:
        if not _is_installed(module):
            raise missing_dependency(_NAMES.get(module, module), _EXTRA, purpose)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # it stands in sys.modules as None: its import is forbidden
        return False
