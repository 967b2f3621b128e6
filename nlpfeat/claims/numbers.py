"""How the numbers of claims are written."""

import math

from nlpfeat.claims.figures import Figure, Kind
from nlpfeat.rendering.numbers import interval, span

_WORDS: dict[Kind, str] = {"exact": "exact", "built": "by construction", "counted": "count"}


def shown(value: float) -> str:
    """Return a number with three digits that count, and none that rounding made.

    Examples
    --------
    >>> shown(0.0625), shown(2.0), shown(1.5e-16), shown(0.98765), shown(2995.0), shown(-0.046875)
    ('0.0625', '2', '< 1e-12', '0.988', '2,995', '−0.0469')
    >>> shown(0.0)
    '0'
    """
    if value == 0:
        return "0"
    if abs(value) < 1e-12:
        return "< 1e-12"
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}".replace("-", "−")
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    text = f"{value:.1e}" if digits > 6 else f"{value:.{digits}f}"
    return text.replace("-", "−")


def ends(figure: Figure) -> str:
    """Return the interval of a figure as it is shown: both ends, why there is none, or a range.

    Examples
    --------
    >>> ends(Figure("词", (0.5,))), ends(Figure("词", (0.5,), "", "drawn"))
    ('exact', 'too few')
    >>> ends(Figure("词", (0.5, 0.6, 0.7), "", "drawn"))
    '[0.352, 0.848]'
    >>> ends(Figure("秒", (2.0, 4.0, 3.0), "ratio", "timed"))
    '2 … 4'
    """
    if figure.kind in _WORDS:
        return _WORDS[figure.kind]
    if figure.bounds is None:
        return "too few"
    low, high = (shown(end) for end in figure.bounds)
    return span(low, high) if figure.kind == "timed" else interval(low, high)
