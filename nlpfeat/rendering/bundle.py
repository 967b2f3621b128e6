"""The JavaScript that draws charts: Vega, Vega-Lite and vega-embed as one text."""

from functools import lru_cache

_SNIPPET = "window.vegaEmbed = vegaEmbed;"


@lru_cache(maxsize=1)
def vega_bundle() -> str:
    """Return the libraries of the version that altair writes for; making it takes seconds, once.

    The function that draws a chart stands on ``window`` as ``vegaEmbed``.
    """
    import altair
    import vl_convert

    version = vega_lite_version(altair.SCHEMA_VERSION)
    return vl_convert.javascript_bundle(_SNIPPET, vl_version=version)


def vega_lite_version(schema: str) -> str:
    """Return what vl-convert calls the version of a schema.

    Examples
    --------
    >>> vega_lite_version("v6.4.1")
    '6.4'
    """
    return ".".join(schema.removeprefix("v").split(".")[:2])
