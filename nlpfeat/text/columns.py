"""Choose the columns of a table that hold text, label and id."""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from nlpfeat._names import closest
from nlpfeat._validation import check_int
from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.column_contents import (
    Rows,
    find_text,
    label_is_first,
    may_be_label,
    names_columns,
    text_is_second,
)

TEXT_NAMES = (
    "text", "content", "sentence", "review", "comment",
    "文本", "内容", "正文", "句子", "评论", "留言", "弹幕", "微博", "title", "标题",
)  # fmt: skip
LABEL_NAMES = ("label", "class", "category", "sentiment", "标签", "类别", "分类", "情感", "类型")
#: What also is the class of a text, so that one such cell does not make a header.
_TOPICS = ("情感", "sentiment", "class")


class ColumnChoice(NamedTuple):
    """The columns a user asked for: names, positions from 1, or None to find them."""

    text: str | int | None = None
    label: str | int | None = None
    id: str | int | None = None

    def check(self) -> None:
        """Raise `InvalidParameterError` for what is neither name, position nor None."""
        for field, value in zip(self._fields, self):
            if value is not None and not isinstance(value, str):
                check_int(value, f"{field}_column", minimum=1)


class Columns(NamedTuple):
    """The columns of one table, by position from 0."""

    text: int
    label: int | None
    id: int | None
    has_header: bool
    #: Every row must have at least so many columns …
    min_width: int
    #: … and no more that are not blank than the first, unless the text was asked for by number.
    max_width: int | None

    def describe(self, row: Sequence[str]) -> str:
        """Say which columns are read, for the log."""
        parts = ["first line is the header" if self.has_header else "no header"]
        for what, at in (("text", self.text), ("label", self.label), ("id", self.id)):
            if at is not None:
                parts.append(
                    f"{what} in column {at + 1}" + (f" ({row[at]})" if self.has_header else "")
                )
        return f"{parts[0]}; {', '.join(parts[1:])}"


def choose_columns(rows: Rows, choice: ColumnChoice, name: str) -> Columns:
    """Choose the columns of a table from its first rows.

    Parameters
    ----------
    rows : sequence of sequence of str
        The cells of the first rows, at least one.
    choice : ColumnChoice
        A name means that the first row is a header. Without a name it is one when one of its cells
        is a usual name for text or for a label, when one ends with the first, as 评论内容 does, and
        another holds the second, and when it differs in kind from the other rows
        (`names_columns`). A text that no name tells is found by what the columns hold
        (`find_text`); of two columns without names it is the first, unless that can be none.
    name : str
        What messages call the table.

    Raises
    ------
    InvalidParameterError
        For a column that is not there, and where the text could be in several.

    Examples
    --------
    >>> rows = [["编号", "文本", "类别"]]
    >>> choose_columns(rows, ColumnChoice(), "a.csv").describe(rows[0])
    'first line is the header; text in column 2 (文本), label in column 3 (类别)'
    >>> choose_columns([["天气很好", "正面"]], ColumnChoice(), "a.tsv").describe([])
    'no header; text in column 1, label in column 2'
    >>> rows = [["编号", "诗句"], ["1", "床前明月光"], ["2", "春眠不觉晓"]]
    >>> choose_columns(rows, ColumnChoice(), "a.csv").describe(rows[0])
    'first line is the header; text in column 2 (诗句)'
    """
    cells = [cell.strip() for cell in rows[0]]
    is_named = any(isinstance(value, str) for value in choice)
    has_header = is_named or is_header(cells) or names_columns(rows)
    label = _position(cells, choice.label, "label_column", name)
    ident = _position(cells, choice.id, "id_column", name)
    text = _position(cells, choice.text, "text_column", name)
    if has_header:
        label = _find_label(cells, {text, ident}) if label is None else label
        if text is None:
            text = _default_text(cells, rows[1:], name, {label, ident})
    else:
        if text is None:
            text = _headless_text(cells, rows, name, {label, ident})
        if label is None:
            label = _headless_label(rows, {text, ident}, choice)
    needed = (text, ident, label if choice.label is not None else None)
    min_width = 1 + max(at for at in needed if at is not None)
    max_width = None if isinstance(choice.text, int) else len(cells)
    return Columns(text, label, ident, has_header, min_width, max_width)


def choose_keys(
    objects: Sequence[Mapping[str, object]], choice: ColumnChoice, name: str
) -> ColumnChoice:
    """Choose the keys of JSON Lines from the first objects; all come back as names.

    The first object has the keys; where none has a usual name for text, the strings under them
    tell which it is, as the cells of a table do.

    Raises
    ------
    InvalidParameterError
        For a key that is not there, for a position, since an object has none, and where several
        keys could be meant.

    Examples
    --------
    >>> first = {"id": 7, "content": "天气很好", "标签": "好"}
    >>> choose_keys([first], ColumnChoice(id="id"), "a.jsonl")
    ColumnChoice(text='content', label='标签', id='id')
    """
    keys = list(objects[0])
    chosen: dict[str, str | int | None] = {}
    for field, value in zip(choice._fields, choice):
        if isinstance(value, int):
            raise InvalidParameterError(
                f"{field}_column must be a key for JSON Lines ({name}). Got position {value}."
            )
        at = _position(keys, value, f"{field}_column", name)
        chosen[field] = None if at is None else keys[at]
    taken = {keys.index(key) for key in chosen.values() if isinstance(key, str)}
    if chosen["label"] is None:
        at = _find_label(keys, taken)
        chosen["label"] = None if at is None else keys[at]
        taken |= set() if at is None else {at}
    if chosen["text"] is None:
        values = [[each.get(key) for key in keys] for each in objects]
        rows = [[value if isinstance(value, str) else "" for value in row] for row in values]
        chosen["text"] = keys[_default_text(keys, rows, name, taken)]
    return ColumnChoice(**chosen)


