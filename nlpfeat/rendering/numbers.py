"""Numbers as people read them."""

import math

#: Shown where there is no number.
NONE = "–"
_MINUS = "\u2212"


def decimal(value: float | None, digits: int = 3) -> str:
    """Return a number with that many digits after the point.

    Examples
    --------
    >>> decimal(-0.12345), decimal(None), decimal(1234.5, 0), decimal(float("inf"))
    ('−0.123', '–', '1,234', '∞')
    """
    if value is None or math.isnan(value):
        return NONE
    if math.isinf(value):
        return "∞" if value > 0 else f"{_MINUS}∞"
    text = f"{value:,.{digits}f}"
    if text.startswith("-") and not any(character in "123456789" for character in text):
        text = text[1:]  # no minus before a rounded zero
    return text.replace("-", _MINUS)


def signed(value: float | None, digits: int = 3) -> str:
    """Return a number with its sign, also above 0.

    Examples
    --------
    >>> signed(0.5, 1), signed(-0.5, 1), signed(0.001, 1)
    ('+0.5', '−0.5', '0.0')
    """
    text = decimal(value, digits)
    is_above = value is not None and value > 0 and any(mark in "123456789∞" for mark in text)
    return f"+{text}" if is_above else text


def percent(value: float | None, digits: int = 1) -> str:
    """Return a share of 1 in percent, without the sign %.

    Examples
    --------
    >>> percent(0.87349)
    '87.3'
    """
    return decimal(None if value is None else 100 * value, digits)


def points(value: float | None, digits: int = 1) -> str:
    """Return a difference of shares in percentage points, with its sign.

    Examples
    --------
    >>> points(-0.0125)
    '−1.2'
    """
    return signed(None if value is None else 100 * value, digits)


def quantity(value: float | None) -> str:
    """Return a number of any size with three digits that count.

    Examples
    --------
    >>> quantity(1234567), quantity(12.345), quantity(0.0012345), quantity(7)
    ('1,234,567', '12.3', '0.00123', '7')
    """
    if value is None or not math.isfinite(value):
        return decimal(value)
    if value == int(value) or abs(value) >= 100:
        return decimal(value, 0)
    digits = 2 - math.floor(math.log10(abs(value)))
    return f"{value:.1e}".replace("-", _MINUS) if digits > 8 else decimal(value, digits)


def p_value(value: float | None) -> str:
    """Return a p-value, short: two digits, three below .01 and where .05 would hide the side.

    Examples
    --------
    >>> p_value(0.0312), p_value(0.0042), p_value(0.0496), p_value(0.00001), p_value(1.0)
    ('.03', '.004', '.050', '< .001', '1')
    """
    if value is None or math.isnan(value):
        return NONE
    if value < 0.001:
        return "< .001"
    if value >= 0.995:
        return "1" if value >= 1 else "> .99"
    is_exact = value < 0.01 or round(value, 2) == 0.05
    return f"{value:.{3 if is_exact else 2}f}".removeprefix("0")


def interval(low: str, high: str) -> str:
    """Return both ends of an interval of confidence, which are numbers already written.

    Examples
    --------
    >>> interval("−1.2", "0.4")
    '[−1.2, 0.4]'
    """
    return f"[{low}, {high}]"


def span(low: str, high: str) -> str:
    """Return from where to where a range goes, of numbers already written.

    Examples
    --------
    >>> span("60", "67")
    '60 … 67'
    """
    return f"{low} … {high}"
