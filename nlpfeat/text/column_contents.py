"""What the cells of a table tell of its columns, where their names tell nothing."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

Rows: TypeAlias = Sequence[Sequence[str]]

#: More of a cell is not looked at.
_LOOKED_AT = 1_000
#: A text has so many units on average …
_SHORTEST_TEXT = 3
#: … and so many times those of any other column of words.
_CLEARLY = 1.5
_FEWEST_REPEATED = 4
_MANY_ROWS = 20
_LONGEST_NAME = 30

_MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-", "\\n", "无", "未知"})
_VALUE = re.compile(
    r"(?=\D*\d)[\d\s.,:/+\-−%％¥￥$€年月日号时点分秒]+"  # numbers, amounts, dates, times
    r"|(?=\D*\d)[!-~]+"  # ids, such as B0012
    r"|\w+://\S+|[!-?A-~]+@[!-?A-~]+"  # addresses
)
_UNIT = re.compile(r"[^\W\u2e80-\U0003ffff]+|[^\W\x00-\u2e7f]")
_ASCII_NAME = re.compile(r"[A-Za-z][\w .-]*", re.ASCII)
_SENTENCE = re.compile("[。！，；…]")


def is_value(cell: str) -> bool:
    """Tell whether a cell is a number, a date, an id, an address or nothing, and so no text.

    Examples
    --------
    >>> [is_value(cell) for cell in ("３.5", "2026年5月1日", "B0012", "", "床前明月光", "5月的雨")]
    [True, True, True, True, False, False]
    """
    cell = cell[:_LOOKED_AT].strip()
    return cell.casefold() in _MISSING or _VALUE.fullmatch(cell) is not None


def names_columns(rows: Rows) -> bool:
    """Tell whether the first of the rows differs in kind from the others, as names of columns do.

    It does where words stand above values alone, where an index without a name counts the rows
    from 0, where every cell is an English name above cells that are Chinese, and where it has less
    than half of any of twenty or more texts. A single other row tells only when it holds a longer
    text than the names.

    Examples
    --------
    >>> names_columns([["编号", "诗句"], ["1", "床前明月光"], ["2", "春眠不觉晓"]])
    True
    >>> names_columns([["床前明月光", "李白"], ["春眠不觉晓", "孟浩然"]])
    False
    """
    first, others = rows[0], rows[1:]
    if not others or any(_is_sentence(cell) for cell in first):
        return False
    if len(others) == 1 and max(map(_size, others[0])) <= max(map(_size, first)):
        return False
    below = [_column(others, at) for at in range(len(first))]
    if any(not is_value(name) and _are_values(cells) for name, cells in zip(first, below)):
        return True
    if not first[0].strip() and below[0] == list(map(str, range(len(others)))):
        return True
    if len(others) >= _MANY_ROWS and _is_shortest_by_far(first, others):
        return True
    return min(len(first), len(others)) > 1 and all(
        _ASCII_NAME.fullmatch(name.strip()) and not any(map(str.isascii, cells))
        for name, cells in zip(first, below)
    )


def find_text(rows: Rows, free: Iterable[int]) -> tuple[int | None, list[int]]:
    """Return the column with clearly the longest text, and all those that could be meant.

    Parameters
    ----------
    rows : sequence of sequence of str
        Without a header.
    free : iterable of int
        The columns to choose among, from 0.

    Returns
    -------
    column : int or None
        The only column of words, or the one with three characters or more on average that are
        half as many again as those of any other, unless it alone has the same cells again and
        again; a word of an alphabet is one character. None where there is no such column.
    meant : list of int
        The columns that can hold text, without those that are much shorter than others.

    Examples
    --------
    >>> find_text([["1", "床前明月光", "李白"], ["2", "春眠不觉晓", "孟浩然"]], range(3))
    (1, [1])
    >>> find_text([["天气", "很好"]], range(2))
    (None, [0, 1])
    """
    columns = {at: _column(rows, at) for at in free}
    words = {at: cells for at, cells in columns.items() if not all(map(is_value, cells))}
    sizes = {at: sum(map(_size, cells)) for at, cells in words.items()}
    most = max(sizes.values(), default=0)
    meant = [at for at, size in sizes.items() if size * _CLEARLY > most]
    if len(words) == 1:
        return next(iter(words)), list(words)
    is_clear = len(meant) == 1 and most >= _SHORTEST_TEXT * len(rows)
    if is_clear and (not _repeats(words[meant[0]]) or all(map(_repeats, words.values()))):
        return meant[0], meant
    return None, meant if len(meant) > 1 else list(words)


def label_is_first(rows: Rows) -> bool:
    """Tell whether of two columns without names the first is the label of the second.

    As text and label are usual in this order, the first must be the same few cells again and
    again, and the second clearly be the text.

    Examples
    --------
    >>> label_is_first([["好", "这家的面真香"], ["坏", "等了一个小时"], ["好", "下次还来吃"],
    ...                 ["坏", "再也不来了"]])
    True
    """
    return text_is_second(rows) and _repeats(_column(rows, 0))


def text_is_second(rows: Rows) -> bool:
    """Tell whether of two columns without names the second must be the text.

    It must where it clearly is the longer one, and the first holds values alone or there are some
    rows to tell by: labels that are longer than texts come again and again.
    """
    is_told = len(rows) >= _FEWEST_REPEATED or all(map(is_value, _column(rows, 0)))
    return is_told and find_text(rows, range(2))[0] == 1


def may_be_label(rows: Rows, at: int) -> bool:
    """Tell whether the cells of a column are few different ones, as the names of classes are.

    Examples
    --------
    >>> may_be_label([["好"], ["坏"]] * 5, 0), may_be_label([["甲"], ["乙"], ["丙"], ["丁"]], 0)
    (True, False)
    """
    cells = _column(rows, at)
    return len(set(cells)) < _FEWEST_REPEATED or _repeats(cells)


def _is_shortest_by_far(first: Sequence[str], others: Rows) -> bool:
    at, _ = find_text(others, range(len(first)))
    sizes = [_size(cell) for cell in _column(others, at)] if at is not None else [0]
    return at is not None and 0 < 2 * _size(first[at]) < min(sizes)


def _column(rows: Rows, at: int) -> list[str]:
    return [row[at][:_LOOKED_AT].strip() if at < len(row) else "" for row in rows]


def _size(cell: str) -> int:
    """Return the number of Chinese characters and of words of an alphabet."""
    return len(_UNIT.findall(cell[:_LOOKED_AT]))


def _repeats(cells: Sequence[str]) -> bool:
    return len(cells) >= _FEWEST_REPEATED and 2 * len(set(cells)) <= len(cells)


def _are_values(cells: Sequence[str]) -> bool:
    return any(cells) and all(map(is_value, cells))


def _is_sentence(cell: str) -> bool:
    return len(cell) > _LONGEST_NAME or _SENTENCE.search(cell) is not None