def find_name(cells: Sequence[str], names: Sequence[str]) -> int | None:
    """Return where the first of ``names`` that is among the cells stands, whatever its case."""
    folded = [cell.casefold() for cell in cells]
    return next((folded.index(name) for name in names if name in folded), None)


def is_header(cells: Sequence[str]) -> bool:
    """Tell whether a first row is the names of columns and no document.

    Examples
    --------
    >>> is_header(["编号", "评论内容", "情感倾向"]), is_header(["内容很好", "正面"])
    (True, False)
    """
    if find_name(cells, TEXT_NAMES) is not None:
        return True
    if find_name(cells, [each for each in LABEL_NAMES if each not in _TOPICS]) is not None:
        return True
    text = _find_ending(cells)
    return text is not None and _find_label(cells, {text}) is not None


def _find_ending(cells: Sequence[str], taken: Container[int | None] = ()) -> int | None:
    """Return where a cell ends with a usual name for text, the first name first."""
    return next(
        (
            at
            for each in TEXT_NAMES
            for at, cell in enumerate(cells)
            if at not in taken and cell.casefold().endswith(each)
        ),
        None,
    )


def _find_label(cells: Sequence[str], taken: Container[int | None]) -> int | None:
    """Return where a label stands: under a usual name or, failing that, a name that holds one."""
    free = ["" if at in taken else cell.casefold() for at, cell in enumerate(cells)]
    exact = find_name(free, LABEL_NAMES)
    if exact is not None:
        return exact
    return next((at for each in LABEL_NAMES for at, cell in enumerate(free) if each in cell), None)


def _default_text(cells: Sequence[str], rows: Rows, name: str, taken: Container[int | None]) -> int:
    """Return where the text stands below the names of a header.

    It stands under a usual name, one with its end, in what is left, or where the rows show it.
    """
    free = ["" if at in taken else cell for at, cell in enumerate(cells)]
    at = find_name(free, TEXT_NAMES)
    if at is None:
        at = _find_ending(cells, taken)
    if at is not None:
        return at
    left = [place for place in range(len(cells)) if place not in taken]
    if len(left) == 1:
        return left[0]
    at, meant = find_text(rows, left)
    if at is None:
        places = " or ".join(repr(cells[place]) for place in meant)
        raise InvalidParameterError(
            f"{_asked(name, places)} Its columns are {', '.join(map(repr, cells))}; none is named "
            f"{', '.join(TEXT_NAMES)}, or ends so."
        )
    return at


def _headless_text(
    cells: Sequence[str], rows: Rows, name: str, taken: Container[int | None]
) -> int:
    """Return where the text stands when there are no names."""
    left = [place for place in range(len(cells)) if place not in taken]
    if len(left) < 2:
        return left[0] if left else 0
    if len(cells) == 2:
        return int(text_is_second(rows))
    at, meant = find_text(rows, left)
    if at is None:
        places = " or ".join(str(place + 1) for place in meant)
        shown = ", ".join(repr(cell[:20]) for cell in cells)
        raise InvalidParameterError(
            f"{_asked(name, places and f'column {places}')} There is no header; the first row is "
            f"{shown}."
        )
    return at


def _asked(name: str, places: str) -> str:
    """Return that the text must be named, as it could be in several columns or in none."""
    why = f"its text could be in {places}" if places else "none of its columns holds words"
    return f"text_column must be given for {name} (--text-column): {why}."


def _headless_label(rows: Rows, taken: Container[int | None], choice: ColumnChoice) -> int | None:
    """Return where the label stands when there are no names."""
    width = len(rows[0])
    last = width - 1
    if last not in taken:
        return last if width == 2 or may_be_label(rows, last) else None
    if width == 2 and 0 not in taken and choice.text is None and label_is_first(rows):
        return 0
    return None


def _position(
    cells: Sequence[str], column: str | int | None, parameter: str, name: str
) -> int | None:
    if column is None:
        return None
    if isinstance(column, str):
        if column in cells:
            return list(cells).index(column)
        raise InvalidParameterError(
            f"{parameter} must be a column of {name}, which has "
            f"{', '.join(map(repr, cells))}. Got {column!r}.{closest(column, cells)}"
        )
    if column > len(cells):
        raise InvalidParameterError(
            f"{parameter} must be at most {len(cells)}, the number of columns of {name}. "
            f"Got {column}."
        )
    return column - 1
