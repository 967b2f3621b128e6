"""How strongly a token is marked."""

import math
from collections.abc import Sequence

from nlpfeat.rendering.blocks import Cell, Column, DataTable, TokenStrip
from nlpfeat.rendering.numbers import decimal, signed

#: Levels of strength on each side of 0.
N_LEVELS = 6


def strip_levels(values: Sequence[float]) -> list[int]:
    """Return a level for each number: 0 is none, up to ±`N_LEVELS` the largest of its source.

    Sources have scales of their own (a weight of attention, bits of surprisal), so each is held
    against its own largest number. What is not 0 is at least level 1; NaN is level 0.

    Examples
    --------
    >>> strip_levels([0.0, 0.5, -1.0, 0.001, float("nan")])
    [0, 3, -6, 1, 0]
    """
    finite = [abs(value) for value in values if math.isfinite(value)]
    largest = max(finite, default=0.0)
    return [_level(value, largest) for value in values]


def _level(value: float, largest: float) -> int:
    if math.isnan(value) or value == 0:
        return 0
    if math.isinf(value) or not largest:
        size = N_LEVELS
    else:
        # Divided first: the product of a huge number and a level may overflow.
        size = max(1, round(abs(value) / largest * N_LEVELS))
    return size if value > 0 else -size


def strip_numbers(values: Sequence[float]) -> list[str]:
    """Return the numbers of a source as text, with signs where one is below 0.

    Examples
    --------
    >>> strip_numbers([0.5, 0.25]), strip_numbers([0.5, -0.25])
    (['0.500', '0.250'], ['+0.500', '−0.250'])
    """
    write = signed if any(value < 0 for value in values) else decimal
    return [write(value) for value in values]


def strip_table(strip: TokenStrip) -> DataTable:
    """Return the numbers of a strip: a row a token, a column a source."""
    written = [strip_numbers(values) for values in strip.sources.values()]
    columns = [Column("Token", "head"), *(Column(name, "number") for name in strip.sources)]
    rows = [
        [Cell(token), *(Cell(text, value) for text, value in zip(texts, values))]
        for token, texts, values in zip(strip.tokens, zip(*written), zip(*strip.sources.values()))
    ]
    return DataTable("Token by token", columns, rows)
