r"""Text of others as text, whatever it holds.

Four places, four rules: HTML (jinja2 escapes it; `plain` takes out what no page can hold), JSON
inside a script element (`script_json`), the source of a script (`script_source`), and Markdown
(`markdown_text`).
"""

import json
import math
import re
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

from nlpfeat.errors import InvalidParameterError

# Lone surrogates cannot be encoded; of the control characters HTML takes tab and line feed.
_NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_IN_SCRIPT = re.compile("[<>&\u2028\u2029]")
_IN_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>&|#~!$]")
# What begins a list, or alone on its line makes a heading of the one above.
_MARKDOWN_STARTS = re.compile(r"^(\d*)([.)](?=\s|$)|[-+](?=\s|$)|[=-]+$)")
_LINE_ENDS = re.compile(r"[\n\r\u0085\u2028\u2029\v\f]+")


def plain(text: str) -> str:
    r"""Return the text with U+FFFD for each character that an HTML page cannot hold.

    Line ends are LF, as a browser reads them.

    Examples
    --------
    >>> plain("语言\x00\r\n学习")
    '语言�\n学习'
    """
    return _NO_TEXT.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def script_json(value: object) -> str:
    r"""Return JSON that may stand inside a script element of an HTML page.

    ``<``, ``>``, ``&``, U+2028 and U+2029 are escapes, so no text ends the element, begins a
    comment or a line. Numbers are plain ones (those of NumPy too), and null where they are not
    finite; keys keep their order, so equal values give equal bytes.

    Parameters
    ----------
    value : mapping, sequence, str, number, bool or None
        Nested as you like.

    Raises
    ------
    InvalidParameterError
        For what JSON has no form for, complex numbers among them.

    Examples
    --------
    >>> print(script_json({"词": ["</script>", float("nan"), 1.5]}))
    {"词":["\u003c/script\u003e",null,1.5]}
    """
    text = json.dumps(_plain_value(value), ensure_ascii=False, separators=(",", ":"))
    return _IN_SCRIPT.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def script_source(code: str) -> str:
    r"""Return JavaScript that may stand inside a script element.

    The three sequences that matter to an HTML parser can stand only in strings, patterns and
    comments of a program, where a backslash changes nothing else.

    Examples
    --------
    >>> print(script_source("x = '</script><!--'"))
    x = '<\/script><\!--'
    """
    code = code.replace("\r\n", "\n").replace("\r", "\n")
    code = re.sub(r"<(/?)(script)", _guarded, code, flags=re.I)
    return code.replace("<!--", "<\\!--")


def markdown_text(text: str) -> str:
    r"""Return text that Markdown shows as it is, in a line or in a cell of a table.

    Markup, HTML, pipes and backticks are escaped; a line end becomes a space.

    Examples
    --------
    >>> print(markdown_text("a|b <img> `x`"))
    a\|b \<img\> \`x\`
    """
    line = _LINE_ENDS.sub(" ", plain(text)).strip()
    escaped = _IN_MARKDOWN.sub(lambda match: "\\" + match[0], line)
    return _MARKDOWN_STARTS.sub(r"\1\\\2", escaped)


def _guarded(match: re.Match[str]) -> str:
    slash, name = match.groups()
    return f"<\\/{name}" if slash else f"<\\{_hexadecimal(name[0])}{name[1:]}"


def _hexadecimal(character: str) -> str:
    return f"x{ord(character):02x}"


def _plain_value(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, Mapping):
        return {plain(str(key)): _plain_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain_value(item) for item in value]
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value) if math.isfinite(value) else None
    if hasattr(value, "tolist"):  # an array of NumPy, or its bool
        return _plain_value(value.tolist())
    raise InvalidParameterError(
        f"value must be made of mappings, lists, texts, real numbers, bools and None. "
        f"Got {type(value).__name__}."
    )
